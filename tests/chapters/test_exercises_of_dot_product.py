"""Chapter 1's checks on answers that learners really give, right and wrong.

Each of these was once judged unfairly, or could easily be.
"""

import math

import numpy as np
import pytest

from course_lib.chapters.dot_product import handout
from course_lib.chapters.dot_product.exercises.angle import COSINES
from course_lib.judging.registry import judge
from course_lib.kernels import vectors


def verdict(name, answer):
    return judge(f"01_dot_product/{name}", answer)


def by_loop(a, b):
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return total


@pytest.mark.parametrize("cosine", COSINES)
def test_every_way_to_the_cosine_needs_the_clip_and_passes_with_it(cosine):
    unclipped = verdict("angle", lambda a, b: np.arccos(cosine(a, b)))
    assert unclipped.state == "wrong"
    assert "Clip the cosine to [-1, 1]" in unclipped.text
    assert verdict("angle", lambda a, b: np.arccos(np.clip(cosine(a, b), -1, 1))).state == "right"


def test_an_angle_by_the_loop_or_the_math_module_is_right():
    def with_math(a, b):
        cosine = by_loop(a, b) / math.sqrt(by_loop(a, a) * by_loop(b, b))
        return math.acos(max(-1.0, min(1.0, cosine)))

    assert verdict("angle", with_math).state == "right"


def test_an_angle_in_the_plane_of_the_first_two_axes_is_not_the_angle():
    def in_plane(a, b):
        return abs(np.arctan2(b[1], b[0]) - np.arctan2(a[1], a[0]))

    assert verdict("small_angle", in_plane).state == "wrong"
    assert verdict("small_angle", vectors.angle).state == "right"


def squared_in_place(x):
    x *= x
    return x


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: 1 / x, "not finite"),
        (lambda x: np.log(x**2), "not finite"),
        (squared_in_place, "changes its input x in place"),
        (lambda x: np.random.default_rng().normal(size=len(x)), "or on chance"),
        (lambda x: np.zeros(len(x)), "the same number"),
        (lambda x: x, "not 0 yet"),
    ],
)
def test_what_is_not_perpendicular_and_decided_by_x_is_told_why(answer, said):
    found = verdict("perpendicular_to", answer)
    assert found.state == "wrong"
    assert said in found.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda q: (np.array([1.0, 0.0]), ...), "still returns `...` in one place"),
        (lambda q: np.array([1.0, 0.0]), "Each key needs two numbers"),
        (lambda q: (1.0, 2.0), "Each key needs two numbers"),
        (lambda q: np.array([1.0, 0.0, 2.0]), "Return two keys"),
        (lambda q: (np.array([1.0, 0.0]), np.array([np.inf, 1.0])), "not finite"),
        (lambda q: (np.array([1.0, 0.0]), np.array([10.0, 10.0])), "longer than 5"),
    ],
)
def test_two_keys_that_miss_the_point_are_told_what_is_missing(answer, said):
    found = verdict("near_and_loud", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_printing_instead_of_returning_is_named():
    def dot(a, b):
        print((a * b).sum())

    found = verdict("dot", dot)
    assert found.state == "wrong"
    assert "write `return` where you wrote `print`" in found.text


def test_a_stub_that_prints_is_still_not_attempted():
    def dot(a, b):
        print(a, b)
        return ...

    assert verdict("dot", dot).state == "todo"


def first_only(a, b):
    for i in range(len(a)):
        return a[i] * b[i]


def last_only(a, b):
    for i in range(len(a)):
        total = 0
        total += a[i] * b[i]
    return total


def without_the_last(a, b):
    return sum(a[i] * b[i] for i in range(len(a) - 1))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (first_only, "The return stands inside the loop"),
        (last_only, "Only the last product is left"),
        (without_the_last, "The last entry is left out"),
        (lambda a, b: sum(a[i] * b[i] for i in range(1, len(a))), "The first entry is left out"),
    ],
)
def test_loops_that_miss_entries_are_told_apart(answer, said):
    assert said in verdict("dot", answer).text


@pytest.mark.parametrize(
    "answer",
    [
        np.dot,
        np.vdot,
        np.inner,
        by_loop,
        lambda a, b: np.tensordot(a, b, 1),
        lambda a, b: math.sumprod(a, b) if hasattr(math, "sumprod") else by_loop(a, b),
        lambda a, b: np.array((a * b).sum()),
        lambda a, b: (a[None] @ b[:, None]).item(),
    ],
)
def test_other_roads_to_the_dot_product_are_right(answer):
    assert verdict("dot", answer).state == "right"


def test_the_core_is_what_is_not_marked_as_depth():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["dot", "near_and_loud", "pairwise_dots", "attention"]
