"""The names of the arrows of chapter 2's two lengths: where they stand, what they leave free."""

import numpy as np
import pytest

from course_lib.chapters.cosine_or_dot.explorers import two_lengths
from course_lib.chapters.cosine_or_dot.explorers.two_lengths import explore_two_lengths
from course_lib.figures.theme import new_figure


def data(explorer, **params):
    return explorer.frame(**params).right


def test_beside_each_tip_that_can_be_moved_stands_its_length():
    figure = new_figure(7.0, 4.0)
    moved = data(explore_two_lengths, query=0.7, key_c=2.9, key_d=3.0)
    two_lengths.draw_two_lengths(figure, data(explore_two_lengths)).update(moved)
    names = {text.get_text() for text in figure.axes[0].texts}
    assert {"q 0.7", "A", "B", "C 2.9", "D 3.0", "90° from q"} <= names


@pytest.mark.parametrize(
    ("name", "shown", "lengths"),
    [("query", "q", (0.7, 1, 3)), ("key_c", "C", (0.5, 1, 2.8, 4)), ("key_d", "D", (0.5, 1, 3))],
)
def test_the_name_of_an_arrow_of_free_length_goes_with_its_tip(name, shown, lengths):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data(explore_two_lengths))
    which = {"q": lambda found: found["q"], "C": lambda found: found["keys"][2]}
    which["D"] = lambda found: found["keys"][3]
    for length in lengths:
        found = data(explore_two_lengths, **{name: length})
        drawing.update(found)
        told = f"{shown} {length:.1f}"
        (label,) = (text for text in figure.axes[0].texts if text.get_text() == told)
        assert np.linalg.norm(label.get_position() - which[shown](found)) < 0.6


@pytest.mark.parametrize("length", [0.1, 0.2, 0.4, 0.7, 1.0])
def test_the_name_of_a_query_that_is_hardly_there_keeps_off_key_b(length):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data(explore_two_lengths))
    found = data(explore_two_lengths, query=length)
    drawing.update(found)
    figure.draw_without_rendering()
    plane = figure.axes[0]
    boxes = {text.get_text(): text.get_window_extent() for text in plane.texts}
    name = boxes[f"q {length:.1f}"]
    assert not name.overlaps(boxes["B"])
    along = plane.transData.transform(np.linspace(0, 1, 50)[:, None] * found["keys"][1])
    assert not any(name.contains(*point) for point in along)


@pytest.mark.parametrize("key_c", [0.5, 0.7, 1.0, 2.0])
def test_the_name_of_c_is_clear_of_that_of_a(key_c):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data(explore_two_lengths))
    drawing.update(data(explore_two_lengths, key_c=key_c))
    figure.draw_without_rendering()
    boxes = {text.get_text(): text.get_window_extent() for text in figure.axes[0].texts}
    assert not boxes["A"].overlaps(boxes[f"C {key_c:.1f}"])


def test_a_ring_marks_the_tip_of_a_query_that_is_too_short_to_be_seen():
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data(explore_two_lengths))
    (ring,) = (line for line in figure.axes[0].lines if line.get_marker() == "o")
    for length, tips in ((0.1, [[0.1, 0.0]]), (1.0, []), (0.3, [[0.3, 0.0]])):
        drawing.update(data(explore_two_lengths, query=length))
        np.testing.assert_allclose(ring.get_xydata(), np.reshape(tips, (-1, 2)), atol=1e-12)


@pytest.mark.parametrize(("name", "longest"), [("query", 3.0), ("key_c", 4.0), ("key_d", 3.0)])
def test_the_longest_arrow_of_the_two_lengths_keeps_its_name_in_its_half(name, longest):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data(explore_two_lengths))
    drawing.update(data(explore_two_lengths, **{name: longest}))
    figure.canvas.draw()
    plane, bars = figure.axes
    (label,) = (text for text in plane.texts if text.get_text().endswith(f"{longest}"))
    box = label.get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= bars.get_tightbbox().x0
