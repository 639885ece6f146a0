"""`^` written for a power: numpy and torch speak of bits, and a beginner needs the two stars."""

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


def test_a_learners_own_not_yet_is_still_no_try():
    def answer(scores, d_k):
        raise NotImplementedError("later")

    assert verdict_on(OF_NUMPY, answer).state == "todo"
