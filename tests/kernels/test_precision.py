"""What promises float32 keeps it where torch.autocast is on."""

import pytest
import torch
from torch import nn

from course_lib.kernels.attention import attention, attention_weights, trace
from course_lib.kernels.attention_backward import attention_backward
from course_lib.kernels.heads import grouped_attention, multi_head_attention, projected
from course_lib.kernels.linear_attention import (
    linear_attention,
    linear_attention_by_table,
    random_features,
)
from course_lib.kernels.local_attention import local_attention
from course_lib.kernels.masks import causal
from course_lib.kernels.multi_head import MultiHeadAttention
from course_lib.kernels.precision import autocasts, own_precision
from course_lib.models.transformer import Transformer

T, S, D, M = 5, 7, 12, 24


def drawn(*shape, seed=0):
    return 3 * torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


Q, K, V = drawn(T, D), drawn(S, D, seed=1), drawn(S, 11, seed=2)
X, W = drawn(2, T, M, seed=3), [drawn(M, M, seed=i) / M**0.5 for i in range(4)]
FUNCTIONS = {
    "attention": lambda: attention(Q, K, V),
    "weights": lambda: attention_weights(Q, K),
    "trace": lambda: trace(Q, K, V)["output"],
    "projected trace": lambda: trace(X, X, X, w_q=W[0], w_k=W[1], w_v=W[2], w_o=W[3])["projected"],
    "backward": lambda: torch.cat(attention_backward(drawn(T, 11), Q, K, V)[:2]),
    "local": lambda: local_attention(K, K, V, w=3, block=2),
    "linear": lambda: linear_attention(Q, K, V),
    "linear, causal": lambda: linear_attention(K, K, V, causal=True),
    "by table": lambda: linear_attention_by_table(Q, K, V, feature=random_features(D, 31)),
    "projected": lambda: projected(X, W[0], W[1][0]),
    "heads": lambda: multi_head_attention(X, *W, heads=3),
    "groups": lambda: grouped_attention(drawn(6, T, D), drawn(2, S, D), drawn(2, S, 11)),
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_autocast_changes_no_digit(name, dtype):
    want = FUNCTIONS[name]()
    with torch.autocast("cpu", dtype):
        got = FUNCTIONS[name]()
        assert (Q @ K.T).dtype == dtype, "and it is on again"
    assert got.dtype == torch.float32
    assert torch.equal(got, want)


KINDS = {
    "plain": {}, "biases": {"bias": True}, "rotary": {"rotary": "halves"},
    "groups": {"n_kv_heads": 1},
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@torch.no_grad()
def test_a_layer_decodes_under_autocast_as_without(kind):
    layer = MultiHeadAttention(M, 3, torch.Generator().manual_seed(0), d=4, **KINDS[kind])
    want = layer(X, mask=causal)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(layer(X, mask=causal), want)
        cache = layer.new_cache(T, 2)
        parts = [layer(part, mask=causal, cache=cache) for part in X.split((3, 1, 1), dim=-2)]
    assert cache.keys.dtype == torch.float32
    torch.testing.assert_close(torch.cat(parts, dim=-2), want)


def test_a_layer_behind_one_that_autocast_rounds_takes_its_16_bits():
    before, layer = nn.Linear(M, M), MultiHeadAttention(M, 3, torch.Generator().manual_seed(0))
    with torch.autocast("cpu", torch.bfloat16):
        x = before(X)
        assert x.dtype == torch.bfloat16
        for output, want in (
            (layer(x), layer(x.float())),
            (layer(x, context=x[:, :3]), layer(x.float(), context=x[:, :3].float())),
            (layer.project(x)[0], layer.project(x.float())[0]),
        ):
            assert torch.equal(output, want)
        output.sum().backward()
    assert before.weight.grad.isfinite().all()
    with pytest.raises(TypeError, match=r"w_q holds torch\.float32 but x holds torch\.bfloat16"):
        layer(x)  # without autocast nothing is converted unasked


@torch.no_grad()
def test_a_transformer_says_the_same_under_autocast():
    model = Transformer(7, 13, torch.Generator().manual_seed(0), m=M, mlp=True, bias=True)
    ids = torch.arange(12).reshape(2, 6) % 7
    want, then = model(ids), model.continued(ids, 5)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(model(ids), want)
        assert torch.equal(model.continued(ids, 5), then)


def test_other_kinds_of_devices_and_numbers_are_left_alone():
    with torch.autocast("cpu", torch.bfloat16):
        assert autocasts(Q)
        assert not autocasts(Q.to("meta")), "which has no autocast"
        assert attention(Q.to("meta"), K.to("meta"), V.to("meta")).shape == (T, 11)
        assert attention(Q.double(), K.double(), V.double()).dtype == torch.float64
        assert attention(Q.half(), K.half(), V.half()).dtype == torch.float16
        with own_precision(Q):
            assert not autocasts(Q)
    assert not autocasts(Q)
