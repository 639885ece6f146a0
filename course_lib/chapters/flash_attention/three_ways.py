"""Three ways to the same attention, each ready to be called: their memory is compared.

three_ways(q, k, v, attention_by_tiles)     # {"plain attention": a function, ...}
"""

from collections.abc import Callable

from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention

BLOCK_Q, BLOCK_K = 128, 512


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
