"""Exercise `without_table`: linear attention, by moving a bracket."""

import math

import numpy as np
import torch

from course_lib.chapters.flash_attention.held_at_once import watched
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn, floats
from course_lib.kernels.linear_attention import linear_attention


def without_table(fq, fk, v):
    """Each query's mean of the values, with weights fq · fk.

    fq: (t, f)   fk: (s, f)   v: (s, e)   returns: (t, e)
    """
    # SOLUTION
    return fq @ (fk.T @ v) / (fq @ fk.sum(dim=0))[:, None]
    # END SOLUTION


PRODUCTS = (  # the operations that could make the table
    "matmul",
    "__matmul__",
    "mm",
    "bmm",
    "einsum",
    "inner",
    "mul",
    "__mul__",
    "tensordot",
    "linear",
)


def _bracket_left(fq, fk, v):
    table = fq @ fk.T
    return table @ v / table.sum(dim=1, keepdim=True)


def _table_of_all(case) -> float:
    """Numbers in a table of all queries with all keys; endless where another is as large."""
    fq, fk, v = case.args
    others = max(fq.numel(), fk.numel(), v.numel(), fk.shape[1] * v.shape[1])
    return len(fq) * len(fk) if len(fq) * len(fk) > others else math.inf


def _positive(rng, *shape, dtype=torch.float32):
    return drawn(rng, *shape, dtype=dtype).abs() + 0.1


WITHOUT_TABLE = Exercise(
    answer=without_table,
    cases=(
        lambda rng: inputs(
            floats([1, 2]), floats([1, 0], [0, 1], [1, 1]), floats([10], [20], [30])
        ),
        lambda rng: inputs(_positive(rng, 3, 3), _positive(rng, 3, 3), drawn(rng, 3, 3)),
        lambda rng: inputs(_positive(rng, 11, 2), _positive(rng, 13, 2), drawn(rng, 13, 3)),
        lambda rng: inputs(
            *(_positive(rng, *shape, dtype=torch.float64) for shape in ((17, 5), (13, 5))),
            drawn(rng, 13, 2, dtype=torch.float64),
        ),
        lambda rng: inputs(_positive(rng, 11, 2), _positive(rng, 13, 2), drawn(rng, 13, 3)),
        lambda rng: inputs(
            floats([1, 2]), floats([1, 0], [0, 1], [1, 1]), floats([10], [20], [30])
        ),
    ),
    observe=watched(
        _table_of_all,
        operations=PRODUCTS,
        says="The numbers are right. But {name} makes a table of all queries with all keys.",
    ),
    mistakes=(
        Mistake(
            "The numbers are right, but a table of all queries with all keys was made. Move the "
            "brackets: first fk.T @ v.",
            _bracket_left,
        ),
        Mistake(
            "The division is missing. The weights of a query are divided by their sum: the dot "
            "product of fq with the sum of all fk.",
            lambda fq, fk, v: fq @ (fk.T @ v),
        ),
        Mistake(
            "You divided by the number of keys. It takes the sum of the weights of each query.",
            lambda fq, fk, v: fq @ (fk.T @ v) / len(fk),
        ),
        Mistake(
            "All queries are divided by the same number. Each has its own sum of weights.",
            lambda fq, fk, v: fq @ (fk.T @ v) / (fq @ fk.sum(dim=0)).sum(),
        ),
        Mistake(
            "That is softmax attention: exp stands for the feature products here, and their "
            "brackets cannot be moved.",
            lambda fq, fk, v: (fq @ fk.T).softmax(dim=-1) @ v,
        ),
        Mistake(
            "You divided by the sum of the query's own features. It takes the sum of its products "
            "with all keys.",
            lambda fq, fk, v: fq @ (fk.T @ v) / fq.sum(dim=1, keepdim=True),
        ),
        Mistake(
            "You divided by the sum of all numbers in fk. Each query has its own sum of weights: "
            "fq @ fk.sum(dim=0).",
            lambda fq, fk, v: fq @ (fk.T @ v) / fk.sum(),
        ),
        Mistake(
            "The sum of a query's weights meets the columns here. It belongs to the row: give it a "
            "second axis, [:, None].",
            lambda fq, fk, v: fq @ (fk.T @ v) / (fq @ fk.sum(dim=0)),
        ),
        Mistake(
            "You divided the output by its own sum. It takes the sum of the weights: the dot "
            "product of fq with the sum of all fk.",
            lambda fq, fk, v: fq @ (fk.T @ v) / (fq @ (fk.T @ v)).sum(dim=1, keepdim=True),
        ),
        Mistake(
            "The features were divided by their sums, before the product. What has to add up to 1 "
            "are the weights fq · fk of a query.",
            lambda fq, fk, v: (
                fq / fq.sum(dim=1, keepdim=True) @ ((fk / fk.sum(dim=1, keepdim=True)).T @ v)
            ),
        ),
        Mistake(
            "Each feature of the keys was divided by its sum over the places. What has to add up "
            "to 1 are the weights fq · fk of a query.",
            lambda fq, fk, v: fq @ ((fk / fk.sum(dim=0)).T @ v),
        ),
        Mistake(
            "You divided by the root of the number of features. It takes the sum of the weights "
            "of each query.",
            lambda fq, fk, v: fq @ (fk.T @ v) / math.sqrt(fq.shape[1]),
        ),
        Mistake(
            "The keys were summed over their features, a number for each key. Sum them over the "
            "places: dim=0.",
            lambda fq, fk, v: fq @ (fk.T @ v) / (fq * fk.sum(dim=1)).sum(dim=1, keepdim=True),
        ),
        Mistake(
            "This is the plain mean of the values.",
            lambda fq, fk, v: v.mean(dim=0, keepdim=True).expand(len(fq), -1),
        ),
    ),
    refused=(
        Refused(lambda fq, fk, v: fq @ fk.T @ v),
        Refused(lambda fq, fk, v: v),
    ),
    alternatives=(
        lambda fq, fk, v: (
            np.asarray(fq)
            @ (np.asarray(fk).T @ np.asarray(v))
            / (np.asarray(fq) @ np.asarray(fk).sum(0))[:, None]
        ),
        lambda fq, fk, v: (
            torch.einsum("tf,fe->te", fq, torch.einsum("sf,se->fe", fk, v))
            / torch.einsum("tf,sf->t", fq, fk)[:, None]
        ),
        lambda fq, fk, v: torch.stack([row @ (fk.T @ v) / (fk @ row).sum() for row in fq]),
        lambda fq, fk, v: torch.cat([_bracket_left(row[None], fk, v) for row in fq]),
        lambda fq, fk, v: (fq @ (fk.T @ v)) / (fq @ fk.sum(0, keepdim=True).T),
        lambda fq, fk, v: fq @ (fk.T @ v) / (fq * fk.sum(0)).sum(1, keepdim=True),
        lambda fq, fk, v: linear_attention(fq, fk, v, feature=lambda x: x),
    ),
    hints=(
        "(fq fk^T) v: which of the two products could be made first, so that no table of queries "
        "by keys appears?",
        "fk.T @ v has a row for each feature. The sum of a query's weights is fq @ fk.sum(dim=0).",
        "return fq @ (...) / (fq @ ...)[:, None]",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
