"""Random scores against what theory says of them."""

import numpy as np
import pytest

from course_lib.kernels.scaling import score_moments
from course_lib.measures.random_scores import growing_scores, random_pairs

SIX = 6  # standard errors: chance alone goes beyond them once in 5e8


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


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: random_pairs(0, 4, np.random.default_rng(0)), "n is 0"),
        (lambda: growing_scores(2, 0, 3, 5, np.random.default_rng(0)), "queries is 0"),
        (lambda: growing_scores(2, 3, 5, 0, np.random.default_rng(0)), "widest is 0"),
        (lambda: random_pairs(2, 0, np.random.default_rng(0)), "d_k is 0"),
        (lambda: random_pairs(2, 3, np.random.default_rng(0), sigma=-1), "sigma is -1"),
        (lambda: random_pairs(2, 3, np.random.default_rng(0), correlation=2), "correlation is 2"),
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
