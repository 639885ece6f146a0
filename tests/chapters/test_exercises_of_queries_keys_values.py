"""Chapter 5's checks on answers that learners really give, right and wrong.

References are torch. Numbers count, whatever holds them: numpy and lists pass, and become tensors.
"""

import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values import handout
from course_lib.judging.attempt import attempt, case_inputs
from course_lib.judging.registry import judge
from course_lib.kernels.attention import attention as kernel
from course_lib.kernels.attention_backward import attention_backward
from course_lib.learner.adapter import adapt

EYE, NOTHING = torch.eye(4), torch.zeros(4, 4)


def verdict(name, answer):
    return judge(f"05_queries_keys_values/{name}", answer)


def scores(q, k):
    return q @ k.mT / math.sqrt(q.shape[-1])


def weights(q, k):
    return torch.softmax(scores(q, k), dim=-1)


def stacked(*rows):
    return torch.cat(rows)


# What counts as an answer


@pytest.mark.parametrize("name", ["scaled_scores", "attend", "attention"])
@pytest.mark.parametrize("kind", ["tolist", "numpy", "double"])
def test_numbers_count_whatever_holds_them_and_the_cells_below_get_a_tensor(name, kind):
    exercise = handout.exercises[name]

    def answer(*args):
        return getattr(exercise.answer(*args), kind)()

    found = verdict(name, answer)
    assert found.state == "right", found.text
    given = case_inputs(exercise, 1).args
    bound = adapt(exercise, answer, found)(*given)
    assert isinstance(bound, torch.Tensor)
    assert bound.dtype == torch.float32
    assert torch.allclose(bound, exercise.answer(*given))


def test_two_matrices_in_numpy_become_two_tensors():
    exercise = handout.exercises["strangers_match"]

    def answer():
        return np.eye(8, 4, dtype=np.float32), np.eye(8, 4, k=-4, dtype=np.float32)

    bound = adapt(exercise, answer, verdict("strangers_match", answer))
    assert bound.source == "yours"
    assert [type(one) for one in bound()] == [torch.Tensor, torch.Tensor]


@pytest.mark.parametrize("name", ["attend", "attention"])
def test_the_gradient_through_the_learners_own_attention_is_right(name):
    def answer(q, k, v):
        return weights(q, k) @ v

    bound = adapt(handout.exercises[name], answer, verdict(name, answer))
    assert bound.source == "yours"
    generator = torch.Generator().manual_seed(0)
    given = (
        torch.randn(*shape, generator=generator).double() for shape in ((2, 3), (5, 3), (5, 7))
    )
    assert torch.autograd.gradcheck(bound, tuple(one.requires_grad_() for one in given))


