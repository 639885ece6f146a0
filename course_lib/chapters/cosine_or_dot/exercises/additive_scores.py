"""Exercise `additive_scores`: the additive score of every query with every key."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import scores
from course_lib.kernels.softmax import softmax


def additive_scores(q, k, w_q, w_k, v):
    """The additive score of every query with every key.

    q: (t, d)   k: (s, d)   w_q: (d, f)   w_k: (d, f)   v: (f,)   returns: (t, s)
    """
    # SOLUTION
    hidden = np.tanh((q @ w_q)[:, None, :] + (k @ w_k)[None, :, :])
    return hidden @ v
    # STUB
    # hidden = ...
    # return ...  # your code here
    # END SOLUTION


def _additive_with_loops(q, k, w_q, w_k, v):
    return [[float(np.tanh(a @ w_q + b @ w_k) @ v) for b in k] for a in q]


def _pair_by_pair(q, k, w_q, w_k, v):
    return np.array([[v @ np.tanh(a @ w_q + b @ w_k) for b in k] for a in q])


ADDITIVE_SCORES = Exercise(
    answer=additive_scores,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0], [0.5, -1.0]]),
            np.array([[0.0, 1.0], [1.0, 1.0], [-1.0, 0.5]]),
            np.array([[0.5, -1.0], [1.0, 0.0]]),
            np.array([[1.0, 0.0], [0.0, 0.5]]),
            np.array([2.0, -1.0]),
        ),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((3, 3), (3, 3), (3, 3), (3, 3), 3))),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((2, 5), (3, 5), (5, 7), (5, 7), 7))),
        lambda rng: inputs(
            *(rng.integers(-2, 3, size=n) for n in ((3, 2), (5, 2), (2, 7), (2, 7), 7))
        ),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((2, 5), (3, 5), (5, 7), (5, 7), 7))),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((2, 3), (7, 3), (3, 1), (3, 1), 1))),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), len(case.args[1])),
        ),
        Property(
            "No score is larger than the sum of the sizes in v: tanh stays between -1 and 1.",
            lambda got, case: bool(
                (np.abs(np.asarray(got["output"])) <= np.abs(case.args[4]).sum() + 1e-5).all()
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The tanh is missing. Without it the score splits into a part of the query and a part "
            "of the key, and every query ranks the keys alike.",
            lambda q, k, w_q, w_k, v: (q @ w_q @ v)[:, None] + (k @ w_k @ v)[None],
        ),
        Mistake(
            "You bent query and key each by itself. Add them first, then the tanh: otherwise they "
            "never meet.",
            lambda q, k, w_q, w_k, v: (np.tanh(q @ w_q) @ v)[:, None] + np.tanh(k @ w_k) @ v,
        ),
        Mistake(
            "The tanh came last, over the finished score. It belongs around the sum of the two "
            "projections.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q @ v)[:, None] + k @ w_k @ v),
        ),
        Mistake(
            "You multiplied the two projections. This score adds them.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] * (k @ w_k)[None]) @ v,
        ),
        Mistake(
            "Query i met only key i. Give each of the two an axis of its own, so that every query "
            "meets every key: [:, None, :] and [None, :, :].",
            lambda q, k, w_q, w_k, v: np.tanh(q @ w_q + k @ w_k) @ v,
        ),
        Mistake(
            "v is not used: you added the hidden numbers up as they are.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]).sum(axis=-1),
        ),
        Mistake(
            "Your table lies on its side: a row should belong to a query.",
            lambda q, k, w_q, w_k, v: additive_scores(q, k, w_q, w_k, v).T,
            also=(lambda q, k, w_q, w_k, v: _pair_by_pair(q, k, w_q, w_k, v).T,),
        ),
        Mistake(
            "You stopped before v: there are still as many numbers a pair as v has entries.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]),
        ),
        Mistake(
            "You multiplied by v and added nothing up: there are still f numbers for each pair. "
            "@ v does both.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]) * v,
        ),
        Mistake(
            "v stands in front, so it met the keys instead of the hidden numbers. The last axis is "
            "the one that v belongs to: hidden @ v.",
            lambda q, k, w_q, w_k, v: v @ np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]),
        ),
        Mistake(
            "You added up over the keys. Add up over the hidden numbers, the last axis.",
            lambda q, k, w_q, w_k, v: (np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]) * v).sum(1),
        ),
        Mistake(
            "The two matrices have changed places: w_q is for the queries, w_k for the keys.",
            lambda q, k, w_q, w_k, v: additive_scores(q, k, w_k, w_q, v),
        ),
        Mistake(
            "You subtracted the projections. This score adds them.",
            lambda q, k, w_q, w_k, v: additive_scores(q, k, w_q, -w_k, v),
            also=(lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] - (k @ w_k)[None]) @ v,),
        ),
        Mistake(
            "You made shares of the scores. The softmax is a step of its own; here the scores end.",
            lambda q, k, w_q, w_k, v: softmax(additive_scores(q, k, w_q, w_k, v)),
        ),
        Mistake(
            "These numbers lie between 0 and 1: that is the sigmoid. tanh lies between -1 and 1.",
            lambda q, k, w_q, w_k, v: 1 / (1 + np.exp(-(q @ w_q)[:, None] - (k @ w_k)[None])) @ v,
        ),
        Mistake(
            "np.tan is the tangent. np.tanh, with an h, is the one that stays between -1 and 1.",
            lambda q, k, w_q, w_k, v: np.tan((q @ w_q)[:, None] + (k @ w_k)[None]) @ v,
        ),
        Mistake(
            "You bent with a cut at 0. Asked for is np.tanh, which keeps the negative side.",
            lambda q, k, w_q, w_k, v: np.maximum((q @ w_q)[:, None] + (k @ w_k)[None], 0) @ v,
        ),
        Mistake(
            "That is the dot product of the two projections, bent; v is not used. This score adds "
            "them, bends the f sums, and then lets v make one number.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q) @ (k @ w_k).T),
        ),
        Mistake(
            "That is the dot product of the two projections: nothing is added, nothing bent, and v "
            "is not used.",
            lambda q, k, w_q, w_k, v: (q @ w_q) @ (k @ w_k).T,
        ),
        Mistake(
            "The matrices stand in front. A query is a row of q, so it meets the columns of what "
            "stands behind it: q @ w_q.",
            lambda q, k, w_q, w_k, v: np.tanh((w_q @ q)[:, None] + (w_k @ k)[None]) @ v,
        ),
        Mistake(
            "You took the mean of the hidden numbers; v is not used. v says how much each of them "
            "counts.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]).mean(axis=-1),
        ),
        Mistake(
            "v came too early, inside the tanh. Bend first, then let v make one number of it.",
            lambda q, k, w_q, w_k, v: np.tanh(((q @ w_q)[:, None] + (k @ w_k)[None]) * v).sum(
                axis=-1
            ),
        ),
        Mistake(
            "You divided by a square root. This score has none.",
            lambda q, k, w_q, w_k, v: additive_scores(q, k, w_q, w_k, v) / np.sqrt(len(v)),
        ),
        Mistake(
            "You used w_q for both. The keys have a matrix of their own, w_k.",
            lambda q, k, w_q, w_k, v: additive_scores(q, k, w_q, w_q, v),
        ),
        Mistake(
            "Only the query is bent. The tanh belongs around the sum of both.",
            lambda q, k, w_q, w_k, v: (np.tanh(q @ w_q)[:, None] + (k @ w_k)[None]) @ v,
        ),
        Mistake(
            "Only the key is bent. The tanh belongs around the sum of both.",
            lambda q, k, w_q, w_k, v: ((q @ w_q)[:, None] + np.tanh(k @ w_k)[None]) @ v,
        ),
    ),
    alternatives=(
        _additive_with_loops,
        _pair_by_pair,
        scores.additive_scores,
        lambda q, k, w_q, w_k, v: np.einsum(
            "tsf,f->ts", np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]), v
        ),
        lambda q, k, w_q, w_k, v: np.stack([np.tanh(a + k @ w_k) @ v for a in q @ w_q]),
        lambda q, k, w_q, w_k, v: scores.additive_scores(
            *(one.astype(np.float32) for one in (q, k, w_q, w_k, v))
        ),
    ),
    hints=(
        "q @ w_q has a row for each query, k @ w_k one for each key. How can every row of the one "
        "meet every row of the other?",
        "(q @ w_q)[:, None, :] has shape (t, 1, f), (k @ w_k)[None, :, :] has (1, s, f); their sum "
        "has (t, s, f).",
        "hidden = np.tanh((q @ w_q)[:, None, :] + ...); return hidden @ ...",
    ),
    minutes=8,
    stars=2,
    depth=True,
)
