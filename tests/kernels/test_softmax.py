"""Softmax and what goes with it, against exact sums, float64 and their own laws."""

import doctest
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.kernels import softmax as module
from course_lib.kernels.softmax import (
    effective_count,
    entropy,
    log_softmax,
    logsumexp,
    softmax,
    softmax_jacobian,
)
from tests.kernels.softmax_samples import OF_SCORES, OF_WEIGHTS, by_name, random

rows = st.lists(st.floats(-50, 50), min_size=1, max_size=11)
temperatures = st.floats(0.1, 10)


def test_the_examples_in_the_docstrings_run():
    result = doctest.testmod(module)
    assert result.attempted >= 7
    assert result.failed == 0


# Against references


@given(rows)
def test_softmax_agrees_with_an_exact_sum_of_exponentials(row):
    exponentials = [Fraction(math.exp(score - max(row))) for score in row]
    expected = [float(e / sum(exponentials)) for e in exponentials]
    np.testing.assert_allclose(softmax(row), expected, rtol=1e-14)


@given(rows)
def test_logsumexp_and_log_softmax_agree_with_an_exact_sum(row):
    total = math.log(math.fsum(math.exp(score) for score in row))
    # Near 0 the result is a difference of larger numbers, so the largest of them sets the floor.
    floor = 1e-15 * (1 + max(map(abs, row)))
    np.testing.assert_allclose(logsumexp(row), total, rtol=1e-14, atol=floor)
    np.testing.assert_allclose(log_softmax(row), np.array(row) - total, rtol=1e-14, atol=8 * floor)


@given(rows, temperatures)
def test_the_jacobian_agrees_with_a_double_loop(row, temperature):
    weights = softmax(row, temperature=temperature)
    loop = [
        [w * ((i == j) - v) / temperature for j, v in enumerate(weights)]
        for i, w in enumerate(weights)
    ]
    np.testing.assert_allclose(
        softmax_jacobian(row, temperature=temperature), loop, rtol=1e-12, atol=1e-14
    )


def test_the_jacobian_agrees_with_central_differences():
    scores, step = random(2, 5), 1e-5
    differences = np.empty((2, 5, 5))
    for j in range(5):
        nudge = step * np.eye(5)[j]
        up, down = softmax(scores + nudge, temperature=2), softmax(scores - nudge, temperature=2)
        differences[..., j] = (up - down) / (2 * step)
    np.testing.assert_allclose(softmax_jacobian(scores, temperature=2), differences, atol=1e-10)


def test_softmax_and_its_jacobian_agree_with_torch_and_autograd():
    torch = pytest.importorskip("torch")
    for row in random(7, 5):
        scores = torch.from_numpy(row)
        expected = torch.func.jacrev(lambda one: torch.softmax(one / 2, -1))(scores)
        np.testing.assert_allclose(softmax_jacobian(row, temperature=2), expected, atol=1e-15)
        np.testing.assert_allclose(softmax(row), torch.softmax(scores, -1), rtol=1e-14)
        np.testing.assert_allclose(log_softmax(row), torch.log_softmax(scores, -1), rtol=1e-13)
        np.testing.assert_allclose(logsumexp(row), torch.logsumexp(scores, -1), rtol=1e-13)


