"""Exercise `cosine_matrix`: the cosine of every query with every key."""

import numpy as np

from course_lib.chapters.cosine_or_dot.exercises.unit_rows import unit_rows
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import vectors
from course_lib.kernels.softmax import softmax


def cosine_matrix(q, k):
    """The cosine of every query with every key.

    q: (t, d)   k: (s, d), no row is zero   returns: (t, s)
    """
    # SOLUTION
    return unit_rows(q) @ unit_rows(k).T
    # END SOLUTION


def _cosines_with_loops(q, k):
    return [[(a @ b) / (np.sqrt(a @ a) * np.sqrt(b @ b)) for b in k] for a in q]


def _lengths(x):
    return np.linalg.norm(x, axis=1, keepdims=True)


COSINE_MATRIX = Exercise(
    answer=cosine_matrix,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([[2.0, 4.0], [5.0, 0.0], [3.0, -4.0]])
        ),
        lambda rng: inputs(2 * rng.normal(size=(3, 3)).round(1), rng.normal(size=(3, 3)).round(1)),
        lambda rng: inputs(rng.normal(size=(2, 5)), 3 * rng.normal(size=(7, 5))),
        lambda rng: inputs(rng.integers(1, 9, size=(5, 3)), -rng.integers(1, 9, size=(2, 3))),
        lambda rng: inputs(3 * rng.normal(size=(2, 5)), rng.normal(size=(7, 5))),
        lambda rng: inputs(np.full((2, 4), 2.0), np.array([[0, 0, 0, 3.0], [5, 5, 5, 5]])),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), len(case.args[1])),
        ),
        Property(
            "A cosine lies between -1 and 1.",
            lambda got, case: bool((np.abs(np.asarray(got["output"])) <= 1 + 1e-5).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "These are the dot products: the lengths are still in them. Bring the rows to length 1 "
            "first.",
            lambda q, k: q @ k.T,
        ),
        Mistake(
            "Only the keys are brought to length 1. The query's length still multiplies its row.",
            lambda q, k: q @ unit_rows(k).T,
        ),
        Mistake(
            "Only the queries are brought to length 1. A long key still shouts.",
            lambda q, k: unit_rows(q) @ k.T,
        ),
        Mistake(
            "You normalised the rows of the finished table. It is the vectors that should have "
            "length 1.",
            lambda q, k: unit_rows(q @ k.T),
        ),
        Mistake(
            "Your table lies on its side: rows are keys and columns are queries. A row should "
            "belong to a query.",
            lambda q, k: unit_rows(k) @ unit_rows(q).T,
        ),
        Mistake(
            "You divided by the squared lengths: the roots are missing.",
            lambda q, k: (q @ k.T) / np.outer((q**2).sum(axis=1), (k**2).sum(axis=1)),
        ),
        Mistake(
            "unit_rows(k.T) shrinks the rows of k.T, and those are the columns of k. Shrink the "
            "keys while they stand in rows, then transpose: unit_rows(k).T.",
            lambda q, k: unit_rows(q) @ unit_rows(k.T),
            also=(lambda q, k: unit_rows(q) @ (k / np.linalg.norm(k, axis=0)).T,),
        ),
        Mistake(
            "unit_rows(k.T) shrinks the columns of k, and the queries are not shrunk at all. Both "
            "want unit_rows while they stand in rows, and k.T comes after it.",
            lambda q, k: q @ unit_rows(k.T),
        ),
        Mistake(
            "unit_rows(q.T) shrinks the columns of q. The queries stand in its rows: unit_rows(q).",
            lambda q, k: unit_rows(q.T).T @ unit_rows(k).T,
        ),
        Mistake(
            "The table holds the cosines, and then its rows were shrunk once more. Once the "
            "vectors have length 1, their dot products are finished.",
            lambda q, k: unit_rows(unit_rows(q) @ unit_rows(k).T),
        ),
        Mistake(
            "These are weights: the softmax of each row. Asked for are the cosines themselves.",
            lambda q, k: softmax(unit_rows(q) @ unit_rows(k).T),
        ),
        Mistake(
            "You divided by the lengths of the whole tables. Each row has a length of its own.",
            lambda q, k: (q @ k.T) / (np.linalg.norm(q) * np.linalg.norm(k)),
        ),
        Mistake(
            "The transpose is missing, so rows of q met columns of k.",
            lambda q, k: unit_rows(q) @ unit_rows(k),
        ),
        Mistake(
            "That is the cosine distance, 1 minus the cosine. Asked for is the cosine itself.",
            lambda q, k: 1 - unit_rows(q) @ unit_rows(k).T,
        ),
        Mistake(
            "From left to right, the second sign decides: a table / |q| * |k| multiplies by |k|. "
            "Put the product of the lengths into brackets, or divide twice.",
            lambda q, k: (q @ k.T) / _lengths(q) * _lengths(k).T,
        ),
        Mistake(
            "The lengths of the queries lie along the columns, as those of the keys do. They "
            "belong to the rows: [:, None] stands them upright.",
            lambda q, k: (q @ k.T) / (np.linalg.norm(q, axis=1) * np.linalg.norm(k, axis=1)),
        ),
        Mistake(
            "You divided by the lengths of the columns. A vector stands in a row: axis=1.",
            lambda q, k: (q / np.linalg.norm(q, axis=0)) @ (k / np.linalg.norm(k, axis=0)).T,
        ),
        Mistake(
            "The negative cosines became 0. A vector that points away has a cosine below 0.",
            lambda q, k: np.clip(unit_rows(q) @ unit_rows(k).T, 0, 1),
        ),
        Mistake(
            "The minus signs are lost. A vector that points away has a cosine below 0.",
            lambda q, k: np.abs(unit_rows(q) @ unit_rows(k).T),
        ),
        Mistake(
            "These are the angles. Asked for are their cosines, before arccos.",
            lambda q, k: np.arccos(np.clip(unit_rows(q) @ unit_rows(k).T, -1, 1)),
        ),
        Mistake(
            "You divided by the sum of the two lengths. It takes their product.",
            lambda q, k: (q @ k.T) / (_lengths(q) + _lengths(k).T),
        ),
        Mistake(
            "You took query i with key i only. Every query should meet every key.",
            lambda q, k: (unit_rows(q) * unit_rows(k)).sum(axis=1),
        ),
        Mistake(
            "You took the mean of each row away first: that is the correlation. A cosine is "
            "measured from 0.",
            lambda q, k: np.corrcoef(q, k)[: len(q), len(q) :],
        ),
        Mistake(
            "You compared the queries with themselves; k is not used.",
            lambda q, k: unit_rows(q) @ unit_rows(q).T,
        ),
        Mistake(
            "You divided by the length of the whole table of dot products. Each pair has its own "
            "two lengths.",
            lambda q, k: q @ k.T / np.linalg.norm(q @ k.T),
        ),
        Mistake(
            "The lengths of the keys stand upright, as those of the queries do. They belong to "
            "the columns: turn them.",
            lambda q, k: q @ k.T / (_lengths(q) * _lengths(k)),
        ),
        Mistake(
            "You turned q instead of k. A row of q should meet a row of k.",
            lambda q, k: unit_rows(q).T @ unit_rows(k),
        ),
        Mistake(
            "The lengths lie along the columns, so each column is divided instead of each row: "
            "keepdims=True.",
            lambda q, k: (q / np.linalg.norm(q, axis=1)) @ (k / np.linalg.norm(k, axis=1)).T,
        ),
        Mistake(
            "You divided by sums of sizes. The length is the root of the sum of squares.",
            lambda q, k: q @ k.T / np.outer(np.abs(q).sum(axis=1), np.abs(k).sum(axis=1)),
        ),
        Mistake(
            "You divided by the root of d. A cosine divides by the two lengths.",
            lambda q, k: q @ k.T / np.sqrt(q.shape[1]),
        ),
        Mistake(
            "np.cos makes a cosine of an angle. A dot product is none: divide it by the two "
            "lengths.",
            lambda q, k: np.cos(q @ k.T),
        ),
        Mistake(
            "The cosines are rounded. Return them as they come.",
            lambda q, k: np.round(unit_rows(q) @ unit_rows(k).T, 2),
        ),
    ),
    alternatives=(
        _cosines_with_loops,
        vectors.pairwise_cosines,
        lambda q, k: (q @ k.T) / _lengths(q) / _lengths(k).T,
        lambda q, k: np.clip(unit_rows(q) @ unit_rows(k).T, -1, 1),
        lambda q, k: (unit_rows(q)[:, None] * unit_rows(k)).sum(-1),
        lambda q, k: (q @ k.T) / np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=1)),
        lambda q, k: np.einsum("td,sd->ts", unit_rows(q), unit_rows(k)),
        lambda q, k: vectors.cosine(q[:, None, :], k[None, :, :]),
        lambda q, k: unit_rows(q).astype(np.float32) @ unit_rows(k).astype(np.float32).T,
    ),
    hints=(
        "If all rows had length 1, what would the dot product of two of them be?",
        "Bring the rows of q and of k to length 1 with unit_rows. Then one matrix product, as in "
        "chapter 1.",
        "return unit_rows(q) @ ...",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
