"""Chapter 1's explorers: what is drawn is what the learner's lines compute."""

import itertools

import numpy as np
import pytest
from matplotlib.patches import Circle

from course_lib.chapters.dot_product.explorers import own_attention as own
from course_lib.chapters.dot_product.explorers.random_directions import explore_random_directions
from course_lib.chapters.dot_product.explorers.rows_and_columns import explore_rows_and_columns
from course_lib.chapters.dot_product.explorers.score_aside import (
    PAD,
    STACKED,
    ScoreAside,
    as_product,
)
from course_lib.chapters.dot_product.explorers.two_vectors import explore_two_vectors
from course_lib.figures.sentence import GREY
from course_lib.figures.theme import INK, KEY, QUERY, new_figure
from course_lib.kernels.softmax import softmax
from tests.chapters.samples import EVERYWHERE
from tests.sweeps import some

CORNERS = {"dog", "apple", "table"}
STOPS = np.linspace(-2.5, 2.5, 11)


def test_the_weights_are_those_of_the_three_lines():
    data = own.explore_own_attention.frame(alive=1.2, food=-0.7).right
    scores = own.WORDS @ [1.2, -0.7]
    np.testing.assert_allclose(data["scores"], scores)
    np.testing.assert_allclose(data["weights"], softmax(scores))
    np.testing.assert_allclose(data["output"], softmax(scores) @ own.WORDS)


def test_a_wrong_attention_is_seen_in_the_picture():
    def forgets_softmax(q, k, v):
        return q @ k.T @ v

    session = own.explore_own_attention.session(attention=forgets_softmax)
    assert len(session.draw(session.start)) == 2
    assert "they differ" in session.sentence(session.start)
    titles = [axes.figure.get_suptitle() for axes in session.picture("yours").figure.axes]
    assert "the weights make -0.78 together, not 1" in titles


def test_only_the_corners_ever_win():
    winners = {
        own.NAMES[int(own.explore_own_attention.frame(alive=x, food=y).right["weights"].argmax())]
        for x, y in itertools.product(STOPS, np.linspace(-1.5, 2.5, 9))
        if (x, y) != (0, 0)
    }
    assert winners == CORNERS


def test_the_output_never_leaves_the_triangle():
    corners = own.WORDS[[own.NAMES.index(name) for name in ("dog", "apple", "table")]]
    system = np.vstack([corners.T, np.ones(3)])
    for x, y in itertools.product(STOPS, np.linspace(-1.5, 2.5, 9)):
        output = own.explore_own_attention.frame(alive=x, food=y).right["output"]
        shares = np.linalg.solve(system, [*output, 1.0])
        assert (shares > -1e-9).all(), "a mixture of the corners with no share below 0"


def test_a_function_of_another_shape_is_told_by_its_name():
    with pytest.raises(ValueError, match=r"attention gave shape \(5, 1\)"):
        own.own_attention(alive=1, food=1, attention=lambda q, k, v: k @ q.T)


def test_the_scores_that_the_text_prints_do_not_give_the_goal_away():
    """The chapter prints the dog's scores above this picture; the least score is another word's."""
    scores = explore_rows_and_columns.frame(i=0, j=0).right["scores"]
    assert np.argwhere(scores == scores.min()).tolist() == [[2, 1]]


def test_dragging_the_frame_over_the_table_chooses_row_and_column():
    handle = explore_rows_and_columns.handles["cell"]
    data = explore_rows_and_columns.frame(i=2, j=1).right
    place, x, y = handle.at(data)
    assert (place, x, y) == (3, 1, 2)
    assert handle.asks((3, 0), {}, 0) == {"i": 0, "j": 3}


def test_the_worst_pair_is_never_better_than_half_of_the_pairs():
    for d in (2, 3, 50, 256):
        data = explore_random_directions.frame(d=d).right
        assert 0 < data["half"] < data["worst"] <= 90
        assert data["heights"].max() == 1


def test_no_name_lies_on_another_and_hardly_one_on_an_arrow_wherever_the_query_goes():
    session = own.explore_own_attention.session()
    crossed = []
    settings = some(EVERYWHERE, 41)
    for setting in settings:
        frame = session.frame({**own.explore_own_attention.start, **setting})
        session.layers(frame)
        figure = session.picture("one").figure
        plane, data = figure.axes[0], frame.right
        names = {*own.NAMES, "it", "output", *(f"was {ending}" for ending in own.ENDINGS)}
        named = {one.get_text().removesuffix(" \u2713"): one for one in plane.texts}
        names |= {"start", "reach"} & {name for name, one in named.items() if one.get_visible()}
        boxes = {name: named[name].get_window_extent() for name in names & named.keys()}
        assert len(boxes) == len(names)
        for one, other in itertools.combinations(boxes, 2):
            assert not boxes[one].overlaps(boxes[other]), (setting, one, other)
        for tip in (data["q"], data["output"], *own.WORDS):
            along = plane.transData.transform(np.linspace(0, 1, 80)[:, None] * tip)
            crossed += [
                (setting, name)
                for name, box in boxes.items()
                if any(box.contains(*place) for place in along)
            ]
    assert len(crossed) <= len(settings) / 20, crossed