def test_the_numpy_chapters_do_not_load_torch_by_naming_their_exercises():
    code = (
        "import sys; from course_lib.judging import registry; "
        "registry.names('01_dot_product'); print('torch' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "False"


# Attention, with lines in order and from an empty cell


@pytest.mark.parametrize("name", ["attend", "attention"])
def test_the_reference_is_torchs_own_on_every_hidden_case(name):
    exercise = handout.exercises[name]
    for place in range(len(exercise.cases)):
        q, k, v = case_inputs(exercise, place).args
        seen = attempt(exercise, exercise.answer, place).observed["output"]
        assert torch.allclose(seen, scaled_dot_product_attention(q, k, v), atol=1e-6)


def test_the_empty_cell_is_tried_on_every_kind_of_input():
    exercise = handout.exercises["attention"]
    cases = [case_inputs(exercise, place).args for place in range(len(exercise.cases))]
    assert {q.ndim for q, _, _ in cases} == {2, 3, 4}
    assert any(q.dtype == torch.float64 for q, _, _ in cases)
    assert any(not q.is_contiguous() for q, _, _ in cases)
    assert any(k.shape[-2] == k.shape[-1] for _, k, _ in cases)
    assert any(q.shape[-2] == 1 for q, _, _ in cases)
    assert any(k.shape[-2] == 1 for _, k, _ in cases)


@pytest.mark.parametrize(
    "answer",
    [
        kernel,
        scaled_dot_product_attention,
        lambda q, k, v: torch.nn.functional.softmax(scores(q, k), dim=-1).matmul(v),
        lambda q, k, v: torch.exp(scores(q, k)) / torch.exp(scores(q, k)).sum(-1, keepdim=True) @ v,
        lambda q, k, v: torch.softmax((q / q.shape[-1] ** 0.5) @ k.transpose(-1, -2), -1) @ v,
        lambda q, k, v: (v.mT @ weights(q, k).mT).mT,
    ],
)
def test_other_roads_to_attention_are_right(answer):
    found = verdict("attention", answer)
    assert found.state == "right", found.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda q, k, v: torch.softmax(q @ k.mT, -1) @ v, "The scale is missing"),
        (lambda q, k, v: torch.softmax(q @ k.mT / q.shape[-1], -1) @ v, "the square root"),
        (lambda q, k, v: torch.softmax(q @ k.mT * q.shape[-1] ** 0.5, -1) @ v, "You multiplied"),
        (lambda q, k, v: torch.softmax(scores(q, k), 0) @ v, "dim=0 is the first axis"),
        (lambda q, k, v: torch.softmax(scores(q, k), -2) @ v, "along the wrong axis"),
        (lambda q, k, v: torch.softmax(scores(q, k) @ v, -1), "v came before the softmax"),
        (lambda q, k, v: scores(q, k) @ v, "The softmax is missing"),
        (lambda q, k, v: weights(q, k) @ k, "You averaged the keys"),
        (lambda q, k, v: weights(q, k), "You returned the weights"),
        (lambda q, k, v: (weights(q, k) @ v, weights(q, k)), "the output alone"),
        (lambda q, k, v: weights(k, q) @ v, "q and k are exchanged"),
        (lambda q, k, v: torch.softmax(q @ k.mT / v.shape[-1] ** 0.5, -1) @ v, "width of a value"),
        (lambda q, k, v: torch.softmax(q @ k.mT, -1) / q.shape[-1] ** 0.5 @ v, "after the softmax"),
        (lambda q, k, v: torch.softmax(scores(q, k), 1) @ v, "another result"),
        (lambda q, k, v: weights(q, k) * v, "an array of shape"),
    ],
)
def test_attention_with_one_slip_is_told_which(answer, said):
    found = verdict("attention", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_a_root_of_the_wrong_width_in_attend_is_no_missing_scale():
    found = verdict("attend", lambda q, k, v: (q @ k.mT / v.shape[-1] ** 0.5).softmax(-1) @ v)
    assert "the root of the width of a value" in found.text
    assert "The scale is missing" not in found.text


def test_dot_t_on_a_batch_is_named():
    def with_dot_t(q, k):
        return q @ k.T / math.sqrt(q.shape[-1])

    assert ".T turns all axes around" in verdict("scaled_scores", with_dot_t).text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda q, k: q @ k.mT / math.sqrt(k.shape[-2]), "number of keys"),
        (lambda q, k: q @ k / math.sqrt(q.shape[-1]), "k is not transposed"),
        (lambda q, k: scores(k, q), "q and k are exchanged"),
        (lambda q, k: q.div_(2) @ k.mT, "in place"),
        (lambda q, k: None, "returns nothing yet"),
    ],
)
def test_scores_with_one_slip_are_told_which(answer, said):
    assert said in verdict("scaled_scores", answer).text


# Strangers, one-way looks, logits: many answers are right


