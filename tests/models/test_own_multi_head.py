"""A trained transformer through a multi-head function of the learner's."""

import math

import pytest
import torch

from course_lib.kernels.heads import multi_head_attention
from course_lib.models.own_multi_head import with_multi_head
from course_lib.models.transformer import Transformer

Z, LENGTH, B, T, M, H, BLOCKS = 11, 13, 3, 7, 10, 5, 2


def model_with(**options):
    model = Transformer(
        Z, LENGTH, torch.Generator().manual_seed(0), blocks=BLOCKS, m=M, heads=H, **options
    ).double()
    with torch.no_grad():  # biases begin at 0, which would hide that they are missing
        for i, w in enumerate(model.parameters()):
            w += 0.3 * torch.randn(w.shape, generator=torch.Generator().manual_seed(i)).double()
    return model.requires_grad_(False)


def symbols(*shape):
    return torch.randint(Z, shape, generator=torch.Generator().manual_seed(1))


def with_fixed_width(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """As many write it: one width for words, queries and output."""
    b, n, m = x.shape
    d = m // heads
    assert m % heads == 0
    q, k, v = ((x @ w).reshape(b, n, heads, d).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(b, n, m) @ w_o


def kernel(x, w_q, w_k, w_v, w_o, heads, mask=None):
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)


@pytest.mark.parametrize("multi_head", [kernel, with_fixed_width])
@pytest.mark.parametrize("options", [{}, {"bias": True}, {"bias": True, "mlp": True}], ids=str)
@pytest.mark.parametrize("shape", [(T,), (B, T), (2, B, T)])
def test_the_layers_give_the_same_through_a_right_function(multi_head, options, shape):
    model, ids = model_with(**options), symbols(*shape)
    own = with_multi_head(model, multi_head)
    for got, want in zip(own.states(ids), model.states(ids), strict=True):
        torch.testing.assert_close(got, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x, w_q, w_k, w_v, w_o, heads, mask=None: kernel(x, w_q, w_k, w_v, w_o, heads),
        lambda x, w_q, w_k, w_v, w_o, heads, mask=None: kernel(x, w_q, w_k, w_v, w_o, 1, mask),
        lambda x, w_q, w_k, w_v, w_o, heads, mask=None: kernel(x, w_k, w_q, w_v, w_o, heads, mask),
    ],
    ids=["no mask", "one head", "queries for keys"],
)
def test_a_wrong_function_changes_the_scores(wrong):
    model, ids = model_with(bias=True), symbols(B, T)
    assert not torch.allclose(with_multi_head(model, wrong)(ids), model(ids), atol=1e-3)


def test_the_function_is_called_once_in_each_layer_and_the_model_stays_as_it_was():
    model, ids, seen = model_with(bias=True), symbols(B, T), []
    before = model(ids)

    def counted(x, *matrices, mask):
        seen.append((tuple(x.shape), matrices[-1], mask.tolist()))
        return kernel(x, *matrices, mask=mask)

    own = with_multi_head(model, counted)
    own(ids)
    earlier = torch.ones(T, T).tril().bool().tolist()
    assert seen == [((B, T, M + H), H, earlier)] * BLOCKS
    assert torch.equal(model(ids), before)
    assert len(seen) == BLOCKS, "the model itself does not call it"
    assert own.symbol is model.symbol, "no second copy of the weights"


def test_what_the_function_cannot_do_is_said():
    model, ids = model_with(), symbols(B, T)
    own = with_multi_head(model, kernel)
    with pytest.raises(ValueError, match="no cache"):
        own(ids, loudness=torch.ones(BLOCKS, H))
    with pytest.raises(ValueError, match="shows no maps"):
        own.maps(ids)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda x, *rest, mask: x[..., :M], rf"gave \({B}, {T}, {M}\) for x"),
        (lambda x, *rest, mask: (x, None), "gave tuple"),
        (lambda x, *rest, mask: None, "gave NoneType"),
    ],
)
def test_an_output_of_another_shape_is_named(wrong, said):
    own = with_multi_head(model_with(), wrong)
    with pytest.raises(ValueError, match=said):
        own(symbols(B, T))


@pytest.mark.parametrize("options", [{"n_kv_heads": 1}, {"rotary": "halves"}, {"d": 4}], ids=str)
def test_layers_of_another_kind_are_refused(options):
    with pytest.raises(ValueError, match="can stand in for"):
        with_multi_head(model_with(**options), kernel)
