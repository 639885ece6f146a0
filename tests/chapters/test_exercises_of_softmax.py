"""Chapter 4's sentences: on draws, whose average differs each time, on NaN, and on two sums."""

import functools
import math

import numpy as np
import pytest

from course_lib.judging import judge
from course_lib.judging.registry import find
from course_lib.judging.report import html_report, plain_report
from course_lib.learner.adapter import adapt

SAMPLED_OUTPUT = find("04_softmax/sampled_output")
WRONG = [one.wrong for one in (*SAMPLED_OUTPUT.mistakes, *SAMPLED_OUTPUT.refused)]


@pytest.mark.parametrize("answer", WRONG)
def test_no_unfair_sample_is_told_the_average_that_was_expected(answer):
    found = judge("04_softmax/sampled_output", answer)
    assert found.state == "wrong"
    assert "another average" not in found.text


def _with_math_exp(scores):
    total = sum(math.exp(score) for score in scores)
    return [math.exp(score) / total for score in scores]


def _with_numpy(scores):
    return np.exp(scores) / np.exp(scores).sum()


def _unwritten(scores):
    return ...


@pytest.mark.parametrize(
    ("answer", "told"), [(_with_math_exp, "OverflowError"), (_with_numpy, ""), (_unwritten, "")]
)
def test_shares_of_1003_are_nan_and_never_an_error_however_they_were_written(answer, told):
    shares, sentences = find("04_softmax/shares"), []
    bound = adapt(shares, answer, judge("04_softmax/shares", answer), sentences.append)
    with np.errstate(all="ignore"):
        assert np.isnan(bound(np.array([1001.0, 1002.0, 1003.0]))).all()
    assert len(sentences) == bool(told)
    assert all(told in one for one in sentences)


@pytest.mark.parametrize("exercise", ["shares", "softmax"])
def test_powers_of_the_examples_factor_5_are_told_that_e_is_asked(exercise):
    def powers(scores):
        lowered = scores - scores.max(axis=-1, keepdims=True)
        return 5.0**lowered / (5.0**lowered).sum(axis=-1, keepdims=True)

    assert "You took powers of 5" in judge(f"04_softmax/{exercise}", powers).text


def test_whole_powers_of_5_which_numpy_refuses_below_0_are_told_that_e_is_asked():
    told = judge("04_softmax/shares", lambda scores: 5**scores / (5**scores).sum()).text
    assert "You took powers of 5" in told


def test_nan_far_below_0_is_not_called_an_overflow_only():
    def plain(scores, sink):
        return np.exp(scores) / (np.exp(scores).sum() + np.exp(sink))

    told = judge("04_softmax/softmax_with_sink", plain).text
    assert "only zeros of scores far below 0" in told
    assert "infinity / infinity" not in told


def test_a_row_taken_for_a_query_is_not_told_which_row_adds_up_to_1():
    told = judge("04_softmax/read_by_eye", lambda: (True, 2, 2, 3)).text
    assert "Add up two rows, then two columns" in told
    assert "first row" not in told


def test_a_table_that_is_read_by_eye_is_not_said_to_be_used_below():
    exercise = find("04_softmax/read_by_eye")
    for attempt, says in (
        (lambda: (True, 0, 2, 1), "you took a row for a query"),
        (lambda: (False, 0, 2, 1), "All of it is right."),
    ):
        verdict = judge("04_softmax/read_by_eye", attempt)
        for told in (plain_report(exercise, verdict), html_report(exercise, verdict)):
            assert says in told
            assert "cells below" not in told


@pytest.mark.parametrize(
    "largest",
    [lambda scores: max(scores), lambda scores: functools.partial(max)(scores, axis=-1)],
)
def test_the_max_of_python_is_told_apart_from_that_of_an_array(largest):
    def answer(scores):
        exponentials = np.exp(scores - largest(scores))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    assert "max(scores) is Python's own" in judge("04_softmax/softmax", answer).text
