"""Attention where little or nothing may be seen, and what it refuses."""

import math
import re

import pytest
import torch

from course_lib.kernels.attention import attention, attention_weights, masked_softmax, trace
from tests.kernels.attention_errors import DTYPES
from tests.kernels.attention_samples import D, E, S, T, open_mask, qkv, random

# A query that may attend to nothing


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_fully_masked_row_gives_zero_output_and_a_finite_gradient(dtype):
    q, k, v = (one.requires_grad_() for one in qkv(dtype=dtype))
    mask = torch.ones(T, S, dtype=torch.bool)
    mask[1] = False
    output = attention(q, k, v, mask=mask)
    assert torch.equal(output[1], torch.zeros(E, dtype=dtype))
    assert torch.equal(attention_weights(q, k, mask=mask)[1], torch.zeros(S, dtype=dtype))
    torch.testing.assert_close(output[[0, 2]], attention(q[[0, 2]], k, v))
    grads = torch.autograd.grad(output.square().sum(), (q, k, v))
    assert all(torch.isfinite(grad).all() for grad in grads)
    assert torch.equal(grads[0][1], torch.zeros(D, dtype=dtype))


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_no_step_back_through_an_empty_row_is_nan():
    q, k, v = (one.requires_grad_() for one in qkv())
    mask = torch.zeros(T, S, dtype=torch.bool)
    with torch.autograd.detect_anomaly(check_nan=True):  # raises where a step returns NaN
        attention(q, k, v, mask=mask).sum().backward()


def test_a_hidden_score_counts_for_nothing_however_low_the_others_are():
    scores, mask = torch.tensor([[-2e9, -2e9, 0.0]]), torch.tensor([True, True, False])
    assert masked_softmax(scores, mask).tolist() == [[0.5, 0.5, 0.0]]


def test_gradcheck_with_and_without_mask():
    parts = [one.requires_grad_() for one in qkv(2)]
    mask = open_mask(T, S)
    mask[2] = False
    assert torch.autograd.gradcheck(attention, parts)
    assert torch.autograd.gradcheck(lambda *given: attention(*given, mask=mask, scale=0.7), parts)
    assert torch.autograd.gradgradcheck(lambda *given: attention(*given, mask=mask), parts)


# The trace


def test_the_trace_names_every_step_in_order():
    q, k, v = qkv(2)
    mask = open_mask(T, S)
    steps = trace(q, k, v, mask=mask, scale=0.4)
    assert list(steps) == ["q", "k", "v", "scores", "scaled", "masked", "weights", "output"]
    torch.testing.assert_close(steps["scores"], torch.einsum("btd,bsd->bts", q, k))
    torch.testing.assert_close(steps["scaled"], 0.4 * steps["scores"])
    assert torch.equal(steps["masked"] == -torch.inf, ~mask.expand(2, T, S))
    assert torch.equal(steps["masked"][:, mask], steps["scaled"][:, mask])
    torch.testing.assert_close(
        steps["weights"], attention_weights(q, k, mask=mask, scale=0.4), rtol=0, atol=0
    )
    torch.testing.assert_close(
        steps["output"], attention(q, k, v, mask=mask, scale=0.4), rtol=0, atol=0
    )


def test_the_trace_of_a_fully_masked_row_ends_in_zeros():
    steps = trace(*qkv(), mask=torch.zeros(T, S, dtype=torch.bool))
    assert (steps["masked"] == -torch.inf).all()
    assert not steps["weights"].any()
    assert not steps["output"].any()


def test_nine_steps_of_self_attention_with_one_head():
    x, w_q, w_k = random(T, 11), random(11, D), random(11, D, seed=1)
    w_v, w_o = random(11, E), random(E, 11)
    steps = trace(x, x, x, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)
    names = ["x", "q", "k", "v", "scores", "scaled", "masked", "weights", "output"]
    assert list(steps) == [*names, "joined", "projected"]
    torch.testing.assert_close(steps["output"], attention(x @ w_q, x @ w_k, x @ w_v))
    torch.testing.assert_close(steps["projected"], steps["output"] @ w_o)


