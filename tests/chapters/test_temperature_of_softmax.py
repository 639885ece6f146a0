"""Chapter 4's picture of the temperature says which lead it shows, and names its pieces."""

import numpy as np
import pytest

from course_lib.chapters.softmax.explorers.temperature import (
    BEST,
    PRINTED,
    TEMPERATURES,
    draw_temperature,
    explore_temperature,
)
from course_lib.figures.theme import new_figure
from tests.chapters.samples import data_of


def test_the_printed_weights_need_a_temperature_between_1_72_and_1_82():
    for temperature, inside in {1.0: 0, 1.71: 0, 1.73: 1, 1.81: 1, 1.83: 0}.items():
        params = {"temperature": temperature}
        seen = data_of(explore_temperature, **params)
        assert explore_temperature.goal.reached(params, seen) == bool(inside)
    assert PRINTED.sum() == 1


@pytest.mark.parametrize(
    ("temperature", "says"),
    [(0.5, "lead 10.4:\n32,860 to 1"), (1, "lead 5.2:\n181 to 1"), (20, "lead 0.3:\n1.3 to 1")],
)
def test_the_lead_and_what_it_makes_stand_at_a_bracket_between_the_two_best(temperature, says):
    figure = new_figure(*explore_temperature.size)
    drawing = draw_temperature(figure, data_of(explore_temperature))
    drawing.update(data_of(explore_temperature, temperature=temperature))
    (text,) = [one for one in figure.axes[0].texts if one.get_text().startswith("lead")]
    assert text.get_text() == says
    x, y = text.get_position()
    assert y > 3.5 / temperature + 2
    assert (x == BEST) == (temperature == 20)  # where a bracket would be a smudge, there is none


@pytest.mark.parametrize(("temperature", "clear"), [(0.5, True), (1, True), (20, False)])
def test_the_line_of_the_lead_runs_through_no_dot(temperature, clear):
    figure = new_figure(*explore_temperature.size)
    drawing = draw_temperature(figure, data_of(explore_temperature))
    drawing.update(data_of(explore_temperature, temperature=temperature))
    (level,) = [one for one in figure.axes[0].lines if one.get_linestyle() == ":"]
    assert level.get_visible() == clear


@pytest.mark.parametrize(("temperature", "lines"), [(0.5, 0), (1, 1), (1.75, 2), (5, 2), (20, 0)])
def test_a_line_leads_to_the_name_of_a_narrow_piece_that_is_seen(temperature, lines):
    figure = new_figure(*explore_temperature.size)
    drawing = draw_temperature(figure, data_of(explore_temperature))
    drawing.update(data_of(explore_temperature, temperature=temperature))
    (strip,) = [axes for axes in figure.axes if axes.get_label() == "strip"]
    assert sum(one.get_visible() for one in strip.lines) == lines


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0, 20.0])
def test_the_strip_at_a_temperature_is_a_cut_through_the_strips_at_every_one(temperature):
    seen = data_of(explore_temperature, temperature=temperature)
    nearest = np.abs(np.log(TEMPERATURES / temperature)).argmin()
    np.testing.assert_allclose(seen["rows"][nearest], seen["weights"], atol=0.02)
