import contextlib
import itertools

import matplotlib
import numpy as np
import pytest

from course_lib.figures import theme
from course_lib.figures.heat_map import contrast
from course_lib.figures.theme import new_figure, style

MEANINGS = ("QUERY", "KEY", "VALUE", "OUTPUT", "WEIGHT", "RIGHT", "YOURS")
# Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB
BLINDNESS = {
    "none": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def rgb(name):
    return np.array(matplotlib.colors.to_rgb(getattr(theme, name)))


def seen(colour, blindness):
    """CIELAB of an sRGB colour as someone with this blindness sees it."""
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.asarray(BLINDNESS[blindness]) @ linear, 0, 1)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, z = to_xyz @ linear / np.array([0.9505, 1.0, 1.089])
    f = [np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("name", MEANINGS)
def test_a_colour_with_a_meaning_is_readable_as_text_on_white(name):
    assert contrast(rgb(name), (1, 1, 1)) >= 4.5


def test_a_ghost_is_seen_on_white():
    assert contrast(rgb("GHOST"), (1, 1, 1)) >= 3


@pytest.mark.parametrize("blindness", BLINDNESS)
def test_query_key_value_output_and_weights_stay_apart_without_full_colour_vision(blindness):
    for a, b in itertools.combinations(("QUERY", "KEY", "VALUE", "OUTPUT", "WEIGHT"), 2):
        distance = np.linalg.norm(seen(rgb(a), blindness) - seen(rgb(b), blindness))
        assert distance > 12, (a, b, distance)


def test_the_learners_settings_neither_change_our_figures_nor_are_changed():
    with matplotlib.rc_context({"font.size": 31.0, "axes.titlesize": 40.0}):
        before = dict(matplotlib.rcParams)
        figure = new_figure(4, 3)
        axes = figure.subplots()
        axes.plot([1, 2])
        figure.canvas.draw()
        assert axes.title.get_fontsize() == theme.TITLE
        assert {text.get_fontsize() for text in axes.get_xticklabels()} == {theme.SMALL}
        assert dict(matplotlib.rcParams) == before


def test_a_title_is_in_the_courses_look_also_when_a_notebook_sets_it():
    axes = new_figure().subplots()
    title = axes.set_title("The answer")
    assert title.get_fontweight() == "bold"
    assert title.get_fontsize() == theme.TITLE


def test_the_style_ends_with_its_context_also_after_an_error():
    before = dict(matplotlib.rcParams)
    with contextlib.suppress(ZeroDivisionError), style():
        assert matplotlib.rcParams["font.size"] == theme.TEXT
        raise ZeroDivisionError
    assert dict(matplotlib.rcParams) == before


def test_a_figure_too_wide_for_a_narrow_window_is_refused():
    with pytest.raises(ValueError, match="at most 7 wide"):
        new_figure(7.5, 3)


def test_the_smallest_text_of_the_widest_figure_is_ten_points_in_a_narrow_window():
    assert theme.SMALL * theme.DPI / 72 * 600 / (theme.WIDEST * theme.DPI) >= 10 * 96 / 72


@pytest.mark.parametrize("width", [4.0, 7.0])
def test_a_headline_stands_bold_at_the_left_and_inside(width):
    figure = new_figure(width, 3)
    headline = figure.headline("Each row adds up to 1")
    figure.canvas.draw()
    box = headline.get_window_extent()
    assert 0 < box.x0 < 12
    assert box.y1 < figure.bbox.height
    assert (headline.get_weight(), headline.get_fontsize()) == ("bold", theme.TITLE)
    assert figure.get_suptitle() == "Each row adds up to 1"


def test_a_part_of_a_figure_and_a_part_of_that_have_headlines_of_their_own():
    figure = new_figure(7, 4)
    upper, lower = figure.subfigures(2, 1)
    left, _ = lower.subfigures(1, 2)
    for part, text in ((figure, "all"), (upper, "above"), (left, "below at the left")):
        part.headline(text)
    figure.canvas.draw()
    assert [part.get_suptitle() for part in (figure, upper, left)] == [
        "all",
        "above",
        "below at the left",
    ]
    assert upper.bbox.y0 < upper._suptitle.get_window_extent().y0 < figure.bbox.height
