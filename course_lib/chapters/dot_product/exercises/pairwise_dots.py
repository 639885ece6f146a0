"""Exercise `pairwise_dots`: every query with every key."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import vectors


def pairwise_dots(q, k):
    """Every query with every key.

    q: (t, d)   k: (s, d)   returns: (t, s)
    """
    # SOLUTION
    return q @ k.T
    # END SOLUTION


def _pairwise_with_loops(q, k):
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in k] for a in q]


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
        "k.T turns rows into columns. Which shape has q @ k.T if q is (t, d) and k is (s, d)?",
        "return q @ k...",
    ),
    minutes=4,
    stars=1,
)
