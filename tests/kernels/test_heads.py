"""Multi-head attention against PyTorch's own, slow loops, and its own laws."""

import re

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention, trace
from course_lib.kernels.heads import (
    attention_inside,
    grouped_attention,
    merge_heads,
    multi_head_attention,
    repeat_heads,
    split_heads,
)
from course_lib.kernels.kv_cache import KVCache, cache_bytes
from course_lib.kernels.masks import causal, may_attend, padding, to_multihead
from course_lib.kernels.multi_head import MultiHeadAttention
from course_lib.kernels.positions import rotary
from tests.kernels.attention_errors import DTYPES

B, G, SHARE, D, T, S, M = 2, 2, 3, 5, 7, 11, 13
H = G * SHARE  # heads of queries: three for each head of keys
EPS = {dtype: torch.finfo(dtype).eps for dtype in DTYPES}


def random(*shape, seed=0, dtype=torch.float64):
    numbers = np.random.default_rng([seed, *shape]).normal(size=shape)
    return torch.from_numpy(numbers).to(dtype)


def drawn(seed=0):
    return torch.Generator().manual_seed(seed)


def double(m, heads, **options):
    """A layer in float64, its biases no zeros."""
    layer = MultiHeadAttention(m, heads, drawn(), **options).double()
    with torch.no_grad():
        for name in "qkvo":
            if (b := getattr(layer, f"b_{name}")) is not None:
                b.copy_(random(len(b), seed=ord(name)))
    return layer


def pytorchs(m, heads, bias, dtype=torch.float64):
    layer = nn.MultiheadAttention(m, heads, bias=bias, batch_first=True, dtype=dtype)
    with torch.no_grad():  # drawn by us: neither symmetric nor, as PyTorch's biases, 0
        for i, w in enumerate(layer.parameters()):
            w.copy_(random(*w.shape, seed=i) * (m**-0.5 if w.ndim == 2 else 1))
    return layer.requires_grad_(False)


def weights(m=M, h=H, g=G, d=D, e=3, out=17):
    shapes = {"w_q": (m, h * d), "w_k": (m, g * d), "w_v": (m, g * e), "w_o": (h * e, out)}
    return {name: random(*shape, seed=i) for i, (name, shape) in enumerate(shapes.items())}


def open_mask(*shape):
    """Each row may attend to at least one key."""
    mask = torch.from_numpy(np.random.default_rng(1).random(shape) < 0.5)
    mask[..., 0] = True
    return mask


# Split, merge, repeat


def test_split_gives_each_head_its_block_of_columns():
    x = random(B, T, 3 * D)
    heads = split_heads(x, 3)
    assert heads.shape == (B, 3, T, D)
    for h in range(3):
        assert torch.equal(heads[:, h], x[..., h * D : (h + 1) * D])


def test_merge_undoes_split_and_split_undoes_merge():
    x, heads = random(B, T, 3 * D), random(B, 3, T, D)
    assert torch.equal(merge_heads(split_heads(x, 3)), x)
    assert torch.equal(split_heads(merge_heads(heads), 3), heads)


def test_as_many_heads_as_words_are_not_confused():
    x = random(5, 5 * 5)
    assert torch.equal(split_heads(x, 5)[3, 1], x[1, 15:20])
    assert torch.equal(merge_heads(split_heads(x, 5)), x)


