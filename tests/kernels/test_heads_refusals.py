"""What several heads refuse, and in which words."""

import re

import pytest
import torch
from torch import nn

from course_lib.kernels.heads import (
    grouped_attention,
    merge_heads,
    multi_head_attention,
    repeat_heads,
    split_heads,
)
from course_lib.kernels.kv_cache import KVCache, cache_bytes
from course_lib.kernels.multi_head import MultiHeadAttention
from tests.kernels.heads_samples import D, G, H, M, S, T, double, drawn, random, weights


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
