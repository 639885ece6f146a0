"""Wrong answers as a quiz: real code, the judge's own words, and the right option in any place."""

import ast

import numpy as np
import pytest

from course_lib.judging import registry
from course_lib.judging.exercise import Exercise, Mistake, inputs
from tools.page.quiz import ASKED, OPTIONS, handed_in, questions

OUTSIDE = 2


def halve(a):
    """Half of every entry."""
    return a / 2


def _twice(a):
    """Says nothing that a learner would write."""
    b = a + a
    return b


HALVE = Exercise(
    answer=halve,
    cases=(lambda rng: inputs(np.array([2.0, 4.0, 7.0])), lambda rng: inputs(rng.normal(size=5))),
    mistakes=(
        Mistake("You doubled.", _twice),
        Mistake("You took another number.", lambda a: a / OUTSIDE + OUTSIDE),
        Mistake("You dropped the rest.", lambda a: a // 2),
        Mistake("Nothing was done.", lambda a, /: a), Mistake("It is negative.", lambda a: -a / 2),
    ),
)  # fmt: skip


def test_code_is_shown_as_a_learner_would_have_written_it():
    assert handed_in(HALVE, _twice) == "def halve(a):\n    b = a + a\n    return b"
    assert handed_in(HALVE, HALVE.mistakes[2].wrong) == "def halve(a):\n    return a // 2"


def test_two_lambdas_on_one_line_are_told_apart():
    assert handed_in(HALVE, HALVE.mistakes[3].wrong) == "def halve(a, /):\n    return a"
    assert handed_in(HALVE, HALVE.mistakes[4].wrong) == "def halve(a):\n    return -a / 2"


def test_code_that_uses_what_a_learner_does_not_have_is_left_out():
    assert handed_in(HALVE, HALVE.mistakes[1].wrong) == ""
    assert handed_in(HALVE, np.cross) == ""


def test_the_commonest_come_first_with_the_words_of_the_check():
    asked = list(questions(HALVE))
    assert [one.options[one.right] for one in asked] == [
        "You doubled.", "You dropped the rest.", "Nothing was done.",
    ]  # fmt: skip
    assert len(asked) == ASKED
    for one in asked:
        assert len(set(one.options)) == OPTIONS
        assert one.options[one.right] in one.verdict
        assert "Expected: [1.0, 2.0, 3.5]" in one.verdict


@pytest.fixture(scope="module")
def all_questions():
    chapters = [registry.chapters(name)[0] for name in ("start_here", "dot_product", "scaling")]
    return {
        name: list(questions(exercise))
        for chapter in chapters
        for name, exercise in chapter.exercises.items()
    }


def test_nearly_every_exercise_has_questions(all_questions):
    counts = [len(asked) for asked in all_questions.values()]
    assert sum(count > 0 for count in counts) >= 0.8 * len(counts)


def test_every_exercise_has_code_to_show():
    for chapter in registry.chapters():
        for name, exercise in chapter.exercises.items():
            assert any(handed_in(exercise, one.wrong) for one in exercise.mistakes), name


def test_the_right_option_stands_in_every_place(all_questions):
    places = [one.right for asked in all_questions.values() for one in asked]
    assert set(places) == set(range(OPTIONS))
    assert max(map(places.count, set(places))) < len(places) / 2


def test_the_code_that_is_shown_defines_the_exercise(all_questions):
    for name, asked in all_questions.items():
        for one in asked:
            assert ast.parse(one.code).body[0].name == name
