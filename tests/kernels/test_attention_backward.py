"""The gradient by hand against autograd, ours and PyTorch's; its errors are in test_attention."""

import re

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention
from course_lib.kernels.attention_backward import attention_backward
from tests.kernels.test_attention import D, E, S, T, open_mask, qkv, random


def automatic(grad, q, k, v, function=attention, **options):
    parts = [one.clone().requires_grad_() for one in (q, k, v)]
    return torch.autograd.grad(function(*parts, **options), parts, grad)


def same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype
        torch.testing.assert_close(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("leading", [(), (2,), (2, 11)], ids=str)
@pytest.mark.parametrize("scale", [None, 0.3])
@pytest.mark.parametrize("masked", [False, True])
def test_the_gradient_by_hand_agrees_with_autograd(leading, scale, masked):
    given, grad = qkv(*leading), random(*leading, T, E)
    mask = open_mask(T, S) if masked else None
    by_hand = attention_backward(grad, *given, mask=mask, scale=scale)
    same(by_hand, automatic(grad, *given, mask=mask, scale=scale))
    torchs = {"function": scaled_dot_product_attention, "attn_mask": mask, "scale": scale}
    same(by_hand, automatic(grad, *given, **torchs))


def test_an_empty_row_sends_nothing_back():
    given, grad = qkv(), random(T, E)
    mask = open_mask(T, S)
    mask[1] = False
    by_hand = attention_backward(grad, *given, mask=mask)
    same(by_hand, automatic(grad, *given, mask=mask))
    assert not by_hand[0][1].any()


def test_what_was_broadcast_gets_the_sum():
    q, k, v = random(2, 1, T, D), random(11, S, D), random(S, E)
    masks, grad = open_mask(3, 1, 1, T, S), random(3, 2, 11, T, E)
    by_hand = attention_backward(grad, q, k, v, mask=masks)
    assert [one.shape for one in by_hand] == [q.shape, k.shape, v.shape]
    same(by_hand, automatic(grad, q, k, v, mask=masks))


def test_the_gradient_of_a_projection_is_x_transposed_times_that_of_the_queries():
    x, w_q = random(T, 11), random(11, D).requires_grad_()
    _, k, v = qkv()
    grad = random(T, E)
    want = torch.autograd.grad(attention(x @ w_q, k, v), w_q, grad)[0]
    grad_q, _, _ = attention_backward(grad, x @ w_q.detach(), k, v)
    torch.testing.assert_close(x.T @ grad_q, want)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_gradients_keep_their_dtype(dtype):
    given = qkv(dtype=dtype)
    grads = attention_backward(random(T, E, dtype=dtype), *given)
    assert [grad.dtype for grad in grads] == [dtype] * 3


def test_a_gradient_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=re.escape("(3, 7) but the output has (3, 2)")):
        attention_backward(random(T, D), *qkv())
    with pytest.raises(TypeError, match="grad_output holds"):
        attention_backward(random(T, E).float(), *qkv())
