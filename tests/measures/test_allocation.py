"""How large the tensors are that a function makes."""

import torch

from course_lib.kernels.attention import attention
from course_lib.kernels.flash import flash_attention
from course_lib.measures.allocation import largest_tensor


def test_the_table_is_seen_and_tiles_do_not_make_it():
    q, k, v = torch.randn(3, 300, 8)
    assert largest_tensor(lambda: attention(q, k, v)) == 300 * 300 * 4
    tiled = largest_tensor(lambda: flash_attention(q, k, v, block_q=16, block_k=16))
    assert tiled < 300 * 300 * 4 / 4


def test_a_view_counts_as_what_it_shows_and_a_stretched_one_as_what_it_holds():
    x = torch.ones(100)
    assert largest_tensor(lambda: x[:10]) == 40
    assert largest_tensor(lambda: torch.ones(1).expand(1000)) == 4


def test_only_named_operations_count():
    x = torch.ones(10)
    assert largest_tensor(lambda: (torch.exp(x[:2]), x * 2), operations=("exp",)) == 8


def test_nothing_is_watched_afterwards():
    largest_tensor(lambda: torch.ones(3))
    assert torch.ones(3).sum() == 3