def test_repeat_puts_copies_side_by_side():
    x = random(B, G, S, D)
    repeated = repeat_heads(x, 3)
    assert repeated.shape == (B, H, S, D)
    assert all(torch.equal(repeated[:, h], x[:, h // 3]) for h in range(H))


# Attention of heads that share keys


@pytest.mark.parametrize("g", [1, 2, 3, 6])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_grouped_attention_agrees_with_pytorchs_gqa(g, dtype):
    q, k = random(B, H, T, D, dtype=dtype), random(B, g, S, D, dtype=dtype)
    v, mask = random(B, g, S, 3, dtype=dtype), open_mask(T, S)
    for options, theirs in (({}, {}), ({"mask": mask}, {"attn_mask": mask})):
        want = scaled_dot_product_attention(q, k, v, enable_gqa=True, **theirs)
        got = grouped_attention(q, k, v, **options)
        assert got.dtype == dtype
        torch.testing.assert_close(got, want, rtol=4 * EPS[dtype], atol=8 * EPS[dtype])


def test_each_group_asks_its_own_keys():
    q, k, v = random(B, H, T, D), random(B, G, S, D), random(B, G, S, 3)
    output = grouped_attention(q, k, v, scale=0.3)
    for h in range(H):
        want = attention(q[:, h], k[:, h // SHARE], v[:, h // SHARE], scale=0.3)
        torch.testing.assert_close(output[:, h], want)


def test_a_scale_of_zero_gives_the_means_of_the_values():
    q, k, v = random(H, T, D), random(G, S, D), random(G, S, D, seed=1)
    want = v.mean(dim=-2, keepdim=True).expand(G, T, D).repeat_interleave(SHARE, dim=0)
    got = grouped_attention(q, k, v, scale=0.0)
    torch.testing.assert_close(got, want, rtol=0, atol=1e-14)


def test_equal_keys_in_all_heads_are_multi_query_attention():
    q, k, v = random(B, H, T, D), random(B, 1, S, D), random(B, 1, S, 3)
    full = attention(q, k.expand(B, H, S, D), v.expand(B, H, S, 3))
    torch.testing.assert_close(grouped_attention(q, k, v), full)


# The whole function


def slowly(x, context, w, heads, g, mask):
    """One head and one word after the other, in numpy."""
    x, context, w = x.numpy(), context.numpy(), {name: one.numpy() for name, one in w.items()}
    out = np.zeros((len(x), w["w_o"].shape[1]))
    for h in range(heads):
        of = {"w_q": h, "w_k": h // (heads // g), "w_v": h // (heads // g), "w_o": h}
        w_q, w_k, w_v = (np.split(w[n], g if n != "w_q" else heads, axis=1)[of[n]]
                         for n in ("w_q", "w_k", "w_v"))  # fmt: skip
        w_o = np.split(w["w_o"], heads)[h]
        for i, word in enumerate(x):
            scores = [(word @ w_q) @ (key @ w_k) / np.sqrt(w_q.shape[1]) for key in context]
            shares = np.exp(scores) * mask[i].numpy()
            head = sum(share * (key @ w_v) for share, key in zip(shares, context, strict=True))
            out[i] += head / shares.sum() @ w_o  # a sum over heads, no concatenation
    return torch.from_numpy(out)


@pytest.mark.parametrize("g", [1, 2, 6])
def test_the_function_agrees_with_a_loop_over_heads_and_words(g):
    x, context, mask = random(T, M), random(S, M, seed=1), open_mask(T, S)
    w = weights(g=g)
    got = multi_head_attention(x, **w, heads=H, n_kv_heads=g, context=context, mask=mask)
    torch.testing.assert_close(got, slowly(x, context, w, H, g, mask), rtol=0, atol=1e-12)


def test_the_function_takes_the_same_steps_as_the_trace():
    x, w = random(B, T, M), weights(g=H)
    by_head = {name: split_heads(w[name], H) for name in ("w_q", "w_k", "w_v")}
    steps = trace(x, x, x, **by_head, w_o=w["w_o"])
    torch.testing.assert_close(multi_head_attention(x, **w, heads=H), steps["projected"])


def test_context_brings_keys_and_values_of_another_width():
    x, context, w = random(B, T, M), random(B, S, 19), weights()
    w |= {"w_k": random(19, G * D), "w_v": random(19, G * 3)}
    got = multi_head_attention(x, **w, heads=H, n_kv_heads=G, context=context)
    q, k = split_heads(x @ w["w_q"], H), split_heads(context @ w["w_k"], G)
    want = grouped_attention(q, k, split_heads(context @ w["w_v"], G))
    torch.testing.assert_close(got, merge_heads(want) @ w["w_o"])


def test_words_in_another_order_give_the_outputs_in_that_order():
    x, w, order = random(T, M), weights(), torch.tensor([3, 0, 6, 1, 5, 2, 4])
    got, turned = (multi_head_attention(rows, **w, heads=H, n_kv_heads=G) for rows in (x, x[order]))
    torch.testing.assert_close(turned, got[order])


def test_a_later_word_changes_nothing_before_it():
    x, w, mask = random(T, M), weights(), may_attend(causal, T)
    changed = x.clone()
    changed[4] += 1
    before, after = (
        multi_head_attention(rows, **w, heads=H, n_kv_heads=G, mask=mask) for rows in (x, changed)
    )
    assert torch.equal(before[:4], after[:4])
    assert (before[4:] != after[4:]).all()


def test_the_learners_attention_is_used_for_all_heads_at_once():
    seen = []

    def watched(q, k, v, *, mask):
        seen.append((q.shape, k.shape, v.shape))
        return 2 * attention(q, k, v, mask=mask)

    x, w = random(B, T, M), weights()
    got = multi_head_attention(x, **w, heads=H, n_kv_heads=G, attention=watched)
    assert seen == [((B, H, T, D), (B, H, T, D), (B, H, T, 3))]
    torch.testing.assert_close(got, 2 * multi_head_attention(x, **w, heads=H, n_kv_heads=G))


def test_gradcheck_with_groups_and_a_row_without_keys():
    mask = open_mask(3, 3)
    mask[1] = False
    x, w = random(3, 2), weights(m=2, h=4, g=2, d=1, e=1, out=1)
    given = [one.requires_grad_() for one in (x, *w.values())]

    def function(*given):
        return multi_head_attention(*given, 4, n_kv_heads=2, mask=mask)

    assert torch.autograd.gradcheck(function, given)


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


# Decoding with a cache


@pytest.mark.parametrize("pieces", [(1,) * 7, (7,), (3, 1, 1, 2), (1, 6)], ids=str)
@pytest.mark.parametrize("options", [{}, {"rotary": "halves", "bias": True}], ids=str)
@torch.no_grad()
def test_word_by_word_with_a_cache_is_the_causal_pass(pieces, options):
    layer, x = double(M, H, n_kv_heads=G, d=4, **options), random(B, 3, T, M)
    cache = layer.new_cache(T, B, 3)
    parts = [layer(part, mask=causal, cache=cache) for part in x.split(pieces, dim=-2)]
    full = layer(x, mask=causal)
    torch.testing.assert_close(torch.cat(parts, dim=-2), full, rtol=0, atol=1e-13)
    assert cache.length == T


@torch.no_grad()
def test_a_cache_holds_the_keys_and_values_of_the_groups_alone():
    layer, x = double(M, H, n_kv_heads=G, d=4, rotary="halves"), random(B, T, M)
    cache = layer.new_cache(S, B)
    layer(x, mask=causal, cache=cache)
    _, k, v = layer.project(x)
    assert cache.keys.shape == cache.values.shape == (B, G, S, 4)
    assert torch.equal(cache.keys[..., :T, :], k)
    assert torch.equal(cache.values[..., :T, :], v)
    assert not cache.keys[..., T:, :].any()
    assert cache.bytes == 2 * B * G * S * 4 * 8


@torch.no_grad()
def test_a_padded_batch_decodes_as_each_sentence_alone():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(B, T, M)
    cache, rule = layer.new_cache(T, B), causal & padding([7, 4])
    parts = [layer(part, mask=rule, cache=cache) for part in x.split((4, 1, 2), dim=-2)]
    alone = layer(x[1, :4], mask=causal)
    torch.testing.assert_close(torch.cat(parts, dim=-2)[1, :4], alone, rtol=0, atol=1e-13)


@torch.no_grad()
def test_a_call_that_fails_leaves_the_cache_as_it_was():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(T, M)
    cache = layer.new_cache(T)
    layer(x[:3], mask=causal, cache=cache)

    def broken(*args, **options):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        layer(-x[3:5], mask=causal, cache=cache, attention=broken)
    with pytest.raises(ValueError, match="its last two axes"):
        layer(-x[3:5], mask=open_mask(2, 2), cache=cache)
    assert cache.length == 3
    rest = layer(x[3:], mask=causal, cache=cache)
    torch.testing.assert_close(rest, layer(x, mask=causal)[3:], rtol=0, atol=1e-13)


@torch.no_grad()
def test_words_can_be_taken_back():
    layer, x = double(M, H, n_kv_heads=G, d=4, rotary="neighbours"), random(T, M)
    cache = layer.new_cache(T)
    layer(torch.cat((x[:3], -x[3:])), mask=causal, cache=cache)
    cache.keep(3)
    rest = layer(x[3:], mask=causal, cache=cache)
    torch.testing.assert_close(rest, layer(x, mask=causal)[3:], rtol=0, atol=1e-13)


@pytest.mark.parametrize(
    ("layers", "g", "d", "kib"), [(32, 8, 128, 128), (32, 32, 128, 512), (80, 8, 128, 320)]
)
def test_cache_bytes_agree_with_caches(layers, g, d, kib):
    assert cache_bytes(1, layers=layers, n_kv_heads=g, d=d) == kib * 1024
    one = KVCache(T, (B,), n_kv_heads=g, d=d, dtype=torch.float16)
    assert cache_bytes(T, layers=layers, n_kv_heads=g, d=d, batch=B) == layers * one.bytes
    assert cache_bytes(0, layers=layers, n_kv_heads=g, d=d) == 0


def test_a_cache_gives_views_and_copies_nothing():
    cache = KVCache(T, (B,), n_kv_heads=G, d=D, dtype=torch.float64)
    for length in (2, 3):
        k, v = cache.extended(random(B, G, 2, D), random(B, G, 2, D, seed=1))
        assert k.data_ptr() == cache.keys.data_ptr()
        assert v.data_ptr() == cache.values.data_ptr()
        cache.keep(length)


# What is refused, and in which words


@torch.no_grad()
def test_a_full_cache_says_how_full_it_is():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(T, M)
    cache = layer.new_cache(5)
    layer(x[:4], mask=causal, cache=cache)
    says = "the cache has room for 5 words and holds 4; 2 more do not fit"
    with pytest.raises(ValueError, match=says):
        layer(x[4:6], mask=causal, cache=cache)
    assert layer(x[4:5], mask=causal, cache=cache).shape == (1, M)


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"cache": {}}, TypeError, "cache is of type dict; expected a KVCache"),
        ({"leading": ()}, ValueError, "k has shape (2, 2, 7, 4) but the cache was made for (2, t"),
        ({"leading": (3,)}, ValueError, "made for (3, 2, t, 4): other sentences, heads or widths"),
        ({"leading": (1,)}, ValueError, "made for (1, 2, t, 4)"),
        ({"n_kv_heads": 1}, ValueError, "made for (2, 1, t, 4)"),
        ({"d": 6}, ValueError, "made for (2, 2, t, 6)"),
        ({"dtype": torch.float32}, TypeError, "k holds torch.float64 but the cache holds"),
        ({"device": "meta"}, ValueError, "k is on cpu but the cache on meta"),
        ({"context": True}, ValueError, "context brings keys of its own; a cache"),
    ],
    ids=str,
)
@torch.no_grad()
def test_a_wrong_cache_is_refused_in_words(change, error, says):
    layer, x = double(M, H, n_kv_heads=G, d=4), random(B, T, M)
    options = {"leading": (B,), "n_kv_heads": G, "d": 4, "dtype": torch.float64} | change
    context = random(B, S, M) if options.pop("context", False) else None
    cache = options.pop("cache", None)
    cache = KVCache(T, **options) if cache is None else cache
    with pytest.raises(error, match=re.escape(says)):
        layer(x, cache=cache, context=context)


def test_a_cache_takes_no_gradients():
    layer, x = double(M, H, n_kv_heads=G, d=4), random(T, M)
    with pytest.raises(ValueError, match=r"decode under torch.no_grad\(\)"):
        layer(x, cache=layer.new_cache(T))
    learned = random(G, T, 4).requires_grad_()
    with torch.no_grad():  # no step is recorded, so none is cut off
        k, _ = layer.new_cache(T).extended(learned, learned)
    assert torch.equal(k, learned)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: KVCache(0, n_kv_heads=1, d=1), ValueError, "room is 0; expected at least 1"),
        (lambda: KVCache(5, n_kv_heads=1.5, d=1), TypeError, "n_kv_heads is 1.5; expected a whole"),
        (lambda: KVCache(5, n_kv_heads=1, d=1).keep(6), ValueError, "lengths is 6; expected 0"),
        (lambda: KVCache(5, n_kv_heads=1, d=1).keep(-1), ValueError, "lengths is -1"),
        (lambda: KVCache(5, n_kv_heads=1, d=1).keep(True), TypeError, "lengths is True"),
        (
            lambda: KVCache(5, n_kv_heads=1, d=2).extended(
                torch.ones(1, 2, 2), torch.ones(1, 1, 2)
            ),
            ValueError,
            "v has 1 rows but k has 2: one for each key",
        ),
        (lambda: cache_bytes(-1, layers=1, n_kv_heads=1, d=1), ValueError, "tokens is -1"),
        (lambda: split_heads(random(T, 13), 5), ValueError, "x is 13 wide, which 5 heads do not"),
        (lambda: split_heads(random(T, 13), 5), ValueError, "(13 = 5 × 2 + 3)"),
        (lambda: split_heads(random(T, 13), 0), ValueError, "heads is 0; expected at least 1"),
        (lambda: split_heads(random(13), 1), ValueError, "x is one vector, of shape (13,)"),
        (lambda: split_heads([[1.0]], 1), TypeError, "x is of type list; expected a tensor"),
        (lambda: merge_heads(random(T, D)), ValueError, "expected (..., h, n, d)"),
        (lambda: repeat_heads(random(T, D), 2), ValueError, "expected (..., g, s, d)"),
        (lambda: repeat_heads(random(G, T, D), 0), ValueError, "times is 0"),
        (lambda: MultiHeadAttention(8, 2, drawn(), n_kv_heads=0), ValueError, "n_kv_heads is 0"),
        (lambda: MultiHeadAttention(13, 5, drawn()), ValueError, "m is 13 wide, which 5 heads"),
        (
            lambda: MultiHeadAttention(15, 5, drawn(), n_kv_heads=2),
            ValueError,
            "5 heads cannot share 2 heads of keys and values evenly: n_kv_heads must divide heads",
        ),
        (
            lambda: MultiHeadAttention(15, 5, drawn(), rotary="halves"),
            ValueError,
            "heads are 3 wide; rotary turns pairs, so d must be even",
        ),
        (lambda: MultiHeadAttention(8, 2, drawn(), rotary=True), ValueError, "rotary is True"),
        (lambda: MultiHeadAttention(8, 2.0, drawn()), TypeError, "heads is 2.0; expected a whole"),
        (lambda: double(15, 3)(random(T, 13)), ValueError, "width 13; this layer has m = 15"),
        (
            lambda: double(15, 3)(random(T, 15), context=random(T, 13)),
            ValueError,
            "context has vectors of width 13; this layer has m = 15",
        ),
        (
            lambda: double(12, 3, rotary="halves")(random(T, 12), context=random(S, 12)),
            ValueError,
            "context brings keys of its own; rotary turns only those of x",
        ),
        (
            lambda: double(15, 3)(random(T, 15).float()),
            TypeError,
            "w_q holds torch.float64 but x holds torch.float32",
        ),
        (
            lambda: grouped_attention(random(6, T, D), random(4, S, D), random(4, S, D)),
            ValueError,
            "6 heads cannot share 4 heads",
        ),
        (
            lambda: grouped_attention(random(6, T, D), random(3, S, D), random(2, S, D)),
            ValueError,
            "v has 2 heads but k has 3: each key needs one value",
        ),
        (
            lambda: grouped_attention(random(6, T, D), random(2, S, D), random(3, S, D)),
            ValueError,
            "v has 3 heads but k has 2: each key needs one value",
        ),
        (
            lambda: grouped_attention(random(6, T, D), random(S, D), random(S, D)),
            ValueError,
            "k has shape (11, 5); it has no axis of heads",
        ),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(call, error, says):
    with pytest.raises(error, match=re.escape(says)):
        call()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"heads": 7, "n_kv_heads": 1}, "w_q is 30 wide, which 7 heads do not divide"),
        ({"n_kv_heads": 4}, "6 heads cannot share 4 heads"),
        ({"n_kv_heads": 3}, "w_k is 10 wide, which 3 heads do not divide"),
        (
            {"w_k": random(M, 2 * 7)},
            "queries of width 5 in each of 6 heads but w_k keys of width 7",
        ),
        ({"w_q": random(12, H * D)}, "w_q has 12 rows but x has vectors of width 13: both need"),
        ({"context": random(S, 12)}, "w_k has 13 rows but context has vectors of width 12"),
        ({"w_v": random(G, M, 3)}, "w_v has shape (2, 13, 3); expected a matrix"),
        (
            {"w_o": random(17, 17)},
            "w_o has shape (17, 17) but the outputs side by side are 18 wide",
        ),
        ({"biases": [random(30)]}, "biases holds 1; expected four: b_q, b_k, b_v, b_o"),
        (
            {"biases": [random(n) for n in (30, 10, 10, 17)]},
            "b_v has shape (10,) but w_v has 6 columns: expected (6,)",
        ),
    ],
)
def test_projections_that_do_not_fit_are_refused_in_words(change, says):
    given = {"x": random(T, M), **weights(), "heads": H, "n_kv_heads": G} | change
    with pytest.raises(ValueError, match=re.escape(says)):
        multi_head_attention(**given)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"n_kv_heads": 1}, "none of this: 1 heads of keys for 3 of queries"),
        ({"d": 4}, "none of this: heads of width 4, not m / heads"),
        ({"rotary": "halves", "m": 12}, "none of this: rotary positions"),
    ],
)
def test_what_pytorchs_layer_cannot_be_is_said(options, says):
    layer = double(options.pop("m", 15), 3, **options)
    for call in (layer.to_multihead, lambda: layer.load_multihead({})):
        with pytest.raises(ValueError, match=re.escape(says)):
            call()


