"""Random directions against what geometry says of them."""

import numpy as np
import pytest

from course_lib.measures import directions as module
from course_lib.measures.directions import largest_cosine, random_directions


def test_every_direction_has_length_one():
    directions = random_directions(7, 5, np.random.default_rng(0))
    assert directions.shape == (7, 5)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, rtol=1e-6)


@pytest.mark.parametrize("d", [2, 3, 64, 512])
def test_the_cosine_of_strangers_is_spread_by_one_over_the_root_of_d(d):
    a = random_directions(20_000, d, np.random.default_rng(0))
    b = random_directions(20_000, d, np.random.default_rng(1))
    cosines = (a * b).sum(axis=1)
    # 20000 draws estimate a standard deviation to half a percent, a mean to 1/sqrt(20000 d).
    assert cosines.std() == pytest.approx(d**-0.5, rel=0.03)
    assert abs(cosines.mean()) < 6 / np.sqrt(20_000 * d)


@pytest.mark.parametrize("rows_at_once", [1, 3, 11, 100])
def test_the_worst_pair_is_the_one_a_double_loop_finds(rows_at_once, monkeypatch):
    monkeypatch.setattr(module, "ROWS_AT_ONCE", rows_at_once)
    directions = random_directions(11, 3, np.random.default_rng(0))
    loop = max(abs(float(a @ b)) for i, a in enumerate(directions) for b in directions[:i])
    assert largest_cosine(directions) == pytest.approx(loop, rel=1e-6)


def test_opposite_directions_are_as_far_from_perpendicular_as_equal_ones():
    assert largest_cosine(np.array([[1.0, 0.0], [-1.0, 0.0]])) == 1
    assert largest_cosine(np.eye(5)) == 0


@pytest.mark.parametrize("bad", [np.ones((1, 3)), np.ones(3), np.ones((2, 3, 5))])
def test_fewer_than_two_directions_make_no_pair(bad):
    with pytest.raises(ValueError, match=r"^directions has shape .*; expected"):
        largest_cosine(bad)


@pytest.mark.parametrize(("n", "d", "name"), [(0, 3, "n"), (3, 0, "d")])
def test_a_count_below_one_is_refused_by_name(n, d, name):
    with pytest.raises(ValueError, match=f"^{name} is 0; expected at least 1$"):
        random_directions(n, d, np.random.default_rng(0))
