"""The vectors kernel against slow loops, numpy.linalg, float64 and its own laws."""

import doctest
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.kernels import vectors
from course_lib.kernels.vectors import (
    angle,
    cosine,
    dot,
    norm,
    normalize,
    pairwise_cosines,
    pairwise_dots,
    projection,
    projection_length,
)

OF_TWO = [dot, cosine, angle, projection_length, projection, pairwise_dots, pairwise_cosines]
NEEDS_A_DIRECTION = [cosine, angle, projection_length, projection, pairwise_cosines]
ROUNDING = 4 * np.finfo(float).eps


def random(*shape, seed=0, dtype=float):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def in_rows(function, array):
    """The argument as `function` wants it: pairwise functions take rows of vectors."""
    return [array] if function.__name__.startswith("pairwise") else array


pairs = st.integers(1, 11).flatmap(
    lambda d: st.tuples(
        *[st.lists(st.floats(-1e3, 1e3, width=32), min_size=d, max_size=d) for _ in range(2)]
    )
)
nonzero_pairs = pairs.filter(lambda ab: all(max(map(abs, x)) > 1e-3 for x in ab))


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(vectors).attempted >= 9
    assert doctest.testmod(vectors).failed == 0


# Against references


def test_dot_agrees_with_a_loop_and_numpy():
    a, b = random(7), random(7, seed=1)
    loop = 0.0
    for i in range(7):
        loop += a[i] * b[i]
    assert dot(a, b) == pytest.approx(loop, rel=ROUNDING)
    assert dot(a, b) == pytest.approx(float(np.dot(a, b)), rel=ROUNDING)


def test_norm_agrees_with_numpy_linalg_on_leading_axes():
    a = random(2, 3, 5)
    np.testing.assert_allclose(norm(a), np.linalg.norm(a, axis=-1), rtol=ROUNDING)


def test_pairwise_dots_agree_with_a_double_loop_of_dots():
    q, k = random(2, 3, 7), random(2, 5, 7, seed=1)
    loop = [[[dot(q[n, i], k[n, j]) for j in range(5)] for i in range(3)] for n in range(2)]
    np.testing.assert_allclose(pairwise_dots(q, k), loop, rtol=1e-13, atol=1e-15)


def test_pairwise_cosines_agree_with_a_double_loop_of_cosines():
    q, k = random(3, 7), random(5, 7, seed=1)
    loop = [[cosine(q[i], k[j]) for j in range(5)] for i in range(3)]
    np.testing.assert_allclose(pairwise_cosines(q, k), loop, rtol=1e-13, atol=1e-15)


def test_leading_axes_broadcast_as_in_numpy():
    a, b = random(3, 1, 5), random(2, 5, seed=1)
    assert dot(a, b).shape == (3, 2)
    assert dot(a, b)[2, 1] == pytest.approx(dot(a[2, 0], b[1]), rel=ROUNDING)
    assert pairwise_dots(random(2, 1, 3, 7), random(5, 11, 7)).shape == (2, 5, 3, 11)


@pytest.mark.parametrize("function", OF_TWO, ids=lambda f: f.__name__)
def test_float32_errs_at_most_twice_as_much_as_a_plain_numpy_formula(function):
    a, b = random(3, 257), random(3, 257, seed=1)
    exact = function(a, b)
    plain_error = np.abs(np.einsum("nd,nd->n", a.astype("f4"), b.astype("f4")) - dot(a, b)).max()
    small = function(a.astype(np.float32), b.astype(np.float32))
    assert small.dtype == np.float32
    scale = max(1.0, float(np.abs(exact).max()))
    # The floor: a few units in the last place of float32 at the size of the result.
    assert np.abs(small - exact).max() <= 2 * plain_error + 8 * np.finfo(np.float32).eps * scale


# Laws


@given(pairs)
def test_the_square_of_the_difference_obeys_the_law_of_cosines(ab):
    a, b = map(np.array, ab)
    left = norm(a - b) ** 2
    right = norm(a) ** 2 + norm(b) ** 2 - 2 * dot(a, b)
    assert left == pytest.approx(right, abs=1e-12 * (norm(a) + norm(b)) ** 2 + 1e-300)


@given(pairs)
def test_no_dot_product_exceeds_the_product_of_the_lengths(ab):
    a, b = map(np.array, ab)
    assert abs(dot(a, b)) <= norm(a) * norm(b) * (1 + 1e-12) + 1e-300


@given(nonzero_pairs)
def test_dot_is_length_times_length_times_the_cosine_of_the_angle(ab):
    a, b = map(np.array, ab)
    product = norm(a) * norm(b)
    assert dot(a, b) == pytest.approx(product * math.cos(angle(a, b)), abs=1e-12 * product)
    assert dot(a, b) == pytest.approx(product * cosine(a, b), abs=1e-12 * product)


@given(nonzero_pairs)
def test_what_a_projection_leaves_over_is_perpendicular(ab):
    b, onto = map(np.array, ab)
    rest = b - projection(b, onto)
    assert dot(rest, onto) == pytest.approx(0, abs=1e-11 * norm(b) * norm(onto))
    assert projection_length(b, onto) == pytest.approx(
        norm(projection(b, onto)) * np.sign(dot(b, onto)), abs=1e-12 * norm(b)
    )


@given(nonzero_pairs, st.floats(1e-3, 1e3))
def test_scaling_a_vector_leaves_angle_and_cosine_alone(ab, factor):
    a, b = map(np.array, ab)
    assert angle(a * factor, b) == pytest.approx(angle(a, b), abs=1e-12)
    assert cosine(a * factor, b) == pytest.approx(cosine(a, b), abs=1e-12)


