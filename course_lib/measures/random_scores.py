"""Random queries and keys, and how far their scores spread at each width.

Axes: d is the width of queries and keys, n counts rows (a query with keys of its own), s the keys
of a row.
"""

from collections.abc import Callable

import numpy as np

from course_lib.kernels.scaling import score_moments


def random_pairs(
    n: int, d_k: int, rng: np.random.Generator, *,
    sigma: float = 1.0, mean: float = 0.0, correlation: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """n queries, and a key for each of them, with the entries that `score_moments` speaks of.

    Shapes: -> q (n, d), k (n, d)
    Raises: ValueError if n or d_k is below 1, sigma negative, or the correlation not in [-1, 1].
    """
    _refuse_below_1(n=n)
    score_moments(d_k, sigma, mean, correlation)  # refuses a law that has none
    shape = (n, d_k)
    q, other = rng.normal(size=shape), rng.normal(size=shape)
    k = correlation * q + np.sqrt(1 - correlation**2) * other
    return mean + sigma * q, mean + sigma * k


def growing_scores(
    tables: int, queries: int, keys: int, widest: int, rng: np.random.Generator
) -> Callable[[int], np.ndarray]:
    """Random queries and keys with entries of variance 1, as a function of the width: their scores.

    The scores at width d_k are the dot products over the first d_k entries, so from one width to
    the next nothing changes but that the same vectors get one entry more. The rows come from
    independent tables: the queries of a table meet the same keys, as in attention.

    Shapes: the function takes d_k from 1 to widest -> (n, s) with n = tables * queries, float32;
        for 1000 rows of 10 keys up to 1024 it holds 8 MB and takes up to 3 ms
    Raises: ValueError if a size is below 1; the function, where d_k is not from 1 to widest.
    """
    _refuse_below_1(tables=tables, queries=queries, keys=keys, widest=widest)
    q, k = (_last(rng.standard_normal((widest, tables, n), np.float32)) for n in (queries, keys))

    def scores_at(d_k: int) -> np.ndarray:
        if not 1 <= d_k <= widest:
            raise ValueError(f"d_k is {d_k}; expected 1 to {widest}")
        scores = q[..., :d_k] @ k[..., :d_k].swapaxes(-1, -2)
        return scores.reshape(tables * queries, keys)

    return scores_at


def _last(vectors: np.ndarray) -> np.ndarray:
    """The first axis as the last, so that a vector's entries lie side by side in memory."""
    return np.ascontiguousarray(np.moveaxis(vectors, 0, -1))


def _refuse_below_1(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} is {size}; expected at least 1")
