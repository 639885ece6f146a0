"""When a known mistake is named, firmly or as one thing to look at, and when it is not."""

import dataclasses

import numpy as np
import pytest

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, inputs
from tests.judging import samples
from tests.judging.judged import TABLE, lambda_named


def test_a_broken_property_is_named_in_the_symptom():
    verdict = verdict_on(samples.SOFTMAX, samples.SOFTMAX.mistakes[2].wrong)
    assert "This should hold, and does not: Each row sums to 1." in verdict.text


def test_a_mistake_alike_on_all_cases_is_named_firmly():
    verdict = verdict_on(samples.SOFTMAX, lambda x: np.exp(x) / np.exp(x).sum())
    assert verdict.diagnosis == "" or "One thing" in verdict.diagnosis
    same = verdict_on(samples.SOFTMAX, lambda x: samples.softmax(x.T).T)
    assert same.exactly
    assert "Each column sums to 1" in same.diagnosis


def zero_where(is_zero):
    """The known mistake on some of the cases, and another one on the rest."""
    return lambda q, k: 0 * (q @ k.T) if is_zero(len(q)) else q @ k.T + 3


def test_a_mistake_alike_on_most_failing_cases_is_one_thing_to_look_at():
    told = verdict_on(TABLE, zero_where(lambda n: n < 5)).diagnosis
    assert told.startswith("One thing to look at: You multiplied")


def test_a_mistake_alike_on_one_failing_case_alone_is_not_told():
    assert verdict_on(TABLE, zero_where(lambda n: n == 1)).diagnosis == ""
    right_elsewhere = verdict_on(TABLE, lambda q, k: (q @ k.T) * (len(q) > 1))
    assert right_elsewhere.diagnosis == ""


def test_a_mistake_alike_on_half_of_the_failing_cases_is_not_told():
    four = dataclasses.replace(TABLE, cases=(*TABLE.cases, TABLE.cases[0]))
    assert verdict_on(four, zero_where(lambda n: n < 5)).diagnosis == ""


@pytest.mark.parametrize("give", [bool, lambda yes: "up" if yes else "down"])
def test_a_mistake_alike_in_words_or_truth_values_is_not_told(give):
    grows = Exercise(
        answer=lambda_named("grows", lambda n: give(n > 0)),
        cases=tuple(lambda rng, n=n: inputs(n) for n in (1, 2, 3, -1)),
        mistakes=(Mistake("The other way round.", lambda n: give(n < 0)),),
    )
    assert verdict_on(grows, lambda n: give(False)).diagnosis == ""
    assert "other way round" in verdict_on(grows, lambda n: give(n < 0)).diagnosis


def test_nan_or_an_exception_alone_identifies_nothing():
    def stops(q, k):
        raise ValueError

    broken = dataclasses.replace(
        TABLE,
        mistakes=(Mistake("You stop.", stops), Mistake("NaN.", lambda q, k: q @ k.T * np.nan)),
    )

    def also_stops(q, k):
        raise ValueError("another reason") if len(q) == 1 else TypeError

    assert verdict_on(broken, also_stops).diagnosis == ""
    told = verdict_on(broken, lambda q, k: np.full((len(q), len(k)), np.nan)).diagnosis
    assert told.startswith("One thing to look at")
