"""What is said of numbers that are all wrong in one way; only what holds in every case."""

import numpy as np
import pytest

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake, inputs


def rows(x, n):
    """Numbers that grow; some negative, some 0."""
    return np.asarray(x, dtype=float) * 1.0


ROWS = Exercise(
    answer=rows,
    cases=(
        lambda rng: inputs(np.array([[1.5, -2.0, 0.0], [4.25, 5.0, 7.0]]), 3),
        lambda rng: inputs(np.array([[2.5, 0.0, -9.0, 1.125, 8.0], [3.0, -1.0, 2.0, 0.0, 4.0]]), 7),
        lambda rng: inputs(np.array([[-6.0, 3.0], [0.0, 11.0], [1.0, 2.0]]), 2),
    ),
    mistakes=(Mistake("You added 100.", lambda x, n: x + 100),),
    hints=("Nothing is to be done.",),
)


def but(function):
    """A right answer with something done to a copy."""

    def answer(x, n):
        made = np.array(x, dtype=float)
        function(made)
        return made

    return answer


def put(where, value=50.0):
    def change(made):
        made[where] = value

    return but(change)


def above(made):
    made[np.triu_indices(made.shape[0], 1, made.shape[1])] = 77.0


RELATED = {
    "All its numbers are 0.": lambda x, n: np.zeros_like(x),
    "with the other sign": lambda x, n: -x,
    "is 0.5 times what it should be": lambda x, n: x / 2,
    "is n times what it should be, where n is the number n": lambda x, n: x * n,
    "is 1/n of what it should be, where n is the last size of x": lambda x, n: x / x.shape[-1],
    "is √n times what it should be, where n is the last but one size of x": lambda x, n: (
        x * np.sqrt(len(x))
    ),
    "1/√n of what it should be, where n is the number n": lambda x, n: x / np.sqrt(n),
    "larger than it should be by 3": lambda x, n: x + 3,
    "smaller than it should be by 0.25": lambda x, n: x - 0.25,
    "none is negative": lambda x, n: np.abs(x),
    "the square of the right one": lambda x, n: x**2,
    "e to the power of the right one": lambda x, n: np.exp(x),
    "1 minus the right one": lambda x, n: 1 - x,
    "sum of the right ones up to its place": lambda x, n: np.cumsum(x, axis=-1),
    "stand from the last to the first": lambda x, n: x[:, ::-1],
    "The rows are right, and stand": lambda x, n: x[::-1],
    "rounded to 0 digits": lambda x, n: np.round(x),
    "they stand in another order": lambda x, n: np.sort(x, axis=-1),
    "All is right but the last row": put(-1),
    "All is right but the first row": put(0),
    "All is right but the last column": put((slice(None), -1)),
    "All is right but the first column": put((slice(None), 0)),
    "what stands above it is wrong": but(above),
    "places where 0 is expected": lambda x, n: np.where(x == 0, 9.0, x),
    "places where a negative number is expected": lambda x, n: np.where(x < 0, 0.0, x),
}


@pytest.mark.parametrize("says", RELATED)
def test_the_relation_of_all_numbers_is_said_as_a_guess(says):
    verdict = verdict_on(ROWS, RELATED[says])
    assert verdict.state == "wrong"
    assert says in verdict.diagnosis
    assert verdict.diagnosis.startswith("One thing to look at")


def test_weights_that_add_up_along_the_other_axis():
    def shares(x, n):
        return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)

    def columns(x, n):
        return np.exp(x) / np.exp(x).sum(axis=0, keepdims=True)

    weights = Exercise(answer=shares, cases=ROWS.cases, mistakes=ROWS.mistakes, hints=("",))
    assert "Each column adds up to 1" in verdict_on(weights, columns).diagnosis


def differs(x, n):
    return 2 * x if n == 3 else x + 1


def changes_its_input(x, n):
    x += 0.0
    x[:] = 2 * x
    return x / 2


UNRELATED = {
    "the numbers are right, the input is changed": changes_its_input,
    "another relation in each case": differs,
    "noise": lambda x, n: x + np.sin(17 * np.arange(x.size)).reshape(x.shape),
    "right in one case alone": lambda x, n: x if n == 3 else x * x + x,
    "not a number": lambda x, n: x * np.nan,
    "another shape": lambda x, n: 2 * x[:, :1],
    "a relation in all cases but one, which raises": lambda x, n: 2 * x if n < 7 else 1 / 0,
    "times 2 in the first, nothing in the others": lambda x, n: 2 * x if n == 3 else x,
}


@pytest.mark.parametrize("why", UNRELATED)
def test_nothing_is_said_of_what_does_not_hold_everywhere(why):
    verdict = verdict_on(ROWS, UNRELATED[why])
    assert verdict.state == "wrong"
    assert verdict.diagnosis == ""


def test_a_known_mistake_comes_first():
    assert "You added 100." in verdict_on(ROWS, lambda x, n: x + 100).diagnosis


def test_one_number_in_each_case_is_too_little():
    def total(x, n):
        return float(np.sum(x))

    few = Exercise(answer=total, cases=ROWS.cases[:2], mistakes=(), hints=("",))
    assert verdict_on(few, lambda x, n: 2 * total(x, n)).diagnosis == ""
