import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from course_lib.figures.ghosts import goal_band, goal_ring, goal_words, leave_ghosts
from course_lib.figures.theme import GHOST, OUTPUT, new_figure, style


@pytest.fixture
def axes():
    with style():
        axes = new_figure(4, 3).subplots()
        axes.set(xlim=(0, 10), ylim=(0, 10))
        yield axes


def test_a_ghost_stays_where_its_line_was(axes):
    (line,) = axes.plot([1, 2], [3, 4], color=OUTPUT)
    (ghost,) = leave_ghosts([line])
    line.set_data([5, 6], [7, 8])
    np.testing.assert_array_equal(ghost.get_xydata(), [[1, 3], [2, 4]])
    assert ghost.get_color() == GHOST
    assert ghost.is_dashed()
    assert ghost.get_zorder() < line.get_zorder()


def test_a_ghost_of_a_bar_is_its_outline(axes):
    (bar,) = axes.bar([2], [6], 0.5)
    (ghost,) = leave_ghosts([bar])
    bar.set_height(1)
    assert ghost.get_path().get_extents().bounds == pytest.approx((1.75, 0, 0.5, 6))
    assert not ghost.get_fill()
    assert ghost.get_edgecolor() == to_rgba(GHOST)


def test_a_ghost_of_steps_and_of_many_lines_keeps_their_places(axes):
    steps = axes.stairs([1, 2], [0, 1, 2])
    lines = axes.add_collection(LineCollection([[(0, 0), (1, 1)]]))
    of_steps, of_lines = leave_ghosts([steps, lines])
    assert of_steps.get_path().get_extents().y1 == 2
    np.testing.assert_array_equal(of_lines.get_segments()[0], [[0, 0], [1, 1]])


def test_a_ghost_of_dots_is_hollow_and_has_no_line(axes):
    (dots,) = axes.plot([1, 2], [1, 2], "o")
    (ghost,) = leave_ghosts([dots])
    assert ghost.get_linestyle() == "None"
    assert ghost.get_markerfacecolor() == "none"


def test_what_has_no_outline_is_refused(axes):
    with pytest.raises(TypeError, match="Text"):
        leave_ghosts([axes.text(0, 0, "word")])


@pytest.mark.parametrize(("name", "word"), [(None, "goal"), ("half", "half")])
def test_a_band_is_called_goal_or_by_its_name(axes, name, word):
    assert goal_band(axes, 4, 6, OUTPUT, name=name).artists[1].get_text() == word


@pytest.mark.parametrize("across", ["x", "y"])
def test_a_band_is_hatched_until_it_is_reached_and_then_filled(axes, across):
    mark = goal_band(axes, 4, 6, OUTPUT, across=across)
    band, word = mark.artists
    assert word.get_text() == "goal"
    assert (band.get_hatch(), band.get_facecolor()[3]) == ("//", 0)
    mark.show(True)
    assert (band.get_hatch(), band.get_facecolor()) == (None, to_rgba(OUTPUT, 0.3))
    mark.show(False)
    assert band.get_hatch() == "//"


def test_a_band_across_nothing_is_refused(axes):
    with pytest.raises(ValueError, match="'z'"):
        goal_band(axes, 4, 6, OUTPUT, across="z")


def test_a_ring_is_hollow_until_it_is_reached(axes):
    mark = goal_ring(axes, 4, 6, OUTPUT)
    ring = mark.artists[0]
    assert len(ring.get_facecolor()) == 0
    mark.show(True)
    assert ring.get_facecolor()[0][3] == pytest.approx(0.3)


def test_a_goal_in_words_is_filled_once_it_is_reached(axes):
    mark = goal_words(axes, [(0.2, 0.5, "goal: 0")], OUTPUT)
    (text,) = mark.artists
    assert text.get_text() == "goal: 0"
    frame = text.get_bbox_patch()
    assert frame.get_facecolor()[3] == 0
    mark.show(True)
    assert frame.get_facecolor()[3] > 0
    mark.show(False)
    assert frame.get_facecolor()[3] == 0
