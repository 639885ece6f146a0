"""Three ways to the same attention, each ready to be called: their memory is compared.

three_ways(q, k, v, attention_by_tiles)     # {"plain attention": a function, ...}
show_largest_tables(attention_by_tiles)     # what a profiler noted of the first two
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.learner.bound import bound_of
from course_lib.measures.allocation import largest_allocation
from course_lib.words import say

BLOCK_Q, BLOCK_K = 128, 512
WORDS, WIDTH, SIDE = 2048, 64, 512  # where two ways are measured; SIDE: of a tile
LARGEST = (
    "largest table of {whose}: {tiles:,} numbers, of plain attention: {plain:,}, "
    "{times:.3g} times as many"
)


def three_ways(
    q: Tensor, k: Tensor, v: Tensor, attention_by_tiles: Callable
) -> dict[str, Callable[[], Tensor]]:
    """By name: plain attention, the learner's in tiles of 128 queries and 512 keys, and PyTorch's.

    Shapes: q (t, d)   k (s, d)   v (s, e)
    """
    four_axes = [one[None, None] for one in (q, k, v)]  # with two, PyTorch makes the whole table
    return {
        "plain attention": lambda: attention(q, k, v),
        "attention_by_tiles": lambda: attention_by_tiles(q, k, v, BLOCK_Q, BLOCK_K),
        "PyTorch's own": lambda: scaled_dot_product_attention(*four_axes)[0, 0],
    }


def show_largest_tables(attention_by_tiles: Callable) -> None:
    """A line with the numbers in the largest pieces of memory that PyTorch was asked for."""
    q, k, v = torch.zeros(3, WORDS, WIDTH)
    record = bound_of(attention_by_tiles)
    yours = record is None or record.judged_right
    tiles = largest_allocation(lambda: attention_by_tiles(q, k, v, SIDE, SIDE))
    plain = largest_allocation(lambda: attention(q, k, v))
    print(
        say(
            LARGEST,
            whose=say("your loop") if yours else say("the course's loop"),
            tiles=tiles // q.itemsize,
            plain=plain // q.itemsize,
            times=plain / tiles,
        )
    )
