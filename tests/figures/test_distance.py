import numpy as np
import pytest

from course_lib.figures.distance import draw_by_distance
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure

FADING = np.array([[1.0, 1e-3, 1e-6], [1.0, 1e-5, 1e-8]])


def test_a_line_goes_through_the_geometric_mean_and_a_band_through_the_ends():
    axes = draw_by_distance(new_figure().subplots(), {"far": FADING})
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [1, 1e-4, 1e-7])
    (band,) = axes.collections
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.min() == pytest.approx(1e-8)


def test_each_line_carries_its_name_and_its_own_stroke():
    names = ["a", "b", "c", "d"]
    axes = draw_by_distance(
        new_figure().subplots(), {n: FADING * 1e3**i for i, n in enumerate(names)}
    )
    assert [text.get_text() for text in axes.texts] == names
    assert len({(line.get_color(), str(line._dash_pattern)) for line in axes.lines}) == 4
    assert faults(axes.figure) == []


@pytest.mark.parametrize("sizes", [{}, dict.fromkeys("abcde", FADING)])
def test_no_lines_and_too_many_are_refused(sizes):
    with pytest.raises(ValueError, match="expected 1 to 4"):
        draw_by_distance(new_figure().subplots(), sizes)


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="lengths differ"):
        draw_by_distance(new_figure().subplots(), {"a": FADING, "b": FADING[:, :2]})
