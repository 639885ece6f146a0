"""Exercise `pairwise_dots`: every query with every key."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import vectors
from course_lib.kernels.softmax import softmax


def pairwise_dots(q, k):
    """Every query with every key.

    q: (t, d)   k: (s, d)   returns: (t, s)
    """
    # SOLUTION
    return q @ k.T
    # END SOLUTION


def _pairwise_with_loops(q, k):
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in k] for a in q]


def _filled(table, q, k, keys):
    """A table that loops fill: as many keys of each query as `keys`."""
    for i in range(len(q)):
        for j in range(keys):
            table[i, j] = q[i] @ k[j]
    return table


PAIRWISE_DOTS = Exercise(
    answer=pairwise_dots,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
            np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]),
        ),
        lambda rng: inputs(rng.normal(size=(3, 3)).round(1), rng.normal(size=(3, 3)).round(1)),
        lambda rng: inputs(rng.normal(size=(2, 5)), rng.normal(size=(3, 5))),
        lambda rng: inputs(rng.normal(size=(7, 2)), rng.normal(size=(1, 2))),
        lambda rng: inputs(rng.integers(-4, 5, size=(2, 3)), rng.integers(-4, 5, size=(5, 3))),
        lambda rng: inputs(rng.normal(size=(2, 5)), rng.normal(size=(3, 5))),
        lambda rng: inputs(
            np.array([[2, 2, 2], [2, 2, 2], [1, 0, -1]]), np.array([[0.5, 0.5, 0.5], [0, -0.25, 0]])
        ),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), len(case.args[1])),
        ),
        Property(
            "Entry (0, 0) is the first query with the first key.",
            lambda got, case: bool(
                np.ndim(got["output"]) == 2
                and np.isclose(got["output"][0, 0], case.args[0][0] @ case.args[1][0])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The rows of q met the columns of k: the transpose is missing. numpy stops you only "
            "where the shapes clash; with as many keys as entries it gives wrong numbers.",
            lambda q, k: q @ k,
        ),
        Mistake(
            "Your table lies on its side: rows are keys and columns are queries. A row should "
            "belong to a query.",
            lambda q, k: k @ q.T,
        ),
        Mistake(
            "reshape fills the new shape in reading order; it does not turn rows into columns. "
            "Use .T.",
            lambda q, k: q @ k.reshape(k.shape[1], k.shape[0]),
        ),
        Mistake(
            "You multiplied row by row: query i met only key i. Every query should meet every key.",
            lambda q, k: (q * k).sum(axis=-1),
        ),
        Mistake(
            "You divided by the lengths: these are cosines. The table of scores keeps the lengths.",
            lambda q, k: vectors.pairwise_cosines(q, k),
        ),
        Mistake(
            "You compared the queries with themselves; k is not used.",
            lambda q, k: q @ q.T,
        ),
        Mistake(
            "You turned q. A row of q should meet a row of k, so it is k that must be turned.",
            lambda q, k: q.T @ k,
        ),
        Mistake(
            "* multiplies row i of q with row i of k, entry by entry, and adds nothing up. Every "
            "query should meet every key, in one number.",
            lambda q, k: q * k,
        ),
        Mistake(
            "The numbers stand in one long row. Each query should have a row of its own.",
            lambda q, k: (q @ k.T).ravel(),
            also=(lambda q, k: [a @ b for a in q for b in k],),
        ),
        Mistake(
            "You divided by the square root of d. That is chapter 3; this is the plain table.",
            lambda q, k: q @ k.T / np.sqrt(q.shape[1]),
        ),
        Mistake(
            "You made shares of the scores. The softmax is a step of its own; this is the table "
            "before it.",
            lambda q, k: softmax(q @ k.T),
        ),
        Mistake(
            "The products of each pair are not added up: there are still d numbers for each.",
            lambda q, k: q[:, None] * k[None],
        ),
        Mistake(
            "You added up over the keys. Add up over the d numbers of each pair, the last axis.",
            lambda q, k: (q[:, None] * k).sum(axis=1),
        ),
        Mistake(
            "Only the last query's row is left: begin the table before the loop over the queries, "
            "and keep each row.",
            lambda q, k: q[-1] @ k.T,
        ),
        Mistake(
            "You counted as many columns as there are queries. There is one for each key.",
            lambda q, k: _filled(np.zeros((len(q), len(q))), q, k, len(q)),
        ),
        Mistake(
            "Your table is as large as q. It needs a column for each key, however wide q is.",
            lambda q, k: _filled(np.zeros_like(q), q, k, len(k)),
        ),
        Mistake(
            "The column of the last key stays 0: range(n) stops before n.",
            lambda q, k: _filled(np.zeros((len(q), len(k))), q, k, len(k) - 1),
        ),
        Mistake(
            "What stands behind the point is cut off where q holds whole numbers: your table has "
            "the type of q.",
            lambda q, k: (q @ k.T).astype(q.dtype),
        ),
        Mistake(
            "You added up the whole table. Each pair keeps a number of its own.",
            lambda q, k: (q @ k.T).sum(),
        ),
        Mistake(
            "You added up each row. A query keeps one number for each key.",
            lambda q, k: (q @ k.T).sum(axis=1),
        ),
        Mistake(
            "Every entry of q met every entry of k. It is whole rows that meet, in one number "
            "each.",
            np.outer,
        ),
        Mistake(
            "* needs the same shape on both sides and adds nothing up. @ takes rows with columns.",
            lambda q, k: q * k.T,
        ),
        Mistake(
            "The minus signs are lost. A dot product may be negative.",
            lambda q, k: np.abs(q @ k.T),
        ),
        Mistake(
            "The numbers were filled into a table with as many rows as keys: in reading order, "
            "that mixes the queries.",
            lambda q, k: (q @ k.T).reshape(len(k), len(q)),
        ),
        Mistake(
            "You compared the keys with themselves; q is not used.",
            lambda q, k: k @ k.T,
        ),
    ),
    alternatives=(
        _pairwise_with_loops,
        lambda q, k: np.einsum("td,sd->ts", q, k),
        lambda q, k: (k @ q.T).T,
        lambda q, k: (q[:, None, :] * k[None, :, :]).sum(axis=-1),
        lambda q, k: q.astype(np.float32) @ k.astype(np.float32).T,
    ),
    hints=(
        "A @ B takes rows of A with columns of B. Where do the keys stand in k: in rows or in "
        "columns?",
        "Check the shapes on paper: (t, d) @ (?, ?) should give (t, s). What has to stand in "
        "place of the question marks, and which k has that shape?",
        "k has shape (s, d), with the keys in rows. k.T has shape (d, s): the same keys, in "
        "columns.",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