@pytest.mark.parametrize(
    "answer",
    [
        lambda: (torch.eye(8)[:, :4], torch.eye(8)[:, 4:]),
        lambda: (stacked(EYE, EYE), stacked(NOTHING, EYE)),
        lambda: (stacked(EYE, NOTHING), stacked(-EYE, EYE)),
        lambda: (stacked(EYE, NOTHING).half(), stacked(NOTHING, EYE).half()),
        lambda: torch.stack([stacked(EYE, NOTHING), stacked(NOTHING, EYE)]),
        lambda: (stacked(EYE, NOTHING).requires_grad_(), stacked(NOTHING, EYE)),
        lambda: (stacked(EYE.flip(0), NOTHING), stacked(NOTHING, EYE.flip(0))),
    ],
)
def test_other_matrices_that_make_strangers_match_are_right(answer):
    found = verdict("strangers_match", answer)
    assert found.state == "right", found.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: (stacked(EYE, NOTHING), stacked(EYE, EYE)), "scores itself"),
        (lambda: (torch.eye(8)[:, :4],) * 2, "scores itself"),
        (lambda: (stacked(EYE, NOTHING), stacked(NOTHING, -EYE)), "does not stand at its own"),
        (lambda: (stacked(EYE, NOTHING), stacked(NOTHING, EYE.flip(0))), "does not stand at"),
        (lambda: (stacked(NOTHING, EYE), stacked(EYE, NOTHING)), "the other way round"),
        (lambda: (torch.ones(8, 4), torch.ones(8, 4)), "Every score of Paris is the same"),
        (lambda: (stacked(EYE, NOTHING).T, stacked(NOTHING, EYE).T), "(8, 4)"),
        (lambda: (stacked(EYE, NOTHING), ...), "still returns `...`"),
        (lambda: stacked(EYE, NOTHING), "Return two matrices"),
        (lambda: (stacked(EYE, NOTHING) * math.inf, stacked(NOTHING, EYE)), "not finite"),
    ],
)
def test_matrices_that_miss_the_point_are_told_what_is_missing(answer, said):
    found = verdict("strangers_match", answer)
    assert found.state == "wrong"
    assert said in found.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda cat, dog: (torch.eye(2), -torch.eye(2)), "the same number"),
        (lambda cat, dog: (torch.eye(2), torch.eye(2).flip(0)), "the same number"),
        (lambda cat, dog: (torch.eye(2) / 10, torch.tensor([[0.0, -1], [1, 0]])), "not yet 1"),
        (lambda cat, dog: (torch.tensor([[0.0, -1], [1, 0]]), torch.eye(2)), "the dog that looks"),
        (lambda cat, dog: torch.eye(2), "2 rows and 2 columns"),
    ],
)
def test_looks_that_are_not_one_way_are_told_why(answer, said):
    found = verdict("one_way", answer)
    assert found.state == "wrong"
    assert said in found.text


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (lambda w: w.log() + 3, "right"),
        (lambda w: [math.log(float(x)) for x in w], "right"),
        (lambda w: np.log(w / w[-1]), "right"),
        (lambda w: w.log().double(), "right"),
        (lambda w: 10 * w, "wrong"),
        (lambda w: 1 / w, "wrong"),
        (lambda w: w.log()[None], "wrong"),
        (lambda w: torch.tensor([0.9163, 0.4055, 0.0]), "wrong"),
        (lambda w: torch.softmax(w, 0), "wrong"),
    ],
)
def test_any_logits_with_these_weights_are_right(answer, state):
    assert verdict("scores_for", answer).state == state


def test_scores_that_are_the_softmax_of_the_weights_are_sent_the_other_way():
    assert "go the other way" in verdict("scores_for", lambda w: torch.softmax(w, 0)).text


# Two texts


