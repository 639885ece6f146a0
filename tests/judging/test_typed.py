"""What is said of code that was typed: a forgotten `return`, a `...` left in the middle."""

import numpy as np
import pytest

from course_lib.judging import registry
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs
from tests.judging import samples


def half(a):
    # SOLUTION
    return a / 2
    # STUB
    # size = len(a)
    # return ...
    # END SOLUTION


def twice(a):
    # SOLUTION
    return 2 * a
    # END SOLUTION


def no_marks(a):
    return 2 * a


def exercise_of(answer):
    return Exercise(answer=answer, cases=(lambda rng: inputs(np.array([2.0, 4.0])),) * 2)


def computes(a):
    result = a / 2  # noqa: F841


def computes_inside(a):
    def inner():
        return np.sum(a)

    inner()


def only_the_given(a):
    size = len(a)  # noqa: F841


def passes(a):
    pass


def only_names(a):
    b = a  # noqa: F841


def gives_none(a):
    return a.sort()


@pytest.mark.parametrize("answer", [computes, computes_inside])
@pytest.mark.parametrize("given", [half, twice])
def test_a_forgotten_return_is_told_where_code_was_typed(given, answer):
    verdict = verdict_on(exercise_of(given), answer)
    assert verdict.state == "wrong"
    assert "write `return` before" in verdict.symptom
    assert "None" not in verdict.symptom


@pytest.mark.parametrize("answer", [passes, only_names, only_the_given])
def test_without_certainty_that_code_was_typed_nothing_is_attempted(answer):
    assert verdict_on(exercise_of(half), answer).state == "todo"


@pytest.mark.parametrize("answer", [passes, only_names, only_the_given])
def test_who_left_no_dots_is_asked_for_a_return_and_not_for_dots(answer):
    symptom = verdict_on(exercise_of(half), answer).symptom
    assert "write `return`" in symptom
    assert "dots" not in symptom


def still_dots(a):
    size = len(a)  # noqa: F841
    return ...


def test_who_left_the_dots_is_asked_to_replace_them():
    assert "replace the dots" in verdict_on(exercise_of(half), still_dots).symptom


def test_what_the_stub_of_one_exercise_gives_is_typed_in_another():
    assert verdict_on(exercise_of(twice), only_the_given).state == "wrong"


def test_an_exercise_without_a_stub_says_nothing_of_typing():
    assert verdict_on(exercise_of(no_marks), computes).state == "todo"


def test_a_call_that_gives_none_is_told():
    assert (
        "behind `return` gives nothing back" in verdict_on(exercise_of(twice), gives_none).symptom
    )


def test_a_class_whose_forward_forgets_its_return_is_told():
    class Answer(samples.Linear):
        # SOLUTION
        def forward(self, x):
            return x @ self.weight.T + self.bias

        # STUB
        # def forward(self, x):
        #     return ...
        # END SOLUTION

    class Forgets(samples.Linear):
        def forward(self, x):
            made = x @ self.weight.T + self.bias  # noqa: F841

    layer = Exercise(answer=Answer, cases=samples.LINEAR.cases, observe=samples.LINEAR.observe)
    assert "write `return` before" in verdict_on(layer, Forgets).symptom


def kept_under_a_name(a):
    scores = a / 2
    largest = ...
    return scores - largest


def in_a_call(a):
    return np.exp(...) * a


def in_an_inner_function(a):
    def inner(one):
        return one * ...

    return inner(a)


@pytest.mark.parametrize("answer", [kept_under_a_name, in_a_call, in_an_inner_function])
def test_a_blank_that_is_left_is_told_with_the_error(answer):
    symptom = verdict_on(exercise_of(twice), answer).symptom
    assert "still has a `...` in it" in symptom
    assert "TypeError" in symptom


def indexes(a):
    return a[..., 0:1] @ a[..., None][...].T @ np.ones(5)


def indexes_twice(a):
    return a[..., ...]


@pytest.mark.parametrize("answer", [indexes, indexes_twice])
def test_an_index_with_three_dots_is_no_blank(answer):
    assert "still has" not in verdict_on(exercise_of(twice), answer).symptom


@pytest.mark.parametrize("name", ["04_softmax/softmax", "01_dot_product/attention"])
def test_a_chapters_stub_with_one_line_filled_names_the_blank(name):
    exercise = registry.find(name)

    def scores_alone(q, k, v):
        scores = q @ k.T
        weights = ...
        return weights @ v + scores

    def largest_alone(scores):
        largest = scores.max(axis=-1, keepdims=True)
        exponentials = ...
        return exponentials / largest

    answer = largest_alone if exercise.name == "softmax" else scores_alone
    assert "still has a `...` in it" in verdict_on(exercise, answer).symptom
