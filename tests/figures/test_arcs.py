"""figures/arcs.py: arcs that move in place, as thick as their weights."""

import numpy as np
import pytest

from course_lib.figures.arcs import THICKEST, draw_arcs
from course_lib.figures.theme import new_figure


@pytest.fixture
def arcs():
    return draw_arcs(new_figure(7.0, 2.0).subplots(), 4, foot=0.5)


def test_an_arc_goes_from_who_looks_to_what_is_looked_at(arcs):
    arcs.update([[1, 0, 0, 0], [0.3, 0.7, 0, 0], [0.95, 0.05, 0, 0], [0, 0, 1, 0]])
    segments = arcs.artist.get_segments()
    ends = [(round(float(one[0, 0])), round(float(one[-1, 0]))) for one in segments]
    assert ends == [(0, 0), (1, 0), (1, 1), (2, 0), (3, 2)], "the weight of .05 has none"
    for one in segments:
        assert one[0, 1] == pytest.approx(0.5)
        assert one[-1, 1] == pytest.approx(0.5)
    widths = np.array(arcs.artist.get_linewidths())
    np.testing.assert_allclose(widths, THICKEST * np.array([1, 0.3, 0.7, 0.95, 1]))


def test_an_arrowhead_stands_at_what_is_looked_at(arcs):
    arcs.update([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1]])
    arrow, loop = arcs.artist.get_segments()
    left, tip, right = arrow[-4:-1]
    assert left[0] < tip[0] < right[0]
    assert left[1] == right[1] > tip[1] == pytest.approx(0.5)
    assert len(loop) == len(arrow) - 4, "a loop has none"


def test_a_farther_look_is_a_higher_arc(arcs):
    tall = []
    for column in range(3):
        weights = np.zeros((4, 4))
        weights[3, column] = 1.0
        arcs.update(weights)
        (segment,) = arcs.artist.get_segments()
        tall.append(segment[:, 1].max())
    assert tall == sorted(tall, reverse=True)


def test_arcs_for_another_text_are_refused(arcs):
    with pytest.raises(ValueError, match="for 4 letters"):
        arcs.update(np.eye(5))
