"""Slips in arithmetic that numpy and torch answer in words of their own.

`^` for a power speaks of bits; `torch.sqrt` of a plain number asks for a tensor.
"""

import numpy as np
import pytest
import torch

from course_lib.judging import sentences as s
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs


def scale(scores, d_k):
    return scores / d_k**0.5


OF_NUMPY = Exercise(answer=scale, cases=(lambda rng: inputs(rng.normal(size=(2, 3)), 4.0),))
OF_TORCH = Exercise(answer=scale, cases=(lambda rng: inputs(torch.ones(2, 3), 4.0),))


@pytest.mark.parametrize("exercise", [OF_NUMPY, OF_TORCH], ids=["numpy", "torch"])
@pytest.mark.parametrize(
    "answer",
    [
        lambda scores, d_k: scores / d_k ^ 0.5,
        lambda scores, d_k: scores / (d_k ^ 0.5),
        lambda scores, d_k: scores / (np.float64(d_k) ^ 2),
        lambda scores, d_k: scores ^ scores,
    ],
)
def test_a_caret_for_a_power_is_told(exercise, answer):
    verdict = verdict_on(exercise, answer)
    assert verdict.state == "wrong"
    assert verdict.template == s.CARET


@pytest.mark.parametrize("function", ["sqrt", "exp"])
def test_a_plain_number_in_a_function_of_torch_is_told_of_math(function):
    def answer(scores, d_k):
        return scores / getattr(torch, function)(scores.shape[-1])

    verdict = verdict_on(OF_TORCH, answer)
    assert verdict.template == s.PLAIN_NUMBER
    assert f"`math.{function}`" in verdict.text


def test_a_tensor_without_a_function_in_math_keeps_torchs_words():
    verdict = verdict_on(OF_TORCH, lambda scores, d_k: scores / torch.abs(d_k))
    assert verdict.template == s.RAISES


def test_a_learners_own_not_yet_is_still_no_try():
    def answer(scores, d_k):
        raise NotImplementedError("later")

    assert verdict_on(OF_NUMPY, answer).state == "todo"


def test_a_bracket_that_closes_too_early_is_told():
    verdict = verdict_on(OF_NUMPY, lambda scores, d_k: np.exp(scale(scores), d_k))
    assert verdict.template == s.ARGUMENT_MISSING
    assert "Does the bracket of `scale` close too early" in verdict.symptom
