"""What the pictures of chapter 5 claim."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from course_lib.chapters.queries_keys_values import handout
from course_lib.chapters.queries_keys_values.explorers.capitals import (
    SCORES,
    SURE,
    explore_capitals,
    scores_of,
)
from course_lib.chapters.queries_keys_values.explorers.flow import (
    PLACES,
    _finding,
    _made,
    draw_flow,
    explore_flow,
)
from course_lib.chapters.queries_keys_values.explorers.query_map import (
    AROUND,
    STRETCH,
    VT,
    U,
    explore_query_map,
)
from course_lib.chapters.queries_keys_values.explorers.soft_lookup import (
    DRAWERS,
    SIDE,
    _square,
    explore_soft_lookup,
)
from course_lib.chapters.queries_keys_values.explorers.who_looks_at_whom import (
    HANDS_OVER,
    LOOKS_FOR,
    OFFERS,
    explore_who_looks_at_whom,
)
from course_lib.chapters.queries_keys_values.planes import CLOSE, grips
from course_lib.figures.png import halved
from course_lib.figures.theme import new_figure
from course_lib.kernels.softmax import softmax


def data_of(explorer, **setting):
    return explorer.frame(**setting).right


def without_scale(q, k, v):
    return torch.softmax(q @ k.T, dim=-1) @ v


def with_gradient_and_lists(q, k, v):
    """A right answer of another kind: a list of rows that remember their gradient."""
    q = q.requires_grad_()
    return list(torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1) @ v)


# Capitals and countries


@pytest.mark.parametrize("sharpness", [0.0, 1.0, 2.5, 8.0])
def test_a_sharper_table_finds_the_countries_and_leaves_their_own_rows_level(sharpness):
    weights = data_of(explore_capitals, sharpness=sharpness)["weights"]
    share = np.exp(sharpness) / (np.exp(sharpness) + 7)
    np.testing.assert_allclose(weights[range(4), range(4, 8)], share)
    np.testing.assert_allclose(weights[4:], 1 / 8)
    np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_the_goal_of_the_capitals_begins_at_sharpness_5():
    for sharpness, reached in ((4.5, False), (5.0, True)):
        data = data_of(explore_capitals, sharpness=sharpness)
        assert explore_capitals.goal.reached(explore_capitals.start, data) == reached
    assert np.log(7 * SURE / (1 - SURE)) == pytest.approx(4.89, abs=0.01)


@pytest.mark.parametrize("asks", [0, 5])
def test_the_row_that_asks_is_said_beside_the_way_back(asks):
    frame = explore_capitals.frame(asks=asks, sharpness=2.0)
    said = explore_capitals.describe({**explore_capitals.start, "sharpness": 2.0}, frame.right)
    there, back = (".514", ".125") if asks == 0 else (".125", ".514")
    names = ("Paris", "France") if asks == 0 else ("Italy", "Rome")
    assert f"{names[0]} gives {names[1]} {there}, {names[1]} gives {names[0]} {back}" in said


def test_the_scores_of_a_learner_begin_equally_sharp_whatever_their_size():
    generator = torch.Generator().manual_seed(0)
    w_q = torch.cat([3 * torch.eye(4), torch.randn(4, 4, generator=generator)])
    w_k = torch.cat([torch.zeros(4, 4), torch.eye(4) + 0.2])
    scores = scores_of(w_q, w_k)
    np.testing.assert_allclose(scores, scores_of(100 * w_q, w_k))
    leads = np.sort(scores[:4], axis=1)[:, -1] - np.sort(scores[:4], axis=1)[:, -2]
    assert leads.min() == pytest.approx(1)
    assert scores[:4].argmax(axis=1).tolist() == [4, 5, 6, 7]


def test_the_plainest_matrices_give_the_plainest_table():
    w_q, w_k = handout.exercises["strangers_match"].answer()
    np.testing.assert_allclose(scores_of(w_q, w_k), SCORES)


def test_france_looks_back_with_the_line_that_the_chapter_offers():
    w_q, w_k = handout.exercises["strangers_match"].answer()
    w_q[4] = w_k[0] = -torch.ones(4)
    scores = scores_of(w_q, w_k)
    assert scores[4].argmax() == 0
    assert scores[:4].argmax(axis=1).tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize(
    "matrices",
    [
        (torch.zeros(4, 2), torch.zeros(4, 2)),  # the matrices of a later cell
        (torch.zeros(8, 4), torch.zeros(8, 4)),
        (torch.eye(8), torch.eye(8)),
        (torch.eye(8)[:, :4], torch.eye(8)),
        ("a", None),
    ],
    ids=["of a sentence", "zeros", "each finds itself", "two widths", "no numbers"],
)
def test_matrices_that_do_not_find_the_countries_show_the_plainest_table_and_say_so(
    matrices, capsys
):
    assert scores_of(*matrices) is None
    explore_capitals(*matrices)
    assert "here is the plainest table" in capsys.readouterr().out


# From the mean to the exact value


def test_sharpness_0_gives_the_mean_and_much_of_it_the_exact_value():
    assert data_of(explore_soft_lookup, sharpness=0)["output"] == pytest.approx(DRAWERS.mean())
    assert data_of(explore_soft_lookup, sharpness=12)["output"] == pytest.approx(30, abs=1e-3)


@pytest.mark.parametrize("sharpness", [0.0, 1.0, 3.0, 10.0])
def test_sharpness_is_the_score_of_the_key_that_fits(sharpness):
    data = data_of(explore_soft_lookup, sharpness=sharpness)
    np.testing.assert_allclose(data["weights"], softmax([0, 0, sharpness, 0]), atol=1e-6)
    assert data["output"] == pytest.approx(float(data["weights"] @ DRAWERS), abs=1e-4)


def test_a_tie_stays_shared_however_sharp():
    data = data_of(explore_soft_lookup, sharpness=12, lean=0.5)
    assert data["weights"][2] == pytest.approx(data["weights"][3])
    assert data["output"] == pytest.approx(35, abs=0.1)


def test_the_weights_that_the_beam_says_add_up_to_1():
    said = explore_soft_lookup.describe(explore_soft_lookup.start, data_of(explore_soft_lookup))
    assert ".175, .175, .475, .175" in said


@pytest.mark.parametrize("weight", [0.0, 0.25, 1.0])
def test_the_area_of_a_square_on_the_beam_is_the_weight(weight):
    left, _, width, height = _square(30.0, weight)
    assert width * height == pytest.approx(weight * SIDE**2)
    assert left + width / 2 == pytest.approx(30.0)


def test_the_wedge_stands_where_the_squares_balance():
    data = data_of(explore_soft_lookup, sharpness=3, lean=0.3)
    pull = data["weights"] * (DRAWERS - data["output"])
    assert pull.sum() == pytest.approx(0, abs=1e-4)


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


def test_the_title_calls_no_tie_a_win():
    tie = explore_flow.frame(cat=(0.0, 1.8)).right
    assert tie["weights"][0, 0] == pytest.approx(tie["weights"][0, 2], abs=1e-3)
    assert _finding(tie) == "cat gives itself and sleeping the same: .46 each"
    level = explore_flow.frame(w_q_thing=(0.0, 0.0), w_q_action=(0.0, 0.0)).right
    assert _finding(level) == "cat gives all three words the same: .33 each"


@pytest.mark.parametrize("params", [{}, {"w_q_thing": (-0.5, 1.0), "w_q_action": (1.0, -0.5)}])
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
        assert np.abs(stored[y, x].astype(int) - drawn[y, x]).max() <= 10


def test_no_word_has_a_negative_amount_of_a_trait():
    assert (data_of(explore_flow)["words"] > 0).all()
    with pytest.raises(ValueError, match="between"):
        data_of(explore_flow, cat=(-1.0, 0.7))


@pytest.mark.parametrize("tip", [(1.0, 0.2), (0.0, 0.0), (-0.3, 0.2), (0.0, -1.3)])
def test_two_arrows_on_one_spot_are_held_at_two_places(tip):
    frame = explore_flow.frame(w_q_thing=tip, w_q_action=tip)
    first, second = (
        np.array(explore_flow.handles[name].at(frame.right)[1:])
        for name in ("w_q_thing", "w_q_action")
    )
    np.testing.assert_allclose(first, tip)
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


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({}, "in both planes: cat = 1.8 · thing + 0.4 · action"),
        ({"asks": 2}, "in both planes: sleeping = 0.4 · thing + 1.8 · action"),
        ({"cat": (0.0, 1.0)}, "in both planes: cat = 0.0 · thing + 1.0 · action"),
    ],
)
def test_the_picture_says_how_the_word_that_asks_is_made_of_the_arrows(params, says):
    data = data_of(explore_flow, **params)
    assert _made(data) == says
    thing, action = data["words"][data["asks"]]
    np.testing.assert_allclose(
        data["queries"][data["asks"]], thing * data["w_q"][0] + action * data["w_q"][1]
    )


# Who looks at whom


@pytest.mark.parametrize("query", range(5))
def test_the_weighted_values_head_to_tail_end_at_the_output(query):
    data = data_of(explore_who_looks_at_whom, query=query)
    weights = softmax(LOOKS_FOR @ OFFERS.T / 2)[query]
    np.testing.assert_allclose(data["weights"], weights, atol=1e-6)
    np.testing.assert_allclose(data["joints"][-1], weights @ HANDS_OVER, atol=1e-5)
    np.testing.assert_allclose(data["joints"][-1], data["output"], atol=1e-5)


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


# The map W_Q


def test_only_u_first_ends_at_the_query_of_every_word():
    for angle in (0, 45, 180, 355):
        rows = data_of(explore_query_map, order="rows", factors=3, angle=angle)
        np.testing.assert_allclose(rows["word"], rows["query"], atol=1e-12)
        columns = data_of(explore_query_map, order="columns", factors=3, angle=angle)
        assert np.linalg.norm(columns["word"] - columns["query"]) > 0.5


def test_the_factors_are_a_singular_value_decomposition():
    for turn in (U, VT):
        np.testing.assert_allclose(turn @ turn.T, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(
        np.linalg.svd(U @ STRETCH @ VT, compute_uv=False), np.diag(STRETCH), atol=1e-12
    )
    np.testing.assert_allclose(np.linalg.norm(AROUND, axis=1), 1)


# Words of the same weight


@pytest.mark.parametrize("bit", [-1e-16, 0.0, 1e-16])
def test_words_of_the_same_weight_are_named_in_their_order_whatever_the_last_bit(bit):
    data = {**data_of(explore_who_looks_at_whom), "weights": np.array([0.1, 0.1, 0.15, 0.5, 0.15])}
    data["weights"][4] += bit
    said = explore_who_looks_at_whom.describe(explore_who_looks_at_whom.start, data)
    assert "invited 0.50, concert 0.15, done 0.15, Xiao Shenyang 0.10, Jiangxi 0.10." in said
