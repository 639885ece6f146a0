"""Exercise `score_variance`: the variance of the dot products of `pairs` random pairs."""

import numpy as np

from course_lib.chapters.scaling.known_variances import known_variances
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
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


# A right answer scatters around d_k with the standard error root((2 + 6 / d_k) / pairs). Simulated
# 16,000 times for the four cases with many pairs, its distance was normal in these units (deviation
# 1.01, largest 4.03). Beyond 6 lie 2 in 10^9, so the cases refuse one right answer in 10^8. (The
# seeds are fixed: an answer that draws in the same order is always judged alike.)
STANDARD_ERRORS = 6

# With few pairs the answer runs CALLS times, and how far its results scatter is compared with the
# formula above. The logarithm of that ratio has the mean -.02 and the deviation .095 (-.08 and .092
# for coins; 3000 simulations each), so both limits are 6.4 of these away: one in 10^9. Where every
# query meets every key the ratio is .25, and where all share one key it is 2.5.
FEW, CALLS = 200, 60
LEAST, MOST = 0.5, 1.8


def band(d_k, pairs):
    """How far the simulated variance may be from d_k, as a part of it."""
    return STANDARD_ERRORS * np.sqrt((2 + 6 / d_k) / pairs)


def _scores(d_k, pairs, rng):
    """The scores of `pairs` pairs of strangers."""
    return (rng.normal(size=(pairs, d_k)) * rng.normal(size=(pairs, d_k))).sum(axis=1)


def _simulated(candidate, case) -> dict:
    """One result; with few pairs, also how far the results of CALLS calls scatter."""
    seen = {"output": usable_array(candidate(*case.args))}
    for _ in range(2):  # coins may give d_k itself, once in a thousand
        if seen["output"].size == 1 and seen["output"] == case.args[0]:
            seen["output"] = usable_array(candidate(*case.args))
    if case.args[1] == FEW and seen["output"].size == 1:
        more = [usable_array(candidate(*case.args)) for _ in range(CALLS - 1)]
        results = np.array([np.sum(one, dtype=float) for one in (seen["output"], *more)])
        seen["scatter"] = results.std()
    return seen


SEVERAL = "The result is not one number. Each pair gives one score, and all of them one variance."

NOT_SIMULATED = "That is d_k itself, to the last digit. A simulation comes close, and scatters."

NO_SPREAD = "That is 0: one number has no spread. There are as many scores as pairs."

NOT_A_VARIANCE = (
    "A variance is finite and not below 0. Is this the mean of the scores? That lies around 0."
)

LESS_SCATTER = (
    "Right on average, but it seems to come from more scores than there are pairs. Did every query "
    "meet every key, as in q @ k.T? Each query meets one key alone: 200 pairs give 200 scores."
)

