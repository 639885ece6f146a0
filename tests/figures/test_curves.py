"""Curves with their names: over steps, and of several runs."""

import numpy as np
import pytest

from course_lib.figures.curves import (
    LOOKS,
    RUN_LOOKS,
    draw_curves,
    draw_runs,
)
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure


def drawn(draw, *given, **options):
    figure = new_figure(7.0, 3.0)
    axes = draw(figure.subplots(), *given, **options)
    figure.canvas.draw()
    return figure, axes


# Curves over steps


def test_each_curve_has_its_numbers_and_its_name():
    curves = {"falls": np.linspace(2, 0, 50), "stays": np.full(50, 2.0)}
    figure, axes = drawn(draw_curves, curves)
    assert [list(line.get_ydata()) for line in axes.lines] == [list(y) for y in curves.values()]
    assert {text.get_text() for text in axes.texts} == {"falls", "stays"}
    assert faults(figure) == []


def test_names_of_curves_that_end_together_do_not_overlap():
    _, axes = drawn(draw_curves, {name: np.full(9, 1.0) for name in "abcd"}, level=("chance", 1.0))
    heights = sorted(text.get_window_extent().y0 for text in axes.texts)
    tallest = max(text.get_window_extent().height for text in axes.texts)
    assert min(np.diff(heights)) >= 0.9 * tallest


def test_curves_differ_by_more_than_their_colour():
    _, axes = drawn(draw_curves, {name: [1, 2] for name in "abcd"})
    assert len({line.get_linestyle() for line in axes.lines}) > 1
    assert len({line._unscaled_dash_pattern for line in axes.lines}) == 4


# Several training runs of each kind


def test_runs_of_one_kind_share_their_look_and_kinds_do_not():
    runs = {"with": [np.ones(30), np.zeros(30)], "without": [np.ones(30)]}
    figure, axes = drawn(draw_runs, runs, [(12, 0.8), (12, 0.4)])
    looks = [(line.get_color(), line.get_linestyle()) for line in axes.lines]
    assert looks == [RUN_LOOKS[0], RUN_LOOKS[0], RUN_LOOKS[1]]
    assert [text.get_text() for text in axes.texts] == ["with", "without"]
    assert faults(figure) == []


def test_each_point_is_the_mean_of_the_steps_before_it():
    _, axes = drawn(draw_runs, {"a": [np.arange(5.0)]}, [(2, 2)], window=2)
    np.testing.assert_allclose(axes.lines[0].get_xdata(), [2, 3, 4, 5])
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [0.5, 1.5, 2.5, 3.5])


# All of them


@pytest.mark.parametrize("looks", [LOOKS, RUN_LOOKS])
def test_looks_differ_in_colour_and_in_dashes(looks):
    assert len({colour for colour, _ in looks}) == len({dashes for _, dashes in looks}) == 4


@pytest.mark.parametrize("count", [0, 5])
def test_too_few_and_too_many_are_refused(count):
    curves = {str(name): [1.0] for name in range(count)}
    runs = {name: [curve] for name, curve in curves.items()}
    places = [(0, 0)] * count
    for draw, *given in (
        (draw_curves, curves),
        (draw_runs, runs, places),
    ):
        with pytest.raises(ValueError, match=f"got {count} .*; one to 4 can be told apart"):
            drawn(draw, *given)


def test_what_does_not_belong_together_is_refused():
    with pytest.raises(ValueError, match="1 places for 2"):
        drawn(draw_runs, {"a": [], "b": []}, [(0, 0)])