@given(rows)
def test_entropy_agrees_with_a_loop_and_counts_its_exponential(row):
    weights = softmax(row)
    loop = -math.fsum(w * math.log(w) for w in weights if w > 0)
    np.testing.assert_allclose(entropy(weights), loop, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(effective_count(weights), math.exp(loop), rtol=1e-12)


def plain_softmax(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def plain_entropy(weights):
    return -(weights * np.log(weights)).sum(axis=-1)


PLAIN = {
    softmax: plain_softmax,
    log_softmax: lambda scores: np.log(plain_softmax(scores)),
    logsumexp: lambda scores: np.log(np.exp(scores).sum(axis=-1)),
    entropy: plain_entropy,
    effective_count: lambda weights: np.exp(plain_entropy(weights)),
}


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("function", PLAIN, **by_name)
def test_the_error_is_at_most_twice_that_of_the_plain_formula(function, dtype):
    """Against float64 on the same inputs, where the plain formula does not overflow."""
    given_ = random(101, 7, dtype=dtype) / dtype(2)
    if function in OF_WEIGHTS:
        given_ = plain_softmax(given_)
    exact = PLAIN[function](given_.astype(float))
    plain, ours = (
        np.abs(np.asarray(one, float) - exact).max()
        for one in (PLAIN[function](given_), function(given_))
    )
    floor = np.finfo(dtype).eps * np.abs(exact).max() / 2  # half a unit in the last place
    assert ours <= 2 * plain + floor


# Laws


@given(rows, st.floats(-1e3, 1e3))
def test_adding_a_constant_changes_nothing(row, constant):
    shifted = np.array(row) + constant
    # The shift itself rounds at the size of the constant; softmax adds nothing to that.
    np.testing.assert_allclose(softmax(shifted), softmax(row), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(log_softmax(shifted), log_softmax(row), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(logsumexp(shifted), logsumexp(row) + constant, atol=1e-12)


@given(rows, temperatures)
def test_a_temperature_divides_the_scores(row, temperature):
    divided = np.array(row) / temperature
    hot = softmax(row, temperature=temperature)
    np.testing.assert_allclose(hot, softmax(divided), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(
        log_softmax(row, temperature=temperature), log_softmax(divided), rtol=1e-12, atol=1e-12
    )


@given(rows)
def test_softmax_is_the_exponential_of_its_logarithm(row):
    np.testing.assert_allclose(np.exp(log_softmax(row)), softmax(row), rtol=1e-12, atol=1e-300)


@given(rows)
def test_logsumexp_lies_above_the_largest_by_at_most_log_n(row):
    assert max(row) <= logsumexp(row) <= max(row) + math.log(len(row)) + 1e-12


@given(rows)
def test_a_higher_temperature_never_concentrates(row):
    counts = [effective_count(softmax(row, temperature=t)) for t in (0.1, 1, 10, 1000)]
    assert (np.diff(counts) >= -1e-9).all()


@given(rows)
def test_the_jacobian_is_symmetric_without_sum_and_never_negative(row):
    jacobian = softmax_jacobian(row)
    np.testing.assert_array_equal(jacobian, jacobian.T)
    np.testing.assert_allclose(jacobian.sum(axis=-1), 0, atol=1e-15)
    values = np.linalg.eigvalsh(jacobian)
    assert values.min() >= -1e-15
    assert values.max() <= 0.5 + 1e-15


@given(rows)
def test_the_count_lies_between_one_and_all(row):
    weights = softmax(row)
    count = effective_count(weights)
    assert 1 <= count <= len(row) * (1 + 1e-12)
    assert 1 / (weights**2).sum() <= count * (1 + 1e-12)


def test_equal_weights_count_all_and_one_weight_counts_one():
    for n in (1, 2, 7, 1000):
        np.testing.assert_allclose(effective_count(np.full(n, 1 / n)), n, rtol=1e-12)
        np.testing.assert_allclose(entropy(np.full(n, 1 / n)), math.log(n), atol=1e-12)
    assert effective_count([0, 1, 0]) == 1
    assert entropy([0, 1, 0]) == 0
    assert not np.signbit(entropy([0, 1, 0]))


def test_weights_add_up_to_one_along_the_chosen_axis():
    scores = np.random.default_rng(0).normal(size=(2, 3, 5))
    for axis in (0, 1, 2, -1):
        np.testing.assert_allclose(softmax(scores, axis).sum(axis), 1, rtol=1e-15)


@pytest.mark.parametrize("function", OF_SCORES + OF_WEIGHTS, **by_name)
@pytest.mark.parametrize("axis", [0, 1, 2, -2])
def test_any_axis_is_the_last_axis_moved(function, axis):
    scores = random(2, 3, 5)
    given_ = softmax(scores, axis) if function in OF_WEIGHTS else scores
    expected = function(np.moveaxis(given_, axis, -1))
    if expected.shape == np.moveaxis(scores, axis, -1).shape:
        expected = np.moveaxis(expected, -1, axis)
    np.testing.assert_allclose(function(given_, axis), expected, rtol=1e-14, atol=1e-16)
