"""Bars around zero show each part's size and sign, in numbers too."""

import numpy as np
import pytest

from course_lib.figures.bars import draw_contributions
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure


def test_each_bar_carries_its_name_and_its_number():
    axes = draw_contributions(new_figure(6, 2.4).subplots(), ["animal", "barks"], [4, -2.5])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["animal", "barks"]
    assert [text.get_text() for text in axes.texts] == ["+4", "−2.5"]
    assert [bar.get_width() for bar in axes.patches] == [4, -2.5]


def test_the_sign_is_told_by_side_and_by_colour():
    axes = draw_contributions(new_figure(6, 2.4).subplots(), ["a", "b", "c"], np.array([1, -1, 2]))
    plus, minus, other = (bar.get_facecolor() for bar in axes.patches)
    assert plus == other != minus
    assert axes.texts[1].get_position()[0] < 0 < axes.texts[0].get_position()[0]


@pytest.mark.parametrize("parts", [[0.0, 0.0], [1e-3, -1e3], [-5.0, -4.0]])
def test_nothing_is_cut_off_or_collides(parts):
    figure = new_figure(6, 2.4)
    draw_contributions(figure.subplots(), ["first", "a longer name"], parts)
    assert faults(figure) == []


def test_a_part_without_a_name_is_refused():
    with pytest.raises(ValueError, match=r"parts has shape \(3,\), but there are 2 names"):
        draw_contributions(new_figure(6, 2.4).subplots(), ["a", "b"], [1, 2, 3])
