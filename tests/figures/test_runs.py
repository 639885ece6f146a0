"""Curves of training runs: told apart by colour, dashes and name."""

import numpy as np
import pytest

from course_lib.figures.readable import faults
from course_lib.figures.runs import LOOKS, draw_runs
from course_lib.figures.theme import new_figure


def drawn(runs, places, **options):
    figure = new_figure(6.0, 3.0)
    return figure, draw_runs(figure.subplots(), runs, places, **options)


def test_runs_of_one_kind_share_their_look_and_kinds_do_not():
    runs = {"with": [np.ones(30), np.zeros(30)], "without": [np.ones(30)]}
    figure, axes = drawn(runs, [(12, 0.8), (12, 0.4)])
    looks = [(line.get_color(), line.get_linestyle()) for line in axes.lines]
    assert looks == [LOOKS[0], LOOKS[0], LOOKS[1]]
    assert [text.get_text() for text in axes.texts] == ["with", "without"]
    assert faults(figure) == []


def test_each_point_is_the_mean_of_the_steps_before_it():
    _, axes = drawn({"a": [np.arange(5.0)]}, [(2, 2)], window=2)
    np.testing.assert_allclose(axes.lines[0].get_xdata(), [2, 3, 4, 5])
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [0.5, 1.5, 2.5, 3.5])


def test_looks_differ_in_colour_and_in_dashes():
    assert len({colour for colour, _ in LOOKS}) == len({dashes for _, dashes in LOOKS}) == 4


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="5 kinds"):
        drawn({str(i): [np.ones(20)] for i in range(5)}, [(0, 0)] * 5)
    with pytest.raises(ValueError, match="1 places for 2"):
        drawn({"a": [], "b": []}, [(0, 0)])
