"""Counted costs: against loops, against what tensors take, and what people claim."""

import pytest
import torch

from course_lib.measures.attention_cost import (
    block_flops,
    core_flops,
    largest_block,
    projection_flops,
    row_bytes,
    table_bytes,
)


def test_the_core_is_two_products():
    n, m = 7, 3
    products = 0
    for _ in range(2):  # scores, weighted values
        for _query in range(n):
            for _key in range(n):
                products += m
    assert core_flops(n, m) == 2 * products  # each product with its addition


def test_the_projections_are_four_products():
    assert projection_flops(5, 3) == 4 * 2 * 5 * 3 * 3


@pytest.mark.parametrize("m", [1, 7, 768, 4096])
def test_core_and_projections_are_level_at_twice_the_width(m):
    assert core_flops(2 * m, m) == projection_flops(2 * m, m)


@pytest.mark.parametrize("m", [2, 64, 4096])
def test_the_core_is_half_of_a_block_at_six_times_the_width(m):
    assert block_flops(6 * m, m).share == 0.5


def test_bytes_are_those_of_the_tensors():
    n, heads, d = 11, 3, 5
    table = torch.empty(heads, n, n, dtype=torch.float16)
    rows = torch.empty(heads, n, d, dtype=torch.float32)
    assert table_bytes(n, heads, 2) == 2 * table.nbytes
    assert row_bytes(n, heads, d, 4) == 4 * rows.nbytes


def test_four_tiles_fit_and_one_row_more_does_not():
    chip, d = 163 * 1024, 64
    rows = largest_block(chip, d)
    assert 4 * rows * d * 2 <= chip < 4 * (rows + 1) * d * 2
    assert largest_block(1, 64) == 1


@pytest.mark.parametrize("wrong", [0, -3])
def test_sizes_below_one_are_refused(wrong):
    with pytest.raises(ValueError, match="at least 1"):
        core_flops(wrong, 4)
    with pytest.raises(TypeError, match="whole number"):
        table_bytes(2.5, 1)
