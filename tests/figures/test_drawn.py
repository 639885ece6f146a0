"""course_lib/figures/drawn.py: what a figure shows, in words and whole numbers."""

import matplotlib as mpl
import numpy as np
import pytest

from course_lib.figures.drawn import NOWHERE, POINTS, drawn
from course_lib.figures.static import figure_png
from course_lib.figures.theme import new_figure


@pytest.fixture
def axes():
    """Axes over all of a figure of 7 by 3 inches; a unit of their numbers is a pixel."""
    figure = new_figure(7, 3)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 700), ylim=(0, 300))
    axes.axis("off")
    return axes


def shown(axes):
    """What is drawn in the figure of the axes: by what it is, its numbers."""
    figure_png(axes.figure)
    parts = [text.rpartition(": ") for text in drawn(axes.figure)]
    return {what: [int(number) for number in row.split()] for what, _, row in parts}


def test_a_line_is_its_points_in_pixels_and_its_colour(axes):
    axes.plot([11.2, 13, 17], [19, 23.4, 29], color="#0080ff")
    assert shown(axes) == {"line of 3": [11, 19, 13, 23, 17, 29, 0, 128, 255]}


def test_a_long_line_keeps_some_points_and_both_its_ends(axes):
    steps = np.arange(101)
    axes.plot(steps, 2 * steps, color="black")
    (numbers,) = shown(axes).values()
    places = np.reshape(numbers[:-3], (-1, 2))
    assert len(places) == POINTS
    assert places[[0, -1]].tolist() == [[0, 0], [100, 200]]
    assert np.diff(places[:, 0]).min() >= 4


def test_a_point_that_is_not_drawn_is_nowhere(axes):
    axes.plot([11, 13], [np.nan, 19], color="black")
    assert shown(axes)["line of 2"][:4] == [NOWHERE, NOWHERE, 13, 19]


def test_a_bar_is_its_corners(axes):
    axes.bar([11], [23], width=2, color="white")
    assert shown(axes) == {"Rectangle": [10, 0, 12, 0, 12, 23, 10, 23, 10, 0, 255, 255, 255]}


def test_points_and_areas_are_their_places(axes):
    axes.scatter([11, 13], [17, 19], color=["black", "white"])
    axes.hlines([31], 5, 7, color="black")
    found = shown(axes)
    assert found["PathCollection of 2"] == [11, 17, 13, 19, 0, 0, 0, 255, 255, 255]
    assert found["LineCollection of 2"] == [5, 31, 7, 31, 0, 0, 0]


def test_a_map_is_its_frame_and_its_shades(axes):
    axes.imshow([[0, 1, 0.5]], cmap="gray", extent=(10, 40, 20, 30), aspect="auto")
    axes.set(xlim=(0, 700), ylim=(0, 300))
    grey = round(255 * mpl.colormaps["gray"](0.5)[0])
    shades = [0, 0, 0, 255, 255, 255, grey, grey, grey]
    assert shown(axes) == {"image of 1 x 3": [10, 20, 40, 30, *shades]}


def test_words_are_told_with_their_places_and_no_empty_ones(axes):
    axes.text(11, 13, "loss: 2")
    axes.text(11, 13, "")
    axes.text(17, 19, "unseen", visible=False)
    assert shown(axes) == {"loss: 2": [11, 13]}


def test_the_numbers_at_the_axes_are_told_where_there_is_a_frame():
    figure = new_figure(7, 3)
    axes = figure.subplots()
    axes.set(xticks=[0, 7, 13], yticks=[2], xlabel="steps")
    axes.set(xlim=(-1, 11), ylim=(0, 5))  # 13 lies outside of it
    found = shown(axes)
    assert list(found) == ["0", "7", "steps", "2"]
    assert found["0"][0] < found["steps"][0] < found["7"][0]


def test_ticks_that_nobody_chose_are_those_of_the_picture():
    figure = new_figure(6, 3.3)
    axes = figure.subplots()
    axes.plot([0, 1, 2])
    axes.set(xticks=[], xlabel="steps", title="losses")
    found = list(shown(axes))  # without the course's sizes of letters there is room for 0.25
    assert found == ["line of 3", "steps", "0.0", "0.5", "1.0", "1.5", "2.0", "losses"]


def test_all_axes_of_all_parts_of_a_figure_are_told():
    figure = new_figure(7, 3)
    left, right = figure.subfigures(1, 2)
    left.suptitle("left")
    right.subplots().set(xticks=[], yticks=[], title="right")
    figure_png(figure)
    assert [text.rpartition(": ")[0] for text in drawn(figure)] == ["left", "right"]


def test_the_numbers_do_not_depend_on_the_sharpness(axes):
    axes.plot([11, 13], [17, 19], color="black")
    once = shown(axes)
    axes.figure.dpi = 250
    assert shown(axes) == once
