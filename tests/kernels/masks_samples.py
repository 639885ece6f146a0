"""What the tests of masks share."""

import pytest
import torch

from course_lib.kernels.masks import (
    causal,
    document,
    prefix,
    sliding_window,
)

IDS = [0, 0, 1, 1, 1, 2, 2]
RULES = {  # each rule in plain Python, for positions i and j
    "causal": (causal, lambda i, j: j <= i),
    "window": (sliding_window(3), lambda i, j: abs(i - j) < 3),
    "prefix": (prefix(2), lambda i, j: j < 2),
    "document": (document(IDS), lambda i, j: IDS[i] == IDS[j]),
    "not causal": (~causal, lambda i, j: j > i),
    "and": (causal & sliding_window(2), lambda i, j: j <= i and i - j < 2),
    "or": (causal | prefix(4), lambda i, j: j <= i or j < 4),
    "three": (
        causal & document(IDS) | prefix(1),
        lambda i, j: (j <= i and IDS[i] == IDS[j]) or j < 1,
    ),
}
every_rule = pytest.mark.parametrize(("mask", "rule"), RULES.values(), ids=RULES)


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
