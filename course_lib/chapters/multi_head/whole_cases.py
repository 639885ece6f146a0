"""Fresh words, matrices and masks on which a whole `multi_head` is tried."""

import torch

from course_lib.judging.exercise import inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.masks import causal, may_attend


def whole_case(b, n, m, heads, d, *, mask=None, dtype=torch.float32, loud=1):
    """Fresh words and matrices.

    mask: None, or n -> a table.   loud: what the words are multiplied by.
    """

    def case(rng):
        x, *w = (drawn(rng, *shape, dtype=dtype)
                 for shape in ((b, n, m), *[(m, heads * d)] * 3, (heads * d, m)))  # fmt: skip
        if mask is None:
            return inputs(loud * x, *w, heads)
        return inputs(loud * x, *w, heads, mask=mask(n))

    return case


def causal_mask(n):
    """Each word sees itself and those before it. Shape: -> (n, n)"""
    return may_attend(causal, n)


def scattered(n):
    """A mask that is not causal, nor the same when turned over, and leaves no row empty."""
    i, j = torch.arange(n)[:, None], torch.arange(n)
    return ((i + 2 * j) % 3 != 0) & (i != j) | (j == 3)
