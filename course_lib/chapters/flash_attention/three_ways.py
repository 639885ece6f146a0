"""Three ways to the same attention, each ready to be called: their memory is compared.

three_ways(q, k, v, attention_by_tiles)     # {"plain attention": a function, ...}
show_against_plain(attention_by_tiles)      # the first two: how far apart, largest tables
"""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.learner.arrays import as_array
from course_lib.learner.bound import bound_of
from course_lib.measures.allocation import largest_allocation
from course_lib.words import say

BLOCK_Q, BLOCK_K = 128, 512
WORDS, WIDTH, SIDE = 2048, 16, 256  # where two ways are measured; SIDE: of a tile
NEAR = 1e-5  # beyond the rounding errors of both, on every processor
OFF = {True: "below {near:.5f}", False: "{off:.2g}"}  # by whether both are near
AGAINST = (
    "largest difference between {whose} and plain attention: {off}\n"
    "largest table: {tiles:,} numbers, in plain attention {plain:,}, {times:.3g} times as many"
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


def show_against_plain(attention_by_tiles: Callable) -> None:
    """How far its outputs are from plain attention's, and the most numbers that each asked for."""
    q, k, v = torch.randn(3, WORDS, WIDTH, generator=torch.Generator().manual_seed(0))
    record = bound_of(attention_by_tiles)
    yours = record is None or record.judged_right
    outputs = as_array(attention_by_tiles(q, k, v, SIDE, SIDE))
    off = float(np.abs(outputs - attention(q, k, v).numpy()).max())
    tiles = largest_allocation(lambda: attention_by_tiles(q, k, v, SIDE, SIDE))
    plain = largest_allocation(lambda: attention(q, k, v))
    print(
        say(
            AGAINST,
            whose=say("your loop") if yours else say("the course's loop"),
            off=say(OFF[off < NEAR], near=NEAR, off=off),
            tiles=tiles // q.itemsize,
            plain=plain // q.itemsize,
            times=plain / tiles,
        )
    )