@pytest.mark.parametrize("alive", [-2.5, -2.0, -1.0, 1.2])
def test_the_name_of_left_stands_where_its_arrow_points_and_reach_beside_the_bar(alive):
    plane = _plane_of_it({"alive": alive, "food": 0.0})
    places = {one.get_text(): np.array(one.get_position()) for one in plane.texts}
    left = own.WORDS[own.NAMES.index("left")]
    assert places["left"][0] < left[0]
    (bar,) = (one for one in plane.lines if one.get_linewidth() == 6)
    ends = np.sort(bar.get_xydata()[:, 0])
    assert ends[0] - 0.5 < places["reach"][0] < ends[1] + 0.5
    assert 0 < (places["reach"][1] - bar.get_ydata()[0]) * np.sign(bar.get_ydata()[0]) < 0.7


def test_boxes_of_the_last_words_stand_grey_where_the_hand_asks():
    plane = _plane_of_it({})
    below = plane.figure.axes[1].texts
    colours = {one.get_text(): one.get_color() for one in below}
    assert colours["was"] == colours["tired / sweet"] == GREY
    assert colours["step 1: your hand"] == QUERY


@pytest.mark.parametrize(
    ("setting", "seen"),
    [
        ({}, {"was tired", "was sweet"}),
        ({"alive": 1.7, "food": -0.2}, {"was tired \u2713", "was sweet"}),
        (own.explore_own_attention.goal.solution, {"was tired", "was sweet \u2713"}),
    ],
)
def test_an_ending_is_ticked_where_the_output_lies_in_its_ring(setting, seen):
    plane = _plane_of_it(setting)
    assert {one.get_text() for one in plane.texts if one.get_text().startswith("was ")} == seen
    filled = [one.get_facecolor()[3] > 0 for one in plane.patches if isinstance(one, Circle)]
    assert filled == [f"was {ending} \u2713" in seen for ending in own.ENDINGS]


def test_what_was_drawn_before_ticks_no_ending_and_shows_no_answer():
    """Pictures are prepared ahead, and the page has one for each setting."""
    session = own.explore_own_attention.session()
    solution = own.explore_own_attention.goal.solution
    for setting, seen, answered in (
        (solution, {"was tired", "was sweet \u2713"}, True),
        ({"alive": 1.7, "food": -0.2}, {"was tired \u2713", "was sweet"}, False),
        ({}, {"was tired", "was sweet"}, False),
    ):
        session.layers(session.frame({**own.explore_own_attention.start, **setting}))
        plane = session.picture("one").figure.axes[0]
        assert {one.get_text() for one in plane.texts if one.get_text()[:4] == "was "} == seen
        (triangle,) = (one for one in plane.patches if one.get_zorder() == 0)
        assert triangle.get_visible() is answered


def test_the_sum_beside_the_map_names_whose_number_each_is_in_its_colour():
    plane = _plane_of_it({})
    colours = {one.get_text(): one.get_color() for one in plane.texts}
    assert colours["reach of dog"] == colours["1.131"] == KEY
    assert colours['length of "it"'] == QUERY
    assert colours["score of dog"] == INK
    texts = {one.get_text() for one in _plane_of_it({"alive": 0.0, "food": 0.0}).texts}
    assert '"it" is 0 long,\nso every score is 0' in texts
    assert not any("reach" in text or "score of" in text for text in texts)


@pytest.mark.parametrize(
    ("alive", "food"), [(-1.0, 2.5), (-0.6, 1.6), (2.5, -0.5), (-2.3, -1.5), (1.2, 1.2), (0.4, 2.1)]
)
def test_the_reach_lies_beside_query_and_word_as_long_as_it_is(alive, food):
    q = np.array([alive, food])
    plane = _plane_of_it({"alive": alive, "food": food})
    (strip,) = (one for one in plane.lines if one.get_linewidth() == 6)
    ends = strip.get_xydata()
    word = own.WORDS[int(np.argmax(own.WORDS @ q))]
    assert np.hypot(*np.diff(ends, axis=0)[0]) == pytest.approx(word @ q / np.hypot(*q))
    across = np.array([-q[1], q[0]]) / np.hypot(*q)
    assert np.abs(ends @ across) == pytest.approx([0.26, 0.26])
    assert (ends @ across * (word @ across) <= 0).all()  # not between the query and the word


