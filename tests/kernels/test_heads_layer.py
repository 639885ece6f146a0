"""The layer of several heads against PyTorch's: weights, gradients, rotary positions."""

import pytest
import torch
from torch import nn

from course_lib.kernels.heads import (
    grouped_attention,
    merge_heads,
    multi_head_attention,
    split_heads,
)
from course_lib.kernels.masks import causal, may_attend, padding, to_multihead
from course_lib.kernels.multi_head import MultiHeadAttention
from course_lib.kernels.positions import rotary
from tests.kernels.attention_errors import DTYPES
from tests.kernels.heads_samples import EPS, B, D, G, H, M, S, T, double, drawn, open_mask, random


def pytorchs(m, heads, bias, dtype=torch.float64):
    layer = nn.MultiheadAttention(m, heads, bias=bias, batch_first=True, dtype=dtype)
    with torch.no_grad():  # drawn by us: neither symmetric nor, as PyTorch's biases, 0
        for i, w in enumerate(layer.parameters()):
            w.copy_(random(*w.shape, seed=i) * (m**-0.5 if w.ndim == 2 else 1))
    return layer.requires_grad_(False)


# The layer and PyTorch's


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_the_layer_with_pytorchs_weights_agrees_with_pytorchs(bias, masked):
    theirs, ours = pytorchs(3 * D, 3, bias), double(3 * D, 3, bias=bias)
    ours.load_multihead(theirs.state_dict())
    x, context = random(B, T, 3 * D), random(B, S, 3 * D)
    for source in (x, context):
        mask = open_mask(T, source.shape[-2]) if masked else None
        want, _ = theirs(x, source, source, attn_mask=to_multihead(mask) if masked else None)
        got = ours(x, context=None if source is x else source, mask=mask)
        torch.testing.assert_close(got, want, rtol=0, atol=1e-14)


@pytest.mark.parametrize("bias", [False, True])
def test_pytorchs_layer_with_our_weights_agrees_with_ours(bias):
    theirs, ours = pytorchs(3 * D, 3, bias), double(3 * D, 3, bias=bias)
    theirs.load_state_dict(ours.to_multihead())
    x = random(B, T, 3 * D)
    torch.testing.assert_close(ours(x).detach(), theirs(x, x, x)[0], rtol=0, atol=1e-14)


@pytest.mark.parametrize("bias", [False, True])
def test_weights_come_back_from_pytorchs_as_they_were(bias):
    theirs, ours = pytorchs(3 * D, 3, bias), double(3 * D, 3, bias=bias)
    ours.load_multihead(theirs.state_dict())
    back = ours.to_multihead()
    assert back.keys() == theirs.state_dict().keys()
    assert all(torch.equal(back[name], w) for name, w in theirs.state_dict().items())


def test_the_state_for_pytorchs_is_a_copy():
    layer = double(M + 2, 5, bias=True)
    before = {name: w.clone() for name, w in layer.state_dict().items()}
    for w in layer.to_multihead().values():
        w.zero_()
    for name, w in layer.state_dict().items():
        assert torch.equal(w, before[name])


@pytest.mark.parametrize("dtype", DTYPES[:3], ids=str)
def test_the_layer_errs_at_most_twice_as_much_as_pytorchs(dtype):
    errors = {"ours": 0.0, "theirs": 0.0}
    for m, h, t in ((15, 3, 7), (64, 4, 61), (128, 2, 127)):
        theirs = pytorchs(m, h, True, dtype)
        ours = MultiHeadAttention(m, h, drawn(), bias=True).to(dtype)
        ours.load_multihead(theirs.state_dict())
        x = random(3, t, m, dtype=dtype)
        want = pytorchs(m, h, True).double()
        want.load_state_dict(theirs.state_dict())
        truth = want(*3 * [x.double()])[0]
        for name, got in {"ours": ours(x), "theirs": theirs(x, x, x)[0]}.items():
            errors[name] = max(errors[name], (got.double() - truth).abs().max().item())
    assert 0 < errors["ours"] <= 2 * errors["theirs"] + 4 * EPS[dtype], errors


