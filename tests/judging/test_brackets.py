"""Brackets behind what has no use for them, in plain words below Python's."""

import pytest

from course_lib.judging import sentences as s
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs


def last(text):
    return text[-1]


def nothing(text):
    return None


LAST = Exercise(answer=last, cases=(lambda rng: inputs("onion"),))


@pytest.mark.parametrize(
    ("answer", "template"),
    [
        (lambda text: len(text)[0], s.NUMBER_PICKED),
        (lambda text: (len(text) / 2)[text], s.NUMBER_PICKED),
        (lambda text: len[text], s.FUNCTION_PICKED),
        (lambda text: last[0], s.FUNCTION_PICKED),
        (lambda text: text(-1), s.NOT_CALLED),
        (lambda text: nothing(text)[0], s.RAISES),
    ],
)
def test_what_stands_before_brackets_is_told(answer, template):
    assert verdict_on(LAST, answer).template == template


def with_a_comma(text):
    place = 1
    return text[place, 2]


def with_a_sum(text):
    place = 1
    return text[place] + 2


def test_a_comma_in_the_brackets_of_a_text_is_told_without_shapes():
    symptom = verdict_on(LAST, with_a_comma).symptom
    assert "In `place, 2` stands a comma, so that is two." in symptom
    assert "shape" not in symptom


def test_that_a_letter_and_a_number_have_no_sum_is_told():
    symptom = verdict_on(LAST, with_a_sum).symptom
    assert "`text[place]` is a text and `2` a number" in symptom
