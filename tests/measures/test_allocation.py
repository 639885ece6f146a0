"""How large the tensors are that a function makes."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.flash import flash_attention
from course_lib.measures.allocation import largest_allocation, largest_tensor


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


def test_a_table_that_a_call_makes_inside_and_throws_away_is_an_allocation():
    q, k, v = torch.randn(3, 700, 8)
    assert largest_tensor(lambda: scaled_dot_product_attention(q, k, v)) == 700 * 8 * 4
    assert largest_allocation(lambda: scaled_dot_product_attention(q, k, v)) == 700 * 700 * 4
    assert largest_allocation(lambda: attention(q, k, v)) == 700 * 700 * 4


def test_tiles_ask_for_no_table_neither_ours_nor_those_of_the_fused_kernel():
    q, k, v = torch.randn(3, 1100, 8)
    ours = largest_allocation(lambda: flash_attention(q, k, v, block_q=50, block_k=60))
    assert 50 * 60 * 4 <= ours < 1100 * 1100
    batch = [one[None, None] for one in (q, k, v)]
    assert 0 < largest_allocation(lambda: scaled_dot_product_attention(*batch)) < 1100 * 1100


def test_whoever_asks_for_no_memory_gets_zero():
    assert largest_allocation(lambda: None) == 0
