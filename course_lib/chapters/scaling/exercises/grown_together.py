"""Exercise `grown_together`: a query and a key whose dot product is in proportion to the width."""

import math

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
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


DRAWS = 40
NARROW, BROAD = 64, 4096  # widths


def _many_pairs(candidate, case) -> dict:
    """One pair as it came; then for each width whether DRAWS pairs fit it, and their measures.

    The measures: the mean of score / d; mean and variance of all entries.
    """
    _, rng = case.args
    seen = {"output": None}
    for name, d_k in (("narrow", NARROW), ("broad", BROAD)):
        first = candidate(d_k, rng)
        _refuse_what_is_no_pair(first)
        drawn = [first, *(candidate(d_k, rng) for _ in range(DRAWS - 1))]
        pairs = [_as_pair(one, d_k) for one in drawn]
        seen["output"] = first if seen["output"] is None else seen["output"]
        seen[f"fits {name}"] = np.array(float(all(one is not None for one in pairs)))
        seen[name] = np.zeros(3)
        if seen[f"fits {name}"]:
            entries = np.array(pairs)
            shares = (entries[:, 0] * entries[:, 1]).sum(axis=1) / d_k
            seen[name] = np.array([shares.mean(), entries.mean(), entries.var()])
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

NOT_STANDARD = (
    "The entries have not the mean 0 and the variance 1 (about): the size of the score is to come "
    "from q and k knowing each other, not from larger entries or a mean."
)

STRANGERS = (
    "At width 4096 the score is next to nothing against d_k: q and k are strangers, and their "
    "scores grow only like the root. Let k know something about q."
)

NOT_IN_STEP = (
    "From width 64 to 4096 the score does not grow in step with the width. Every entry of k should "
    "know the same about its partner in q, however many there are."
)


def _in_step(got, want, case) -> bool | str:
    """Accepts standard entries whose scores keep one share of the width at both widths."""
    if got["fits narrow"] != 1 or got["fits broad"] != 1:
        return ONE_NUMBER if np.ndim(got["output"]) == 0 else NO_PAIR
    for name in ("narrow", "broad"):
        _, mean, variance = got[name]
        if abs(mean) > 0.15 or not 0.75 < variance < 1.33:
            return NOT_STANDARD
    narrow, broad = float(got["narrow"][0]), float(got["broad"][0])
    if abs(broad) < 0.04:
        return NOT_IN_STEP if abs(narrow) > 0.15 else STRANGERS
    # At width 64 the average of 40 draws is uncertain by up to .03; 5 times that is granted.
    return True if abs(narrow - broad) < 0.15 and narrow * broad > 0 else NOT_IN_STEP


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
    mistakes=(
        Mistake(
            STRANGERS,
            lambda d, rng: tuple(rng.normal(size=(2, d))),
            also=(
                lambda d, rng: (rng.normal(size=d), rng.normal(size=d)),
                lambda d, rng: (rng.normal(size=d), np.roll(rng.normal(size=d), 1)),
            ),
        ),
        Mistake(
            NOT_STANDARD,
            lambda d, rng: (np.ones(d), np.ones(d)),
            also=(
                lambda d, rng: [3 * rng.normal(size=d)] * 2,
                lambda d, rng: [rng.normal(size=d) + 1] * 2,
                lambda d, rng: (rng.normal(size=d) * d, rng.normal(size=d)),
            ),
        ),
        Mistake(NOT_IN_STEP, _only_the_first_40),
        Mistake(
            NO_PAIR,
            lambda d, rng: (rng.normal(size=3), rng.normal(size=3)),
            also=(
                lambda d, rng: rng.normal(size=d),
                lambda d, rng: [rng.normal(size=d)] * 3,
                lambda d, rng: [rng.normal(size=5)] * 2,
            ),
        ),
        Mistake(
            ONE_NUMBER,
            lambda d, rng: rng.normal(size=d) @ rng.normal(size=d),
            also=(lambda d, rng: 1.0,),
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
