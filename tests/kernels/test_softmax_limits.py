"""Softmax at its limits: precisions, overflow, infinity, NaN, and what is refused."""

import math

import numpy as np
import pytest

from course_lib.kernels.softmax import (
    effective_count,
    entropy,
    log_softmax,
    logsumexp,
    softmax,
    softmax_jacobian,
)
from tests.kernels.softmax_samples import OF_SCORES, OF_WEIGHTS, by_name, random

TEMPERED = [softmax, log_softmax, softmax_jacobian]
PRECISIONS = [np.float16, np.float32, np.float64]
INF, NAN = math.inf, math.nan


# Precisions


@pytest.mark.parametrize("function", OF_SCORES, **by_name)
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_a_float_keeps_its_precision_and_an_integer_becomes_float64(function, dtype):
    assert function(random(3, 5, dtype=dtype)).dtype == dtype
    assert function(np.arange(6).reshape(2, 3)).dtype == float
    assert function([True, False]).dtype == float


@pytest.mark.parametrize("function", OF_WEIGHTS, **by_name)
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_weights_keep_their_precision_too(function, dtype):
    assert function(softmax(random(3, 5, dtype=dtype))).dtype == dtype
    assert function([1, 0]).dtype == float


@pytest.mark.parametrize("function", TEMPERED, **by_name)
@pytest.mark.parametrize("dtype", PRECISIONS)
def test_a_temperature_does_not_change_the_precision(function, dtype):
    assert function(random(3, 5, dtype=dtype), temperature=np.float64(2)).dtype == dtype


def test_scores_of_a_thousand_do_not_overflow_and_float32_stays():
    weights = softmax(np.array([1000, 1001, 1002], np.float32))
    assert weights.dtype == np.float32
    np.testing.assert_allclose(weights, softmax([0, 1, 2]), rtol=1e-6)


@pytest.mark.parametrize("dtype", PRECISIONS)
@pytest.mark.filterwarnings("error")
def test_the_widest_scores_of_a_precision_neither_overflow_nor_warn(dtype):
    most = np.finfo(dtype).max
    np.testing.assert_array_equal(softmax(np.array([most, -most])), [1, 0])
    np.testing.assert_array_equal(log_softmax(np.array([most, -most]))[0], 0)
    assert logsumexp(np.array([most, -most])) == most
    assert (softmax_jacobian(np.array([most, -most])) == 0).all()
    np.testing.assert_array_equal(softmax(np.array([1, 2], dtype), temperature=1e-30), [0, 1])


def test_a_hundred_thousand_equal_keys_have_weights_in_float16():
    weights = softmax(np.zeros(100_000, np.float16))
    np.testing.assert_allclose(weights.astype(float), 1e-5, rtol=0.01)
    assert effective_count(weights) == INF, "float16 ends at 65504"
    assert effective_count(weights[:50_000] * np.float16(2)) < INF


def test_the_jacobian_keeps_its_digits_next_to_a_weight_of_one():
    jacobian = softmax_jacobian(np.array([0, 40], np.float32))
    np.testing.assert_allclose(jacobian[1, 1], math.exp(-40), rtol=1e-5)


# Empty axes, -inf, NaN


@pytest.mark.filterwarnings("error")
def test_no_rows_give_no_rows():
    nothing = np.zeros((2, 0, 5))
    for function in (softmax, log_softmax):
        assert function(nothing).shape == (2, 0, 5)
    for function in (logsumexp, entropy, effective_count):
        assert function(nothing).shape == (2, 0)
    assert softmax_jacobian(nothing).shape == (2, 0, 5, 5)


def test_a_score_of_minus_infinity_gets_no_weight_and_a_row_of_them_none_at_all():
    weights = softmax([[0, -math.inf, 0], [-math.inf] * 3])
    np.testing.assert_array_equal(weights, [[0.5, 0, 0.5], [0, 0, 0]])


