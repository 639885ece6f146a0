"""Exercise `additive_scores`: the additive score of every query with every key."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import scores


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
            np.array([[1.0, 0.0]]),
            np.array([[0.0, 1.0], [1.0, 1.0]]),
            np.array([[0.5, -1.0], [1.0, 0.0]]),
            np.array([[1.0, 0.0], [0.0, 0.5]]),
            np.array([2.0, -1.0]),
        ),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((3, 3), (3, 3), (3, 3), (3, 3), 3))),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((2, 5), (3, 5), (5, 7), (5, 7), 7))),
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
