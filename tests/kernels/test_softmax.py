"""Softmax against a slow exact sum and its own laws."""

import doctest
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.kernels import softmax as module
from course_lib.kernels.softmax import softmax

rows = st.lists(st.floats(-50, 50), min_size=1, max_size=11)


def test_the_example_in_the_docstring_runs():
    result = doctest.testmod(module)
    assert result.attempted == 1
    assert result.failed == 0


@given(rows)
def test_softmax_agrees_with_an_exact_sum_of_exponentials(row):
    exponentials = [Fraction(math.exp(score - max(row))) for score in row]
    expected = [float(e / sum(exponentials)) for e in exponentials]
    np.testing.assert_allclose(softmax(row), expected, rtol=1e-14)


@given(rows, st.floats(-1e3, 1e3))
def test_adding_a_constant_changes_nothing(row, constant):
    shifted = np.array(row) + constant
    # The shift itself rounds at the size of the constant; softmax adds nothing to that.
    np.testing.assert_allclose(softmax(shifted), softmax(row), rtol=1e-12, atol=1e-15)


def test_weights_add_up_to_one_along_the_chosen_axis():
    scores = np.random.default_rng(0).normal(size=(2, 3, 5))
    for axis in (0, 1, 2, -1):
        np.testing.assert_allclose(softmax(scores, axis).sum(axis), 1, rtol=1e-15)


def test_scores_of_a_thousand_do_not_overflow_and_float32_stays():
    weights = softmax(np.array([1000, 1001, 1002], np.float32))
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights, softmax([0, 1, 2]), rtol=1e-6)


def test_a_score_of_minus_infinity_gets_no_weight_and_a_row_of_them_none_at_all():
    weights = softmax([[0, -math.inf, 0], [-math.inf] * 3])
    np.testing.assert_array_equal(weights, [[0.5, 0, 0.5], [0, 0, 0]])


def test_nan_stays_in_its_row():
    weights = softmax([[math.nan, 1.0], [1.0, 1.0]])
    assert np.isnan(weights[0]).all()
    np.testing.assert_array_equal(weights[1], [0.5, 0.5])


@pytest.mark.parametrize(
    ("scores", "axis", "error", "words"),
    [
        (["a", "b"], -1, TypeError, "scores holds <U1; expected real numbers"),
        ([[1, 2], [3]], -1, ValueError, "scores is ragged"),
        (3.0, -1, ValueError, "there is no axis -1"),
        ([1.0], 1, ValueError, r"scores has shape \(1,\); there is no axis 1"),
        ([], -1, ValueError, "axis -1 holds nothing to weigh"),
        ([1.0, math.inf], -1, ValueError, r"scores holds \+inf"),
    ],
)
def test_bad_scores_are_refused_in_one_sentence(scores, axis, error, words):
    with pytest.raises(error, match=words):
        softmax(scores, axis)
