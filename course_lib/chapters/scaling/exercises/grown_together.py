"""Exercise `grown_together`: a query and a key whose dot product is in proportion to the width."""

import math

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.observe import Unusable


def grown_together(d_k, rng):
    """A query and a key whose dot product is in proportion to the width.

    d_k: the width   rng: draws, with rng.normal(size=...)   returns: q (d_k,), k (d_k,)
    """
    # SOLUTION
    q = rng.normal(size=d_k)
    return q, q
    # STUB
    # return ..., ...  # your code here
    # END SOLUTION


NARROW, BROAD = 64, 4096  # widths
DRAWS = {"narrow": 400, "broad": 40}  # pairs


def _many_pairs(candidate, case) -> dict:
    """One pair as it came; then for each width whether its pairs fit it, and their measures.

    The measures: the mean of score / d; the mean of all entries; the variance within a vector.
    """
    _, rng = case.args
    seen = {"output": None}
    for name, d_k in (("narrow", NARROW), ("broad", BROAD)):
        seen[f"fits {name}"], seen[name] = np.array(0.0), np.zeros(3)
        if name == "broad" and not seen["fits narrow"]:
            break  # it is refused already, and wide ones may be huge
        first = candidate(d_k, rng)
        _refuse_what_is_no_pair(first)
        drawn = [first, *(candidate(d_k, rng) for _ in range(DRAWS[name] - 1))]
        pairs = [_as_pair(one, d_k) for one in drawn]
        seen["output"] = first if seen["output"] is None else seen["output"]
        seen[f"fits {name}"] = np.array(float(all(one is not None for one in pairs)))
        if seen[f"fits {name}"]:
            entries = np.array(pairs)
            shares = (entries[:, 0] * entries[:, 1]).sum(axis=1) / d_k
            seen[name] = np.array([shares.mean(), entries.mean(), entries.var(axis=-1).mean()])
    return seen


def _refuse_what_is_no_pair(got) -> None:
    if np.isscalar(got) or isinstance(got, np.ndarray):
        return  # numbers, if not yet a pair: they are judged as such
    if not isinstance(got, list | tuple) or any(one is ... or one is None for one in got):
        raise Unusable(got)


def _as_pair(got, d_k):
    """The two vectors as one array, or None where they are none of this width."""
    try:
        pair = np.array([np.asarray(one, dtype=float) for one in got])
    except (TypeError, ValueError):
        return None
    return pair if pair.shape == (2, d_k) and np.isfinite(pair).all() else None


NO_PAIR = "Return two arrays of d_k finite numbers each: return q, k."

ONE_NUMBER = (
    "That is one number, the score perhaps. Return the two vectors themselves: return q, k."
)

OFF_CENTRE = "The mean of the entries is not 0, not even about, at one width or at both."

OFF_SPREAD = (
    "The variance of the entries within a vector is not 1, not even about, at one width or at both."
)

STRANGERS = "At width 4096 the score is next to nothing against d_k, as it is between strangers."

NOT_IN_STEP = "From width 64 to 4096 the score does not grow in step with the width."


def _in_step(got, want, case) -> bool | str:
    """Accepts standard entries whose scores keep one share of the width at both widths.

    At width 64 the share is an average of 400 * 64 products. For normal twins its standard error is
    .009, so .15 is 17 of these away, and 10 for the heavier tails of a Laplace distribution; the
    means (.006) and variances (.009) have more room. No right answer is refused by chance.
    """
    if got["fits narrow"] != 1 or got["fits broad"] != 1:
        return ONE_NUMBER if np.ndim(got["output"]) == 0 else NO_PAIR
    for name in ("narrow", "broad"):
        _, mean, variance = got[name]
        if abs(mean) > 0.15:
            return OFF_CENTRE
        if not 0.75 < variance < 1.33:
            return OFF_SPREAD
    narrow, broad = float(got["narrow"][0]), float(got["broad"][0])
    if abs(broad) < 0.04:
        return NOT_IN_STEP if abs(narrow) > 0.15 else STRANGERS
    return True if abs(narrow - broad) < 0.15 and narrow * broad > 0 else NOT_IN_STEP


