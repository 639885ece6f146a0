"""Chapter 1's two arrows: their area, its goal, and the curve of the angles tried so far."""

import itertools

import numpy as np
import pytest

from course_lib.chapters.dot_product.explorers.two_vectors import explore_two_vectors
from tests.sweeps import some


@pytest.mark.parametrize("setting", [{}, {"angle": 150}, {"angle": 37, "length_b": 2.5}])
def test_the_area_is_the_dot_product(setting):
    session = explore_two_vectors.session()
    frame = session.frame({**explore_two_vectors.start, **setting})
    session.layers(frame)
    plane = session.picture("one").figure.axes[0]
    box = next(one for one in plane.patches if getattr(one, "get_width", None))
    sign = 1 if frame.right["dot"] > 0 else -1
    assert sign * box.get_width() * box.get_height() == pytest.approx(float(frame.right["dot"]))


@pytest.mark.parametrize(
    ("settings", "seen"),
    [
        ([{}], False),
        ([{"angle": 60}], False),
        ([{"angle": 60}, {"angle": 37, "length_b": 2.5}], True),
        ([{"angle": 37, "length_b": 2.5}, {"angle": 60}], False),
        ([{"angle": 37, "length_b": 2.5}, {"angle": 75}], False),
    ],
)
def test_a_line_of_tips_with_one_area_shows_where_a_short_b_has_half_of_it(settings, seen):
    session = explore_two_vectors.session()
    for setting in settings:
        session.layers(session.frame({**explore_two_vectors.start, **setting}))
    plane = session.picture("one").figure.axes[0]
    told = next(one for one in plane.texts if one.get_text().startswith("every tip"))
    line = next(one for one in plane.lines if list(one.get_ydata()) == [0, 4.3])
    assert told.get_visible() is line.get_visible() is seen
    reach = explore_two_vectors.frame(**settings[-1]).right["b"][0]
    assert not seen or reach == pytest.approx(line.get_xdata()[0], abs=0.01)


def test_the_curve_reaches_from_the_start_to_the_arrow_whatever_was_drawn_before():
    session = explore_two_vectors.session()
    on_the_way, every = "a · b from 70° to here", "a · b at every angle"
    for setting, ends, title in (
        ({"angle": 60}, (0, 180), every),
        ({}, (70, 70), on_the_way),
        ({"angle": 85}, (70, 85), on_the_way),
        ({"angle": 75, "length_b": 2.5}, (70, 75), on_the_way),
        ({"angle": 66}, (66, 70), on_the_way),
        ({"angle": 37, "length_b": 2.5}, (0, 180), every),
        ({"angle": 100}, (70, 100), on_the_way),
    ):
        frame = session.frame({**explore_two_vectors.start, **setting})
        session.layers(frame)
        right = session.picture("one").figure.axes[1]
        degrees, products = next(one for one in right.lines if len(one.get_xdata()) > 2).get_data()
        assert (degrees.min(), degrees.max()) == ends
        at_end = products[np.argmax(degrees)]
        a, b = frame.right["a"][0], np.hypot(*frame.right["b"])
        assert at_end == pytest.approx(a * b * np.cos(np.radians(ends[1])), abs=0.01)
        assert right.get_title() == title


@pytest.mark.parametrize(("tip", "length"), [((0, 3.6), 4), ((2, 3.3), 4), ((0, 3.4), 3.4)])
def test_b_keeps_its_full_length_while_it_is_turned(tip, length):
    asked = explore_two_vectors.handles["b"].asks(tip, {}, 0)
    assert asked["length_b"] == pytest.approx(length)


@pytest.mark.parametrize("angle", [150, 165, 180])
def test_the_name_of_b_stands_off_its_arrow_at_the_left_edge(angle):
    session = explore_two_vectors.session()
    frame = session.frame({**explore_two_vectors.start, "angle": angle})
    session.layers(frame)
    plane = session.picture("one").figure.axes[0]
    name = next(one for one in plane.texts if one.get_text() == "b")
    x, y = name.get_position()
    b = frame.right["b"] / 4
    assert abs(x * b[1] - y * b[0]) > 0.3
    assert x > plane.get_xlim()[0] + 0.2


@pytest.mark.parametrize("length", [1.0, 1.4, 2.0, 3.0, 3.5])
def test_no_text_of_the_area_stands_on_another_or_on_the_goals_edge(length):
    session = explore_two_vectors.session()
    for angle in some(range(0, 181, 3), 21):
        frame = session.frame({**explore_two_vectors.start, "angle": angle, "length_a": length})
        session.layers(frame)
        plane = session.picture("one").figure.axes[0]
        shown = [one for one in plane.texts if one.get_visible() and one.get_text()]
        boxes = {one.get_text(): one.get_window_extent() for one in shown}
        for first, second in itertools.combinations(boxes, 2):
            if "b" not in (first, second):
                assert not boxes[first].overlaps(boxes[second]), (angle, first, second)
        (edge, _) = plane.transData.transform((2.0, -1.5))
        for name in boxes.keys() & {"reach", "copy\nof a"}:
            assert not boxes[name].x0 < edge < boxes[name].x1, (angle, name)


@pytest.mark.parametrize("angle", [71, 75, 84, 89, 90, 91, 120])
def test_the_number_of_a_narrow_area_stands_outside_of_the_goals_outline(angle):
    session = explore_two_vectors.session()
    frame = session.frame({**explore_two_vectors.start, "angle": angle})
    session.layers(frame)
    plane = session.picture("one").figure.axes[0]
    area = f"{float(frame.right['dot']):.1f}".replace("-", "−").replace("−0.0", "0.0")
    number = next(one for one in plane.texts if one.get_text() == area)
    (tail, _) = plane.transData.transform((0.0, 0.0))
    inside = frame.right["reach"] > 1.25
    assert inside or number.get_window_extent().x1 < tail