# Numbers that floating point makes hard


def test_parallel_vectors_have_angle_zero_although_their_cosine_may_round_above_one():
    a = random(10_000, 50)
    b = a * np.random.default_rng(1).uniform(0.1, 10, size=(10_000, 1))
    naive = dot(a, b) / (norm(a) * norm(b))
    assert (naive > 1).any(), "the trap must be in the data"
    assert cosine(a, b).max() <= 1
    assert angle(a, b).max() < 1e-14


@pytest.mark.parametrize("small", [1e-3, 1e-9, 1e-15])
def test_small_angles_keep_their_digits(small):
    a, b = np.array([1.0, 0.0]), np.array([math.cos(small), math.sin(small)])
    assert angle(a, b) == pytest.approx(small, rel=1e-6)
    assert math.pi - angle(a, -b) == pytest.approx(small, abs=4e-16)


@pytest.mark.parametrize("size", [1e200, 1e-200, 1e-320])
def test_very_long_and_very_short_vectors_have_a_length_and_a_direction(size):
    a = np.array([3.0, 4.0]) * size
    assert norm(a) == pytest.approx(5 * size, rel=1e-3)
    np.testing.assert_allclose(normalize(a), [0.6, 0.8], rtol=1e-2)


def test_integers_are_computed_in_float64_without_overflow():
    assert dot(np.array([100, 100], np.int8), np.array([100, 100], np.int8)) == 20_000
    assert dot([1, 2, 3], [4, 5, 6]).dtype == np.float64
    assert norm([True, False]) == 1


@pytest.mark.parametrize("function", OF_TWO, ids=lambda f: f.__name__)
def test_nan_passes_through(function):
    result = function(in_rows(function, [math.nan, 1.0]), in_rows(function, [1.0, 2.0]))
    assert np.isnan(result).any()


def test_no_keys_and_no_queries_give_an_empty_table():
    assert pairwise_dots(np.zeros((0, 3)), random(5, 3)).shape == (0, 5)
    assert pairwise_cosines(random(2, 3), np.zeros((0, 3))).shape == (2, 0)


@pytest.mark.parametrize("function", OF_TWO, ids=lambda f: f.__name__)
def test_arguments_are_left_as_they_were(function):
    a, b = random(3, 5), random(3, 5, seed=1)
    before = a.copy(), b.copy()
    function(a, b)
    np.testing.assert_array_equal((a, b), before)


# Bad input


def refuses(error, sentence):
    return pytest.raises(error, match=f"^{re.escape(sentence)}$")


@pytest.mark.parametrize("function", OF_TWO, ids=lambda f: f.__name__)
def test_bad_input_is_refused_by_the_name_of_the_argument(function):
    first, second = function.__code__.co_varnames[:2]
    good = in_rows(function, [1.0, 2.0])
    widths = f"{first} has vectors of width 2 but {second} of width 3: both need the same d"
    with refuses(ValueError, widths):
        function(good, in_rows(function, [1.0, 2.0, 3.0]))
    with refuses(ValueError, f"{second} is ragged: its rows differ in length"):
        function(good, [[1.0, 2.0], [3.0]])
    with refuses(TypeError, f"{first} holds <U3; expected real numbers"):
        function(in_rows(function, ["cat", "dog"]), good)
    with refuses(TypeError, f"{second} holds other objects; expected real numbers"):
        function(good, in_rows(function, [1.0, None]))
    with refuses(TypeError, f"{first} holds complex128; expected real numbers"):
        function(in_rows(function, [1j, 2.0]), good)
    with pytest.raises(ValueError, match=f"^{first} is a single number; expected "):
        function(3.0, good)
    with pytest.raises(ValueError, match=f"^{second} has shape .*0.*at least one entry$"):
        function(good, in_rows(function, []))


@pytest.mark.parametrize("function", NEEDS_A_DIRECTION, ids=lambda f: f.__name__)
def test_a_zero_vector_has_no_direction_and_is_named(function):
    zero, good = in_rows(function, [0.0, 0.0]), in_rows(function, [1.0, 2.0])
    with pytest.raises(ValueError, match=r"is a zero vector: it has no direction$") as refused:
        function(good, zero)
    assert str(refused.value).startswith(function.__code__.co_varnames[1])


def test_a_zero_vector_among_many_is_named_by_its_place():
    q = random(2, 3, 5)
    q[1, 2] = 0
    with refuses(ValueError, "a[1, 2] is a zero vector: it has no direction"):
        normalize(q)


def test_projecting_a_zero_vector_gives_zero():
    assert projection_length([0, 0], onto=[4, 0]) == 0
    np.testing.assert_array_equal(projection([0, 0], onto=[4, 0]), [0, 0])


def test_leading_axes_that_do_not_match_are_named():
    with refuses(
        ValueError,
        "a has shape (3, 2) but b has shape (5, 2): the axes before the last must match or be 1",
    ):
        dot(random(3, 2), random(5, 2))
    with refuses(
        ValueError,
        "q has shape (2, 3, 7) but k has shape (5, 3, 7): "
        "the axes before the last two must match or be 1",
    ):
        pairwise_dots(random(2, 3, 7), random(5, 3, 7))


def test_a_single_vector_is_no_table_of_queries():
    sentence = "q is an array of shape (2,); expected rows of vectors, of shape (n, d)"
    with refuses(ValueError, sentence):
        pairwise_dots([1.0, 2.0], [[1.0, 2.0]])