def _measures(got, case):
    """What 40 pairs of each width show."""
    if got["fits narrow"] != 1 or got["fits broad"] != 1:
        raise ValueError("no pairs")
    shares, means, variances = np.array([got["narrow"], got["broad"]]).T
    return (
        Caused("Score divided by the width, at widths 64 and 4096", shares, "alike, and not 0"),
        Caused("Mean of the entries", means, "about 0"),
        Caused("Variance of the entries", variances, "about 1"),
    )


def _shares(part):
    """An answer whose k has this part of q in it, and for the rest noise."""

    def answer(d_k, rng):
        q = rng.normal(size=d_k)
        return q, part * q + math.sqrt(1 - part**2) * rng.normal(size=d_k)

    return answer


def _only_the_first_40(d_k, rng):
    q, k = rng.normal(size=(2, d_k))
    k[:40] = q[:40]
    return q, k


GROWN_TOGETHER = Exercise(
    answer=grown_together,
    cases=(lambda rng: inputs(NARROW, np.random.default_rng(1)),),
    observe=_many_pairs,
    accept=_in_step,
    open_answer=True,
    effect=_measures,
    mistakes=(
        Mistake(
            "q and k are drawn apart, so they are strangers, and their scores grow only like the "
            "root. Let k know something about q.",
            lambda d, rng: (rng.normal(size=d), rng.normal(size=d)),
            also=(lambda d, rng: tuple(rng.normal(size=(2, d))),),
        ),
        Mistake(
            "All entries are 1: their mean is 1, and they do not vary. Draw them.",
            lambda d, rng: (np.ones(d), np.ones(d)),
        ),
        Mistake(
            "Something was added to the entries, so their mean is not 0. The score is to come from "
            "q and k knowing each other.",
            lambda d, rng: (rng.normal(size=d) + 1, rng.normal(size=d) + 1),
        ),
        Mistake(
            "The entries are all positive, so their mean is not 0. They need not be: two negative "
            "ones make a positive product.",
            lambda d, rng: [np.abs(rng.normal(size=d))] * 2,
        ),
        Mistake(
            "rng.random draws between 0 and 1, with mean .5 and variance 1/12. rng.normal has mean "
            "0 and variance 1.",
            lambda d, rng: [rng.random(size=d)] * 2,
        ),
        Mistake(
            "k knows q, and that is enough. It is longer as well, by a factor d_k: then the score "
            "grows like d_k squared.",
            lambda d, rng: (lambda q: (q, d * q))(rng.normal(size=d)),
        ),
        Mistake(
            "k is longer by the root of d_k. Entries of variance 1 are enough, if k knows q.",
            lambda d, rng: (lambda q: (q, d**0.5 * q))(rng.normal(size=d)),
        ),
        Mistake(
            "Strangers, made longer: the score grows with their length, not because they know each "
            "other, and the variance is no longer 1.",
            lambda d, rng: (rng.normal(size=d) * d**0.5, rng.normal(size=d)),
            also=(lambda d, rng: (d**0.5 * rng.normal(size=d), rng.normal(size=d)),),
        ),
        Mistake(
            "Strangers, each made longer by the fourth root of d_k: the score grows, and the "
            "variance is no longer 1.",
            lambda d, rng: (rng.normal(size=d) * d**0.25, rng.normal(size=d) * d**0.25),
        ),
        Mistake(
            "k is twice q, so its variance is 4. q itself is enough.",
            lambda d, rng: (lambda q: (q, 2 * q))(rng.normal(size=d)),
        ),
        Mistake(
            "The noise comes on top of q, so the variance of k is 2. Make both parts smaller: the "
            "squares of their factors add up to 1.",
            lambda d, rng: (lambda q: (q, q + rng.normal(size=d)))(rng.normal(size=d)),
        ),
        Mistake(
            "The vectors are normalised, so the variance of an entry is 1 / d_k and the score is 1 "
            "at every width.",
            lambda d, rng: [(lambda q: q / np.linalg.norm(q))(rng.normal(size=d))] * 2,
        ),
        Mistake(
            "k is q with 1 added, so its mean is 1. q itself is enough.",
            lambda d, rng: (lambda q: (q, q + 1))(rng.normal(size=d)),
        ),
        Mistake(
            "The squares of q are all positive, and q is not: their products cancel.",
            lambda d, rng: (lambda q: (q, q**2))(rng.normal(size=d)),
        ),
        Mistake(
            "1 / q makes each product 1, but its entries are huge where q is near 0.",
            lambda d, rng: (lambda q: (q, 1 / q))(rng.normal(size=d)),
        ),
        Mistake(
            "k has the numbers of q at other places. Products are taken place by place, so these "
            "are strangers.",
            lambda d, rng: (lambda q: (q, np.roll(q, 1)))(rng.normal(size=d)),
            also=(lambda d, rng: (lambda q: (q, np.roll(q, 1)))(rng.normal(size=d)),),
        ),
        Mistake(
            "k has the numbers of q in turned order. Products are taken place by place, so these "
            "are strangers.",
            lambda d, rng: (lambda q: (q, q[::-1]))(rng.normal(size=d)),
        ),
        Mistake(
            "One number was drawn and stands at all places. Draw d_k of them: size=d_k.",
            lambda d, rng: [np.full(d, rng.normal())] * 2,
        ),
        Mistake(
            "Only the first 40 entries of k know q, however wide the vectors are. Every entry "
            "should know the same about its partner.",
            _only_the_first_40,
        ),
        Mistake(
            "This is one vector. Return both, q and k.",
            lambda d, rng: rng.normal(size=d),
        ),
        Mistake(
            "This is the score of two strangers. Return the two vectors themselves.",
            lambda d, rng: rng.normal(size=d) @ rng.normal(size=d),
        ),
        Mistake(
            "This is the score of q with itself. Return the two vectors.",
            lambda d, rng: (lambda q: q @ q)(rng.normal(size=d)),
        ),
    ),
    alternatives=(
        *(_shares(part) for part in (1.0, 0.8, 0.5, 0.2, -0.7)),
        lambda d, rng: [rng.normal(size=d).tolist()] * 2,
        lambda d, rng: (lambda q: (q, -q))(rng.normal(size=d)),
        lambda d, rng: (lambda q: (q, np.sign(q)))(rng.normal(size=d)),
        lambda d, rng: (lambda q: (q, q))(rng.choice([-1.0, 1.0], size=d).astype(np.float32)),
    ),
    refused=(
        Refused(lambda d, rng: (rng.normal(size=d), ...), "still returns `...` in one place"),
        Refused(lambda d, rng: (rng.normal(size=3), rng.normal(size=3)), NO_PAIR),
        Refused(lambda d, rng: [rng.normal(size=d)] * 3, NO_PAIR),
        Refused(lambda d, rng: 1.0, ONE_NUMBER),
        Refused(lambda d, rng: [rng.normal(size=d) + 1] * 2, OFF_CENTRE),
        Refused(lambda d, rng: [3 * rng.normal(size=d)] * 2, OFF_SPREAD),
        Refused(
            lambda d, rng: (rng.normal(size=d), rng.permutation(rng.normal(size=d))), STRANGERS
        ),
    ),
    hints=(
        "The score adds d_k products. Strangers' products cancel. When do they all pull the same "
        "way?",
        "Draw q. Then make k out of q instead of drawing it too.",
        "q = rng.normal(size=d_k); return q, ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
