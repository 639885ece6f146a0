"""The elements that attention moves: the formulas against the loops that do it."""

import pytest

from course_lib.kernels.flash import flash_attention
from course_lib.kernels.heads import grouped_attention
from course_lib.measures.loop_order import elements_moved, keys_outside
from tests.kernels.test_attention import random
from tests.kernels.test_flash import draw, moved, same

LOOPS = {"queries outside": flash_attention, "keys outside": keys_outside}
COUNTED = ("q", "k", "v", "out")


@pytest.mark.parametrize("order", LOOPS)
@pytest.mark.parametrize("n", [60, 64])
@pytest.mark.parametrize("sizes", [(8, 8), (8, 16), (16, 8), (7, 11), (100, 100)], ids=str)
def test_the_formula_counts_what_the_loops_move(order, n, sizes):
    log, d = [], 5
    options = dict(zip(("block_q", "block_k"), sizes, strict=True))
    LOOPS[order](*(random(n, d, seed=seed) for seed in range(3)), **options, log=log)
    assert moved(log, *COUNTED) == elements_moved(order, n, d, **options)


@pytest.mark.parametrize("block", [1, 3, 7, 100])
def test_the_plain_way_has_the_same_passes_and_moves_two_tables_twice(block):
    passes = elements_moved("queries outside", 7, 3, block_q=block)
    assert elements_moved("plain", 7, 3, block_q=block) == passes + 4 * 7 * 7


@pytest.mark.parametrize("sizes", [(3, 2), (4, 7), (100, 100)], ids=str)
def test_the_order_of_the_loops_does_not_change_the_result(sizes):
    given = draw()
    found = keys_outside(*given, block_q=sizes[0], block_k=sizes[1])
    same(found, grouped_attention(*given))


def test_keys_outside_move_half_as_much_again_as_queries_outside():
    """n = 4096, d = 128, and 64 KB for four tiles of 16-bit numbers: blocks of 64."""
    counts = {order: elements_moved(order, 4096, 128, block_q=64, block_k=64) for order in ORDERS}
    assert counts["queries outside"] < counts["keys outside"] < counts["plain"]
    assert counts["keys outside"] / counts["queries outside"] == pytest.approx(1.5, abs=0.02)


ORDERS = ("plain", "queries outside", "keys outside")


def test_what_is_no_order_and_no_size_is_refused():
    with pytest.raises(ValueError, match="order is 'rows'"):
        elements_moved("rows", 4, 4)
    with pytest.raises(ValueError, match="n is 0"):
        elements_moved("keys outside", 0, 4)
