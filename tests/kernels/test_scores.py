"""The four scores against slow loops over pairs and their own laws."""

import doctest

import numpy as np
import pytest

from course_lib.kernels import scores
from course_lib.kernels.scores import (
    additive_scores,
    bilinear_scores,
    cosine_scores,
    dot_scores,
)
from course_lib.measures import score_cost as cost_module
from course_lib.measures.score_cost import KINDS, score_cost

B, T, S, DQ, DK, F = 2, 3, 5, 7, 11, 13


def random(*shape, seed=0, dtype=float):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("module", [scores, cost_module])
def test_the_examples_in_the_docstrings_run(module):
    result = doctest.testmod(module)
    assert result.attempted >= 2
    assert result.failed == 0


def test_each_score_agrees_with_a_loop_over_pairs():
    q, k = random(T, DQ), random(S, DK, seed=1)
    w, v = random(DQ, DK, seed=2), random(F, seed=3)
    w_q, w_k = random(DQ, F, seed=4), random(DK, F, seed=5)
    same = random(S, DQ, seed=6)
    tables = {
        "dot": (dot_scores(q, same), lambda i, j: sum(q[i] * same[j])),
        "cosine": (
            cosine_scores(q, same),
            lambda i, j: (q[i] @ same[j]) / (sum(q[i] ** 2) * sum(same[j] ** 2)) ** 0.5,
        ),
        "bilinear": (
            bilinear_scores(q, k, w),
            lambda i, j: sum(q[i, a] * w[a, b] * k[j, b] for a in range(DQ) for b in range(DK)),
        ),
        "additive": (
            additive_scores(q, k, w_q, w_k, v),
            lambda i, j: sum(v * np.tanh(q[i] @ w_q + k[j] @ w_k)),
        ),
    }
    for name, (table, pair) in tables.items():
        assert table.shape == (T, S), name
        loop = np.array([[pair(i, j) for j in range(S)] for i in range(T)])
        np.testing.assert_allclose(table, loop, rtol=0, atol=1e-13, err_msg=name)


def test_leading_axes_are_scored_one_by_one_and_broadcast():
    q, k = random(B, T, DQ), random(S, DK, seed=1)
    w, v = random(DQ, DK, seed=2), random(F, seed=3)
    w_q, w_k = random(DQ, F, seed=4), random(DK, F, seed=5)
    for function, arguments in (
        (bilinear_scores, (w,)),
        (additive_scores, (w_q, w_k, v)),
    ):
        table = function(q, k, *arguments)
        assert table.shape == (B, T, S)
        for one, alone in zip(q, table, strict=True):
            np.testing.assert_allclose(function(one, k, *arguments), alone, atol=1e-13)
    for function in (dot_scores, cosine_scores):
        assert function(q, random(B, S, DQ, seed=7)).shape == (B, T, S)


def test_floats_keep_their_precision_and_integers_become_floats():
    for dtype in (np.float32, np.float64):
        q, k, w = (random(n, DQ, dtype=dtype) for n in (T, S, DQ))
        assert dot_scores(q, k).dtype == dtype
        assert bilinear_scores(q, k, w).dtype == dtype
        assert additive_scores(q, k, w, w, w[0]).dtype == dtype
    ones = np.ones((2, 2), dtype=int)
    assert additive_scores(ones, ones, ones, ones, [1, 1]).dtype == float


def test_the_dot_product_of_projections_is_a_bilinear_score():
    x_q, x_k = random(T, DQ), random(S, DK, seed=1)
    w_q, w_k = random(DQ, 2, seed=2), random(DK, 2, seed=3)
    np.testing.assert_allclose(
        dot_scores(x_q @ w_q, x_k @ w_k), bilinear_scores(x_q, x_k, w_q @ w_k.T), atol=1e-13
    )


def test_the_sharpness_multiplies_cosines_that_ignore_lengths():
    q, k = random(T, DQ), random(S, DQ, seed=1)
    np.testing.assert_allclose(cosine_scores(9 * q, 0.1 * k, 5), 5 * cosine_scores(q, k))