def test_nine_steps_with_two_heads_agree_with_multihead_attention():
    m, h = 6, 2
    layer = torch.nn.MultiheadAttention(m, h, bias=False, batch_first=True, dtype=torch.float64)
    x, other = random(11, T, m), random(11, S, m)
    w_q, w_k, w_v = (
        w.T.reshape(m, h, m // h).transpose(0, 1) for w in layer.in_proj_weight.detach().chunk(3)
    )
    w_o = layer.out_proj.weight.detach().T
    for context, names in ((x, ["x"]), (other, ["x_q", "x_k", "x_v"])):
        steps = trace(x, context, context, w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o)
        assert list(steps)[: len(names)] == names
        want, weights = layer(x, context, context, average_attn_weights=False)
        torch.testing.assert_close(steps["projected"], want)
        torch.testing.assert_close(steps["weights"], weights)
        assert steps["joined"].shape == (11, T, m)


# What is refused, and in which words


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"k": random(S, 4)}, ValueError, "k has vectors of width 4 but q of width 7: both need"),
        ({"k": random(D, S)}, ValueError, "Is k transposed already"),
        ({"v": random(4, E)}, ValueError, "v has 4 rows but k has 5: each key needs one value"),
        ({"q": random(D)}, ValueError, "q is one vector, of shape (7,); expected rows of vectors"),
        ({"q": random(D)}, ValueError, "one q alone is q[None]"),
        ({"v": torch.tensor(3.0).double()}, ValueError, "v is a single number"),
        ({"q": random(T, 0), "k": random(S, 0)}, ValueError, "needs at least one entry"),
        ({"q": random(2, T, D), "k": random(3, S, D)}, ValueError, "must match or be 1"),
        ({"v": random(S, E).numpy()}, TypeError, "v is of type ndarray; expected a tensor"),
        ({"q": [[1.0]]}, TypeError, "q is of type list; expected a tensor: torch.as_tensor(q)"),
        ({"k": torch.ones(S, D, dtype=torch.long)}, TypeError, "k holds torch.int64; expected"),
        ({"v": random(S, E).float()}, TypeError, "v holds torch.float32 but q holds torch.float64"),
        ({"q": random(T, D).to("meta")}, ValueError, "k is on cpu but q on meta"),
        ({"mask": torch.ones(T, S)}, TypeError, "mask holds torch.float32; expected True = may"),
        ({"mask": torch.ones(T, S)}, TypeError, "additive mask of 0 and -inf: mask == 0"),
        ({"mask": torch.ones(T, S).int()}, TypeError, "mask of 0 and 1: mask == 1"),
        ({"mask": [[True]]}, TypeError, "mask is of type list; expected a boolean tensor"),
        ({"mask": torch.ones(S, T).bool()}, ValueError, "mask has shape (5, 3) but the scores"),
        ({"mask": torch.tensor(True)}, ValueError, "its last two axes are (queries, keys), or 1"),
        ({"q": random(1, D), "mask": torch.ones(T, S).bool()}, ValueError, "(1, 5): its last two"),
        ({"scale": math.nan}, ValueError, "scale is nan; expected a finite number"),
        ({"scale": "8"}, TypeError, "scale is of type str; expected one number"),
        ({"scale": torch.ones(3)}, TypeError, "scale is a tensor with axes; expected one number"),
        ({"scale": True}, TypeError, "scale is of type bool; expected one number"),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(change, error, says):
    given = {**dict(zip("qkv", qkv(), strict=True)), **change}
    for function in (attention, trace):
        with pytest.raises(error, match=re.escape(says)):
            function(**given)


def test_a_mask_for_each_sentence_needs_an_axis_for_the_heads():
    q, k, v = qkv(2, 11)
    with pytest.raises(ValueError, match=re.escape("is mask.unsqueeze(1)")):
        attention(q, k, v, mask=open_mask(2, T, S))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"w_v": None}, "w_v is missing: give w_q, w_k and w_v, or none of them"),
        ({"w_k": random(4, D)}, "w_k has 4 rows but k has vectors of width 11"),
        ({"w_k": random(2, 11, D)}, "w_k has shape (2, 11, 7)"),
        ({"w_o": random(4, 11)}, "w_o has shape (4, 11) but the outputs side by side are 2 wide"),
        ({"w_v": random(11)}, "w_v has shape (11,); expected (m, d), or (h, m, d) for h heads"),
    ],
)
def test_projections_that_do_not_fit_are_refused_in_words(change, says):
    x = random(T, 11)
    weights = {"w_q": random(11, D), "w_k": random(11, D), "w_v": random(11, E)}
    with pytest.raises(ValueError, match=re.escape(says)):
        trace(x, x, x, **{**weights, "w_o": random(E, 11), **change})
