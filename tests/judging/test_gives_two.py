"""`max` along an axis gives two tensors: who takes both is told of `.values`."""

import pytest
import torch

from course_lib.judging import sentences as s
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs


def shifted(scores):
    return scores - scores.max(dim=1, keepdim=True).values


SHIFTED = Exercise(answer=shifted, cases=(lambda rng: inputs(torch.eye(3)),))


@pytest.mark.parametrize(
    ("answer", "function"),
    [
        (lambda scores: scores - scores.max(dim=1, keepdim=True), "max"),
        (lambda scores: torch.maximum(scores, scores.max(dim=1)), "max"),
        (lambda scores: torch.exp(scores.min(dim=1)), "min"),
        (lambda scores: scores.sort(dim=1).sum(), "sort"),
    ],
)
def test_both_results_where_one_was_meant_are_told_of_values(answer, function):
    verdict = verdict_on(SHIFTED, answer)
    assert verdict.template == s.GIVES_TWO
    assert f"`{function}` gives two tensors" in verdict.text
