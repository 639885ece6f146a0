"""The kernels of FlashAttention in Triton: one forwards, two back.

A program is what runs on one multiprocessor. In `forward` it has one block of queries, as in
flash.py, and all keys that these see pass by; `tl.dot` is the product of two tiles, on the tensor
cores. `backward_q` is the same loop again. In `backward_kv` a program has one block of keys, and
all queries pass by that see it, those of every head that shares it. No two programs write to one
place, so nothing is added in an order that chance decides.

q, k, v and their like are `Rows`: vectors of width D, in heads, in sentences. lse and delta hold
one number for each query, without gaps. WIDTH is D or the next power of two above; rows and
columns that are not there are read as 0 and not written.

t queries, s keys, of which `lengths` count. Query i sees the keys i + low to i + high; low is None
where there is no window, high is s where a query sees what comes after it. Keys that no query of a
block sees do not pass by. `group` heads of queries share their keys. softcap is None or a number:
what is None costs nothing, Triton compiles a kernel without it.

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
def numbers_at(x, b, h, i, heads, t):
    """Where the one number of each of the queries i lies, such as its lse."""
    return x + (tl.cast(b, tl.int64) * heads + h) * t + i


@triton.jit
def numbers(x, b, h, i, heads, t):
    """These numbers; 0 where there is no query."""
    return tl.load(numbers_at(x, b, h, i, heads, t), mask=i < t, other=0.0)


@triton.jit
def seen(i, j, keys, low, high):
    """Whether query i sees key j."""
    sees = j < tl.minimum(keys, i + high + 1)
    if low is not None:
        sees = sees & (j >= i + low)
    return sees


@triton.jit
def tanh(x):
    """Triton has none of its own; near 0, where 1 - y loses digits, its series up to x⁹."""
    y = tl.exp2(tl.abs(x) * (-2 * LOG2E))
    far = tl.where(x < 0, y - 1, 1 - y) / (1 + y)
    z = x * x
    near = x * (1 + z * (-1 / 3 + z * (2 / 15 + z * (-17 / 315 + z * (62 / 2835)))))
    return tl.where(z < 0.09, near, far)


@triton.jit
def capped(scores, softcap):
    """softcap · tanh(score / softcap), all in units of log 2 as the scores are."""
    if softcap is not None:
        scores = softcap * LOG2E * tanh(scores / (softcap * LOG2E))
    return scores


@triton.jit
def through_cap(grad, scores, softcap):
    """The gradient of scores before the cap, from that of scores after it: times 1 - tanh²."""
    if softcap is not None:
        tanh_of = scores / (softcap * LOG2E)
        grad = grad * (1 - tanh_of * tanh_of)
    return grad


@triton.jit
def weights_of(scores, i, j, keys, low, high, lse):
    """exp(score - lse), 0 where query i does not see key j, so also where its lse is -inf."""
    return tl.where(seen(i, j, keys, low, high), tl.exp2(scores - lse * LOG2E), 0.0)


@triton.jit
def forward(
    q, k, v, out, lse, lengths, heads, group, t, s, low, high, scale, softcap,
    D: tl.constexpr, WIDTH: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr,
):  # fmt: skip
    """Output and lse of one block of queries."""
    blocks = tl.cdiv(t, BLOCK_Q)
    first = (blocks - 1 - tl.program_id(0) % blocks) * BLOCK_Q  # the longest loop goes first
    b, h = tl.program_id(0) // blocks // heads, tl.program_id(0) // blocks % heads
    keys = tl.minimum(tl.load(lengths + b), s)
    i = first + tl.arange(0, BLOCK_Q)
    q_tile = load(q, b, h, first, t, D, BLOCK_Q, WIDTH)
    largest = tl.full([BLOCK_Q], LOWEST, tl.float32)
    total = tl.zeros([BLOCK_Q], tl.float32)
    mixed = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    begin = 0 if low is None else tl.maximum(first + low, 0)
    for start in range(begin, tl.minimum(keys, first + BLOCK_Q + high), BLOCK_K):
        j = start + tl.arange(0, BLOCK_K)[None, :]
        k_tile = load(k, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        scores = tl.dot(q_tile, k_tile.T, input_precision="ieee") * (scale * LOG2E)
        scores = capped(scores, softcap)
        scores = tl.where(seen(i[:, None], j, keys, low, high), scores, float("-inf"))
        new = tl.maximum(largest, tl.max(scores, 1))
        shrink = tl.exp2(largest - new)
        powers = tl.exp2(scores - new[:, None])
        total = total * shrink + tl.sum(powers, 1)
        v_tile = load(v, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        mixed = mixed * shrink[:, None]
        mixed = tl.dot(powers.to(v_tile.dtype), v_tile, mixed, input_precision="ieee")
        largest = new
    some = total > 0
    total = tl.where(some, total, 1.0)
    mean = mixed / total[:, None]
    its_lse = tl.where(some, (largest + tl.log2(total)) / LOG2E, float("-inf"))
    store(out, b, h, first, t, mean, D, BLOCK_Q, WIDTH)
    tl.store(numbers_at(lse, b, h, i, heads, t), its_lse, mask=i < t)


@triton.jit
def backward_q(
    q, k, v, out, grad_out, grad_q, lse, delta, lengths, heads, group, t, s, low, high,
    scale, softcap,
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
    tl.store(numbers_at(delta, b, h, i, heads, t), its_delta, mask=i < t)
    grad = tl.zeros([BLOCK_Q, WIDTH], tl.float32)
    begin = 0 if low is None else tl.maximum(first + low, 0)
    for start in range(begin, tl.minimum(keys, first + BLOCK_Q + high), BLOCK_K):
        j = start + tl.arange(0, BLOCK_K)[None, :]
        k_tile = load(k, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        v_tile = load(v, b, h // group, start, keys, D, BLOCK_K, WIDTH)
        scores = tl.dot(q_tile, k_tile.T, input_precision="ieee") * (scale * LOG2E)
        scores = capped(scores, softcap)
        weights = weights_of(scores, i[:, None], j, keys, low, high, its_lse)
        grad_weights = tl.dot(grad_tile, v_tile.T, input_precision="ieee")
        grad_scores = through_cap(weights * (grad_weights - its_delta[:, None]), scores, softcap)
        grad = tl.dot(grad_scores.to(k_tile.dtype), k_tile, grad, input_precision="ieee")
    store(grad_q, b, h, first, t, grad * scale, D, BLOCK_Q, WIDTH)


@triton.jit
def backward_kv(
    q, k, v, grad_out, grad_k, grad_v, lse, delta, lengths, heads, group, t, s, low, high,
    scale, softcap,
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
    begin = tl.where(first < keys, tl.maximum(first - high, 0), t)  # no query sees what is behind
    end = t if low is None else tl.minimum(t, first + BLOCK_K - low)
    for h in range(g * group, (g + 1) * group):
        for start in range(begin, end, BLOCK_Q):
            i = start + tl.arange(0, BLOCK_Q)
            q_tile = load(q, b, h, start, t, D, BLOCK_Q, WIDTH)
            grad_tile = load(grad_out, b, h, start, t, D, BLOCK_Q, WIDTH)
            its_lse = numbers(lse, b, h, i, heads, t)[None, :]
            its_delta = numbers(delta, b, h, i, heads, t)[None, :]
            scores = tl.dot(k_tile, q_tile.T, input_precision="ieee") * (scale * LOG2E)
            scores = capped(scores, softcap)
            weights = weights_of(scores, i[None, :], j, keys, low, high, its_lse)
            v_grad = tl.dot(weights.to(q_tile.dtype), grad_tile, v_grad, input_precision="ieee")
            grad_weights = tl.dot(v_tile, grad_tile.T, input_precision="ieee")
            grad_scores = through_cap(weights * (grad_weights - its_delta), scores, softcap)
            k_grad = tl.dot(grad_scores.to(q_tile.dtype), q_tile, k_grad, input_precision="ieee")
    store(grad_k, b, g, first, s, k_grad * scale, D, BLOCK_K, WIDTH)
    store(grad_v, b, g, first, s, v_grad, D, BLOCK_K, WIDTH)
