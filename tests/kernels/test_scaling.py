"""kernels/scaling.py: what the width does to scores, by theory and by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.kernels.scaling import (
    growing_scores,
    jacobian_norms,
    random_pairs,
    scale,
    score_moments,
)
from course_lib.kernels.softmax import softmax, softmax_jacobian

SIX = 6  # standard errors: chance alone goes beyond them once in 5e8


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


@pytest.mark.parametrize("d_k", [1, 2, 7, 64])
@pytest.mark.parametrize(
    "law",
    [
        {},
        {"sigma": 0.5},
        {"sigma": 3.0},
        {"mean": 0.5},
        {"correlation": 0.3},
        {"correlation": 1.0},
        {"correlation": -0.6, "mean": 0.7, "sigma": 1.3},
    ],
    ids=str,
)
def test_random_pairs_have_the_moments_of_the_formula(d_k, law):
    q, k = random_pairs(40_000, d_k, np.random.default_rng(d_k), **law)
    scores = (q * k).sum(axis=1)
    mean, deviation = score_moments(d_k, **law)
    fourth = np.mean((scores - scores.mean()) ** 4)
    error_of_variance = np.sqrt((fourth - scores.var() ** 2) / len(scores))
    assert abs(scores.mean() - mean) < SIX * scores.std() / np.sqrt(len(scores))
    assert abs(scores.var() - deviation**2) < SIX * error_of_variance


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
        (lambda: random_pairs(0, 4, np.random.default_rng(0)), "n is 0"),
        (lambda: growing_scores(2, 0, 3, 5, np.random.default_rng(0)), "queries is 0"),
        (lambda: growing_scores(2, 3, 5, 0, np.random.default_rng(0)), "widest is 0"),
    ],
)
def test_sizes_and_laws_that_make_no_sense_are_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_growing_scores_are_dot_products_over_the_first_entries():
    scores_at = growing_scores(2, 3, 5, 7, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    q = rng.standard_normal((7, 2, 3, 1), dtype=np.float32)
    k = rng.standard_normal((7, 2, 1, 5), dtype=np.float32)
    for d in (1, 4, 7):
        by_hand = np.array(
            [
                [[sum(q[i, t, r, 0] * k[i, t, 0, s] for i in range(d)) for s in range(5)]]
                for t in range(2)
                for r in range(3)
            ]
        ).reshape(6, 5)
        assert scores_at(d).dtype == np.float32
        np.testing.assert_allclose(scores_at(d), by_hand, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("d_k", [0, 8])
def test_growing_scores_refuse_a_width_that_was_not_drawn(d_k):
    with pytest.raises(ValueError, match=f"d_k is {d_k}; expected 1 to 7"):
        growing_scores(2, 3, 5, 7, np.random.default_rng(0))(d_k)


def test_growing_scores_have_the_variance_of_their_width():
    scores_at = growing_scores(400, 3, 5, 64, np.random.default_rng(1))
    for d in (1, 8, 64):
        assert scores_at(d).var() / d == pytest.approx(1, abs=0.25)


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
