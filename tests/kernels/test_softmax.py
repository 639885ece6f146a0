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

OF_SCORES = [softmax, log_softmax, logsumexp, softmax_jacobian]
OF_WEIGHTS = [entropy, effective_count]
TEMPERED = [softmax, log_softmax, softmax_jacobian]
PRECISIONS = [np.float16, np.float32, np.float64]
INF, NAN = math.inf, math.nan

rows = st.lists(st.floats(-50, 50), min_size=1, max_size=11)
temperatures = st.floats(0.1, 10)
by_name = {"ids": lambda one: getattr(one, "__name__", None)}


def random(*shape, seed=0, dtype=float):
    return (3 * np.random.default_rng(seed).normal(size=shape)).astype(dtype)


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