def test_an_additive_score_never_exceeds_the_sum_of_the_sizes_of_v():
    q, k = 1e6 * random(T, DQ), random(S, DK, seed=1)
    v = random(F, seed=3)
    table = additive_scores(q, k, random(DQ, F, seed=4), random(DK, F, seed=5), v)
    assert np.abs(table).max() <= np.abs(v).sum() * (1 + 1e-12)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: dot_scores(random(T, 3), random(S, 4)), ValueError, "width 3 but k of width 4"),
        (lambda: cosine_scores(np.zeros((1, 3)), random(S, 3)), ValueError, "q.0. is a zero"),
        (
            lambda: bilinear_scores(random(T, 3), random(S, 4), random(4, 3)),
            ValueError,
            "q has width 3, but there are 4 rows of w",
        ),
        (lambda: bilinear_scores(random(T, 3), random(S, 4), random(3)), ValueError, "a matrix"),
        (lambda: bilinear_scores(random(3), random(S, 4), random(3, 4)), ValueError, "rows of vec"),
        (
            lambda: additive_scores(
                random(T, 3), random(S, 4), random(3, F), random(4, 5), random(F)
            ),
            ValueError,
            "w_q has width 13, but there are 5 columns of w_k",
        ),
        (
            lambda: additive_scores(
                random(T, 3), random(S, 4), random(3, F), random(4, F), random(5)
            ),
            ValueError,
            r"v has shape \(5,\); expected \(13,\)",
        ),
        (lambda: bilinear_scores([["a"]], [[1]], [[1]]), TypeError, "real numbers"),
        (lambda: bilinear_scores([[1, 2], [1]], [[1]], [[1]]), ValueError, "ragged"),
    ],
)
def test_what_does_not_fit_is_named(call, error, said):
    with pytest.raises(error, match=said):
        call()


# What they cost


def test_the_count_agrees_with_a_loop_that_counts():
    t, s, d, f = 2, 3, 5, 7
    flops = dict.fromkeys(KINDS, 0)
    tanh = 0
    for _ in range(t + s):
        flops["cosine"] += d + (d - 1) + 1 + d  # squares, sums, root, divisions
        flops["additive"] += f * 2 * d
    for _ in range(t):
        flops["bilinear"] += d * 2 * d
    for _ in range(t * s):
        for kind in ("dot", "cosine", "bilinear"):
            flops[kind] += 2 * d
        flops["additive"] += f + 2 * f
        tanh += f
    for kind in KINDS:
        assert score_cost(kind, t, s, d, f).flops == flops[kind], kind
    assert score_cost("additive", t, s, d, f).tanh == tanh


def test_parameters_are_the_numbers_in_the_learned_arrays():
    d, f = 5, 7
    learned = {
        "dot": [], "cosine": [], "bilinear": [(d, d)], "additive": [(d, f), (d, f), (f,)],
    }  # fmt: skip
    for kind, shapes in learned.items():
        assert score_cost(kind, 2, 3, d, f).parameters == sum(map(np.prod, shapes))


def test_what_is_prepared_for_each_pair_costs_more_and_gives_no_parameter():
    for kind in KINDS:
        once, again = (score_cost(kind, 11, 13, 5, pairwise=p) for p in (False, True))
        assert once.parameters == again.parameters
        assert (again.flops > once.flops) == (kind != "dot")


def test_one_pair_costs_the_same_either_way():
    for kind in KINDS:
        assert score_cost(kind, 1, 1, 5) == score_cost(kind, 1, 1, 5, pairwise=True)


@pytest.mark.parametrize(
    ("arguments", "said"), [(("euclid", 1, 1, 1), "one of dot"), (("dot", 1, 0, 1), "s is 0")]
)
def test_an_unknown_kind_or_an_empty_table_is_refused(arguments, said):
    with pytest.raises(ValueError, match=said):
        score_cost(*arguments)
