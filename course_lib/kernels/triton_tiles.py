"""The kernels of FlashAttention in Triton: one forwards, two back.

A program is what runs on one multiprocessor. In `forward` it has one block of queries, as in
flash.py, and all keys that these see pass by; `tl.dot` is the product of two tiles, on the tensor
cores. `backward_q` is the same loop again. In `backward_kv` a program has one block of keys, and
all queries pass by that see it, those of every head that shares it. No two programs write to one
place, so nothing is added in an order that chance decides.

q, k, v and their like are `Rows`: vectors of width D, in heads, in sentences. lse and delta hold
one number for each query, without gaps. WIDTH is D or the next power of two above; rows and
columns that are not there are read as 0 and not written.

t queries, s keys, of which `lengths` count. Query i stands at the key i + shift and sees it and all
before it; where every query sees every key, shift is s. `group` heads of queries share their keys.

exp2 is what the hardware has: exp(x) = exp2(x log2(e)). The scores are multiplied after the
product, when they are float32. The maximum starts at a finite number and hidden scores are -inf:
no step makes inf - inf, so no tile is special.
"""

from typing import NamedTuple

import torch
import triton
import triton.language as tl

LOG2E: tl.constexpr = tl.constexpr(1.4426950408889634)
LOWEST: tl.constexpr = tl.constexpr(-1e30)


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
    """A tile, with 0 where nothing is."""
    pointers, there = places(x, b, h, first, end, D, ROWS, WIDTH)
    return tl.load(pointers, mask=there, other=0.0)


@triton.jit
def store(x, b, h, first, end, tile, D: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr):
    """Put a tile in its place, what is there of it."""
    pointers, there = places(x, b, h, first, end, D, ROWS, WIDTH)
    tl.store(pointers, tile.to(x.base.dtype.element_ty), mask=there)


@triton.jit
def numbers(x, b, h, i, heads, t):
    """One number for each of the queries i, such as its lse; 0 where there is no query."""
    return tl.load(x + (tl.cast(b, tl.int64) * heads + h) * t + i, mask=i < t, other=0.0)


@triton.jit
def weights_of(scores, i, j, keys, shift, lse):
    """exp(score - lse), 0 where query i does not see key j, so also where its lse is -inf."""
    seen = j < tl.minimum(keys, i + shift + 1)
    return tl.where(seen, tl.exp2(scores - lse * LOG2E), 0.0)


