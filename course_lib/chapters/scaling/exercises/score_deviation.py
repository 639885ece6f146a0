"""Exercise `score_deviation`: how far scores spread where the entries' deviation is not 1."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def score_deviation(d_k, sigma):
    """The standard deviation of a score of independent entries with mean 0 and deviation sigma.

    d_k: the width   sigma: deviation of the entries of q and of k   returns: one number
    """
    # SOLUTION
    return sigma**2 * np.sqrt(d_k)
    # END SOLUTION


SCORE_DEVIATION = Exercise(
    answer=score_deviation,
    cases=(
        lambda rng: inputs(16, 3.0),
        lambda rng: inputs(512, 3.0),
        lambda rng: inputs(7, 0.5),
        lambda rng: inputs(100, 2.0),
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
            "That is the variance. The standard deviation is its square root.",
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
            "the deviation before it.",
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
    ),
    alternatives=(
        lambda d, s: (d * s**4) ** 0.5,
        lambda d, s: float(np.sqrt(d) * s * s),
        lambda d, s: np.float32(s * s * np.sqrt(np.float32(d))),
        lambda d, s: np.sqrt(sum(s**4 for _ in range(d))),
    ),
    refused=(
        Refused(lambda d, s: np.sqrt(d) * 2 * s, "another result"),
        Refused(lambda d, s: np.array([s * s * np.sqrt(d)]), "The numbers are right"),
    ),
    hints=(
        "Entries of deviation sigma are sigma times entries of deviation 1. What happens to one "
        "product, when both its factors are sigma times as large?",
        "A score is then sigma squared times a score of entries with deviation 1, and you know how "
        "far that spreads.",
        "return ... * np.sqrt(d_k)",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