@pytest.mark.parametrize(
    ("alive", "food", "seen"),
    [(1.2, 1.2, True), (0.4, 2.1, True), (1.7, -0.2, False), (2.5, -0.5, False)],
)
def test_no_right_angle_is_drawn_where_the_word_hides_it(alive, food, seen):
    told = ScoreAside(new_figure(4.0, 3.0).subplots())
    q = np.array([alive, food])
    told.update("one", own.WORDS[int(np.argmax(own.WORDS @ q))], q)
    drop, shadow, corner = told.artists[1:4]
    assert [one.get_visible() for one in (drop, shadow, corner)] == [seen, True, seen]


@pytest.mark.parametrize("setting", some(EVERYWHERE, 8))
def test_the_sum_beside_the_map_stays_in_the_picture_and_off_it(setting):
    plane = _plane_of_it(setting)
    right = plane.figure.bbox.x1
    for one in plane.texts:
        if one.get_text().startswith(("reach of", "length", "score")):
            box = one.get_window_extent()
            assert box.x1 < right, one.get_text()
            assert box.x0 > plane.transData.transform((3.1, 0))[0]


def _plane_of_it(setting):
    session = own.explore_own_attention.session()
    session.layers(session.frame({**own.explore_own_attention.start, **setting}))
    return session.picture("one").figure.axes[0]


@pytest.mark.parametrize(
    ("explorer", "setting", "seen"),
    [
        (explore_two_vectors, {}, False),
        (explore_two_vectors, {"angle": 75}, False),
        (explore_two_vectors, {"angle": 45}, True),
        (explore_two_vectors, {"length_b": 2.5}, True),
        (own.explore_own_attention, {}, False),
        (own.explore_own_attention, {"food": 0.9}, False),
        (own.explore_own_attention, {"alive": 1.7, "food": -0.2}, True),
        (own.explore_own_attention, own.explore_own_attention.goal.solution, True),
    ],
)
def test_the_grey_arrow_is_named_once_another_one_has_left_it(explorer, setting, seen):
    session = explorer.session()
    session.layers(session.frame({**explorer.start, **setting}))
    plane = session.picture("one").figure.axes[0]
    name = next(one for one in plane.texts if one.get_text() == "start")
    assert name.get_visible() is seen


def test_reach_and_length_of_it_multiply_to_the_score_as_shown():
    for alive, food in itertools.product(np.arange(-25, 26), np.arange(-15, 26)):
        query = np.array([alive, food]) / 10
        if not query.any():
            continue
        word = int(np.argmax(own.WORDS @ query))
        first, second, score = as_product(own.NAMES[word], own.WORDS[word], query, STACKED).split(
            "\n"
        )
        reach, length = float(first.split("|")[0]), float(second.split("|")[0].strip("· "))
        shown = float(score.split("|")[0].strip("= ").rstrip(PAD))
        assert f"{reach * length:.2f}" == f"{shown:.2f}", (alive, food)


@pytest.mark.parametrize(
    ("alive", "food", "says"),
    [(0, 0, '. "it" is 0 long, so every score is 0. The output'), (0.4, 2.1, "apple: reach")],
)
def test_a_query_of_length_0_is_told_in_a_whole_sentence(alive, food, says):
    params = {"alive": alive, "food": food}
    said = own.describe_own_attention(params, own.explore_own_attention.frame(**params).right)
    assert says in said
    assert ("The largest weight belongs to" in said) == (alive > 0)


@pytest.mark.parametrize("alive", [-0.6, -0.3, 0.0, 0.3, 0.6])
def test_the_highest_query_and_its_name_stay_below_the_name_of_the_axis(alive):
    plane = _plane_of_it({"alive": alive, "food": 2.5})
    boxes = {one.get_text(): one.get_window_extent() for one in plane.texts}
    assert boxes["it"].y1 < boxes["good to eat"].y0


def test_the_goal_asks_for_no_more_than_what_one_setting_shows():
    """A picture follows from its setting alone: it cannot know what was reached before."""
    goal = own.explore_own_attention.goal
    asked = [ending for ending in own.ENDINGS if ending in goal.text]
    assert asked == ["sweet"]
    assert "then" not in goal.text.lower().split()
