"""What the pictures of chapter 5 claim."""

import numpy as np
import pytest
import torch

from course_lib.chapters.queries_keys_values import handout
from course_lib.chapters.queries_keys_values.explorers.capitals import (
    SCORES,
    SURE,
    explore_capitals,
    scores_of,
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
    explore_who_looks_at_whom,
)
from course_lib.kernels.softmax import softmax
from tests.chapters.samples import data_of

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
