"""Exercise `scaled_scores`: every query with every key, divided by the root of the width."""

import math

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn, floats
from course_lib.kernels.attention import trace


def scaled_scores(q, k):
    """Every query with every key, scaled as in chapter 3.

    q: (..., t, d)   k: (..., s, d)   returns: (..., t, s)
    """
    # SOLUTION
    scores = torch.einsum("...td,...sd->...ts", q, k)
    return scores / math.sqrt(q.shape[-1])
    # STUB
    # scores = ...
    # return ...  # scores, scaled
    # END SOLUTION


def _scores_with_loops(q, k):
    if q.ndim > 2:
        return [_scores_with_loops(one, other) for one, other in zip(q, k, strict=True)]
    return [[float((a * b).sum()) / len(a) ** 0.5 for b in k] for a in q]


def one_shape(got, t, s) -> bool:
    """Whether the last two axes are t and s."""
    return np.shape(got)[-2:] == (t, s)


def _divided_by(number):
    """Scores divided by the root of another number than the width."""
    return lambda q, k: q @ k.transpose(-2, -1) / math.sqrt(number(q, k))


SCALED_SCORES = Exercise(
    answer=scaled_scores,
    cases=(
        lambda rng: inputs(floats([2, 0, 1, 1]), floats([1, 1, 2, 0], [0, 1, 0, 3])),
        lambda rng: inputs(drawn(rng, 3, 3), drawn(rng, 3, 3)),
        lambda rng: inputs(drawn(rng, 5, 7), drawn(rng, 2, 7)),
        lambda rng: inputs(drawn(rng, 2, 3, 5), drawn(rng, 2, 7, 5)),
        lambda rng: inputs(drawn(rng, 3, 3, 3), drawn(rng, 3, 3, 3)),
        lambda rng: inputs(drawn(rng, 2, 3, 5, 7), drawn(rng, 2, 3, 11, 7)),
        lambda rng: inputs(drawn(rng, 2, 2, 2, 2), drawn(rng, 2, 2, 2, 2)),
        lambda rng: inputs(drawn(rng, 1, 4), drawn(rng, 2, 4)),  # the first shapes again
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: one_shape(
                got["output"], case.args[0].shape[-2], case.args[1].shape[-2]
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The scale is missing: divide by the square root of the width (chapter 3).",
            lambda q, k: q @ k.transpose(-2, -1),
        ),
        Mistake(
            "You divided by the width itself. It takes the square root of it.",
            lambda q, k: q @ k.transpose(-2, -1) / q.shape[-1],
        ),
        Mistake(
            "You divided by the root of the number of keys. What counts is the width, the last "
            "axis: how many products each score adds up.",
            _divided_by(lambda q, k: k.shape[-2]),
        ),
        Mistake(
            "You divided by the root of the number of queries. What counts is the width, the last "
            "axis: how many products each score adds up.",
            _divided_by(lambda q, k: q.shape[-2]),
        ),
        Mistake(
            "You divided by the root of q.shape[0], the length of the first axis. The width is the "
            "last one, q.shape[-1].",
            _divided_by(lambda q, k: q.shape[0]),
            also=(lambda q, k: q @ k.mT / len(q) ** 0.5,),
        ),
        Mistake(
            "You divided by the root of k.shape[0], the length of the first axis. The width is the "
            "last one, k.shape[-1].",
            _divided_by(lambda q, k: k.shape[0]),
        ),
        Mistake(
            "q.shape[1] is the width of one sentence alone. With sentences or heads in front it "
            "is something else; the width is always the last axis, q.shape[-1].",
            _divided_by(lambda q, k: q.shape[1]),
        ),
        Mistake(
            "k.shape[1] is the width of one sentence alone. With sentences or heads in front it "
            "is something else; the width is always the last axis, k.shape[-1].",
            _divided_by(lambda q, k: k.shape[1]),
        ),
        Mistake(
            "You multiplied by the root of the width. Divide, so that the scores shrink.",
            lambda q, k: q @ k.transpose(-2, -1) * math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "k is not transposed: rows of q met columns of k. With as many keys as numbers in a "
            "key nothing stops you, and the scores are wrong.",
            lambda q, k: q @ k / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            ".T turns all axes around, the one of the sentences too. Only the last two should "
            "change places: k.transpose(-2, -1), or k.mT.",
            lambda q, k: q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1]),
            also=(lambda q, k: q @ k.T / math.sqrt(q.shape[-1]),),
        ),
        Mistake(
            "transpose(0, 1) exchanges the first two axes, which are the last two for one sentence "
            "alone. k.transpose(-2, -1) fits always.",
            lambda q, k: q @ k.transpose(0, 1) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "transpose(1, 2) counts the axes from the left, and fits where one axis stands in "
            "front. From the right they are -2 and -1, however many there are.",
            lambda q, k: q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "reshape and view read the same numbers on in the same order. What is wanted is "
            "another order: k.transpose(-2, -1).",
            lambda q, k: q @ k.reshape(*k.shape[:-2], *k.shape[:-3:-1]) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "q is transposed, not k: each number of a word met each other number. A score adds up "
            "one query times one key, q @ k.transpose(-2, -1).",
            lambda q, k: q.transpose(-2, -1) @ k / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "* pairs row with row: query 0 with key 0, query 1 with key 1. Every query should meet "
            "every key, q @ k.transpose(-2, -1).",
            lambda q, k: (q * k).sum(dim=-1) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "* multiplies number by number, and nothing is added up. A score is a dot product: @ "
            "multiplies and adds.",
            lambda q, k: q * k / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "q and k are exchanged: your rows belong to keys. A row should belong to a query.",
            lambda q, k: k @ q.transpose(-2, -1) / math.sqrt(q.shape[-1]),
        ),
        Mistake(
            "You took the softmax already. Scores come before it; the weights are the next line.",
            lambda q, k: torch.softmax(scaled_scores(q, k), dim=-1),
        ),
        Mistake(
            "You took the softmax already, and the scale is missing. Scores come before the "
            "softmax, divided by the root of the width.",
            lambda q, k: torch.softmax(q @ k.transpose(-2, -1), dim=-1),
        ),
        Mistake(
            "You divided by the lengths of q and k: these are cosines. The scale is the same "
            "number for all scores, the root of the width.",
            lambda q, k: (
                torch.nn.functional.normalize(q, dim=-1)
                @ torch.nn.functional.normalize(k, dim=-1).mT
            ),
        ),
    ),
    refused=(Refused(lambda q, k: q.div_(2) @ k.mT, "in place"),),
    alternatives=(
        _scores_with_loops,
        lambda q, k: q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5,
        lambda q, k: (q / math.sqrt(q.shape[-1])) @ k.mT,
        lambda q, k: q.numpy() @ np.swapaxes(k.numpy(), -1, -2) / np.sqrt(k.shape[-1]),
        lambda q, k: (k @ q.mT).mT / torch.sqrt(torch.tensor(k.size(-1))),
        lambda q, k: trace(q, k, k)["scaled"],
    ),
    hints=(
        "The docstring names the axes of q, of k and of what is returned. Which letter do q and k "
        "share?",
        "The letter that q and k share is not in the result: it is summed up. How many products "
        "does it add up?",
        'scores = torch.einsum("...td,...->...ts", q, k); return scores / math.sqrt(...)',
    ),
    minutes=4,
    stars=1,
    depth=True,
)
