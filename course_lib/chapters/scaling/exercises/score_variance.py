"""Exercise `score_variance`: the variance of the dot products of `pairs` random pairs."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.observe import usable_array


def score_variance(d_k, pairs, rng):
    """The variance of the dot products of `pairs` random pairs.

    d_k: the width   pairs: how many   rng: draws, with rng.normal(size=...)   returns: one number
    """
    q = rng.normal(size=(pairs, d_k))
    # SOLUTION
    k = rng.normal(size=(pairs, d_k))
    return (q * k).sum(axis=1).var()
    # STUB
    # k = ...
    # return ...  # your code here
    # END SOLUTION


STANDARD_ERRORS = 6  # a right answer is refused by chance about once in 10^8


def band(d_k, pairs):
    """How far the simulated variance may be from d_k, as a part of it."""
    return STANDARD_ERRORS * np.sqrt((2 + 6 / d_k) / pairs)


def _scores(d_k, pairs, rng):
    """The scores of `pairs` pairs of strangers."""
    return (rng.normal(size=(pairs, d_k)) * rng.normal(size=(pairs, d_k))).sum(axis=1)


def _simulated(candidate, case) -> dict:
    return {"output": usable_array(candidate(*case.args))}


SEVERAL = "The result is not one number. Each pair gives one score; return the variance of them."

SPREAD_NOT_VARIANCE = (
    "That is the standard deviation. The variance is its square: .var() instead of .std()."
)

ONE_PRODUCT = (
    "That is about 1 at every width. Either each product was counted alone (add the d_k products "
    "of a pair up first), or the scores are divided already (that comes next)."
)

TWINS = (
    "That is twice d_k: what comes out when each vector meets itself, or when q and k are added. "
    "Draw q and k apart, each with its own call of rng.normal, and multiply them."
)

ONE_SIDED = (
    "That is far below d_k. rng.random draws between 0 and 1, with mean .5 and variance 1/12; "
    "rng.normal has mean 0 and variance 1."
)

NOT_SIMULATED = (
    "That is d_k itself, to the last digit. It is the right expectation; a simulation draws pairs, "
    "computes their scores and takes the variance of these."
)

NO_SPREAD = (
    "That is 0: one number has no spread. .sum() without an axis adds up all pairs at once; "
    "axis=1 gives one score for each."
)

ACROSS = (
    "That is far above d_k. The products were added up across the pairs; a score adds up the d_k "
    "products of one pair. With shape (pairs, d_k) that is axis=1."
)

MEAN_PRODUCT = "That is one over d_k: the mean of the products of a pair. A score is their sum."

NOT_A_VARIANCE = (
    "A variance is finite and not below 0. Is this the mean of the scores? That lies around 0."
)

OFF = (
    "For this width your number is further from d_k than chance allows. Does each pair have its "
    "own query and its own key, does each of the pairs count once, and have the entries variance 1?"
)


def _in_the_band(got, want, case) -> bool | str:
    """Accepts what `pairs` pairs may give; else says which known number it looks like."""
    d_k, pairs, _ = case.args
    value = np.asarray(got["output"], dtype=float)
    if value.size != 1:
        return SEVERAL
    value = float(value.flat[0])
    if not np.isfinite(value) or value < 0:
        return NOT_A_VARIANCE
    if value == 0 or value == d_k:
        return NOT_SIMULATED if value else NO_SPREAD
    margin = band(d_k, pairs)
    if abs(value / d_k - 1) <= margin:
        return True
    for number, sentence in (
        (d_k**0.5, SPREAD_NOT_VARIANCE),
        (1, ONE_PRODUCT),
        (2 * d_k, TWINS),
        (d_k * 7 / 144, ONE_SIDED),
        (1 / d_k, MEAN_PRODUCT),
    ):
        if abs(value / number - 1) <= margin / 2:
            return sentence
    if value < STANDARD_ERRORS * np.sqrt(d_k / pairs):
        return NOT_A_VARIANCE
    return ACROSS if value > 8 * d_k else OFF


def _with_other_numbers(d_k, pairs, rng):
    return _scores(d_k, pairs, np.random.default_rng(99)).var()


def _uniform(d_k, pairs, rng):
    return (rng.random((pairs, d_k)) * rng.random((pairs, d_k))).sum(axis=1).var()


def _with_itself(d_k, pairs, rng):
    q = rng.normal(size=(pairs, d_k))
    return (q * q).sum(axis=1).var()


def _across(d_k, pairs, rng):
    return (rng.normal(size=(pairs, d_k)) * rng.normal(size=(pairs, d_k))).sum(axis=0).var()


def _one_query(d_k, pairs, rng):
    return (rng.normal(size=(pairs, d_k)) @ rng.normal(size=d_k)).var()


def _variance_with_a_loop(d_k, pairs, rng):
    scores = [rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(pairs)]
    return np.var(scores)


SCORE_VARIANCE = Exercise(
    answer=score_variance,
    cases=(
        lambda rng: inputs(36, 2000, np.random.default_rng(3)),  # 1, 36/9, 6 and 36/2 lie apart
        lambda rng: inputs(9, 3000, np.random.default_rng(4)),
        lambda rng: inputs(64, 2000, np.random.default_rng(5)),
        lambda rng: inputs(25, 3000, np.random.default_rng(6)),
    ),
    observe=_simulated,
    accept=_in_the_band,
    open_answer=True,
    mistakes=(
        Mistake(
            SPREAD_NOT_VARIANCE,
            lambda d, n, rng: score_variance(d, n, rng) ** 0.5,
            also=(lambda d, n, rng: _scores(d, n, rng).std(),),
        ),
        Mistake(
            ONE_PRODUCT,
            lambda d, n, rng: (rng.normal(size=(n, d)) ** 2).var() / 2,
            also=(
                lambda d, n, rng: (rng.normal(size=(n, d)) * rng.normal(size=(n, d))).var(),
                lambda d, n, rng: _scores(d, n, rng).var() / d,
            ),
        ),
        Mistake(
            TWINS,
            _with_itself,
            also=(
                lambda d, n, rng: (rng.normal(size=(n, d)) ** 2).sum(axis=1).var(),
                lambda d, n, rng: rng.normal(size=(2, n, d)).sum(axis=(0, 2)).var(),
            ),
        ),
        Mistake(ONE_SIDED, _uniform),
        Mistake(ACROSS, _across, also=(lambda d, n, rng: _scores(n, d, rng).var(),)),
        Mistake(
            NO_SPREAD,
            lambda d, n, rng: rng.normal(size=(n, d)).sum().var(),
            also=(lambda d, n, rng: _scores(d, n, rng).sum().var(),),
        ),
        Mistake(
            MEAN_PRODUCT,
            lambda d, n, rng: score_variance(d, n, rng) / d**2,
            also=(lambda d, n, rng: (_scores(d, n, rng) / d).var(),),
        ),
        Mistake(NOT_SIMULATED, lambda d, n, rng: d),
        Mistake(
            NOT_A_VARIANCE,
            lambda d, n, rng: -score_variance(d, n, rng),
            also=(
                lambda d, n, rng: _scores(d, n, rng).mean(),
                lambda d, n, rng: float("nan"),
            ),
        ),
        Mistake(OFF, _one_query, also=(lambda d, n, rng: _variance_with_a_loop(d, 15, rng),)),
        Mistake(SEVERAL, _scores),
    ),
    alternatives=(
        _variance_with_a_loop,
        _with_other_numbers,
        lambda d, n, rng: np.array([_scores(d, n, rng).var()]),
        lambda d, n, rng: (_scores(d, n, rng) ** 2).mean(),
        lambda d, n, rng: (rng.normal(size=(d, n)) * rng.normal(size=(d, n))).sum(axis=0).var(),
        lambda d, n, rng: np.diag(rng.normal(size=(n, d)) @ rng.normal(size=(n, d)).T).var(),
        lambda d, n, rng: rng.choice([-1, 1], size=(2, n, d)).prod(axis=0).sum(axis=1).var(),
        lambda d, n, rng: (np.einsum("nd,nd->n", *rng.normal(size=(2, n, d))) ** 2).mean(),
        lambda d, n, rng: (rng.normal(size=(n, d)) @ rng.normal(size=(n, d)).T).var(),
        lambda d, n, rng: rng.choice([-1, 1], size=(n, d, 2)).prod(axis=2).sum(axis=1).var(ddof=1),
        lambda d, n, rng: np.float32(score_variance(d, n, rng)),
    ),
    hints=(
        "One pair gives one score, so there are as many scores as pairs. Each pair has a key of "
        "its own: which shape has k?",
        "k is drawn like q, in a call of its own. Multiply entry by entry and add up along the "
        "rows: axis=1. An array has .var().",
        "k = rng.normal(size=...); return (q * k).sum(axis=...).var()",
    ),
    minutes=5,
    stars=2,
)
