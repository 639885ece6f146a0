"""The loop of FlashAttention in Triton with nothing around it: no mask, one head, whole blocks.

    bare_attention(q, k, v)              # in Triton's interpreter, or on a GPU

It is there to be read, and runs all the same. triton_tiles.py has what a model needs: several
heads, masks, lengths that no block divides, a soft limit, parts of the keys, and the way back. On a
GPU `tl.dot` rounds float32 to fewer digits unless it is told otherwise, as it is there.

A program has BLOCK_Q queries, and all n keys pass by, BLOCK_K at a time. Every query sees a key in
the first block, so that `largest` is finite after it, and -inf is never taken from -inf.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def places(x, first, D: tl.constexpr, ROWS: tl.constexpr):
    """Where ROWS rows of a table (n, D) lie, from row `first` on."""
    return x + (first + tl.arange(0, ROWS)[:, None]) * D + tl.arange(0, D)[None, :]


@triton.jit
def load(x, first, D: tl.constexpr, ROWS: tl.constexpr):
    """A tile: ROWS rows from row `first` on."""
    return tl.load(places(x, first, D, ROWS))


@triton.jit
def bare(
    q, k, v, out, n, scale, D: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr
):  # fmt: skip
    """The outputs of one block of queries: the program's number says which."""
    first = tl.program_id(0) * BLOCK_Q
    q_tile = load(q, first, D, BLOCK_Q)
    largest = tl.full([BLOCK_Q], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_Q], tl.float32)
    mixed = tl.zeros([BLOCK_Q, D], tl.float32)
    for start in range(0, n, BLOCK_K):
        k_tile = load(k, start, D, BLOCK_K)
        scores = tl.dot(q_tile, k_tile.T) * scale
        new = tl.maximum(largest, tl.max(scores, 1))
        shrink = tl.exp(largest - new)
        powers = tl.exp(scores - new[:, None])
        total = shrink * total + tl.sum(powers, 1)
        v_tile = load(v, start, D, BLOCK_K)
        mixed = shrink[:, None] * mixed + tl.dot(powers, v_tile)
        largest = new
    tl.store(places(out, first, D, BLOCK_Q), mixed / total[:, None])


def bare_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, block: int = 16
) -> torch.Tensor:
    """Attention of one head by the bare loop, in float32.

    Shapes: q, k, v, and what is returned: (n, d)
    Raises: ValueError, if the three differ in shape, n is no multiple of the block, or d or the
        block is no power of two: tiles have no other sizes.
    """
    n, d = q.shape
    if not q.shape == k.shape == v.shape:
        shapes = ", ".join(str(tuple(one.shape)) for one in (q, k, v))
        raise ValueError(f"q, k and v are {shapes}, but the bare loop wants one shape (n, d)")
    if n % block or block & (block - 1) or d & (d - 1):
        raise ValueError(
            f"n = {n}, d = {d}, block = {block}: the bare loop wants whole blocks, and powers of "
            "two for d and the block"
        )
    q, k, v = (one.float().contiguous() for one in (q, k, v))
    out = torch.empty_like(v)
    bare[(n // block,)](q, k, v, out, n, d**-0.5, D=d, BLOCK_Q=block, BLOCK_K=block)
    return out
