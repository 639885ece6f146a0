"""Chapter 5's arrows are held where they end, and none leaves its plane."""

import numpy as np
import pytest

from course_lib.chapters.queries_keys_values.explorers.flow import (
    ROOM,
    draw_flow,
    explore_flow,
)
from course_lib.chapters.queries_keys_values.explorers.who_looks_at_whom import (
    HANDS_OVER,
    LOOKS_FOR,
    OFFERS,
    explore_who_looks_at_whom,
)
from course_lib.chapters.queries_keys_values.planes import (
    CLOSE,
    OF_ROWS,
    Aside,
    Way,
    fit,
    grips,
)
from course_lib.figures.theme import new_figure
from course_lib.kernels.softmax import softmax
from course_lib.sliding.handles import told
from tests.chapters.samples import data_of


@pytest.mark.parametrize("tip", [(1.0, 0.2), (0.0, 0.0), (-0.3, 0.2), (0.0, -1.3)])
def test_two_arrows_on_one_spot_are_held_at_two_places(tip):
    frame = explore_flow.frame(w_q_thing=tip, w_q_action=tip)
    first, second = (
        np.array(explore_flow.handles[name].at(frame.right)[1:])
        for name in ("w_q_thing", "w_q_action")
    )
    np.testing.assert_allclose(first, tip)
    np.testing.assert_allclose((second - first) @ np.array(tip), 0, atol=1e-9)  # side by side
    assert np.hypot(*(first - second)) == pytest.approx(CLOSE)
    rings = _rings(frame.right)
    assert any(np.allclose(one, first) for one in rings)
    assert any(np.allclose(one, second) for one in rings)


def _rings(data):
    figure = new_figure(*explore_flow.size)
    draw_flow(figure, explore_flow.frame().right).update(data)
    plane = next(one for one in figure.axes if one.get_label() == "queries")
    return [line.get_xydata()[0] for line in plane.lines if line.get_marker() == "o"]


