"""Multi-head attention against PyTorch's own, slow loops, and its own laws."""

import numpy as np
import pytest
import torch
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
from course_lib.kernels.masks import causal, may_attend
from tests.kernels.attention_errors import DTYPES
from tests.kernels.heads_samples import EPS, SHARE, B, D, G, H, M, S, T, open_mask, random, weights

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