@pytest.mark.filterwarnings("error")
def test_what_goes_with_softmax_agrees_about_minus_infinity():
    scores = np.array([[0, -INF, 0], [-INF] * 3])
    half = -math.log(2)
    np.testing.assert_allclose(log_softmax(scores), [[half, -INF, half], [-INF] * 3])
    np.testing.assert_allclose(logsumexp(scores), [-half, -INF])
    np.testing.assert_allclose(
        softmax_jacobian(scores),
        [[[0.25, 0, -0.25], [0, 0, 0], [-0.25, 0, 0.25]], np.zeros((3, 3))],
    )
    np.testing.assert_allclose(entropy(softmax(scores)), [-half, 0])
    np.testing.assert_allclose(effective_count(softmax(scores)), [2, 0])


def test_nan_stays_in_its_row():
    weights = softmax([[math.nan, 1.0], [1.0, 1.0]])
    assert np.isnan(weights[0]).all()
    np.testing.assert_array_equal(weights[1], [0.5, 0.5])


@pytest.mark.parametrize("function", OF_SCORES + OF_WEIGHTS, **by_name)
def test_nan_stays_in_its_row_in_all_of_them(function):
    whole = function([[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]])
    broken = function([[0.5, 0.5], [NAN, 0.75], [0.5, 0.5]])
    assert np.isnan(broken[1]).all()
    np.testing.assert_array_equal(broken[[0, 2]], whole[[0, 2]])


def test_nan_beats_minus_infinity():
    assert np.isnan(softmax([NAN, -INF])).all()
    assert np.isnan(logsumexp([NAN, -INF]))


# What is refused

BAD_SCORES = [
    (["a", "b"], -1, TypeError, "holds <U1; expected real numbers"),
    ([[1, 2], [3]], -1, ValueError, "is ragged"),
    (3.0, -1, ValueError, r"has shape \(\); there is no axis -1"),
    ([1.0], 1, ValueError, r"has shape \(1,\); there is no axis 1"),
    ([], -1, ValueError, "axis -1 holds nothing to weigh"),
    (np.zeros((2, 0)), -1, ValueError, "axis -1 holds nothing to weigh"),
    ([1.0, INF], -1, ValueError, r"holds \+inf"),
    ([1j, 2], -1, TypeError, "holds complex128"),
]


@pytest.mark.parametrize(("scores", "axis", "error", "words"), BAD_SCORES)
@pytest.mark.parametrize("function", OF_SCORES + OF_WEIGHTS, **by_name)
def test_bad_scores_are_refused_in_one_sentence(function, scores, axis, error, words):
    name = "weights" if function in OF_WEIGHTS else "scores"
    with pytest.raises(error, match=f"^{name} .*{words}"):
        function(scores, axis)


@pytest.mark.parametrize("function", TEMPERED, **by_name)
@pytest.mark.parametrize(
    ("temperature", "error", "words"),
    [
        (0, ValueError, "temperature is 0 .*; expected a number above 0"),
        (-1, ValueError, "temperature is -1 "),
        (INF, ValueError, "temperature is inf "),
        (NAN, ValueError, "temperature is nan "),
        ([1, 2], ValueError, r"temperature is \[1, 2\]"),
        ("hot", TypeError, "temperature is 'hot'; expected one number"),
        (None, (TypeError, ValueError), "temperature is None"),
    ],
)
def test_a_temperature_that_is_not_above_zero_is_refused(function, temperature, error, words):
    with pytest.raises(error, match=words):
        function([1.0, 2.0], temperature=temperature)


def test_a_temperature_that_is_zero_in_float32_is_refused_there():
    with pytest.raises(ValueError, match=r"temperature is 1e-60 \(0.0 in float32\)"):
        softmax(np.array([1, 2], np.float32), temperature=1e-60)
    np.testing.assert_array_equal(softmax([1.0, 2.0], temperature=1e-60), [0, 1])


@pytest.mark.parametrize("function", OF_WEIGHTS, **by_name)
@pytest.mark.parametrize(
    ("weights", "axis", "words"),
    [
        ([3.0, 1.0], -1, "weights add up to 4 along axis -1; expected 1"),
        ([[0.5, 0.5], [0.9, 0.1]], 0, "weights add up to 1.4 along axis 0"),
        ([1.5, -0.5], -1, "weights holds -0.5; a weight is 0 or more"),
    ],
)
def test_what_are_no_weights_is_refused(function, weights, axis, words):
    with pytest.raises(ValueError, match=words):
        function(weights, axis)
