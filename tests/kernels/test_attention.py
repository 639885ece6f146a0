"""Attention against PyTorch's own, a slow loop, long double, and its own laws."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention, attention_weights, masked_softmax, trace
from course_lib.kernels.softmax import softmax
from tests.kernels.attention_errors import DTYPES, NAMES, largest
from tests.kernels.attention_samples import EPS, D, E, S, T, open_mask, qkv, random

# Against references


def test_attention_agrees_with_a_loop_over_single_numbers():
    q, k, v = qkv()
    for i in range(T):
        scores = [sum(float(q[i, c] * k[j, c]) for c in range(D)) / math.sqrt(D) for j in range(S)]
        total = sum(math.exp(score) for score in scores)
        for c in range(E):
            want = sum(math.exp(scores[j]) / total * float(v[j, c]) for j in range(S))
            assert attention(q, k, v)[i, c] == pytest.approx(want, rel=1e-13)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("leading", [(), (2,), (2, 11), (1, 2, 11)], ids=str)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("scale", [None, 0.3])
def test_attention_agrees_with_pytorch(leading, dtype, masked, scale):
    q, k, v = qkv(*leading, dtype=dtype)
    mask = open_mask(T, S) if masked else None
    want = scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    output = attention(q, k, v, mask=mask, scale=scale)
    assert output.dtype == dtype
    assert output.shape == want.shape == (*leading, T, E)
    torch.testing.assert_close(output, want, rtol=4 * torch.finfo(dtype).eps, atol=8 * EPS[dtype])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_attention_and_its_gradient_err_at_most_twice_as_much_as_pytorch(dtype):
    errors = largest(dtype, seeds=1)
    for name, ours, theirs in zip(NAMES, errors["ours"], errors["pytorchs"], strict=True):
        assert ours <= 2 * theirs + 4 * EPS[dtype], f"{name}: {ours} against {theirs}"


def test_the_weights_agree_with_the_softmax_of_chapter_4():
    q, k, _ = qkv()
    want = softmax((q @ k.T / math.sqrt(D)).numpy())
    np.testing.assert_allclose(attention_weights(q, k).numpy(), want, rtol=1e-14)


# Laws


def test_each_row_of_weights_adds_up_to_1():
    q, k, _ = qkv(2, 11)
    torch.testing.assert_close(attention_weights(q, k).sum(-1), torch.ones(2, 11, T).double())


def test_the_output_lies_between_the_smallest_and_the_largest_value():
    q, k, v = qkv(11)
    output = attention(5 * q, k, v)
    assert (output >= v.amin(-2, keepdim=True) - 1e-12).all()
    assert (output <= v.amax(-2, keepdim=True) + 1e-12).all()


def test_scale_0_gives_the_mean_of_the_values():
    q, k, v = qkv()
    torch.testing.assert_close(attention(q, k, v, scale=0), v.mean(0).expand(T, E))


def test_a_large_scale_looks_up_the_best_key_alone():
    q, k, v = qkv()
    torch.testing.assert_close(attention(q, k, v, scale=1e4), v[(q @ k.T).argmax(-1)])


def test_keys_in_another_order_change_nothing():
    q, k, v = qkv()
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(attention(q, k[order], v[order]), attention(q, k, v))


def test_queries_in_another_order_give_the_outputs_in_that_order():
    q, k, v = qkv()
    order = torch.tensor([2, 0, 1])
    torch.testing.assert_close(attention(q[order], k, v), attention(q, k, v)[order])


def test_a_masked_key_counts_as_absent():
    q, k, v = qkv()
    mask = torch.tensor([True, True, False, True, False])
    torch.testing.assert_close(attention(q, k, v, mask=mask), attention(q, k[mask], v[mask]))


def test_a_hidden_score_counts_for_nothing_whatever_it_is():
    scores, mask = random(T, S), open_mask(T, S)
    want = masked_softmax(scores, mask)
    for hidden in (math.nan, math.inf, 1e300):
        assert torch.equal(masked_softmax(scores.masked_fill(~mask, hidden), mask), want)


def test_equal_lengths_and_widths_are_not_confused():
    q, k, v = (random(5, 5, seed=seed) for seed in range(3))
    torch.testing.assert_close(
        attention(q, k, v), scaled_dot_product_attention(q[None], k[None], v[None])[0]
    )


# Shapes, layout, dtypes


@pytest.mark.parametrize(
    ("q", "k", "v"),
    [((2, 11), (11,), ()), ((), (2, 11), (11,)), ((2, 1), (1, 11), (2, 11)), ((), (), (2,))],
    ids=str,
)
def test_leading_axes_broadcast(q, k, v):
    parts = random(*q, T, D), random(*k, S, D), random(*v, S, E)
    common = torch.broadcast_shapes(q, k, v)
    full = [part.expand(*common, *part.shape[-2:]) for part in parts]
    torch.testing.assert_close(attention(*parts), attention(*full))


def test_a_mask_may_have_more_leading_axes_than_the_queries():
    q, k, v = qkv()
    masks = open_mask(11, T, S)
    want = torch.stack([attention(q, k, v, mask=mask) for mask in masks])
    torch.testing.assert_close(attention(q, k, v, mask=masks), want)


@pytest.mark.parametrize("shape", [(S,), (1, S), (T, 1), (1, 1), (2, 1, T, S)], ids=str)
def test_a_mask_broadcasts_to_the_scores(shape):
    q, k, v = qkv(2, 11)
    mask = open_mask(*shape)
    full = mask.expand(2, 11, T, S)
    torch.testing.assert_close(attention(q, k, v, mask=mask), attention(q, k, v, mask=full))


def test_non_contiguous_tensors_give_the_same():
    q, k, v = qkv(2)
    turned = [part.transpose(-1, -2).contiguous().transpose(-1, -2) for part in (q, k, v)]
    assert not any(part.is_contiguous() for part in turned)
    torch.testing.assert_close(attention(*turned), attention(q, k, v))
    torch.testing.assert_close(attention(q[:, ::2], k, v), attention(q, k, v)[:, ::2])


def test_nothing_is_changed_in_place():
    given = (*qkv(2), open_mask(T, S))
    before = [one.clone() for one in given]
    attention(*given[:3], mask=given[3]), trace(*given[:3], mask=given[3])
    assert all(map(torch.equal, given, before))


def test_16_bit_scores_do_not_overflow():
    q = torch.full((1, 64), 200.0, dtype=torch.float16)  # q · q is 2.6 million; 65504 is the most
    output = attention(q, torch.cat([q, -q]), torch.tensor([[1.0], [3.0]]).half())
    assert output.tolist() == [[1.0]]


def test_no_queries_and_no_values_are_allowed():
    q, k, v = qkv()
    assert attention(q[:0], k, v).shape == (0, E)
    assert attention(q, k, v[:, :0]).shape == (T, 0)


def test_without_keys_the_output_is_0():
    q, k, v = qkv()
    assert torch.equal(attention(q, k[:0], v[:0]), torch.zeros(T, E).double())


def test_a_scale_may_be_a_tensor_that_is_learned():
    q, k, v = qkv()
    scale = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda s: attention(q, k, v, scale=s), scale)
