"""Chapter 5's drawing from x to the output: what follows when an arrow or a word is pulled."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from course_lib.chapters.queries_keys_values.explorers.flow import (
    PLACES,
    _made,
    draw_flow,
    explore_flow,
)
from course_lib.chapters.queries_keys_values.explorers.flow import (
    _finding as finding,
)
from course_lib.chapters.queries_keys_values.explorers.soft_lookup import (
    explore_soft_lookup,
)
from course_lib.chapters.queries_keys_values.explorers.who_looks_at_whom import (
    HANDS_OVER,
    explore_who_looks_at_whom,
)
from course_lib.chapters.queries_keys_values.planes import (
    WORDS,
    Start,
)
from course_lib.figures.png import SHIFTED, halved
from course_lib.figures.theme import new_figure
from course_lib.kernels.softmax import softmax
from tests.chapters.samples import data_of


def without_scale(q, k, v):
    return torch.softmax(q @ k.T, dim=-1) @ v


def with_gradient_and_lists(q, k, v):
    """A right answer of another kind: a list of rows that remember their gradient."""
    q = q.requires_grad_()
    return list(torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v)


def _finding(data):
    return finding(data, data_of(explore_flow)["weights"])


# From words to the output


def test_the_flow_is_attention_of_its_own_words_and_matrices():
    data = data_of(explore_flow, w_q_thing=(0.3, 1.2), cat=(1.0, 0.7), asks=2)
    q, k, v = (torch.tensor(data[name]) for name in ("queries", "keys", "values"))
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)[2].numpy()
    np.testing.assert_allclose(data["output"], expected, atol=1e-5)
    np.testing.assert_allclose(data["weights"], softmax(data["scores"]), atol=1e-6)


def test_an_arrow_of_a_matrix_is_the_query_of_a_word_with_that_trait_alone():
    data = data_of(explore_flow, cat=(1.0, 0.0), sleeping=(0.0, 1.0), w_q_thing=(0.4, -1.1))
    np.testing.assert_allclose(data["queries"][[0, 2]], data["w_q"])
    np.testing.assert_allclose(data["keys"][[0, 2]], data["w_k"])


def test_at_the_start_cat_and_sleeping_look_at_themselves_and_at_the_goal_at_each_other():
    start = data_of(explore_flow)["weights"][[0, 2]]
    assert start.argmax(axis=1).tolist() == [0, 2]
    reached = data_of(explore_flow, **explore_flow.goal.solution)["weights"]
    assert min(reached[0, 2], reached[2, 0]) >= 0.7
    other_way = {"w_k_thing": (0.0, 1.2), "w_k_action": (1.2, 0.0)}
    assert explore_flow.goal.reached(explore_flow.start, data_of(explore_flow, **other_way))


def test_a_thing_hands_over_an_arrow_to_the_left_and_an_action_one_to_the_right():
    data = data_of(explore_flow, cat=(1.0, 0.0), sleeping=(0.0, 1.0))
    thing, action = data["values"][0], data["values"][2]
    assert thing[0] < 0 < action[0]
    assert data_of(explore_flow)["output"][0] < 0  # cat looks at itself
    assert data_of(explore_flow, **explore_flow.goal.solution)["output"][0] > 0


@pytest.mark.parametrize("angle", range(0, 91, 15))
def test_words_alone_do_not_reach_the_goal_while_keys_point_as_queries(angle):
    turned = {"cat": (1.8, 0.4), "sleeping": tuple(1.8 * _at(angle))}
    for words in (turned, {"cat": turned["sleeping"], "sleeping": turned["cat"]}):
        data = data_of(explore_flow, **words)
        np.testing.assert_allclose(data["keys"], 1.2 * data["queries"])
        assert not explore_flow.goal.reached(explore_flow.start, data)


def _at(degrees):
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def test_the_title_says_most_only_of_more_than_half():
    frame = explore_flow.frame(asks=1)
    assert 1 / 3 < frame.right["weights"][1].max() < 0.5
    assert _finding(frame.right) == "is gives sleeping more than any other word: .41"
    assert _finding(explore_flow.frame().right).startswith("cat gives most of its attention")


def test_the_title_says_what_a_move_has_changed():
    reached = explore_flow.frame(**explore_flow.goal.solution).right
    assert _finding(reached) == "cat gives most of its attention to sleeping: .74 (it was .14)"
    assert "was" not in _finding(explore_flow.frame(asks=2).right)


def _texts(figure):
    return {text.get_text() for text in figure.texts}


def test_three_numbers_lead_the_eye_and_the_sum_is_there_from_the_start():
    figure, start = new_figure(*explore_flow.size), explore_flow.frame().right
    drawing = draw_flow(figure, start)
    drawing.update(start)
    steps = {"① drag the black rings", "② goal: both dashed cells .70 or more",
             "③ what cat takes home"}  # fmt: skip
    assert steps < _texts(figure)
    assert _made(start) in _texts(figure)
    drawing.update(explore_flow.frame(asks=2).right)
    assert "③ what sleeping takes home" in _texts(figure)


def test_the_title_calls_no_tie_a_win():
    tie = explore_flow.frame(cat=(0.0, 1.8)).right
    assert tie["weights"][0, 0] == pytest.approx(tie["weights"][0, 2], abs=1e-3)
    assert _finding(tie) == "cat gives itself and sleeping the same: .46 each"
    level = explore_flow.frame(w_q_thing=(0.0, 0.0), w_q_action=(0.0, 0.0)).right
    assert _finding(level) == "cat gives all three words the same: .33 each"


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"w_q_thing": (-0.5, 1.0), "w_q_action": (1.0, -0.5)},
        {"w_q_thing": (0.4, 1.2)},
        {"cat": (1.2, 1.2), "sleeping": (0.9, 0.9)},
    ],
)
def test_the_cells_of_the_stored_picture_differ_as_their_numbers_do(params):
    session = explore_flow.session()
    frame = explore_flow.frame(**params)
    drawn = halved(np.concatenate(session.draw(frame)))
    stored = np.array(Image.open(io.BytesIO(session.stored_picture(frame))).convert("RGB"))
    high, wide = drawn.shape[:2]
    left, below, width, height = PLACES["weights"]
    for row, column in np.ndindex(3, 3):  # beside the number, inside the cell
        x = int((left + width * (column + 0.2) / 3) * wide)
        y = int((1 - below - height + height * (row + 0.2) / 3) * high)
        away = stored[y, x].astype(int) - drawn[y, x]
        assert np.abs(away).max() <= 12
        assert np.ptp(away) <= SHIFTED  # or it would have another hue


def test_no_word_has_a_negative_amount_of_a_trait():
    assert (data_of(explore_flow)["words"] > 0).all()
    with pytest.raises(ValueError, match="between"):
        data_of(explore_flow, cat=(-1.0, 0.7))


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({}, "cat (1.8, 0.4): 1.8 · thing's row + 0.4 · action's row"),
        (
            {"asks": 2},
            "sleeping (0.4, 1.8): 0.4 · thing's row + 1.8 · action's row",
        ),
        (
            {"cat": (0.0, 1.0)},
            "cat (0.0, 1.0): 0.0 · thing's row + 1.0 · action's row",
        ),
    ],
)
def test_the_picture_says_how_the_word_that_asks_is_made_of_the_arrows(params, says):
    data = data_of(explore_flow, **params)
    assert _made(data) == f"dotted way of {says}"
    thing, action = data["words"][data["asks"]]
    np.testing.assert_allclose(
        data["queries"][data["asks"]], thing * data["w_q"][0] + action * data["w_q"][1]
    )


def test_the_picture_says_that_the_goal_is_reached():
    figure = new_figure(*explore_flow.size)
    goal = draw_flow(figure, explore_flow.frame().right).goal
    for reached, says in ((True, "② reached: both are"), (False, "② goal: both dashed")):
        goal.show(reached)
        assert goal.artists[-1].get_text().startswith(says)


def test_what_is_taken_home_is_drawn_from_the_start():
    figure = new_figure(*explore_flow.size)
    drawing = draw_flow(figure, explore_flow.frame().right)
    values = next(axes for axes in figure.axes if axes.get_label() == "values")
    for params in ({}, explore_flow.goal.solution, {}):
        drawing.update(data_of(explore_flow, **params))
        seen = {text.get_text() for text in values.texts if text.get_visible()} - {""}
        assert seen == {*WORDS, "output", *([Start.name] if params else [])}


def test_what_follows_the_goal_is_pale_until_the_goal_is_reached():
    figure = new_figure(*explore_flow.size)
    drawing = draw_flow(figure, explore_flow.frame().right)
    values = next(axes for axes in figure.axes if axes.get_label() == "values")
    half_way, goal = {"w_q_thing": (0.0, 1.0)}, explore_flow.goal.solution
    for params, pale in (({}, True), (half_way, True), (goal, False), ({}, True)):
        drawing.update(data_of(explore_flow, **params))
        (third,) = (text for text in figure.texts if text.get_text().startswith("③"))
        assert (third.get_alpha() < 1) == pale
        seen = {text.get_text(): text.get_alpha() for text in values.texts}
        assert [seen[word] < 1 for word in WORDS] == [pale] * 3
        assert seen["output"] == 1  # what is taken home is clear from the start


def test_the_keys_and_the_sum_are_pale_until_something_is_dragged():
    figure = new_figure(*explore_flow.size)
    drawing = draw_flow(figure, explore_flow.frame().right)
    keys = next(axes for axes in figure.axes if axes.get_label() == "keys")
    for params, pale in (({}, True), ({"w_q_thing": (0.9, 0.1)}, False), ({"asks": 2}, True)):
        drawing.update(data_of(explore_flow, **params))
        (made,) = (text for text in figure.texts if text.get_text().startswith("dotted way"))
        seen = {text.get_text(): text.get_alpha() for text in keys.texts}
        assert {seen[word] < 1 for word in (*WORDS, "thing's row")} == {pale}
        assert (made.get_alpha() < 1) == pale


# Who looks at whom


def test_at_sharpness_0_every_word_gets_the_same_output():
    outputs = [
        data_of(explore_who_looks_at_whom, query=query, sharpness=0)["output"] for query in range(5)
    ]
    np.testing.assert_allclose(outputs, np.tile(HANDS_OVER.mean(axis=0), (5, 1)), atol=1e-5)


# The learner's own attention


@pytest.mark.parametrize("explorer", [explore_flow, explore_soft_lookup, explore_who_looks_at_whom])
def test_a_wrong_attention_is_drawn_beside_and_a_right_one_of_another_kind_is_not(explorer):
    wrong = explorer.session(attend=without_scale)
    assert len(wrong.draw(wrong.start)) == 2
    right = explorer.session(attend=with_gradient_and_lists)
    assert len(right.draw(right.start)) == 1
    assert "agrees with the course's" in right.sentence(right.start)


@pytest.mark.parametrize("explorer", [explore_flow, explore_soft_lookup, explore_who_looks_at_whom])
def test_another_shape_is_said_in_words(explorer):
    session = explorer.session(attend=lambda q, k, v: (q @ k.T).softmax(-1))
    assert "attend gave shape" in session.sentence(session.start)
