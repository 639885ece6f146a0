"""Chapter 5's exercises against torch's own, and what becomes of an answer that is right.

References are torch. Numbers count, whatever holds them: numpy and lists pass, and become tensors.
"""

import inspect
import math
import re
import subprocess
import sys

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values import handout
from course_lib.chapters.queries_keys_values.banks import TRAITS
from course_lib.chapters.queries_keys_values.exercises import (
    two_questions as two_questions_exercise,
)
from course_lib.judging import judge
from course_lib.judging.trial import fresh_inputs, trial_of
from course_lib.kernels.attention_backward import attention_backward
from course_lib.learner.adapter import adapt


def verdict(name, answer):
    return judge(f"05_queries_keys_values/{name}", answer)


# What counts as an answer


@pytest.mark.parametrize("name", ["scaled_scores", "attend", "attention"])
@pytest.mark.parametrize("kind", ["tolist", "numpy", "double"])
def test_numbers_count_whatever_holds_them_and_the_cells_below_get_a_tensor(name, kind):
    exercise = handout.exercises[name]

    def answer(*args):
        return getattr(exercise.answer(*args), kind)()

    found = verdict(name, answer)
    assert found.state == "right", found.text
    given = fresh_inputs(exercise, 1).args
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


def test_one_matrix_as_both_lets_the_capitals_find_their_countries_and_is_told_so():
    once = torch.cat([torch.eye(4), 2 * torch.eye(4)])
    found = verdict("strangers_match", lambda: (once, once))
    assert found.state == "right", found.text
    assert "One matrix served you as both" in found.text
    scores = once @ once.T
    assert torch.equal(scores, scores.T)
    assert (scores[4:].argmax(dim=1) == torch.arange(4, 8)).all()  # a country prefers itself


@pytest.mark.parametrize("name", ["attend", "attention"])
def test_the_gradient_through_the_learners_own_attention_is_right(name):
    def answer(q, k, v):
        return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1) @ v

    bound = adapt(handout.exercises[name], answer, verdict(name, answer))
    assert bound.source == "yours"
    generator = torch.Generator().manual_seed(0)
    given = (
        torch.randn(*shape, generator=generator).double() for shape in ((2, 3), (5, 3), (5, 7))
    )
    assert torch.autograd.gradcheck(bound, tuple(one.requires_grad_() for one in given))


def test_the_numpy_chapters_do_not_load_torch_by_naming_their_exercises():
    code = (
        "import sys; from course_lib.judging import names; "
        "names('01_dot_product'); print('torch' in sys.modules)"
    )
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "False"


# Attention, with lines in order and from an empty cell


@pytest.mark.parametrize("name", ["attend", "attention"])
def test_the_reference_is_torchs_own_on_every_hidden_case(name):
    exercise = handout.exercises[name]
    for place in range(len(exercise.cases)):
        q, k, v = fresh_inputs(exercise, place).args
        seen = trial_of(exercise, exercise.answer, place).outcome.observed["output"]
        assert torch.allclose(seen, scaled_dot_product_attention(q, k, v), atol=1e-6)


def test_the_empty_cell_is_tried_on_every_kind_of_input():
    exercise = handout.exercises["attention"]
    cases = [fresh_inputs(exercise, place).args for place in range(len(exercise.cases))]
    assert {q.ndim for q, _, _ in cases} == {2, 3, 4}
    assert any(q.dtype == torch.float64 for q, _, _ in cases)
    assert any(not q.is_contiguous() for q, _, _ in cases)
    assert any(k.shape[-2] == k.shape[-1] for _, k, _ in cases)
    assert any(q.shape[-2] == 1 for q, _, _ in cases)
    assert any(k.shape[-2] == 1 for _, k, _ in cases)


# Depth


def test_the_gradient_agrees_with_the_kernels_and_with_autograd():
    exercise = handout.exercises["gradient_of_w_q"]
    for place in range(len(exercise.cases)):
        x, w_q, w_k, w_v, upstream = (one.double() for one in fresh_inputs(exercise, place).args)
        found = exercise.answer(x, w_q, w_k, w_v, upstream)
        d_q, _, _ = attention_backward(upstream, x @ w_q, x @ w_k, x @ w_v)
        leaf = w_q.clone().requires_grad_()
        (scaled_dot_product_attention(x @ leaf, x @ w_k, x @ w_v) * upstream).sum().backward()
        assert torch.allclose(found, x.mT @ d_q, atol=1e-12)
        assert torch.allclose(found, leaf.grad, atol=1e-12)


def test_the_core_has_three_exercises_and_the_slow_ones_wait_behind_it():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["strangers_match", "attend", "two_questions"]
    assert handout.exercises["mended"].minutes == 16


