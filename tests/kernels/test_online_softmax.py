"""The running sums of FlashAttention, and two halves merged into the whole."""

import itertools

import pytest
import torch

from course_lib.kernels.flash import LOWEST, Running, absorb, merge, online_softmax
from course_lib.kernels.heads import grouped_attention
from tests.kernels.flash_samples import draw, gradients, plain_lse, same, tiled
from tests.kernels.test_attention import random

# The online softmax


@pytest.mark.parametrize("block", [1, 2, 3, 4, 100])
@pytest.mark.parametrize("order", ["rising", "falling", "mixed"])
def test_the_online_softmax_is_the_softmax(block, order):
    scores, values = 9 * random(2, 5, 11), random(2, 11, 3)
    if order != "mixed":
        scores = scores.sort(descending=order == "falling").values
    steps = online_softmax(scores, values, block)
    assert len(steps) == -(-11 // block)
    same(steps[-1].mean, scores.softmax(-1) @ values)
    same(steps[-1].lse, scores.logsumexp(-1))


def test_each_step_of_the_online_softmax_is_the_sum_so_far():
    scores, values = 5 * random(7), random(7, 3)
    for n, step in enumerate(online_softmax(scores, values, 1), start=1):
        weights = (scores[:n] - scores[:n].max()).exp()
        same(step.maximum, scores[:n].max())
        same(step.total, weights.sum())
        same(step.weighted, weights @ values[:n])


def test_the_online_softmax_of_large_scores_does_not_overflow():
    scores = torch.tensor([1e4, -1e4, 1.1e4], dtype=torch.float64)
    for order in itertools.permutations(range(3)):
        last = online_softmax(scores[list(order)], torch.eye(3).double(), 1)[-1]
        assert last.lse == 1.1e4
        assert last.mean.sum() == 1


def test_hidden_scores_do_not_count_wherever_they_stand():
    inf = torch.inf
    for scores in ([-inf, -inf, 1.0, 2.0], [1.0, -inf, 2.0, -inf], [1.0, 2.0, -inf, -inf]):
        scores = torch.tensor(scores)
        same(online_softmax(scores, torch.eye(4), 2)[-1].mean, scores.softmax(-1), 1e-6)
    empty = online_softmax(torch.full((4,), -inf), torch.eye(4), 2)[-1]
    assert not empty.mean.any()
    assert empty.lse == -inf


def test_no_score_at_all_is_an_empty_list():
    assert online_softmax(torch.zeros(0), torch.zeros(0, 2), 3) == []


def test_absorb_does_not_change_what_it_is_given():
    before = Running(torch.tensor(LOWEST), torch.tensor(0.0), torch.zeros(2))
    absorb(before, torch.ones(3), torch.ones(3, 2))
    assert (before.maximum, before.total) == (LOWEST, 0)
    assert not before.weighted.any()


# Merging


@pytest.mark.parametrize("cut", [0, 1, 3, 7])
def test_two_halves_merge_to_the_whole(cut):
    q, k, v = draw(s=7)
    one = tiled(q, k[:, :, :cut], v[:, :, :cut], return_lse=True)
    two = tiled(q, k[:, :, cut:], v[:, :, cut:], return_lse=True)
    for parts in ((one, two), (two, one)):
        out, lse = merge(*parts[0], *parts[1])
        same(out, grouped_attention(q, k, v))
        same(lse, plain_lse(q, k))


def test_two_empty_parts_merge_to_an_empty_one_with_a_finite_gradient():
    out = [torch.zeros(3, 2, requires_grad=True) for _ in range(2)]
    lse = [torch.full((3,), -torch.inf, requires_grad=True) for _ in range(2)]
    merged, both = merge(out[0], lse[0], out[1], lse[1])
    assert not merged.any()
    assert (both == -torch.inf).all()
    for grad in torch.autograd.grad(merged.sum() + both[both > 0].sum(), out + lse):
        assert grad.isfinite().all()


def test_merging_does_not_overflow_and_keeps_the_dtype():
    big, small = torch.tensor([900.0]), torch.tensor([-900.0])
    out = [torch.ones(1, 2, dtype=torch.float16) * n for n in (1, 2)]
    merged, lse = merge(out[0], big, out[1], small)
    assert merged.dtype == torch.float16
    assert merged.tolist() == [[1, 1]]
    assert lse == 900


def test_the_gradient_through_a_merge_is_that_of_the_whole():
    q, k, v = draw(s=7)
    grad = random(2, 6, 11, 2, seed=9)

    def in_halves(q, k, v):
        halves = [(k[:, :, part], v[:, :, part]) for part in (slice(3), slice(3, None))]
        one, two = (tiled(q, *half, return_lse=True) for half in halves)
        return merge(*one, *two)[0]

    for found, wanted in zip(
        gradients(in_halves, (q, k, v), grad),
        gradients(grouped_attention, (q, k, v), grad),
        strict=True,
    ):
        same(found, wanted)