def test_gradients_agree_with_pytorchs():
    theirs, ours = pytorchs(3 * D, 3, True).requires_grad_(), double(3 * D, 3, bias=True)
    ours.load_multihead(theirs.state_dict())
    x, mask, grad = random(B, T, 3 * D), may_attend(causal, T), random(B, T, 3 * D, seed=1)
    ours(x, mask=mask).backward(grad)
    theirs(x, x, x, attn_mask=to_multihead(mask))[0].backward(grad)
    for kind, bias in (("weight", False), ("bias", True)):
        in_proj = torch.cat([getattr(ours, f"{kind[0]}_{name}").grad for name in "qkv"], dim=-1)
        out, their_out = getattr(ours, f"{kind[0]}_o").grad, getattr(theirs.out_proj, kind).grad
        want = getattr(theirs, f"in_proj_{kind}").grad
        # b_k moves all scores of a row alike: its gradient is 0 but for rounding
        torch.testing.assert_close(in_proj if bias else in_proj.T, want, rtol=0, atol=1e-13)
        torch.testing.assert_close(out if bias else out.T, their_out, rtol=0, atol=1e-13)


def test_the_layer_agrees_with_the_function():
    for bias in (False, True):
        layer = double(M, H, n_kv_heads=G, d=D, bias=bias)
        w = {name: getattr(layer, name) for name in ("w_q", "w_k", "w_v", "w_o")}
        biases = [getattr(layer, f"b_{name}") for name in "qkvo"] if bias else None
        x, context, mask = random(B, T, M), random(B, S, M), open_mask(B, 1, T, S)
        want = multi_head_attention(
            x, **w, heads=H, n_kv_heads=G, context=context, mask=mask, biases=biases
        )
        torch.testing.assert_close(layer(x, context=context, mask=mask), want, rtol=0, atol=1e-14)


def test_a_rule_masks_as_its_tensor_does():
    layer, x = double(M, H, n_kv_heads=G, d=D), random(B, T, M)
    rule = causal & padding([7, 4])
    want = layer(x, mask=may_attend(rule, T)[:, None])
    assert torch.equal(layer(x, mask=rule), want)
    assert not torch.allclose(want, layer(x, mask=causal))


def test_a_context_is_padded_by_a_rule():
    layer, x, context = double(M, H, n_kv_heads=G, d=D), random(B, T, M), random(B, S, M)
    got = layer(x, context=context, mask=padding([11, 5]))
    torch.testing.assert_close(got[1], layer(x[1], context=context[1, :5]))


@pytest.mark.parametrize("h", [1, 3, 5, 15])
def test_more_heads_of_less_width_have_as_many_weights(h):
    assert sum(w.numel() for w in MultiHeadAttention(15, h, drawn()).parameters()) == 4 * 15 * 15


def test_the_first_weights_keep_the_size_of_what_they_project():
    layer = MultiHeadAttention(40, 8, drawn(), n_kv_heads=2, d=20)
    for name, rows in {"q": 40, "k": 40, "v": 40, "o": 160}.items():
        w = getattr(layer, f"w_{name}")
        assert len(w) == rows
        assert w.std().item() == pytest.approx(rows**-0.5, rel=0.05)


def test_the_first_weights_depend_on_the_generator_alone():
    first, same, other = (MultiHeadAttention(M, H, drawn(seed), d=D) for seed in (0, 0, 1))
    assert torch.equal(first.w_o, same.w_o)
    assert not torch.equal(first.w_o, other.w_o)


# Rotary positions


@pytest.mark.parametrize("layout", ["neighbours", "halves"])
def test_rotary_turns_queries_and_keys_and_no_values(layout):
    layer, x = double(M, H, n_kv_heads=G, d=4, rotary=layout), random(B, T, M)
    q, k, v = layer.project(x)
    torch.testing.assert_close(q, rotary(split_heads(x @ layer.w_q, H), layout=layout))
    torch.testing.assert_close(k, rotary(split_heads(x @ layer.w_k, G), layout=layout))
    torch.testing.assert_close(v, split_heads(x @ layer.w_v, G))
    want = merge_heads(grouped_attention(q, k, v)) @ layer.w_o
    torch.testing.assert_close(layer(x), want)


def test_with_rotary_only_distances_count():
    layer, x = double(M, H, n_kv_heads=G, d=4, rotary="halves"), random(T, M)
    near, far = (grouped_attention(*layer.project(x, first=first)) for first in (0, 100))
    torch.testing.assert_close(near, far, rtol=0, atol=1e-12)
    order = torch.arange(T - 1, -1, -1)
    assert not torch.allclose(layer(x[order]), layer(x)[order])
