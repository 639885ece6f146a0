"""Exercise `score_deviation`: how far scores spread where the entries' deviation is not 1."""

import math

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def score_deviation(d_k, sigma):
    """The spread of a score of independent entries with mean 0 and spread sigma.

    d_k: the width   sigma: spread of the entries of q and of k   returns: one number
    """
    # SOLUTION
    return sigma**2 * np.sqrt(d_k)
    # END SOLUTION


def _exact(got, want, case) -> bool | str:
    """Right up to rounding; says so where it is close, as a simulation is."""
    if close()(got, want, case):
        return True
    if np.ndim(got["output"]) == 0 and np.isclose(got["output"], want["output"], rtol=0.1):
        return (
            "Close, and digits are missing. The spread follows from d_k and sigma by a formula, "
            "without rounding and without chance; by drawing it comes out only about so."
        )
    return False


SCORE_DEVIATION = Exercise(
    answer=score_deviation,
    accept=_exact,
    cases=(
        lambda rng: inputs(16, 3.0),
        lambda rng: inputs(512, 3.0),
        lambda rng: inputs(7, 0.5),
        lambda rng: inputs(100, 2.0),
        lambda rng: inputs(11, 3),  # whole numbers
        lambda rng: inputs(1, 1.7),
    ),
    mistakes=(
        Mistake(
            "sigma counts twice: both q and k are sigma times as large, so their product is sigma "
            "squared times as large.",
            lambda d, s: s * d**0.5,
            also=(lambda d, s: np.sqrt(d * s**2),),
        ),
        Mistake("sigma is missing.", lambda d, s: d**0.5),
        Mistake(
            "That is the variance. The spread is its square root.",
            lambda d, s: s**4 * d,
        ),
        Mistake("The root of the width is missing: d_k itself was taken.", lambda d, s: s**2 * d),
        Mistake(
            "sigma to the power of 4 belongs to the variance; its root is sigma squared.",
            lambda d, s: s**4 * d**0.5,
        ),
        Mistake(
            "The root was taken of sigma too: sigma squared stands outside of it.",
            lambda d, s: (s**2 * d) ** 0.5 / s**0.5,
        ),
        Mistake(
            "This is what is left after the division by the root of d_k. Asked for is the score "
            "before it.",
            lambda d, s: s**2,
        ),
        Mistake(
            "This is the variance that is left after the division by the root of d_k. Asked for is "
            "the spread before it.",
            lambda d, s: s**4,
        ),
        Mistake(
            "You divided by the root of the width. Each of the d_k products adds to the spread, so "
            "the root stands above.",
            lambda d, s: s**2 / d**0.5,
        ),
        Mistake(
            "d_k ** 1/2 is read as (d_k ** 1) / 2; the root is d_k ** 0.5 or np.sqrt(d_k).",
            lambda d, s: s**2 * d**1 / 2,
        ),
        Mistake(
            "The width counts by its root, and sigma by its square: a product of two entries is "
            "sigma squared times as large, and d_k of them spread like the root of d_k.",
            lambda d, s: s * d,
        ),
        Mistake(
            "sigma was doubled, or added twice. Both q and k are sigma times as large, so it is "
            "sigma times sigma.",
            lambda d, s: 2 * s * d**0.5,
        ),
        Mistake(
            "You divided by sigma squared. Entries that are sigma times as large make larger "
            "scores.",
            lambda d, s: d**0.5 / s**2,
        ),
        Mistake(
            "You divided by sigma. Entries that are larger make larger scores, and both q and k "
            "are.",
            lambda d, s: d**0.5 / s,
        ),
        Mistake(
            "The root of the width was cut to a whole number: np.sqrt(d_k) keeps what is behind "
            "the point.",
            lambda d, s: s**2 * math.isqrt(d),
        ),
        Mistake(
            "The root was taken of sigma, and not of the width. It is the other way round.",
            lambda d, s: d * s**0.5,
        ),
        Mistake(
            "The two were added. One product is sigma squared times as large, so the root of the "
            "width is multiplied.",
            lambda d, s: s**2 + d**0.5,
        ),
        Mistake(
            "The width and sigma squared are added below the root. Each of the d_k products has "
            "the variance sigma to the 4: multiply.",
            lambda d, s: (d + s**2) ** 0.5,
        ),
        Mistake(
            "512, the width of the question above, stands in place of d_k.",
            lambda d, s: s**2 * 512**0.5,
        ),
        Mistake(
            "sigma stands here to the third power. It comes once from q and once from k.",
            lambda d, s: s**3 * d**0.5,
        ),
    ),
    alternatives=(
        lambda d, s: (d * s**4) ** 0.5,
        lambda d, s: float(np.sqrt(d) * s * s),
        lambda d, s: np.float32(s * s * np.sqrt(np.float32(d))),
        lambda d, s: np.sqrt(sum(s**4 for _ in range(d))),
    ),
    refused=(
        Refused(
            lambda d, s: (
                s**2 * np.random.default_rng(0).normal(size=(2, 4000, d)).prod(0).sum(1).std()
            ),
            "by drawing",
        ),
        Refused(lambda d, s: round(s * s * np.sqrt(d), 1), "digits are missing"),
        Refused(lambda d, s: np.array([s * s * np.sqrt(d)]), "The numbers are right"),
    ),
    hints=(
        "Entries of spread sigma are sigma times entries of spread 1. What happens to one "
        "product, when both its factors are sigma times as large?",
        "A score is then sigma squared times a score of entries with spread 1, and you know how "
        "far that spreads.",
        "return ... * np.sqrt(d_k)",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