@triton.jit
def forward(
    q, k, v, out, lse, lengths, heads, group, t, s, shift, scale,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Output and lse of one block of queries."""
    blocks = tl.cdiv(t, BLOCK_Q)
    first = (blocks - 1 - tl.program_id(0) % blocks) * BLOCK_Q  # the longest loop goes first
    b, h = tl.program_id(0) // blocks // heads, tl.program_id(0) // blocks % heads
    keys = tl.minimum(tl.load(lengths + b), s)
    i = first + tl.arange(0, BLOCK_Q)
    sees = tl.minimum(keys, i + shift + 1)[:, None]
    q_tile = load(q, b, h, first, t, D, BLOCK_Q, WIDTH)
    maximum = tl.full([BLOCK_Q], LOWEST, tl.float32)
    total = tl.zeros([BLOCK_Q], tl.float32)
    weighted = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    for start in range(0, tl.minimum(keys, first + BLOCK_Q + shift), BLOCK_K):
        j = start + tl.arange(0, BLOCK_K)[None, :]
        k_tile = load(k, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        scores = tl.dot(q_tile, k_tile.T, input_precision="ieee") * (scale * LOG2E)
        scores = tl.where(j < sees, scores, float("-inf"))
        new = tl.maximum(maximum, tl.max(scores, 1))
        shrink = tl.exp2(maximum - new)
        weights = tl.exp2(scores - new[:, None])
        total = total * shrink + tl.sum(weights, 1)
        v_tile = load(v, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        weighted = weighted * shrink[:, None]
        weighted = tl.dot(weights.to(v_tile.dtype), v_tile, weighted, input_precision="ieee")
        maximum = new
    some = total > 0
    total = tl.where(some, total, 1.0)
    mean = weighted / total[:, None]
    its_lse = tl.where(some, (maximum + tl.log2(total)) / LOG2E, float("-inf"))
    store(out, b, h, first, t, mean, D, BLOCK_Q, WIDTH)
    tl.store(lse + (tl.cast(b, tl.int64) * heads + h) * t + i, its_lse, mask=i < t)


@triton.jit
def backward_q(
    q, k, v, out, grad_out, grad_q, lse, delta, lengths, heads, group, t, s, shift, scale,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The gradient of one block of queries; and delta, grad_out · out - grad_lse, for the next."""
    blocks = tl.cdiv(t, BLOCK_Q)
    first = (blocks - 1 - tl.program_id(0) % blocks) * BLOCK_Q
    b, h = tl.program_id(0) // blocks // heads, tl.program_id(0) // blocks % heads
    keys = tl.minimum(tl.load(lengths + b), s)
    i = first + tl.arange(0, BLOCK_Q)
    q_tile = load(q, b, h, first, t, D, BLOCK_Q, WIDTH)
    grad_tile = load(grad_out, b, h, first, t, D, BLOCK_Q, WIDTH)
    out_tile = load(out, b, h, first, t, D, BLOCK_Q, WIDTH)
    its_lse = numbers(lse, b, h, i, heads, t)[:, None]
    its_delta = tl.sum(grad_tile.to(tl.float32) * out_tile.to(tl.float32), 1)
    its_delta -= numbers(delta, b, h, i, heads, t)  # where grad_lse lies until now
    tl.store(delta + (tl.cast(b, tl.int64) * heads + h) * t + i, its_delta, mask=i < t)
    grad = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    for start in range(0, tl.minimum(keys, first + BLOCK_Q + shift), BLOCK_K):
        j = start + tl.arange(0, BLOCK_K)[None, :]
        k_tile = load(k, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        v_tile = load(v, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        scores = tl.dot(q_tile, k_tile.T, input_precision="ieee") * (scale * LOG2E)
        weights = weights_of(scores, i[:, None], j, keys, shift, its_lse)
        grad_weights = tl.dot(grad_tile, v_tile.T, input_precision="ieee")
        grad_scores = weights * (grad_weights - its_delta[:, None])
        grad = tl.dot(grad_scores.to(k_tile.dtype), k_tile, grad, input_precision="ieee")
    store(grad_q, b, h, first, t, grad * scale, D, BLOCK_Q, WIDTH)


@triton.jit
def backward_kv(
    q, k, v, grad_out, grad_k, grad_v, lse, delta, lengths, heads, group, t, s, shift, scale,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """The gradients of one block of keys and values; scores here have keys in rows."""
    blocks, shared = tl.cdiv(s, BLOCK_K), heads // group
    first = tl.program_id(0) % blocks * BLOCK_K
    b, g = tl.program_id(0) // blocks // shared, tl.program_id(0) // blocks % shared
    keys = tl.minimum(tl.load(lengths + b), s)
    j = first + tl.arange(0, BLOCK_K)[:, None]
    k_tile = load(k, b, g, first, keys, D, BLOCK_K, WIDTH)
    v_tile = load(v, b, g, first, keys, D, BLOCK_K, WIDTH)
    k_grad = tl.zeros([BLOCK_K, WIDTH], tl.float32)
    v_grad = tl.zeros([BLOCK_K, WIDTH], tl.float32)
    begin = tl.where(first < keys, tl.maximum(first - shift, 0), t)  # no query sees what is behind
    for h in range(g * group, (g + 1) * group):
        for start in range(begin, t, BLOCK_Q):
            i = start + tl.arange(0, BLOCK_Q)
            q_tile = load(q, b, h, start, t, D, BLOCK_Q, WIDTH)
            grad_tile = load(grad_out, b, h, start, t, D, BLOCK_Q, WIDTH)
            its_lse = numbers(lse, b, h, i, heads, t)[None, :]
            its_delta = numbers(delta, b, h, i, heads, t)[None, :]
            scores = tl.dot(k_tile, q_tile.T, input_precision="ieee") * (scale * LOG2E)
            weights = weights_of(scores, i[None, :], j, keys, shift, its_lse)
            v_grad = tl.dot(weights.to(q_tile.dtype), grad_tile, v_grad, input_precision="ieee")
            grad_weights = tl.dot(v_tile, grad_tile.T, input_precision="ieee")
            grad_scores = (weights * (grad_weights - its_delta)).to(q_tile.dtype)
            k_grad = tl.dot(grad_scores, q_tile, k_grad, input_precision="ieee")
    store(grad_k, b, g, first, s, k_grad * scale, D, BLOCK_K, WIDTH)
    store(grad_v, b, g, first, s, v_grad, D, BLOCK_K, WIDTH)