def test_arrows_that_lie_apart_are_held_at_their_tips():
    tips = np.array([[1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_array_equal(grips(tips), tips)


@pytest.mark.parametrize("asks", range(3))
def test_the_dotted_way_leads_along_one_row_and_then_the_other_to_the_word_that_asks(asks):
    data = data_of(explore_flow, asks=asks, w_q_thing=(-0.7, 0.9))
    way = Way(new_figure(2, 2).subplots())
    way.move(data["words"][asks], data["w_q"])
    start, corner, end = way.artists[0].get_xydata()
    np.testing.assert_allclose(start, 0)
    np.testing.assert_allclose(corner, data["words"][asks, 0] * data["w_q"][0])
    np.testing.assert_allclose(end, data["queries"][asks])


def test_words_are_held_by_squares_and_matrices_by_rings():
    looks = {name: told(name, one, explore_flow.sliders)["look"]
             for name, one in explore_flow.handles.items()}  # fmt: skip
    assert {name for name, look in looks.items() if look == "square"} == {"cat", "sleeping"}
    figure = new_figure(*explore_flow.size)
    draw_flow(figure, explore_flow.frame().right).update(explore_flow.frame().right)
    marks = {
        axes.get_label(): {line.get_marker() for line in axes.lines} & {"o", "s"}
        for axes in figure.axes
    }
    assert marks["words"] == {"s"}
    assert marks["queries"] == marks["keys"] == {"o"}


@pytest.mark.parametrize(
    ("params", "note"),
    [
        ({}, None),
        (explore_flow.goal.solution, None),
        ({"w_k_thing": (0.3, 1.3), "w_k_action": (1.3, 0.3)}, "drawn shorter"),
        ({"w_k_thing": (0.0, 1.3), "w_k_action": (1.3, 0.0)}, None),
        ({"w_k_thing": (-0.5, 1.2)}, "shorter, to fit in"),
        ({"w_k_thing": (1.3, 1.3), "w_k_action": (1.3, 1.3)}, "shorter, to fit in"),
    ],
)
def test_no_arrow_leaves_its_plane_and_one_that_is_cut_says_so(params, note):
    data = data_of(explore_flow, **params)
    assert (fit(data["keys"], ROOM).min() < 1) == bool(note)
    figure = new_figure(*explore_flow.size)
    draw_flow(figure, explore_flow.frame().right).update(data)
    plane = next(one for one in figure.axes if one.get_label() == "keys")
    (left, right), (low, high) = plane.get_xlim(), plane.get_ylim()
    for arrow in plane.patches:
        assert (arrow.get_xy() > (left, low)).all()
        assert (arrow.get_xy() < (right, high)).all()
    said = " ".join(text.get_text() for text in plane.texts if text.get_visible())
    assert note in said if note else "shorter" not in said


@pytest.mark.parametrize(
    "params",
    [
        {"w_k_thing": (-1.3, 1.1), "w_k_action": (1.1, -0.7)},
        {"w_k_thing": (-1.3, -0.7), "w_k_action": (-1.3, 1.1)},
        {"w_k_thing": (-0.7, -1.3), "w_k_action": (0.5, 1.1)},
    ],
)
def test_no_name_hides_what_says_how_arrows_are_drawn(params):
    figure = new_figure(*explore_flow.size)
    draw_flow(figure, explore_flow.frame().right).update(data_of(explore_flow, **params))
    plane = next(one for one in figure.axes if one.get_label() == "keys")
    seen = [text for text in plane.texts if text.get_visible() and text.get_text()]
    (note,) = (text for text in seen if text.get_text() in (Aside.name, Aside.short, Aside.both))
    renderer = figure.canvas.get_renderer()
    box = note.get_window_extent(renderer).padded(-2)
    others = [text.get_window_extent(renderer) for text in seen if text is not note]
    assert not any(box.overlaps(one) for one in others)


@pytest.mark.parametrize(
    ("thing", "action"),
    [
        ((0.3, 1.0), (0.0, 1.0)),
        ((1.0, 0.0), (1.0, 0.3)),
        ((0.9, 0.9), (0.8, 1.0)),
        ((-1.0, 0.1), (-1.0, 0.1)),
        ((0.2, -1.1), (0.2, -1.1)),
    ],
)
def test_the_names_of_two_close_rows_stand_at_their_rings(thing, action):
    data = data_of(explore_flow, w_q_thing=thing, w_q_action=action)
    figure = new_figure(*explore_flow.size)
    draw_flow(figure, explore_flow.frame().right).update(data)
    plane = next(one for one in figure.axes if one.get_label() == "queries")
    renderer = figure.canvas.get_renderer()
    rows = [text for text in plane.texts if text.get_text() in OF_ROWS]
    boxes = [text.get_window_extent(renderer) for text in rows]
    assert not boxes[0].overlaps(boxes[1])
    rings = plane.transData.transform(grips(data["w_q"]))
    away = [[_gap(box, ring) for ring in rings] for box in boxes]
    unit = plane.transData.transform((1, 0))[0] - plane.transData.transform((0, 0))[0]
    for own, other in (away[0], away[1][::-1]):
        assert own < other
        assert own < 0.6 * unit


def _gap(box, point) -> float:
    """How far a point lies from a box."""
    nearest = np.clip(point, [box.x0, box.y0], [box.x1, box.y1])
    return float(np.hypot(*(nearest - point)))


@pytest.mark.parametrize("query", range(5))
def test_the_weighted_values_head_to_tail_end_at_the_output(query):
    data = data_of(explore_who_looks_at_whom, query=query)
    weights = softmax(LOOKS_FOR @ OFFERS.T / 2)[query]
    np.testing.assert_allclose(data["weights"], weights, atol=1e-6)
    np.testing.assert_allclose(data["joints"][-1], weights @ HANDS_OVER, atol=1e-5)
    np.testing.assert_allclose(data["joints"][-1], data["output"], atol=1e-5)
