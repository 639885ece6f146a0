"""What attention costs: operations, and bytes that are kept. Counted, not measured.

Axes: n queries and as many keys, one head of width d; m is the width of a model, and its heads
together are m wide, so that h heads of width d cost what one of width m = h d does.

A multiplication and an addition count one operation each. Exponentials, sums and divisions of the
softmax are left out where matrix products stand beside them: about five for each score, against
4 d. What is moved between memory and chip is counted in loop_order.py.

Every function raises TypeError or ValueError for sizes that are no whole numbers from 1 on.
"""

from dataclasses import dataclass

from course_lib.kernels.arguments import check_whole

HIDDEN = 4  # a block's feed-forward part is so many times wider than the model


@dataclass(frozen=True)
class BlockFlops:
    """Operations of one transformer block.

    core: q kᵀ and weights v.   projections: the four of attention.   feed_forward: its two.
    """

    core: int
    projections: int
    feed_forward: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.core + self.projections + self.feed_forward

    @property
    def share(self) -> float:
        """The part of the core in all of them."""
        return self.core / self.total


def core_flops(n: int, m: int) -> int:
    """Operations of q kᵀ and of weights v, every query with every key.

    Source: Vaswani et al., "Attention Is All You Need" (2017), table 1: O(n² d).
    Example:
        >>> core_flops(1000, 64)
        256000000
    """
    check_whole(n=n, m=m)
    return 4 * n * n * m


def projection_flops(n: int, m: int) -> int:
    """Operations of the four projections: queries, keys, values and output.

    Example: as many as the core where n = 2 m.
        >>> projection_flops(1536, 768) == core_flops(1536, 768)
        True
    """
    check_whole(n=n, m=m)
    return 8 * n * m * m


def block_flops(n: int, m: int) -> BlockFlops:
    """Operations of a block with a feed-forward part of width 4 m; every query sees every key.

    Example:
        >>> round(block_flops(1000, 4096).share, 3)
        0.039
    """
    feed_forward = 4 * HIDDEN * n * m * m
    return BlockFlops(core_flops(n, m), projection_flops(n, m), feed_forward)


def largest_block(chip: int, d: int, bytes_each: int = 2) -> int:
    """How many rows fit, if the chip holds four tiles of them: q, k, v and out.

    chip: bytes of fast memory.
    Source: Dao et al., "FlashAttention" (2022), algorithm 1, line 1.
    Example:
        >>> largest_block(64 * 1024, 128)
        64
    """
    check_whole(chip=chip, d=d, bytes_each=bytes_each)
    return max(1, chip // (4 * d * bytes_each))


def table_bytes(n: int, heads: int, bytes_each: int = 2) -> int:
    """Bytes of scores and weights, if both tables are stored for every head.

    Example: in gibibytes, 32 heads.
        >>> table_bytes(8192, 32) / 2**30
        8.0
    """
    check_whole(n=n, heads=heads, bytes_each=bytes_each)
    return 2 * heads * n * n * bytes_each


def row_bytes(n: int, heads: int, d: int, bytes_each: int = 2) -> int:
    """Bytes of q, k, v and the output of every head: what is there in any case.

    Example: in gibibytes.
        >>> row_bytes(8192, 32, 128) / 2**30
        0.25
    """
    check_whole(n=n, heads=heads, d=d, bytes_each=bytes_each)
    return 4 * heads * n * d * bytes_each
