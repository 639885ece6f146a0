"""The three lines of attention, as `attend` and `attention` judge them: cases, properties."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.exercises.scaled_scores import (
    one_shape,
    scaled_scores,
)
from course_lib.judging.exercise import Property, inputs
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
    lambda rng: inputs(drawn(rng, 2, 2), drawn(rng, 3, 2), drawn(rng, 3, 1)),  # the first shapes
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
