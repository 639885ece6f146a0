"""Lines over chosen numbers."""

import numpy as np
import pytest

from course_lib.figures.lines import LOOKS, draw_lines
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure


def drawn(x, lines, **options):
    figure = new_figure(6.0, 3.0)
    return figure, draw_lines(figure.subplots(), x, lines, **options)


def test_each_line_has_a_look_and_its_name_at_its_end():
    figure, axes = drawn((1, 2, 4), {"one": [1, 2, 3], "two": [3, 2, 9]})
    assert [(line.get_color(), line.get_marker()) for line in axes.lines] == [
        (colour, mark) for colour, _, mark in LOOKS[:2]
    ]
    assert sorted(text.get_text() for text in axes.texts) == ["one", "two"]
    assert faults(figure) == []


def test_a_number_that_is_not_known_leaves_a_gap():
    _, axes = drawn((1, 2, 3), {"one": [1, 2, None], "two": [1, 1, 1]})
    assert np.isnan(axes.lines[0].get_ydata()[-1])


def test_names_that_would_meet_are_moved_apart():
    _, axes = drawn((1, 2), {name: [1, 5] for name in "abc"})
    heights = sorted(text.get_position()[1] for text in axes.texts)
    assert min(np.diff(heights)) > 0.05


def test_a_scale_of_powers_is_taken():
    _, axes = drawn((1, 10), {"a": [1, 100]}, log="xy")
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="one to 4"):
        drawn((1,), {})
    with pytest.raises(ValueError, match="2 numbers for 1"):
        drawn((1,), {"a": [1, 2]})
