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
