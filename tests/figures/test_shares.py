"""Weights as one strip of length 1."""

import numpy as np
import pytest

from course_lib.figures.readable import faults
from course_lib.figures.shares import Strip, apart, half_mark, strip_axes
from course_lib.figures.theme import new_figure

NAMES = ["xiao", "shen", "yang", "invited"]


@pytest.fixture
def axes():
    axes = new_figure(7.0, 1.6).subplots()
    strip_axes(axes, "strip")
    return axes


def ends(strip):
    return [(one.get_x(), one.get_x() + one.get_width()) for one in strip.pieces]


def test_the_pieces_lie_side_by_side_and_are_as_wide_as_their_weights(axes):
    strip = Strip(axes, NAMES, [0.1, 0.2, 0.3, 0.4])
    assert np.ravel(ends(strip)) == pytest.approx([0, 0.1, 0.1, 0.3, 0.3, 0.6, 0.6, 1])


def test_a_wide_piece_has_its_name_inside_and_a_narrow_one_below(axes):
    inside, below = Strip(axes, ["wide", "narrow"], [0.97, 0.03]).labels
    assert inside.get_position()[1] == pytest.approx(0.5)
    assert below.get_position()[1] < 0
    assert (inside.get_text(), below.get_text()) == ("wide .97", "narrow .03")


@pytest.mark.parametrize(
    "weights",
    [[1, 0, 0, 0], [0, 0, 0, 1], [0.01, 0.97, 0.01, 0.01], [0.25] * 4, [0, 1, 0, 0], [0.7] * 4],
)
def test_the_names_never_overlap_and_stay_in_the_picture(axes, weights):
    strip = Strip(axes, NAMES, weights)
    axes.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in strip.labels]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])
    assert faults(axes.figure) == []


def test_a_negative_weight_has_no_width(axes):
    assert ends(Strip(axes, ["a", "b"], [-0.5, 0.5])) == [(0, 0), (0, 0.5)]


def test_the_start_stays_above_the_strip_when_it_moves(axes):
    strip = Strip(axes, ["a", "b"], [0.3, 0.7])
    thin = [one for one in axes.patches if one not in strip.pieces]
    strip.update([0.9, 0.1])
    assert [one.get_width() for one in thin] == pytest.approx([0.3, 0.7])


def test_as_many_names_as_weights_are_needed(axes):
    with pytest.raises(ValueError, match="1 names, but 2 weights"):
        Strip(axes, ["a"], [0.5, 0.5])


def test_labels_are_moved_no_further_than_they_must():
    widths = np.array([0.2, 0.2, 0.2])
    assert apart(np.array([0.2, 0.5, 0.8]), widths) == pytest.approx([0.2, 0.5, 0.8])
    assert apart(np.array([0.9, 0.9, 0.9]), widths) == pytest.approx([0.5, 0.7, 0.9])
    assert apart(np.array([0.0, 0.0, 0.9]), widths) == pytest.approx([0.1, 0.3, 0.9])


def test_the_mark_of_a_goal_leaves_the_names_in_the_strip_free(axes):
    half_mark(axes)
    for line in axes.lines:
        low, high = sorted(line.get_ydata())
        assert high <= 0 or low >= 1
