"""The three lines of attention, as `attend` and `attention` judge them: cases, slips."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.exercises.scaled_scores import (
    one_shape,
    scaled_scores,
)
from course_lib.judging.exercise import Mistake, Property, inputs
from course_lib.judging.tensors import drawn, floats

CASES = (
    lambda rng: inputs(
        floats([2, 0], [0, 2]), floats([1, 0], [0, 1], [1, 1]), floats([10], [20], [60])
    ),
    lambda rng: inputs(drawn(rng, 3, 3), drawn(rng, 3, 3), drawn(rng, 3, 3)),
    lambda rng: inputs(drawn(rng, 2, 5), drawn(rng, 3, 5), drawn(rng, 3, 7)),
    lambda rng: inputs(drawn(rng, 2, 3, 5), drawn(rng, 2, 7, 5), drawn(rng, 2, 7, 11)),
    lambda rng: inputs(*(drawn(rng, 3, 3, 3) for _ in range(3))),
    lambda rng: inputs(  # scores around 100, exact in float32 however they are made
        floats([16, 0, 0, 0], [0, 16, 0, 0]),
        floats([13, 12.5, 1, 0], [12.75, 13, 0, 1], [12.5, 12.75, 1, 1]),
        drawn(rng, 3, 2),
    ),
)


def _inside(got, case) -> bool:
    """Every entry between the smallest and the largest value of its column."""
    output, v = np.asarray(got["output"]), case.args[2].numpy()
    low, high = v.min(axis=-2, keepdims=True), v.max(axis=-2, keepdims=True)
    return bool((output >= low - 1e-4).all() and (output <= high + 1e-4).all())


PROPERTIES = (
    Property(
        "One row for each query, as wide as a value.",
        lambda got, case: one_shape(got["output"], case.args[0].shape[-2], case.args[2].shape[-1]),
    ),
    Property(
        "Each entry lies between the smallest and the largest value of its column: an average "
        "cannot leave what it averages.",
        _inside,
    ),
)


def weights(q, k):
    """The second of the three lines."""
    return torch.softmax(scaled_scores(q, k), dim=-1)


def attend_with_loops(q, k, v):
    """Number by number."""
    if q.ndim > 2:
        return [attend_with_loops(*one) for one in zip(q, k, v, strict=True)]
    output = []
    for query in q:
        scores = [float(query @ key) / math.sqrt(len(query)) for key in k]
        raised = [math.exp(score - max(scores)) for score in scores]
        shares = [one / sum(raised) for one in raised]
        output.append([sum(w * float(x) for w, x in zip(shares, col, strict=True)) for col in v.T])
    return output


def by_exp(scores):
    """The softmax that overflows."""
    powers = torch.exp(scores)
    return powers / powers.sum(dim=-1, keepdim=True)


NO_MAXIMUM = Mistake(
    "A score above 88 is too much for exp in float32: its power is infinite, and infinity divided "
    "by itself is NaN. Subtract the largest of the row first (chapter 4), as torch.softmax does.",
    lambda q, k, v: by_exp(scaled_scores(q, k)) @ v,
)

SCALE_FORGOTTEN = (
    Mistake(
        "The scale is missing: the scores are divided by the square root of the width before the "
        "softmax (chapter 3).",
        lambda q, k, v: torch.softmax(q @ k.mT, dim=-1) @ v,
    ),
    Mistake(
        "You scaled the weights, after the softmax. They no longer add up to 1; scale the scores.",
        lambda q, k, v: torch.softmax(q @ k.mT, dim=-1) / math.sqrt(q.shape[-1]) @ v,
    ),
)

OTHER_SCALE = (
    Mistake(
        "You multiplied by the root of the width. Divide, so that the scores shrink.",
        lambda q, k, v: torch.softmax(q @ k.mT * math.sqrt(q.shape[-1]), dim=-1) @ v,
    ),
    Mistake(
        "You divided by the width itself. It takes the square root of it.",
        lambda q, k, v: torch.softmax(q @ k.mT / q.shape[-1], dim=-1) @ v,
    ),
    Mistake(
        "You divided by the root of the number of keys. What counts is the width of a query, its "
        "last axis.",
        lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(k.shape[-2]), dim=-1) @ v,
    ),
    Mistake(
        "You divided by the root of the width of a value. The scores add up products of queries "
        "and keys; it is their width that counts.",
        lambda q, k, v: torch.softmax(q @ k.mT / math.sqrt(v.shape[-1]), dim=-1) @ v,
    ),
)

WHATEVER_THE_SCALE = (
    Mistake(
        "The softmax ran along the wrong axis, so each key shares itself out. Each row belongs to "
        "a query and should add up to 1: dim=-1.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=-2) @ v,
    ),
    Mistake(
        "dim=0 is the first axis. That is wrong for one sentence, and for several it runs across "
        "the sentences. The keys stand in the last one: dim=-1.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k), dim=0) @ v,
    ),
    Mistake(
        "v came before the softmax. First the scores become weights; only then the weights meet "
        "the values.",
        lambda q, k, v: torch.softmax(scaled_scores(q, k) @ v, dim=-1),
    ),
    Mistake(
        "The softmax is missing: raw scores may be negative and do not add up to 1.",
        lambda q, k, v: scaled_scores(q, k) @ v,
    ),
    Mistake(
        "You averaged the keys. Keys decide the weights; what is averaged are the values.",
        lambda q, k, v: weights(q, k) @ k,
    ),
    Mistake(
        "You returned the weights. One product is left, with v.",
        lambda q, k, v: weights(q, k),
    ),
    Mistake(
        "You returned the output and the weights. Asked for is the output alone.",
        lambda q, k, v: (weights(q, k) @ v, weights(q, k)),
    ),
    Mistake(
        "k is not transposed: rows of q met columns of k. Where there are as many keys as numbers "
        "in a key nothing stops you, and the result is wrong.",
        lambda q, k, v: torch.softmax(q @ k / math.sqrt(q.shape[-1]), dim=-1) @ v,
    ),
    Mistake(
        ".T turns all axes around, the one of the sentences too. Only the last two of k should "
        "change places: k.transpose(-2, -1), or k.mT.",
        lambda q, k, v: (
            torch.softmax(q @ k.permute(*reversed(range(k.ndim))) / math.sqrt(q.shape[-1]), dim=-1)
            @ v
        ),
    ),
    Mistake(
        "q and k are exchanged: your rows belong to keys. Each query asks, each key is asked.",
        lambda q, k, v: weights(k, q) @ v,
    ),
    NO_MAXIMUM,
)
