"""Rows of a tensor as a Triton kernel meets them: where they lie, how a tile comes and goes.

A tile is ROWS rows of WIDTH columns; WIDTH is D or the next power of two above. Rows and columns
that are not there are read as 0 and not written. Memory begins and ends where a tensor does, so
each load and each store has a mask; where all of a tile is there, a load has none. Offsets of
sentences, heads and first rows are counted in 64 bits, those within a tile in 32.
"""

from typing import NamedTuple

import torch
import triton
import triton.language as tl


class Rows(NamedTuple):
    """A tensor (b, h, n, D) for a kernel; the strides are counted in numbers, that of D is 1."""

    base: torch.Tensor
    b: int
    h: int
    n: int


@triton.jit
def places(x, b, h, first, end, D: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    """Where ROWS rows from `first` on lie in memory, and which exist: before `end`, within D."""
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, WIDTH)[None, :]
    there = (first + row < end) & (column < D)
    head = x.base + tl.cast(b, tl.int64) * x.b + tl.cast(h, tl.int64) * x.h
    return head + tl.cast(first, tl.int64) * x.n + (row * x.n + column), there


@triton.jit
def load(x, b, h, first, end, D: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    """A tile, with 0 where nothing is. end: None where all of its rows are there."""
    pointers, there = places(x, b, h, first, first + ROWS if end is None else end, D, ROWS, WIDTH)
    if end is None and D == WIDTH:
        return tl.load(pointers)
    else:
        return tl.load(pointers, mask=there, other=0.0)


@triton.jit
def store(x, b, h, first, end, tile, D: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    """Put a tile in its place, what is there of it."""
    pointers, there = places(x, b, h, first, end, D, ROWS, WIDTH)
    tl.store(pointers, tile.to(x.base.dtype.element_ty), mask=there)


@triton.jit
def numbers_at(x, b, h, i, heads, t):
    """Where the one number of each of the queries i lies, such as its lse."""
    return x + (tl.cast(b, tl.int64) * heads + h) * t + i


@triton.jit
def numbers(x, b, h, i, heads, t):
    """These numbers; 0 where there is no query."""
    return tl.load(numbers_at(x, b, h, i, heads, t), mask=i < t, other=0.0)