def test_the_scores_of_a_capital_stand_beside_the_names_of_the_words():
    w_q, w_k = handout.exercises["strangers_match"].answer()
    shown = verdict("strangers_match", lambda: (w_q, w_k.roll(1, 0))).evidence
    assert [str(one.label) for one in shown[-4:]] == [
        f"{capital} scores" for capital in ("Paris", "Rome", "Tokyo", "Cairo")
    ]
    assert shown[-4].value.startswith("'Paris 0, Rome 0, Tokyo 0, Cairo 0, France 0, Italy 1, ")


def test_what_may_be_wrong_in_attend_stands_open():
    assert handout.exercises["attend"].unfolded


# Three matrices for two questions

SHAPES = {"w_q": (5, 2), "w_k": (5, 2), "w_v": (5, 3)}


def test_three_matrices_of_unlike_widths_become_three_tensors():
    exercise = handout.exercises["two_questions"]

    def answer():
        return tuple(one.numpy() for one in exercise.answer())

    bound = adapt(exercise, answer, verdict("two_questions", answer))
    assert bound.source == "yours"
    assert [tuple(one.shape) for one in bound()] == [(5, 2), (5, 2), (5, 3)]
    assert all(isinstance(one, torch.Tensor) for one in bound())


def test_no_plain_average_tells_two_words_different_things_however_loud_its_values():
    generator = torch.Generator().manual_seed(0)
    for loud in (1.0, 3.0, 30.0):
        values = loud * torch.rand(5, 3, generator=generator)
        level = torch.zeros(5, 2), torch.zeros(5, 2), values
        assert verdict("two_questions", lambda level=level: level).state == "wrong"


@pytest.mark.parametrize(("loud", "least"), [(1, ".92"), (1.4, ".98"), (20, ".99")])
def test_the_least_weight_is_rounded_as_in_the_picture_and_never_said_to_be_all(loud, least):
    w_q, w_k, w_v = handout.exercises["two_questions"].answer()
    found = verdict("two_questions", lambda: (loud * w_q, w_k, w_v))
    assert found.state == "right"
    assert f"Whoever answers gets about {least} of the weight or more." in found.notes[0].text


@pytest.mark.parametrize(("thing", "said"), [(0.5, True), (0.0, False), (-0.25, False)])
def test_a_right_answer_in_which_bank_answers_itself_too_is_told_so(thing, said):
    w_q, w_k, w_v = handout.exercises["two_questions"].answer()
    w_q, w_k = 2 * w_q, w_k.clone()
    w_k[2, 1] = thing
    found = verdict("two_questions", lambda: (w_q, w_k, w_v))
    assert found.state == "right"
    assert ("bank also answers itself" in found.notes[0].text) == said


def test_where_only_things_answer_bank_gives_itself_as_much_as_the_river():
    w_q, w_k, _ = handout.exercises["two_questions"].answer()
    w_k[:] = 0
    w_k[2, 1] = 1
    q, k = (TRAITS @ one for one in (w_q, w_k))
    weights = torch.softmax(q[2] @ k[:4].T / 2**0.5, dim=-1)
    assert weights[2] == weights[3] == weights.max()


def test_who_takes_home_what_beside_which_word_is_said_by_name():
    w_q, w_k, w_v = handout.exercises["two_questions"].answer()
    shown = verdict("two_questions", lambda: (w_q / 5, w_k, w_v)).evidence
    assert [(str(one.label), one.value) for one in shown[-4:]] == [
        ("Sat beside river takes home person, water, money", "[0.4, 0.2, 0]"),
        ("Bank beside river takes home person, water, money", "[0.2, 0.4, 0]"),
        ("Sat beside loan takes home person, water, money", "[0.4, 0, 0.2]"),
        ("Bank beside loan takes home person, water, money", "[0.2, 0, 0.4]"),
    ]


@pytest.mark.parametrize(("query", "share"), [(1, 0.40), (4, 0.85)])
def test_the_weights_that_the_last_hint_names_are_those_of_such_queries(query, share):
    w_q, w_k, _ = handout.exercises["two_questions"].answer()
    words = [0, 1, 2, 3]
    scores = (w_q / w_q.max() * query)[words] @ w_k[words].T / math.sqrt(2)
    assert scores.softmax(dim=-1)[2, 3].item() == pytest.approx(share, abs=0.005)
    assert f"{share:.2f}"[1:] in handout.exercises["two_questions"].hints[-1]


def test_what_the_stub_of_the_banks_gives_is_right_and_bank_is_left_to_do():
    source = inspect.getsource(two_questions_exercise)
    stub = re.search(r"# STUB\n(.*?)# END SOLUTION", source, re.S).group(1)
    given = re.findall(r"^    # (w_\w\[\d, \d\]) = (\d)", stub, re.M)
    made = {name: torch.zeros(shape) for name, shape in SHAPES.items()}
    for place, number in given:
        exec(f"{place} = {number}", made)
    for name, right in zip(SHAPES, handout.exercises["two_questions"].answer(), strict=True):
        assert torch.equal(made[name][:2], right[:2])
        assert not made[name][2:].any()
    assert verdict("two_questions", lambda: tuple(made[name] for name in SHAPES)).state == "wrong"
