import math

import numpy as np
import pytest

from course_lib.figures.theme import GHOST, KEY, QUERY, new_figure
from course_lib.figures.vectors import (
    draw_angle,
    draw_ghost,
    draw_plane,
    draw_projection,
    draw_vector,
)


@pytest.fixture
def axes():
    return draw_plane(new_figure(4, 4).subplots(), reach=5)


def corners(vector):
    return vector.artists[0].get_xy()


def test_a_plane_has_the_same_scale_both_ways(axes):
    axes.figure.canvas.draw()
    (x0, y0), (x1, y1) = axes.transData.transform([(0, 0), (3, 3)])
    assert x1 - x0 == pytest.approx(y1 - y0)
    assert axes.get_xlim() == (-5, 5)


@pytest.mark.parametrize("tip", [(3, 1), (-2, 4), (0, -5), (0.01, 0)])
def test_an_arrow_starts_at_its_tail_and_ends_at_its_tip(axes, tip):
    outline = corners(draw_vector(axes, tip, QUERY, "q"))
    assert np.min(np.linalg.norm(outline - tip, axis=1)) < 1e-12
    farthest = np.max((outline - tip) @ (-np.asarray(tip) / np.linalg.norm(tip)))
    assert farthest == pytest.approx(np.linalg.norm(tip))


def test_a_moved_arrow_is_the_arrow_drawn_there(axes):
    moved, there = draw_vector(axes, (1, 1), QUERY), draw_vector(axes, (-2, 3), QUERY)
    moved.move((-2, 3))
    np.testing.assert_allclose(corners(moved), corners(there))


def test_a_vector_of_length_zero_can_be_drawn(axes):
    assert np.isfinite(corners(draw_vector(axes, (0, 0), QUERY, "q"))).all()


def test_the_name_stays_inside_of_the_frame(axes):
    label = draw_vector(axes, (5, 5), QUERY, "q").artists[1]
    assert max(np.abs(label.get_position())) < 5


def test_the_name_can_change_with_the_arrow(axes):
    vector = draw_vector(axes, (1, 1), QUERY, "q")
    vector.move((1, 2), label="2 q")
    assert vector.artists[1].get_text() == "2 q"


@pytest.mark.parametrize(
    ("a", "b", "degrees"),
    [((1, 0), (0, 2), 90), ((1, 0), (-1, -1e-9), 180), ((0, -1), (-1, 0), 90), ((1, 1), (2, 2), 0)],
)
def test_an_arc_shows_the_angle_the_short_way(axes, a, b, degrees):
    arc, label = draw_angle(axes, a, b).artists
    assert label.get_text() == f"{degrees}°"
    x, y = arc.get_data()
    swept = np.degrees(np.abs(np.diff(np.unwrap(np.arctan2(y, x)))).sum())
    assert swept == pytest.approx(degrees, abs=1e-4)


@pytest.mark.parametrize("a", [(1, 3), (-2, 1), (2, -1)])
def test_a_projection_falls_at_a_right_angle_on_the_line(axes, a):
    onto = np.array([3.0, 1.0])
    drop, shadow, _ = draw_projection(axes, a, onto, KEY).artists
    start, foot = np.transpose(drop.get_data())
    np.testing.assert_allclose(start, a)
    assert (start - foot) @ onto == pytest.approx(0, abs=1e-12)
    assert foot[0] * onto[1] == pytest.approx(foot[1] * onto[0])
    np.testing.assert_allclose(np.transpose(shadow.get_data()), [(0, 0), foot])


def test_nothing_falls_on_a_vector_of_length_zero(axes):
    parts = draw_projection(axes, (1, 2), (0, 0), KEY).artists
    assert all(len(part.get_xdata()) == 0 for part in parts)


def test_the_right_angle_mark_has_right_angles(axes):
    x, y = draw_projection(axes, (1, 3), (3, 1), KEY).artists[2].get_data()
    first, second = np.diff(np.transpose([x, y]), axis=0)
    assert first @ second == pytest.approx(0, abs=1e-12)
    assert math.hypot(*first) == pytest.approx(math.hypot(*second))


def test_a_ghost_is_grey_and_lies_below_what_moves(axes):
    ghost, vector = draw_ghost(axes, (1, 1)), draw_vector(axes, (1, 1), QUERY)
    assert ghost.artists[1].get_color() == GHOST
    assert ghost.artists[0].get_zorder() < vector.artists[0].get_zorder()
