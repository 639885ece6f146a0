"""Attention against PyTorch's own, a slow loop, long double, and its own laws."""

import math
import re

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.attention import attention, attention_weights, masked_softmax, trace
from course_lib.kernels.softmax import softmax
from tests.kernels.attention_errors import DTYPES, NAMES, largest

T, S, D, E = 3, 5, 7, 2  # queries, keys, width of queries and keys, width of values


def random(*shape, seed=0, dtype=torch.float64):
    numbers = np.random.default_rng([seed, *shape]).normal(size=shape)
    return torch.from_numpy(numbers).to(dtype)


def qkv(*leading, dtype=torch.float64, seed=0):
    shapes = ((T, D), (S, D), (S, E))
    return tuple(random(*leading, *shape, seed=seed, dtype=dtype) for shape in shapes)


def open_mask(*shape, share=0.5):
    """Each row may attend to at least one key."""
    mask = torch.from_numpy(np.random.default_rng(1).random(shape) < share)
    mask[..., 0] = True
    return mask


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


EPS = {dtype: torch.finfo(dtype).eps for dtype in DTYPES}


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