MORE_SCATTER = (
    "From call to call your number scatters much more than it does with so many pairs. Are there "
    "fewer of them, or do several share a query or a key?"
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
    if value < 1e-9 * d_k or value == d_k:
        return NOT_SIMULATED if value == d_k else NO_SPREAD
    margin = band(d_k, pairs)
    if abs(value / d_k - 1) <= margin:
        return _scatters_as_chance_does(got, d_k, pairs)
    for number, sentence in known_variances(d_k, pairs):
        near = margin / 2 if number != pairs else 3 * np.sqrt(2 / d_k)  # d_k sums, not pairs
        if abs(value / number - 1) <= near:
            return sentence
    return NOT_A_VARIANCE if value < STANDARD_ERRORS * np.sqrt(d_k / pairs) else OFF


def _scatters_as_chance_does(got, d_k, pairs) -> bool | str:
    ratio = float(got.get("scatter", 0)) / (d_k * np.sqrt((2 + 6 / d_k) / pairs))
    if ratio < 1e-9 or LEAST < ratio < MOST:  # 0: a seed of its own, or called only once
        return True
    return LESS_SCATTER if ratio < 1 else MORE_SCATTER


def _with_other_numbers(d_k, pairs, rng):
    return _scores(d_k, pairs, np.random.default_rng(99)).var()


def _uniform(d_k, pairs, rng):
    return (rng.random((pairs, d_k)) * rng.random((pairs, d_k))).sum(axis=1).var()


def _with_itself(d_k, pairs, rng):
    q = rng.normal(size=(pairs, d_k))
    return (q * q).sum(axis=1).var()


def _one_query(d_k, pairs, rng):
    return (rng.normal(size=(pairs, d_k)) @ rng.normal(size=d_k)).var()


def _variance_with_a_loop(d_k, pairs, rng):
    scores = [rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(pairs)]
    return np.var(scores)


def _both(wrong):
    """A mistake that draws q and k as the stub does, and goes on from there."""

    def answer(d_k, pairs, rng):
        q = rng.normal(size=(pairs, d_k))
        k = rng.normal(size=(pairs, d_k))
        return wrong(q, k)

    return answer


MISTAKES = (
    Mistake(
        "You took the standard deviation. The variance is its square: .var().",
        _both(lambda q, k: (q * k).sum(axis=1).std()),
    ),
    Mistake(
        "This is the variance of all single products. Add up the d_k products of each pair first.",
        _both(lambda q, k: (q * k).var()),
    ),
    Mistake(
        "The products are squared and averaged one by one. Add up the d_k products of each pair "
        "first.",
        _both(lambda q, k: ((q * k) ** 2).mean()),
    ),
    Mistake(
        "The scores, or their variance, are divided already. That comes next; here it is seen how "
        "they grow.",
        _both(lambda q, k: (q * k).sum(axis=1).var() / q.shape[1]),
    ),
    Mistake(
        "The variance is divided by the root of the width. Here nothing is divided yet.",
        _both(lambda q, k: (q * k).sum(axis=1).var() / q.shape[1] ** 0.5),
    ),
    Mistake(
        "q meets itself. Draw the keys apart, with a call of rng.normal of their own.",
        _with_itself,
    ),
    Mistake(
        "q meets itself, and nothing is added up. Draw the keys apart, and add up the d_k products "
        "of each pair.",
        lambda d, n, rng: (rng.normal(size=(n, d)) ** 2).var(),
    ),
    Mistake(
        "q and k are added. A score adds up products: q * k.",
        _both(lambda q, k: (q + k).sum(axis=1).var()),
    ),
    Mistake(
        "rng.random draws between 0 and 1, with mean .5 and variance 1/12. rng.normal has mean 0 "
        "and variance 1.",
        _uniform,
    ),
    Mistake(
        "The keys are drawn by rng.random, between 0 and 1. rng.normal has mean 0 and variance 1.",
        lambda d, n, rng: (rng.normal(size=(n, d)) * rng.random(size=(n, d))).sum(axis=1).var(),
    ),
    Mistake(
        "The products were added up across the pairs. A score adds up the d_k products of one "
        "pair: axis=1.",
        _both(lambda q, k: (q * k).sum(axis=0).var()),
    ),
    Mistake(
        "There is one score, of all pairs together (.sum() without an axis) or of one pair that "
        "counts many times. Each pair has a score of its own: axis=1.",
        _both(lambda q, k: (q * k).sum().var()),
    ),
    Mistake(
        "This is the mean of the products of a pair. A score is their sum.",
        _both(lambda q, k: (q * k).mean(axis=1).var()),
    ),
    Mistake(
        "Nothing was drawn here. A simulation draws pairs, computes their scores and takes the "
        "variance of these.",
        lambda d, n, rng: d,
    ),
    Mistake(
        "This is the mean of the scores. Their variance is the mean of their squared distances "
        "from it: .var().",
        _both(lambda q, k: (q * k).sum(axis=1).mean()),
    ),
    Mistake(
        "The squared scores are added up. Their mean is the variance.",
        _both(lambda q, k: ((q * k).sum(axis=1) ** 2).sum()),
    ),
    Mistake("One key serves all queries. Each pair has its own: k has the shape of q.", _one_query),
    Mistake(
        "q @ k.T lets every query meet every key. Here each query has one key of its own, so there "
        "are as many scores as pairs.",
        _both(lambda q, k: (q @ k.T).var()),
    ),
    Mistake(
        "These are the scores, one for each pair. Return their variance.",
        _both(lambda q, k: (q * k).sum(axis=1)),
    ),
    Mistake(
        "This is a variance for each entry of the vectors. Add up the products of a pair first, "
        "then take the variance of all scores.",
        _both(lambda q, k: (q * k).var(axis=0)),
    ),
)


SCORE_VARIANCE = Exercise(
    answer=score_variance,
    cases=(
        lambda rng: inputs(36, 2000, np.random.default_rng(3)),  # 1, 36/9, 6 and 36/2 lie apart
        lambda rng: inputs(9, 3000, np.random.default_rng(4)),
        lambda rng: inputs(64, 2000, np.random.default_rng(5)),
        lambda rng: inputs(25, 3000, np.random.default_rng(6)),
        lambda rng: inputs(32, FEW, np.random.default_rng(7)),
    ),
    observe=_simulated,
    accept=_in_the_band,
    open_answer=True,
    mistakes=MISTAKES,
    alternatives=(
        _variance_with_a_loop,
        _with_other_numbers,
        lambda d, n, rng: np.array([_scores(d, n, rng).var()]),
        lambda d, n, rng: (_scores(d, n, rng) ** 2).mean(),
        lambda d, n, rng: (rng.normal(size=(d, n)) * rng.normal(size=(d, n))).sum(axis=0).var(),
        lambda d, n, rng: np.diag(rng.normal(size=(n, d)) @ rng.normal(size=(n, d)).T).var(),
        lambda d, n, rng: rng.choice([-1, 1], size=(2, n, d)).prod(axis=0).sum(axis=1).var(),
        lambda d, n, rng: (np.einsum("nd,nd->n", *rng.normal(size=(2, n, d))) ** 2).mean(),
        lambda d, n, rng: rng.choice([-1, 1], size=(n, d, 2)).prod(axis=2).sum(axis=1).var(ddof=1),
        lambda d, n, rng: np.float32(score_variance(d, n, rng)),
    ),
    refused=(  # drawn in another order than the mistakes: told what is seen
        Refused(lambda d, n, rng: rng.normal(size=(2, n, d)).prod(0).var(), "a single product"),
        Refused(lambda d, n, rng: _scores(n, d, rng).var(), "the number of pairs"),
        Refused(lambda d, n, rng: rng.normal(size=(2, n, d)).sum(axis=(0, 2)).var(), "twice d_k"),
        Refused(lambda d, n, rng: float("nan"), NOT_A_VARIANCE),
        Refused(lambda d, n, rng: _scores(d, n, rng).var() ** 0.5, "the root of d_k"),
        Refused(lambda d, n, rng: _scores(d, 15, rng).var(), OFF),
        Refused(
            lambda d, n, rng: (rng.normal(size=(d, n)).T @ rng.normal(size=(d, n))).var(),
            LESS_SCATTER,
        ),
        Refused(lambda d, n, rng: _scores(d, 10_000, rng).var(), LESS_SCATTER),
        Refused(lambda d, n, rng: np.repeat(_scores(d, n // 5, rng), 5).var(), MORE_SCATTER),
    ),
    hints=(
        "One pair gives one score, so there are as many scores as pairs. Each pair has a key of "
        "its own: which shape has k?",
        "k is drawn like q, in a call of its own. In q * k, a row holds the d_k products of one "
        "pair. What makes one score of a row?",
        "(q * k).sum(axis=...) adds up: over rows, or over columns? It gives the scores, an array, "
        "and an array has .var().",
    ),
    minutes=5,
    stars=2,
    unfolded=True,  # for q @ k.T the symptom speaks of how results scatter
)
