"""What attention moves between large memory and chip: the order of the loops decides.

    queries outside   FlashAttention-2 and flash.py: for each block of queries all keys and values
                      pass by; the unfinished output stays on the chip
    plain             its products have the same passes; besides, it makes the table of scores and
                      the table of weights in the large memory: each is written once and read once
    keys outside      FlashAttention (2022): for each block of keys and values all queries pass by,
                      and with each its unfinished output, in and out again

Counted in numbers (elements), for one head, without a cache and without the mask's savings. What is
kept for each query beside its output (lse, or maximum and sum) is left out: it is 1 / d of the
output or less.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_whole
from course_lib.kernels.flash import Memory, Running, absorb, blocks, nothing_seen
from course_lib.kernels.flash_arguments import Given
from course_lib.kernels.flash_rule import Rule

ORDERS = ("plain", "queries outside", "keys outside")


def elements_moved(order: str, n: int, d: int, *, block_q: int = 128, block_k: int = 128) -> int:
    """Read and written in all, for n queries, n keys and values, all of width d.

    order: "plain", "queries outside" or "keys outside"; the outer loop's block size is what counts,
    in plain attention block_q.

    Raises: TypeError or ValueError for another order and sizes that are no whole numbers from 1.
    Source: Dao et al., "FlashAttention" (2022), theorem 2, with the constants; there the products
    of plain attention get each number of q, k and v once, as if a cache held them.
    Example: with blocks of 64 queries, 64 times through 2 n d numbers.
        >>> elements_moved("queries outside", 4096, 128, block_q=64) == 2 * 4096 * 128 * (1 + 64)
        True
    """
    check_whole(n=n, d=d, block_q=block_q, block_k=block_k)
    passes = 2 * n * d + -(-n // block_q) * 2 * n * d  # q, output; k and v for each block
    if order == "plain":
        return passes + 4 * n * n  # and scores and weights, out and in
    if order == "queries outside":
        return passes
    if order == "keys outside":
        return 2 * n * d + -(-n // block_k) * 3 * n * d  # k, v; q, output in and out for each
    raise ValueError(f"order is {order!r}; expected one of {ORDERS}")


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, *, block_q: int = 128, block_k: int = 128,
    log: list | None = None,
) -> Tensor:  # fmt: skip
    """Attention in the order of the first FlashAttention: the outer loop goes over the keys.

    log: a list; gets a `Move` for each tile that is read or written.

    Shapes: as flash_attention; no mask, forward only
    Source: Dao et al., "FlashAttention" (2022), algorithm 1.
    """
    given = Given(q, k, v, block_q=block_q, block_k=block_k)
    q, k, v = given.folded()
    rule = Rule(given.scale)
    memory = Memory(torch.promote_types(q.dtype, torch.float32), log)
    parts = _columns(nothing_seen(q.shape[:-1], v.shape[-1], q.to(memory.wide)))
    for j, cols in enumerate(blocks(k.shape[-2], block_k)):
        k_tile, v_tile = (memory.read(*one, cols, None, j) for one in (("k", k), ("v", v)))
        for i, rows in enumerate(blocks(q.shape[-2], block_q)):
            q_tile = memory.read("q", q, rows, i, j)
            kept = [memory.read(name, one, rows, i, j) for name, one in parts.items()]
            running = Running(kept[0][..., 0], kept[1][..., 0], kept[2])
            running = absorb(running, rule.scores(q_tile, k_tile, rows, cols), v_tile)
            for (name, whole), tile in zip(parts.items(), _columns(running).values(), strict=True):
                memory.write(name, whole, rows, tile, i, j)
    out = Running(parts["maximum"][..., 0], parts["total"][..., 0], parts["out"]).mean
    return given.unfolded(out).to(v.dtype)


def _columns(running: Running) -> dict[str, Tensor]:
    """Its three parts, each with rows: (..., t, 1) or (..., t, e)."""
    maximum, total, weighted = running
    return {"maximum": maximum[..., None], "total": total[..., None], "out": weighted}
