"""kernels/scaling.py: what the width does to scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.kernels.scaling import jacobian_norms, scale, score_moments
from course_lib.kernels.softmax import softmax, softmax_jacobian


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 5)])
def test_scale_divides_every_score_by_the_root_and_keeps_the_shape(shape):
    scores = np.full(shape, 12.0)
    assert scale(scores, 16).shape == shape
    np.testing.assert_array_equal(scale(scores, 16), np.full(shape, 3.0))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_scale_keeps_the_precision(dtype):
    assert scale(np.ones(3, dtype), 7).dtype == dtype


def test_scale_changes_no_argument_and_takes_integers():
    scores = np.array([8, -4])
    np.testing.assert_array_equal(scale(scores, 4), [4.0, -2.0])
    np.testing.assert_array_equal(scores, [8, -4])


def test_scale_refuses_what_makes_no_sense():
    with pytest.raises(ValueError, match="d_k is 0"):
        scale([1.0], 0)
    with pytest.raises(TypeError, match="real numbers"):
        scale(["a"], 4)


@given(st.integers(1, 5000), st.floats(0, 4))
def test_without_mean_and_correlation_the_deviation_is_sigma_squared_times_the_root(d_k, sigma):
    mean, deviation = score_moments(d_k, sigma)
    assert mean == 0
    assert deviation == pytest.approx(sigma**2 * np.sqrt(d_k))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: score_moments(0), "d_k is 0"),
        (lambda: score_moments(4, sigma=-1), "sigma is -1"),
        (lambda: score_moments(4, correlation=1.1), "correlation is 1.1"),
    ],
)
def test_sizes_and_laws_that_make_no_sense_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


@pytest.mark.parametrize("spread", [0.1, 1, 10, 40])
def test_jacobian_norms_are_those_of_the_matrix(spread):
    scores = spread * np.random.default_rng(3).normal(size=(11, 7))
    norms = jacobian_norms(softmax(scores))
    matrices = np.linalg.norm(softmax_jacobian(scores), axis=(1, 2))
    np.testing.assert_allclose(norms, matrices, rtol=1e-12)


def test_jacobian_norms_keep_their_digits_where_one_key_has_nearly_all():
    tiny = 1e-12
    assert jacobian_norms([1 - tiny, tiny]) == pytest.approx(2 * tiny, rel=1e-3)
    assert jacobian_norms([1.0, 0.0, 0.0]) == 0


def test_jacobian_norms_are_what_a_nudge_of_the_scores_measures():
    scores, step = np.random.default_rng(4).normal(size=5), 1e-6
    columns = [
        (softmax(scores + step * nudge) - softmax(scores - step * nudge)) / (2 * step)
        for nudge in np.eye(5)
    ]
    assert jacobian_norms(softmax(scores)) == pytest.approx(np.linalg.norm(columns), rel=1e-6)