def attend(q, k, v):
    return weights(q, k) @ v


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda t, s, a, b, c: attend(s @ a, t @ b, t @ c), "exchanged"),
        (lambda t, s, a, b, c: attend(t @ a, t @ b, t @ c), "self-attention"),
        (lambda t, s, a, b, c: attend(t @ a, t @ b, s @ c), "The keys came from target"),
        (lambda t, s, a, b, c: attend(t @ a, s @ b, s @ b), "The keys served as values"),
        (lambda t, s, a, b, c: ((t @ a) @ (s @ b).T).softmax(-1) @ (s @ c), "The scale is missing"),
        (lambda t, s, a, b, c: attend(t @ a, s @ b, s), "w_v was not used"),
        (lambda t, s, a, b, c: (t @ a) @ (s @ b).T @ (s @ c), "another result"),
    ],
)
def test_cross_attention_that_mixes_up_its_texts_is_told_how(answer, said):
    found = verdict("cross_attention", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_cross_attention_may_project_after_mixing():
    found = verdict("cross_attention", lambda t, s, a, b, c: attend(t @ a, s @ b, s) @ c)
    assert found.state == "right", found.text


# Four weaknesses


def mended(root=math.sqrt, fill=None, axis=True, clear=True):
    """The tutorial's function with some of its weaknesses mended."""

    def answer(q, k, v, mask=None):
        table = q @ k.mT / root(q.shape[-1])
        if mask is not None:
            if axis and mask.ndim < table.ndim:
                mask = mask.unsqueeze(-3)
            table = table.masked_fill(~mask, torch.finfo(table.dtype).min if fill is None else fill)
        shares = table.softmax(dim=-1)
        if clear and mask is not None:
            shares = shares.masked_fill(~mask, 0)
        return shares @ v

    return answer


def root_in_float32(width):
    return torch.sqrt(torch.tensor(width, dtype=torch.float32))


TUTORIAL = mended(root_in_float32, -1e9, axis=False, clear=False)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (mended(root_in_float32), "rounded to float32"),
        (mended(fill=-1e9), "a number that half precision does not have"),
        (
            mended(fill=torch.finfo(torch.float32).min),
            "a number that half precision does not have",
        ),
        (mended(axis=False), "unsqueeze(-3)"),
        (mended(clear=False), "may look at nothing still looks at everything"),
        (mended(fill=-math.inf, clear=False), "NaN"),
        (TUTORIAL, "may look at nothing still looks at everything"),
        (mended(root_in_float32, -1e9, axis=False), "mended"),
    ],
)
def test_each_weakness_that_is_left_is_named(answer, said):
    found = verdict("mended", answer)
    assert found.state == "wrong"
    assert said in found.text


def by_hand(q, k, v, mask=None):
    if mask is not None and mask.ndim == 3 and q.ndim == 4:
        mask = mask[:, None]
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


def by_kernel(q, k, v, mask=None):
    if mask is not None and mask.ndim < q.ndim:
        mask = mask.unsqueeze(-3)
    return kernel(q, k, v, mask=mask)


@pytest.mark.parametrize("answer", [mended(), mended(fill=-1e4), by_hand, by_kernel])
def test_other_ways_to_mend_it_are_right(answer):
    found = verdict("mended", answer)
    assert found.state == "right", found.text


# Depth


def test_the_gradient_agrees_with_the_kernels_and_with_autograd():
    exercise = handout.exercises["gradient_of_w_q"]
    for place in range(len(exercise.cases)):
        x, w_q, w_k, w_v, upstream = (one.double() for one in case_inputs(exercise, place).args)
        found = exercise.answer(x, w_q, w_k, w_v, upstream)
        d_q, _, _ = attention_backward(upstream, x @ w_q, x @ w_k, x @ w_v)
        leaf = w_q.clone().requires_grad_()
        (scaled_dot_product_attention(x @ leaf, x @ w_k, x @ w_v) * upstream).sum().backward()
        assert torch.allclose(found, x.mT @ d_q, atol=1e-12)
        assert torch.allclose(found, leaf.grad, atol=1e-12)


def test_autograd_is_a_right_answer_for_the_gradient():
    def by_autograd(x, w_q, w_k, w_v, upstream):
        leaf = w_q.requires_grad_()
        output = scaled_dot_product_attention(x @ leaf, x @ w_k, x @ w_v)
        return torch.autograd.grad(output, leaf, upstream)[0]

    found = verdict("gradient_of_w_q", by_autograd)
    assert found.state == "right", found.text


def test_mixed_queries_need_keys_that_undo_the_mix():
    assert (
        "transpose as well"
        in verdict("same_scores", lambda w_q, w_k, a: (w_q @ a, w_k @ torch.linalg.inv(a))).text
    )
    by_solving = verdict(
        "same_scores", lambda w_q, w_k, a: (w_q @ a, torch.linalg.solve(a, w_k.T).T)
    )
    assert by_solving.state == "right"


def test_the_core_is_two_sittings_of_four_exercises():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core[:4] == ["strangers_match", "scaled_scores", "attend", "scores_for"]
    assert core[4:] == ["cross_attention", "one_way", "attention", "mended"]
