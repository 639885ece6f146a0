"""A bias and a softcap in attention: against PyTorch's own, FlexAttention, and their own laws."""

import re

import pytest
import torch
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention, attention_weights, trace
from course_lib.kernels.masks import causal, may_attend, to_additive
from course_lib.kernels.positions import alibi
from tests.kernels.test_attention import DTYPES, EPS, D, E, S, T, open_mask, qkv, random

# torch compiles flex_attention for speed; here its plain form is an oracle
pytestmark = pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile")
B, H = 2, 11


def gradients(function, parts, grad):
    parts = [one.detach().clone().requires_grad_() for one in parts]
    return torch.autograd.grad(function(*parts), parts, grad)


def close(found, wanted, tolerance=1e-12):
    torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance)


# The bias


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "shape", [(B, H, T, S), (H, T, S), (T, S), (B, 1, 1, S), (H, T, 1), (S,)], ids=str
)
def test_a_bias_is_pytorchs_attn_mask_of_floats(shape, dtype):
    q, k, v = qkv(B, H, dtype=dtype)
    bias = 2 * random(*shape, seed=9, dtype=dtype)
    want = scaled_dot_product_attention(q, k, v, attn_mask=bias.expand(B, H, T, S))
    found = attention(q, k, v, bias=bias)
    assert found.dtype == dtype
    torch.testing.assert_close(found, want, rtol=4 * EPS[dtype], atol=8 * EPS[dtype])
    weights = attention_weights(q, k, bias=bias)
    torch.testing.assert_close(weights @ v, want, rtol=4 * EPS[dtype], atol=16 * EPS[dtype])


def test_its_gradient_is_pytorchs_and_passes_gradcheck():
    q, k, v = qkv(B, H)
    bias, grad = random(H, T, S, seed=9), random(B, H, T, E, seed=8)
    found = gradients(lambda q, k, v, bias: attention(q, k, v, bias=bias), (q, k, v, bias), grad)
    wanted = gradients(
        lambda q, k, v, bias: scaled_dot_product_attention(q, k, v, attn_mask=bias),
        (q, k, v, bias),
        grad,
    )
    assert found[3].shape == (H, T, S)
    for one, other in zip(found, wanted, strict=True):
        close(one, other)
    parts = [one.requires_grad_() for one in (*qkv(B), random(1, S, seed=9))]
    assert torch.autograd.gradcheck(lambda *x: attention(*x[:3], bias=x[3], softcap=3), parts)
    assert torch.autograd.gradgradcheck(lambda *x: attention(*x[:3], bias=x[3], softcap=3), parts)


def test_a_learned_bias_for_each_distance_as_in_t5_gets_its_gradient():
    q, k, v = qkv(H)
    table = random(H, T + S - 1, seed=9).requires_grad_()
    distance = torch.arange(S) - torch.arange(T)[:, None] + T - 1
    attention(q, k, v, bias=table[:, distance])[0].sum().backward()
    assert table.grad[0].abs().sum() > 0
    assert not table.grad[1:].any()  # other heads were not asked


def test_minus_infinity_hides_as_a_mask_does():
    q, k, v = qkv(B, H)
    mask = open_mask(T, S)
    mask[1] = False
    grad = random(B, H, T, E, seed=8)
    close(attention(q, k, v, bias=to_additive(mask, q.dtype)), attention(q, k, v, mask=mask), 0)
    for one, other in zip(
        gradients(lambda *x: attention(*x, bias=to_additive(mask, q.dtype)), (q, k, v), grad),
        gradients(lambda *x: attention(*x, mask=mask), (q, k, v), grad),
        strict=True,
    ):
        close(one, other, 0)


@pytest.mark.parametrize("closed_by", ["bias", "mask", "both together"])
def test_a_row_without_a_key_gives_zero_and_a_finite_gradient(closed_by):
    q, k, v = qkv(B)
    bias = random(T, S, seed=9)
    mask = torch.ones(T, S, dtype=torch.bool)
    where = {"bias": (slice(0), slice(S)), "mask": (slice(S), slice(0))}
    closed, low = where.get(closed_by, (slice(2), slice(2, S)))
    mask[1, closed], bias[1, low] = False, -torch.inf
    found = attention(q, k, v, bias=bias, mask=mask, softcap=5)
    assert not found[:, 1].any()
    assert found[:, ::2].any()
    grads = gradients(
        lambda *x: attention(*x[:3], bias=x[3], mask=mask, softcap=5), (q, k, v, bias), found + 1
    )
    assert all(one.isfinite().all() for one in grads)
    assert not grads[3][1].any()
    assert not trace(q, k, v, bias=bias, mask=mask)["weights"][:, 1].any()


def test_the_mask_hides_whatever_the_bias_adds():
    q, k, v = qkv(B, H)
    mask = open_mask(T, S)
    bias = random(T, S, seed=9)
    want = attention(q, k, v, mask=mask, bias=bias)
    close(attention(q, k, v, mask=mask, bias=bias.masked_fill(~mask, 1e300)), want, 0)


