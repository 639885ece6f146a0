"""What heads cost, counted against PyTorch's own counts, and the recorded times."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from course_lib.kernels.heads import multi_head_attention
from course_lib.measures.head_cost import HEADS, M, N, head_cost, recorded


@pytest.mark.parametrize(("n", "m", "heads"), [(5, 6, 1), (5, 6, 3), (11, 14, 7), (7, 12, 12)])
def test_the_counts_are_those_of_the_kernel(n, m, heads):
    x, w = torch.randn(n, m), torch.randn(4, m, m)
    with FlopCounterMode(display=False) as counter:
        multi_head_attention(x, *w, heads)
    cost = head_cost(n, m, heads)
    assert cost.flops == counter.get_total_flops()
    assert cost.parameters == w.numel()
    assert cost.scores == heads * n * n


@pytest.mark.parametrize("h", HEADS)
def test_only_scores_grow_with_the_heads(h):
    one, many = head_cost(N, M, 1), head_cost(N, M, h)
    assert (many.parameters, many.flops, many.scores) == (one.parameters, one.flops, h * one.scores)


@pytest.mark.parametrize(("n", "m", "heads"), [(0, 4, 2), (3, 4, 0), (3, 4, 3)])
def test_sizes_that_do_not_fit_are_refused(n, m, heads):
    with pytest.raises(ValueError, match=r"is 0|do not|heads"):
        head_cost(n, m, heads)


def test_the_recorded_times_say_what_the_chapter_says():
    ratios = recorded()["ratios"]
    assert set(ratios) == {"naive", "fused"}
    for way in ratios.values():
        assert [int(h) for h in way] == list(HEADS)
        assert way["1"] == pytest.approx(1, abs=0.15)
    assert ratios["naive"]["64"] > 10 > ratios["fused"]["64"] > 1
