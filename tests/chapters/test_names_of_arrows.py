"""Where the names of the arrows of chapter 5 stand."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

from course_lib.chapters.queries_keys_values.explorers.flow import (
    ROOM,
    VALUES_ROOM,
    draw_flow,
    explore_flow,
)
from course_lib.chapters.queries_keys_values.lanes import LANE
from course_lib.chapters.queries_keys_values.names import names_at, size_of, way_to
from course_lib.chapters.queries_keys_values.planes import (
    OF_ROWS,
    PALE,
    WORDS,
    Aside,
    Start,
    lanes,
)
from course_lib.figures.theme import GHOST, new_figure
from tests.chapters.samples import data_of

PLANES = (("words", None), ("queries", "w_q"), ("keys", "w_k"), ("values", None))


def named(data, plane, matrix):
    """Tips, names and places of one plane of the picture."""
    rows = data[matrix] if matrix else np.empty((0, 2))
    tips, more = np.array([*data[plane], *rows]), int(plane == "values")
    names = [*WORDS, *OF_ROWS][: len(tips)]
    if plane == "values":
        tips, names = np.array([data["output"], *tips]), ["output", *names]
    room = VALUES_ROOM if plane == "values" else ROOM
    return tips, names, names_at(tips, names, room, more), room.unit


@pytest.mark.parametrize("plane", PLANES)
@pytest.mark.parametrize("goal", [False, True])
def test_no_name_lies_on_another_or_on_an_arrow(plane, goal):
    data = explore_flow.frame(**(explore_flow.goal.solution if goal else {})).right
    tips, names, places, unit = named(data, *plane)
    for i, (name, place) in enumerate(zip(names, places, strict=True)):
        half = size_of(name, unit) / 2
        for other, its in list(zip(names, places, strict=True))[i + 1 :]:
            apart = np.abs(place - its) - half - size_of(other, unit) / 2
            assert apart.max() > -0.12, (name, other)
        along = np.concatenate([np.linspace(0, 1, 50)[:, None] * tip for tip in tips])
        covered = (np.abs(along - place) < 0.7 * half).all(axis=-1).sum()
        assert covered <= 6, (name, covered)


@pytest.mark.parametrize("asks", range(3))
def test_the_grey_arrow_is_seen_once_the_output_of_the_word_that_asks_has_left_it(asks):
    figure = new_figure(*explore_flow.size)
    drawing = draw_flow(figure, explore_flow.frame().right)
    plane = next(one for one in figure.axes if one.get_label() == "values")
    start = explore_flow.frame(asks=asks).right
    moved = explore_flow.frame(asks=asks, w_q_thing=(-1.3, 1.3), w_q_action=(1.3, -1.3)).right
    for data, seen in ((start, []), (moved, [Start.name]), (start, [])):
        drawing.update(data)
        grey = [one for one in plane.texts if one.get_visible() and one.get_color() == GHOST]
        assert [one.get_text() for one in grey if one.get_text()] == seen
        (arrow,) = [one for one in plane.patches if one.get_facecolor() == to_rgba(GHOST)]
        assert arrow.get_visible() == bool(seen)
        far = arrow.get_path().vertices
        tip = far[np.argmax(far @ start["output"])]
        np.testing.assert_allclose(tip, start["output"], atol=0.1)


@pytest.mark.parametrize("asks", [0, 2])
def test_no_name_lies_on_an_arrow_of_the_values_at_the_goal(asks):
    figure, start = new_figure(*explore_flow.size), explore_flow.frame().right
    data = explore_flow.frame(**explore_flow.goal.solution, asks=asks).right
    draw_flow(figure, start).update(data)
    plane = next(one for one in figure.axes if one.get_label() == "values")
    ends = np.array([start["outputs"][asks], data["output"], *data["values"]])
    arrows = (np.linspace(0, 1, 50)[:, None, None] * ends).reshape(-1, 2)
    for text in plane.texts:
        if text.get_text() in {*WORDS, "output"}:
            half = size_of(text.get_text(), VALUES_ROOM.unit) / 2
            on_it = np.abs(arrows - text.get_position()) < 0.7 * half
            assert not on_it.all(axis=-1).any(), text.get_text()


def test_a_long_name_stays_at_its_own_arrow_where_another_word_is_in_its_way():
    data = explore_flow.frame(w_k_thing=(0.0, 1.2), w_k_action=(1.2, 0.0)).right
    tips = np.array([*data["keys"], *data["w_k"]])
    place = names_at(tips, [*WORDS, *OF_ROWS], ROOM, rings=tips[3:])[2]
    assert place[1] > tips[2, 1]  # and not below, beside the ring of a row


@pytest.mark.parametrize(
    "params", [explore_flow.goal.solution, {"w_k_thing": (0.0, 1.2), "w_k_action": (1.2, 0.0)}]
)
def test_two_names_of_words_do_not_read_as_one_where_rows_have_changed_places(params):
    data = explore_flow.frame(**params).right
    for plane, matrix in PLANES[1:3]:
        _, names, places, _ = named(data, plane, matrix)
        _, a, b = ((place, size_of(name)) for name, place in zip(names[:3], places, strict=False))
        apart = np.abs(a[0] - b[0]) - (a[1] + b[1]) / 2
        assert apart[0] >= 0.2 or apart[1] >= 0, apart  # is, sleeping


def test_a_name_far_from_its_tip_has_a_line_to_it_and_one_at_its_tip_has_none():
    x, y = way_to(np.array([0.6, 0.5]), np.array([0.7, 1.8]), "is", 1.0)
    assert len(x) == 2
    assert 0.5 < y[1] < y[0] < 1.8
    assert way_to(np.array([0.6, 0.5]), np.array([0.9, 0.9]), "is", 1.0) == ([], [])
    assert way_to(np.array([0.6, 0.5]), np.array([0.7, 1.8]), "is", 0.0) == ([], [])


def test_all_planes_but_that_of_queries_wait_for_a_move_or_for_the_goal():
    figure, start = new_figure(*explore_flow.size), explore_flow.frame().right
    drawing = draw_flow(figure, start)

    def pale(**params):
        drawing.update(explore_flow.frame(**params).right)
        return {
            axes.get_label() for axes in figure.axes
            if all(text.get_alpha() == PALE for text in axes.texts if text.get_text() in WORDS)
        } - {"weights"}  # fmt: skip

    assert pale() == {"words", "keys", "values"}
    assert pale(w_q_thing=(0.0, 1.0)) == {"words", "values"}
    assert pale(cat=(1.0, 1.0)) == {"values"}
    assert pale(**explore_flow.goal.solution) == set()
    assert pale() == {"words", "keys", "values"}


def test_a_name_alone_stands_beyond_its_tip():
    (place,) = names_at(np.array([[1.0, 1.0]]), ["cat"], ROOM)
    assert (place > 1.0).all()


@pytest.mark.parametrize("tip", [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
def test_a_name_lies_on_no_axis_where_there_is_room(tip):
    (place,) = names_at(np.array([tip]), ["cat"], ROOM)
    assert (np.abs(place) >= size_of("cat") / 2 - 1e-9).all()


def test_a_name_at_the_shaft_stands_beside_it_and_leaves_the_tip_free():
    (place,) = names_at(np.array([[0.0, 2.0]]), ["output"], ROOM, at_shaft=1)
    half = size_of("output") / 2
    assert abs(place[0]) - half[0] == pytest.approx(0.02)
    assert 1 < place[1] < 2


def test_no_arrow_passes_between_a_name_and_its_tip_where_there_is_room():
    tips = np.array([[0.0, 2.0], [1.0, 1.7], [0.0, 0.5]])
    place = names_at(tips, ["cat", "sleeping", "is"], ROOM)[2]
    assert place[0] < 0


def test_the_second_of_two_names_at_one_tip_steps_aside():
    first, second = names_at(np.array([[0.5, 0.5]] * 2), ["cat", "is"], ROOM)
    apart = np.abs(first - second) - (size_of("cat") + size_of("is")) / 2
    assert apart.max() >= 0


@pytest.mark.parametrize("tip", [(9.0, 9.0), (-9.0, 0.1), (0.0, -9.0)])
def test_a_name_never_leaves_the_plane(tip):
    (place,) = names_at(np.array([tip]), ["sleeping"], ROOM)
    assert abs(place[0]) + size_of("sleeping")[0] / 2 <= ROOM.half + 1e-9
    assert ROOM.lowest < place[1] < ROOM.highest


@pytest.mark.parametrize("tip", [(0.0, 1.0), (1.0, 0.0), (-0.6, -0.6)])
def test_arrows_of_one_direction_stand_side_by_side(tip):
    data = data_of(explore_flow, w_q_thing=tip, w_q_action=tip)
    tips = np.array([*data["queries"], *data["w_q"]])
    aside = lanes(tips, 3)
    np.testing.assert_array_equal(aside[3:], 0)
    np.testing.assert_allclose(aside @ np.array(tip), 0, atol=1e-9)
    apart = np.linalg.norm(aside[:4, None] - aside[None, :4], axis=-1)[np.triu_indices(4, 1)]
    assert apart.min() >= LANE - 1e-9


@pytest.mark.parametrize("tip", [(0.0, 1.0), (0.0, -0.8), (1.0, 0.0)])
def test_the_picture_says_why_arrows_begin_beside_0(tip):
    figure = new_figure(*explore_flow.size)
    drawing = draw_flow(figure, explore_flow.frame().right)
    for params, seen in (({}, []), ({"w_q_thing": tip, "w_q_action": tip}, ["queries"])):
        drawing.update(data_of(explore_flow, **params))
        says = {
            axes.get_label(): text for axes in figure.axes for text in axes.texts
            if text.get_text() == Aside.name and text.get_visible()
        }  # fmt: skip
        assert list(says) == seen
    assert says["queries"].get_position()[1] * tip[1] <= 0  # where no arrow goes


def test_arrows_of_unlike_directions_begin_at_0():
    for params in ({}, explore_flow.goal.solution):
        data = data_of(explore_flow, **params)
        assert not lanes(np.array([*data["queries"], *data["w_q"]]), 3).any()