def test_alibi_of_the_positions_module_is_a_bias():
    n = 7
    q, k, v = (random(2, 3, n, 5, seed=seed, dtype=torch.float32) for seed in range(3))
    slope = [2.0**-4, 2.0**-8, 2.0**-2]  # of 3 heads: two of two, one of four
    want = flex_attention(
        q, k, v,
        score_mod=lambda score, b, h, i, j: torch.where(
            j <= i, score - torch.tensor(slope)[h] * (i - j), -torch.inf
        ),
    )  # fmt: skip
    found = attention(q, k, v, bias=alibi(3, n), mask=may_attend(causal, n))
    close(found, want, 1e-6)


def test_a_bias_in_float32_keeps_distances_that_bfloat16_has_not():
    """ALiBi with slope 1 at distances of 1000 and 1001, which are one number in bfloat16."""
    q, k = torch.zeros(1, 1).bfloat16(), torch.zeros(2, 1).bfloat16()
    weights = attention_weights(q, k, bias=torch.tensor([[-1000.0, -1001.0]]))
    want = torch.tensor([0.0, -1.0]).softmax(-1).bfloat16()
    assert torch.equal(weights[0], want)


# The softcap


@pytest.mark.parametrize("softcap", [0.5, 3, 50.0])
def test_the_softcap_is_that_of_flex_attention(softcap):
    q, k, v = (3 * one for one in qkv(B, H))
    mask, bias = open_mask(T, S), random(H, T, S, seed=9)

    def score_mod(score, b, h, i, j):
        score = softcap * torch.tanh(score / softcap) + bias[h, i, j]
        return torch.where(mask[i, j], score, -torch.inf)

    want = flex_attention(q, k, v, score_mod=score_mod)
    close(attention(q, k, v, mask=mask, bias=bias, softcap=softcap), want)


def test_no_score_passes_the_cap_and_a_large_cap_changes_nothing():
    q, k, v = qkv()
    steps = trace(1000 * q, k, v, softcap=2)
    assert steps["scaled"].abs().max() > 100
    assert steps["capped"].abs().max() <= 2
    close(attention(q, k, v, softcap=1e9), attention(q, k, v))


def test_a_masked_key_stays_hidden_under_a_small_cap():
    q, k, _ = qkv()
    mask = open_mask(T, S)
    weights = attention_weights(q, k, mask=mask, softcap=0.1)
    assert not weights[~mask].any()
    assert not attention_weights(q, k, bias=to_additive(mask, q.dtype), softcap=0.1)[~mask].any()


@pytest.mark.parametrize("dtype", DTYPES[:3], ids=str)
def test_the_error_with_both_is_at_most_twice_that_of_the_plain_way(dtype):
    given = (*qkv(B, H, dtype=dtype), random(H, T, S, seed=9, dtype=dtype))
    exact = [one.double() for one in given]

    def plainly(q, k, v, bias):
        return ((q @ k.mT * D**-0.5 / 3).tanh() * 3 + bias).softmax(-1) @ v

    truth = plainly(*exact)
    found = attention(*given[:3], bias=given[3], softcap=3)
    error, its = ((one.double() - truth).abs().max() for one in (found, plainly(*given)))
    assert error <= 2 * its + 2 * EPS[dtype]


def test_the_trace_names_what_was_capped_and_biased():
    q, k, v = qkv(B)
    mask, bias = open_mask(T, S), random(T, S, seed=9)
    steps = trace(q, k, v, mask=mask, bias=bias, softcap=2)
    names = ["scores", "scaled", "capped", "biased", "masked", "weights", "output"]
    assert list(steps) == ["q", "k", "v", *names]
    close(steps["capped"], 2 * torch.tanh(steps["scaled"] / 2))
    close(steps["biased"], steps["capped"] + bias)
    assert torch.equal(steps["masked"], torch.where(mask, steps["biased"], -torch.inf))
    close(steps["output"], attention(q, k, v, mask=mask, bias=bias, softcap=2), 0)


# What is refused


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"bias": torch.ones(T, S)}, TypeError, "bias holds torch.float32 but q holds torch.float"),
        ({"bias": torch.ones(T, S).bool()}, TypeError, "give it as mask"),
        ({"bias": 3.0}, TypeError, "bias is of type float; expected a tensor of floats"),
        ({"bias": random(S, T)}, ValueError, "bias has shape (5, 3) but the scores have shape"),
        ({"bias": random(7, T, S)}, ValueError, "the axes before the last two must match"),
        ({"bias": random(T, S).to("meta")}, ValueError, "bias is on meta but q on cpu"),
        ({"softcap": 0}, ValueError, "softcap is 0; expected a number above 0, or None"),
        ({"softcap": -1.0}, ValueError, "softcap is -1.0; expected a number above 0"),
        ({"softcap": torch.inf}, ValueError, "softcap is inf"),
        ({"softcap": True}, TypeError, "softcap is of type bool"),
        ({"softcap": torch.tensor(3.0)}, TypeError, "softcap is of type Tensor; expected one num"),
        ({"mask": torch.ones(T, S)}, TypeError, "or bias=mask"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(change, error, says):
    given = dict(zip("qkv", qkv(B), strict=True)) | change
    for function in (attention, trace):
        with pytest.raises(error, match=re.escape(says)):
            function(**given)


def test_float16_queries_take_a_bias_in_float32_and_no_other():
    q, k, v = qkv(dtype=torch.float16)
    assert attention(q, k, v, bias=torch.zeros(T, S)).dtype == torch.float16
    with pytest.raises(TypeError, match=re.escape("expected torch.float16 or torch.float32")):
        attention(q, k, v, bias=torch.zeros(T, S).bfloat16())