@pytest.mark.parametrize(
    ("theirs", "says"),
    [
        ({"bias": True}, "in_proj_bias is (45,) in the state but missing in this layer"),
        ({"embed_dim": 21}, "in_proj_weight is (63, 21) in the state but (45, 15) in this layer"),
        ({"kdim": 7}, "in_proj_weight is missing in the state but (45, 15) in this layer"),
        ({"add_bias_kv": True}, "bias_k is (1, 1, 15) in the state but missing in this layer"),
    ],
)
def test_a_state_of_another_layer_is_refused_and_changes_nothing(theirs, says):
    layer = double(15, 3)
    before = [w.clone() for w in layer.parameters()]
    state = nn.MultiheadAttention(
        **{"embed_dim": 15, "num_heads": 3, "bias": False, **theirs}
    ).state_dict()
    with pytest.raises(ValueError, match=re.escape(says)):
        layer.load_multihead(state)
    assert all(map(torch.equal, before, layer.parameters()))


# Any multi-head function as attention


def of_one_width(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """As many write it: words, queries and output are m wide, and a head m / heads."""
    b, n, m = x.shape
    d = m // heads
    q, k, v = ((x @ w).reshape(b, n, heads, d).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / d**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(b, n, m) @ w_o


def of_lists(x, w_q, w_k, w_v, w_o, heads, mask=None):
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask).tolist()


@pytest.mark.parametrize("function", [multi_head_attention, of_one_width, of_lists])
@pytest.mark.parametrize("leading", [(), (B,), (3, B)])
@pytest.mark.parametrize("masked", [False, True])
def test_a_multi_head_function_attends_for_a_model_that_has_projected(function, leading, masked):
    q, k, v = (random(*leading, H, T, D, seed=i) for i in range(3))
    mask = may_attend(causal, T) if masked else None
    got = attention_inside(function)(q, k, v, mask=mask)
    torch.testing.assert_close(got, attention(q, k, v, mask=mask), rtol=0, atol=1e-14)


def test_a_wrong_multi_head_function_attends_wrongly():
    q, k, v = (random(B, H, T, D, seed=i) for i in range(3))
    for wrong in (
        lambda x, w_q, w_k, w_v, w_o, heads, mask: of_one_width(x, w_k, w_q, w_v, w_o, heads),
        lambda x, w_q, w_k, w_v, w_o, heads, mask: of_one_width(x, w_q, w_k, w_v, w_o, 1),
        lambda x, w_q, w_k, w_v, w_o, heads, mask: of_one_width(x, w_q, w_k, w_v, w_v, heads),
    ):
        got = attention_inside(wrong)(q, k, v)
        assert not torch.allclose(got, attention(q, k, v), atol=1e-3)
