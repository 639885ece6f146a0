"""What judging says of results of another form: shapes, axes, counts, types, parameters."""

import dataclasses

import numpy as np
import pytest
import torch

from course_lib.judging import sentences as s
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs
from course_lib.judging.observe import call_and_gradients
from tests.judging import samples
from tests.judging.judged import TABLE, lambda_named, table


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (lambda q, k: k @ q.T, "transpose"),
        (lambda q, k: (q @ k.T)[None], "axis of length 1"),
        (lambda q, k: (q @ k.T).astype(int), "whole numbers"),
        (lambda q, k: (q @ k.T) + np.eye(len(q), len(k)), "first difference is at (0, 0)"),
    ],
)
def test_what_is_wrong_with_shape_or_numbers_is_told(answer, note):
    assert note in verdict_on(TABLE, answer).text


def test_a_result_that_is_right_after_broadcasting_is_told():
    ones = Exercise(
        answer=lambda_named("ones", lambda n: np.ones((n, 3))), cases=(lambda rng: inputs(2),)
    )
    assert "repeated along" in verdict_on(ones, lambda n: np.ones(3)).text


CUBE = Exercise(
    answer=lambda_named("cube", lambda x: x),
    cases=(lambda rng: inputs(rng.normal(size=(2, 1, 3))),),
)


def test_axes_in_another_order_are_told_where_the_numbers_agree():
    assert "another order" in verdict_on(CUBE, lambda x: x.transpose(2, 0, 1)).text
    assert "another order" in verdict_on(CUBE, lambda x: x.transpose(1, 0, 2)).text
    assert "another order" not in verdict_on(CUBE, lambda x: x.reshape(3, 2, 1)).text
    assert "another order" not in verdict_on(CUBE, lambda x: x.transpose(2, 0, 1) + 1).text


def test_axes_in_another_order_are_told_of_the_shown_input_alone():
    strips = Exercise(
        answer=lambda_named("strips", lambda x, h: np.reshape(x, (3, h, -1))),
        cases=(lambda rng: inputs(rng.normal(size=(3, 4)), 1),
               lambda rng: inputs(rng.normal(size=(3, 8)), 2)),
    )  # fmt: skip
    verdict = verdict_on(strips, lambda x, h: np.reshape(x, (3, -1, h)))  # turned, and more
    assert "With this input the numbers are right, and the axes stand" in verdict.text
    assert "only the axes" not in verdict.text


def test_an_axis_too_many_is_told_where_the_count_of_axes_differs_and_the_numbers_agree():
    assert "axis of length 1" in verdict_on(CUBE, lambda x: x[:, 0]).text
    assert "axis of length 1" not in verdict_on(CUBE, lambda x: x[:, 0] + 1).text
    assert "axis of length 1" not in verdict_on(CUBE, lambda x: x.transpose(1, 0, 2)).text


def test_numbers_are_no_mask_and_a_mask_is_no_numbers():
    mask = Exercise(
        answer=lambda_named("mask", lambda n: np.tri(n) > 0), cases=(lambda rng: inputs(3),)
    )
    assert verdict_on(mask, lambda n: np.tri(n, dtype=bool)).state == "right"
    assert "True or False" in verdict_on(mask, lambda n: np.tri(n)).symptom
    weights = dataclasses.replace(mask, answer=lambda_named("mask", lambda n: np.tri(n)))
    assert "should give numbers" in verdict_on(weights, lambda n: np.tri(n) > 0).symptom


@pytest.mark.parametrize("answer", [lambda q: q, lambda q, k, v: q, lambda: 1])
def test_too_few_or_too_many_parameters_name_both_lists(answer):
    verdict = verdict_on(TABLE, answer)
    assert verdict.state == "wrong"
    assert "should take (q, k)" in verdict.symptom


def test_a_class_where_a_function_belongs_and_the_reverse_are_named():
    assert "should be a function" in verdict_on(TABLE, samples.Linear).symptom
    assert "should be a class" in verdict_on(samples.LINEAR, table).symptom
    assert "should be a function" in verdict_on(TABLE, 5).symptom


def test_several_results_are_counted_and_compared_one_by_one():
    pair = Exercise(
        answer=lambda_named("pair", lambda x: (x + 1, x + 2)),
        cases=(lambda rng: inputs(np.ones(3)),),
    )
    assert verdict_on(pair, lambda x: [x + 1, x + 2]).state == "right"
    assert "2 results" in verdict_on(pair, lambda x: (x, x, x)).symptom
    assert "result 2" in verdict_on(pair, lambda x: (x + 1, x)).symptom


def test_several_results_where_one_array_is_wanted_are_counted():
    verdict = verdict_on(TABLE, lambda q, k: (q, q @ k.T))
    assert verdict.symptom == "table returns 2 results; one is expected."
    same_shapes = verdict_on(TABLE, lambda q, k: (0 * (q @ k.T), q @ k.T))
    assert "returns 2 results; one is expected" in same_shapes.symptom
    assert "Number 2 of them has the right numbers" in same_shapes.text
    assert "has the right numbers" not in verdict_on(TABLE, lambda q, k: (q, q)).text


def test_a_comma_behind_the_result_is_told_and_rows_in_a_tuple_are_an_array():
    assert "a comma behind it" in verdict_on(TABLE, lambda q, k: (q @ k.T,)).symptom
    assert verdict_on(TABLE, lambda q, k: tuple(q @ k.T)).state == "right"
    assert "one is expected" not in verdict_on(TABLE, lambda q, k: tuple(q @ k.T + 1)).text


def test_several_tensors_where_one_is_wanted_are_counted():
    def twins(ctx, x):
        return x, x * x

    twice = dataclasses.replace(samples.SQUARE, observe=samples.SQUARE.observe)
    two = type("Square", (samples.Square,), {"forward": staticmethod(twins)})
    assert "returns 2 results; one is expected" in verdict_on(twice, two).symptom


@pytest.mark.parametrize(
    "answer", [lambda q, k: (one @ k.T for one in q), lambda q, k: np.array(one for one in q)]
)
def test_a_generator_expression_is_told_from_yield(answer):
    symptom = verdict_on(TABLE, answer).symptom
    assert "round brackets" in symptom
    assert "yield" not in symptom


def test_beside_an_error_only_what_is_returned_is_expected_and_no_gradient():
    def broken(x):
        raise ValueError("no")

    exercise = Exercise(
        answer=lambda_named("double", lambda x: 2 * x),
        cases=(lambda rng: inputs(torch.tensor([1.0, 2.0])),),
        observe=call_and_gradients,
    )
    for told in (verdict_on(exercise, broken), verdict_on(exercise, lambda x: "no number")):
        (expected,) = (one.shown for one in told.evidence if one.label == s.EXPECTED)
        assert expected == "[2.0, 4.0]"
