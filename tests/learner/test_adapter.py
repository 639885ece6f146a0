"""What is bound to the name works in every state."""

import time

import numpy as np
import pytest
import torch

from course_lib.judging.answer import verdict_on
from course_lib.learner.adapter import adapt, like
from tests.judging import samples


def bound(exercise, answer, told=None):
    return adapt(exercise, answer, verdict_on(exercise, answer), (told or []).append)


def test_a_right_answer_is_bound_and_is_the_learners():
    ours = bound(samples.SOFTMAX, samples.softmax)
    assert (ours.source, ours.yours) == ("yours", samples.softmax)


def test_a_right_answer_that_takes_long_is_right_and_the_course_is_bound(monkeypatch):
    monkeypatch.setattr("course_lib.judging.answer.SLOW", 0.01)
    monkeypatch.setattr("course_lib.judging.answer.SLOWER", 2)  # ours may be held up, too

    def softmax(scores):
        time.sleep(0.1)
        return samples.softmax(scores)

    verdict = verdict_on(samples.SOFTMAX, softmax)
    assert verdict.state == "right"
    assert "they use the course's softmax" in verdict.text
    ours = adapt(samples.SOFTMAX, softmax, verdict)
    assert (ours.source, ours.yours) == ("course", softmax)


def test_a_wrong_answer_binds_the_course_and_keeps_the_attempt():
    wrong = samples.SOFTMAX.mistakes[1].wrong
    ours = bound(samples.SOFTMAX, wrong)
    assert (ours.source, ours.yours) == ("course", wrong)
    assert np.allclose(ours(np.ones((2, 4))), 0.25)


def test_a_stub_binds_the_course_and_has_no_attempt():
    ours = bound(samples.SOFTMAX, lambda scores: ...)
    assert (ours.source, ours.yours) == ("course", None)


def test_lists_become_the_arrays_that_later_cells_need():
    ours = bound(samples.SOFTMAX, samples.SOFTMAX.alternatives[0])
    result = ours(np.ones((2, 4)))
    assert isinstance(result, np.ndarray)
    assert result.dtype == np.float64


def test_a_right_answer_costs_no_call_of_the_reference(monkeypatch):
    calls = []

    def softmax(scores):
        calls.append(scores)
        return samples.softmax(scores)

    import dataclasses

    counted = dataclasses.replace(samples.SOFTMAX, answer=softmax)
    ours = bound(counted, samples.softmax)
    calls.clear()
    ours(np.ones((2, 4)))
    assert calls == []


def test_a_later_failure_is_told_once_and_the_course_steps_in():
    told = []

    def fails_on_wide(scores):
        if scores.shape[1] > 6:
            raise IndexError("too wide")
        return samples.softmax(scores)

    verdict = verdict_on(samples.SOFTMAX, fails_on_wide)
    ours = adapt(samples.SOFTMAX, fails_on_wide, verdict, told.append)
    for _ in range(2):
        assert np.allclose(ours(np.ones((2, 8))), 1 / 8)
    assert len(told) == 1
    assert "called with shape (2, 8) (IndexError: too wide)" in told[0]


def test_nothing_returned_later_is_a_failure_too():
    told = []

    def forgets(scores):
        return samples.softmax(scores) if scores.shape[1] < 6 else None

    ours = adapt(samples.SOFTMAX, forgets, verdict_on(samples.SOFTMAX, forgets), told.append)
    assert np.allclose(ours(np.ones((2, 8))), 1 / 8)
    assert len(told) == 1


def test_inputs_that_the_course_refuses_too_raise():
    ours = bound(samples.SOFTMAX, samples.softmax)
    with pytest.raises(AttributeError):
        ours("no array")


def test_the_learners_random_draws_are_not_used_up_by_the_reference():
    lists = samples.DROP.alternatives[1]
    ours = bound(samples.DROP, lists)
    mine, theirs = np.random.default_rng(1), np.random.default_rng(1)
    for _ in range(2):
        assert np.allclose(ours(np.ones(5), 0.5, mine), lists(np.ones(5), 0.5, theirs))


def test_a_class_is_bound_as_a_subclass_of_the_right_one():
    for answer, source in (
        (samples.LINEAR.alternatives[0], "yours"),
        (samples._Detached, "course"),
    ):
        ours = bound(samples.LINEAR, answer)
        assert (ours.source, ours.yours) == (source, answer)
        x = torch.ones(2, 3, requires_grad=True)
        ours(3, 5)(x).sum().backward()
        assert x.grad is not None
        assert issubclass(ours, answer if source == "yours" else samples.Linear)


def test_an_autograd_function_is_bound_and_differentiates():
    for answer in (samples.SQUARE.alternatives[0], samples.SQUARE.mistakes[0].wrong):
        x = torch.tensor([3.0], requires_grad=True)
        bound(samples.SQUARE, answer).apply(x).sum().backward()
        assert x.grad.item() == 6


def test_tensors_in_a_list_keep_their_gradient_when_they_become_one():
    x = torch.ones(2, requires_grad=True)
    whole = like([x[0] * 2, x[1] * 3], torch.zeros(2, dtype=torch.float64))
    assert whole.dtype == torch.float64
    whole.sum().backward()
    assert x.grad.tolist() == [2, 3]


def test_the_bound_function_keeps_name_and_docstring():
    def softmax(scores):
        """Mine."""

    ours = bound(samples.SOFTMAX, softmax)
    assert (ours.__name__, ours.__doc__) == ("softmax", "Mine.")
