"""What `reveal` prints: the answer of the exercise's cell, as the solutions' edition has it."""

import ast

import pytest

from course_lib.judging import registry
from course_lib.notebook.solution import solution


def with_given_lines(scores, d_k):
    """Scores whose spread does not depend on the width.

    scores: of any shape
    """
    width = d_k  # this line is given
    # SOLUTION
    root = width**0.5  # the deviation

    return scores / root
    # STUB
    # root = ...
    # return ...
    # END SOLUTION


class Layer:
    """Noise."""

    def forward(self, x):
        """More noise."""
        # SOLUTION
        return 2 * x
        # END SOLUTION


def test_marks_stub_and_docstring_are_left_out_and_comments_stay():
    assert solution(with_given_lines) == (
        "def with_given_lines(scores, d_k):\n"
        "    width = d_k  # this line is given\n"
        "    root = width**0.5  # the deviation\n"
        "\n"
        "    return scores / root"
    )


def test_methods_of_a_class_are_treated_alike():
    assert solution(Layer) == "class Layer:\n\n    def forward(self, x):\n        return 2 * x"


def test_what_has_no_source_gives_nothing():
    space = {}
    exec("def answer(x):\n    return x", space)
    assert solution(space["answer"]) == solution(len) == ""


@pytest.mark.parametrize("name", registry.names())
def test_the_answer_of_every_exercise_runs_and_holds_no_marks(name):
    exercise = registry.find(name)
    text = solution(exercise.answer)
    (defined,) = ast.parse(text).body
    assert defined.name == exercise.name
    assert '"""' not in text
    for mark in ("SOLUTION", "STUB", "..."):
        assert f"# {mark}" not in text
    assert "return ..." not in text
