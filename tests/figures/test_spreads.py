"""Histograms and clouds: what is drawn is what was given, and every text can be read."""

import numpy as np
import pytest

from course_lib.figures.readable import faults
from course_lib.figures.spreads import draw_cloud, draw_histograms
from course_lib.figures.theme import new_figure


def test_each_histogram_has_area_one_and_its_name():
    figure = new_figure(7.0, 3.0)
    bins = np.linspace(-4, 4, 33)
    draws = np.random.default_rng(0).normal(size=(2, 500)).clip(-3.9, 3.9)
    axes = draw_histograms(
        figure.subplots(), {"one": draws[0], "half": draws[1] / 2}, bins, [(-3, 0.3), (1, 0.6)]
    )
    areas = [(patch.get_data().values * np.diff(bins)).sum() for patch in axes.patches]
    assert areas == pytest.approx([1, 1])
    assert [text.get_text() for text in axes.texts] == ["one", "half"]
    assert faults(figure) == []


def test_a_cloud_shows_every_pair_and_marks_some():
    figure = new_figure(5.0, 3.0)
    x, y = np.array([1.0, 10.0, 100.0]), np.array([2.0, 3.0, 5.0])
    axes = draw_cloud(figure.subplots(), x, y, {"middle": 1})
    dots, mark = axes.lines
    np.testing.assert_array_equal(dots.get_xydata(), np.transpose([x, y]))
    np.testing.assert_array_equal(mark.get_xydata(), [[10, 3]])
    assert faults(figure) == []


@pytest.mark.parametrize(
    "call",
    [
        lambda axes: draw_histograms(axes, {"one": [1.0]}, np.arange(3), []),
        lambda axes: draw_histograms(
            axes, {name: [1.0] for name in "abcde"}, np.arange(3), [(0, 0)] * 5
        ),
        lambda axes: draw_cloud(axes, [1.0], [1.0, 2.0], {}),
        lambda axes: draw_cloud(axes, [0.0], [1.0], {}),
    ],
)
def test_what_cannot_be_drawn_is_refused(call):
    with pytest.raises(ValueError, match=r"expected|need"):
        call(new_figure().subplots())
