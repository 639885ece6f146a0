"""Answers that keep something between calls are refused, and told so; patched libraries are not."""

import dataclasses
import time

import numpy as np
import pytest
import torch

from course_lib.judging import answer as judge
from course_lib.judging import registry
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.judging.rounds import AGAIN, OTHER_NUMBERS, inputs_of, rounds_of
from course_lib.judging.trial import trials_of
from course_lib.learner.arrays import copied, is_tensor
from course_lib.learner.compare import agree
from course_lib.learner.time_limit import Budget

NAMES = registry.names()
SAME_ANGLE_OR_CLONES = ("01_dot_product/small_angle", "06_masks/safe_weights")
KEEPS = "keeps a result of an earlier call"
SECOND = "gives another result for the same input the second time"


def twice(x):
    return 2 * x


TWICE = Exercise(
    answer=twice,
    cases=(
        lambda rng: inputs(np.array([1.0, 2.0])),
        lambda rng: inputs(rng.normal(size=3)),
    ),
    mistakes=(Mistake("You took three times.", lambda x: 3 * x),),
)


def kept(function, key):
    """The function, which computes once for each key of its arguments."""
    results = {}

    def answer(*args, **kwargs):
        found = tuple(map(key, [*args, *kwargs.values()]))
        if found not in results:
            results[found] = copied(function(*args, **kwargs))  # not a view of what comes
        return results[found]

    return answer


def of_shape(value):
    return tuple(value.shape) if isinstance(value, np.ndarray) or is_tensor(value) else repr(value)


def has_other_numbers(exercise):
    return any(one.kind == OTHER_NUMBERS for one in rounds_of(exercise))


def wider(x, seen=[]):  # noqa: B006
    seen.append(1)
    return 2 * x if len(seen) <= 3 else 3 * x


def test_the_first_case_is_tried_again_and_one_case_with_other_numbers():
    rounds = rounds_of(TWICE)
    assert [(one.case, one.kind) for one in rounds] == [
        (0, "case"), (1, "case"), (1, OTHER_NUMBERS), (0, AGAIN),
    ]  # fmt: skip
    case, other = inputs_of(TWICE, rounds[1]).args[0], inputs_of(TWICE, rounds[2]).args[0]
    assert case.shape == other.shape
    assert not np.allclose(case, other)


@pytest.mark.parametrize("key", [of_shape, id])
def test_a_result_that_is_kept_is_told(key):
    verdict = verdict_on(TWICE, kept(twice, key))
    assert verdict.state == "wrong"
    assert KEEPS in verdict.symptom
    assert verdict.diagnosis == ""


def test_a_result_kept_by_its_numbers_is_right():
    assert verdict_on(TWICE, kept(twice, lambda x: x.tobytes())).state == "right"


def test_an_answer_whose_default_grows_is_told_that_it_does_not_repeat():
    verdict = verdict_on(TWICE, wider)
    assert verdict.state == "wrong"
    assert SECOND in verdict.symptom
    assert verdict.evidence[0].value == "twice(np.array([1.0, 2.0]))"


def test_a_wrong_answer_that_does_not_repeat_gets_a_note():
    rng = np.random.default_rng(0)
    text = verdict_on(TWICE, lambda x: 2 * x + rng.normal(size=x.shape)).text
    assert SECOND in text
    assert SECOND not in verdict_on(TWICE, lambda x: 3 * x).text


def test_a_case_that_is_tried_anew_makes_no_mistake_more_likely():
    once = dataclasses.replace(TWICE, cases=TWICE.cases[:1])
    half = verdict_on(once, lambda x: 3 * x if x[0] == 1 else 2 * x)
    assert half.exactly  # the same in every round
    only = verdict_on(TWICE, lambda x: 3 * x if len(x) == 2 else 4 * x)
    assert only.diagnosis == ""  # two rounds of one case count once


def test_other_numbers_fill_the_arrays_and_leave_the_results_before():
    seen = []

    def answer(x):
        seen.append(x)
        return x[::-1]  # a view of what is filled anew

    trials = trials_of(TWICE, answer, Budget(5))
    assert seen[1] is seen[2]
    assert agree(trials[1].outcome.observed["output"], trials[1].inputs.args[0][::-1])
    assert agree(trials[2].outcome.observed["output"], trials[2].inputs.args[0][::-1])


@pytest.mark.parametrize("name", NAMES)
def test_no_exercise_accepts_results_that_are_kept_by_identity(name):
    exercise = registry.find(name)
    result = trials_of(exercise, exercise.answer, Budget(60))[0].outcome.observed.get("output")
    decides = isinstance(result, bool | str)
    decides = decides or name in SAME_ANGLE_OR_CLONES
    if not has_other_numbers(exercise) or exercise.is_class or decides:
        pytest.skip("its cases are fixed, or another table may have the same answer")
    assert verdict_on(exercise, kept(exercise.answer, id)).state == "wrong"


def test_most_exercises_try_other_numbers():
    found = [name for name in NAMES if has_other_numbers(registry.find(name))]
    assert len(found) > len(NAMES) / 2


@pytest.mark.parametrize("module", [np, torch])
@pytest.mark.parametrize("name", ["isclose", "all", "allclose", "abs"])
def test_a_patched_library_makes_zeros_neither_right_nor_the_course_wrong(
    monkeypatch, module, name
):
    exercises = [registry.find("01_dot_product/near_and_loud"), TWICE]
    monkeypatch.setattr(module, name, lambda *args, **kwargs: np.True_)
    for exercise in exercises:
        assert verdict_on(exercise, exercise.answer).state == "right"
        zeros = (np.zeros(2), np.zeros(2)) if exercise is not TWICE else np.zeros(2)
        assert verdict_on(exercise, lambda x, zeros=zeros: zeros).state == "wrong"
    assert getattr(module, name)(0) is np.True_  # it is the learner's own again


def test_what_a_cell_made_of_a_function_stays_so_for_the_learners_code(monkeypatch):
    monkeypatch.setattr(np, "exp", lambda x: 2 * x)
    assert verdict_on(TWICE, lambda x: np.exp(x)).state == "right"


def slow_at_first(seconds):
    calls = []

    def answer(x):
        calls.append(1)
        if len(calls) == 1:
            time.sleep(seconds)
        return 2 * x

    return answer


def test_what_is_slow_the_first_time_alone_is_not_called_slow(monkeypatch):
    monkeypatch.setattr(judge, "SLOW", 0.02)
    verdict = verdict_on(TWICE, slow_at_first(0.3))
    assert (verdict.state, verdict.slow) == ("right", False)


def test_what_is_slow_twice_is_called_slow(monkeypatch):
    monkeypatch.setattr(judge, "SLOW", 0.02)
    monkeypatch.setattr(judge, "SLOWER", 2)  # a busy machine holds up the course's, too

    def always(x):
        time.sleep(0.3)
        return 2 * x

    verdict = verdict_on(TWICE, always)
    assert (verdict.state, verdict.slow) == ("right", True)
    assert "do not wait for it" in verdict.symptom
