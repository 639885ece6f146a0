"""Curves with their names at their ends."""

import numpy as np
import pytest

from course_lib.figures.curves import draw_curves
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure


def drawn(curves, **options):
    figure = new_figure(7.0, 3.0)
    axes = draw_curves(figure.subplots(), curves, **options)
    figure.canvas.draw()
    return figure, axes


def test_each_curve_has_its_numbers_and_its_name():
    curves = {"falls": np.linspace(2, 0, 50), "stays": np.full(50, 2.0)}
    figure, axes = drawn(curves)
    assert [list(line.get_ydata()) for line in axes.lines] == [list(y) for y in curves.values()]
    assert {text.get_text() for text in axes.texts} == {"falls", "stays"}
    assert faults(figure) == []


def test_names_of_curves_that_end_together_do_not_overlap():
    _, axes = drawn({name: np.full(9, 1.0) for name in "abcd"}, level=("chance", 1.0))
    heights = sorted(text.get_window_extent().y0 for text in axes.texts)
    tallest = max(text.get_window_extent().height for text in axes.texts)
    assert min(np.diff(heights)) >= 0.9 * tallest


def test_curves_differ_by_more_than_their_colour():
    _, axes = drawn({name: [1, 2] for name in "abcd"})
    assert len({line.get_linestyle() for line in axes.lines}) > 1
    assert len({line._unscaled_dash_pattern for line in axes.lines}) == 4


@pytest.mark.parametrize("count", [0, 5])
def test_too_few_and_too_many_are_refused(count):
    with pytest.raises(ValueError, match="can be told apart"):
        drawn({str(name): [1.0] for name in range(count)})
