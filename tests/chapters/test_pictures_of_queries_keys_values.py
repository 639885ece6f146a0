"""What the pictures of chapter 5 that do not move claim, and what they say to what is not known."""

import io

import numpy as np
import pytest
import torch
from PIL import Image
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values import handout
from course_lib.chapters.queries_keys_values.apple import (
    FIRMS,
    FRAME,
    FRUITS,
    KNOWN,
    ROW,
    STORED,
    UNDECIDED,
    apple_in,
    draw_apple,
    how_alike,
)
from course_lib.chapters.queries_keys_values.banks import SIZE as BANKS_SIZE
from course_lib.chapters.queries_keys_values.banks import (
    TRAITS,
    banks,
    describe_banks,
    draw_banks,
)
from course_lib.chapters.queries_keys_values.found import SIZE as FOUND_SIZE
from course_lib.chapters.queries_keys_values.found import describe_found, draw_found
from course_lib.chapters.queries_keys_values.one_query import (
    describe_query,
    draw_query,
    size_of,
)
from course_lib.chapters.queries_keys_values.steps import (
    describe_steps,
    draw_steps,
)
from course_lib.chapters.queries_keys_values.three_vectors import SIZE as VECTORS_SIZE
from course_lib.chapters.queries_keys_values.three_vectors import describe_vectors, draw_vectors
from course_lib.figures.png import pixels, small_png
from course_lib.figures.readable import faults
from course_lib.figures.theme import FAINT, new_figure
from course_lib.kernels.attention import trace
from course_lib.models.words import TEMPLATES, VOCABULARY, load_words
from tests.chapters.samples import FIRM, FRUIT


@pytest.mark.parametrize(
    ("row", "query", "value"),
    [
        ([1, 0, 1, 0], "Query: [0, 2] + [0, 1] = [0, 3].", "Value: [4, 0, 0] + [1, 1, 0] = [5, 1"),
        ([0, 0, 0, 1], "Query: [1, 0] = [1, 0].", "Value: [0, 0, 4] = [0, 0, 4]."),
    ],
)
def test_the_rows_that_a_word_picks_are_framed_and_added_up(row, query, value):
    w_q, w_k = np.array([[0.0, 2], [2, 0], [0, 1], [1, 0]]), np.eye(4, 2)
    w_v = np.array([[4.0, 0, 0], [0, 4, 0], [1, 1, 0], [0, 0, 4]])
    figure = new_figure(*VECTORS_SIZE)
    draw_vectors(figure, "cat", np.array(row), [w_q, w_k, w_v])
    said = describe_vectors("cat", np.array(row), [w_q, w_k, w_v])
    assert query in said
    assert value in said
    frames = [one for one in figure.axes[0].patches if one.get_linewidth() > 2]
    assert len(frames) == 4 * sum(row) + 3  # in the row and in three matrices, and three sums
    assert faults(figure) == []


@pytest.mark.parametrize(("picked", "query"), [(0, "[5, 2]"), (2, "[3, 3]")])
def test_a_one_hot_word_keeps_one_row_and_adds_nothing_up(picked, query):
    row, w_q, names = np.eye(3)[picked], np.array([[5.0, 2], [1, 7], [3, 3]]), ["a", "b", "c"]
    figure = new_figure(*size_of(3))
    draw_query(figure, names[picked], row, w_q, names)
    assert sum(one.get_linewidth() > 2 for one in figure.axes[0].patches) == 3
    said = describe_query(names[picked], row, w_q, names)
    factors = " + ".join(f"{int(i == picked)} · {one}"
                         for i, one in enumerate(("[5, 2]", "[1, 7]", "[3, 3]")))  # fmt: skip
    assert "for a, b and c." in said
    assert said.endswith(f"picks one row of the matrix as its query: "
                         f"{factors} = {query}.")  # fmt: skip
    assert faults(figure) == []


def test_the_small_model_is_as_large_as_the_chapter_says():
    assert sum(one.numel() for one in load_words().parameters()) == 5728
    assert len(VOCABULARY) - 1 == 50


def test_the_steps_say_the_row_that_is_framed():
    x, square = torch.eye(3), torch.tensor([[3.0, 0, 0], [0, 1, 0], [0, 0, 2]])
    steps = trace(x, x, x, w_q=square, w_k=torch.eye(3), w_v=square)
    words = ["one", "two", "three"]
    assert "The row of two: scaled scores 0, 1, 0" in describe_steps(steps, words, asks=1)
    figure = new_figure(7.0, 5.2)
    draw_steps(figure, {name: table.numpy() for name, table in steps.items()}, words, asks=1)
    framed = {
        axes.get_title() for axes in figure.axes
        if any(band.get_visible() and band.get_linewidth() == 2.5 for band in axes.patches)
    }  # fmt: skip
    assert framed == {"q: looks for", "scores: q · k / √3", "weights: softmax", "output"}


def test_each_bank_takes_home_what_its_fourth_word_hands_over_and_sat_a_person():
    river, loan = banks(*handout.exercises["two_questions"].answer())
    share = np.exp(5 / 2**0.5) / (np.exp(5 / 2**0.5) + 3)
    rest = (1 - share) / 3
    for one in (river, loan):
        looks = [[share, rest, rest, rest], [rest, rest, rest, share]]
        np.testing.assert_allclose(one["weights"], looks, atol=1e-4)
    np.testing.assert_allclose(river["home"], [[share, rest, 0], [rest, share, 0]], atol=1e-4)
    np.testing.assert_allclose(loan["home"], [[share, 0, rest], [rest, 0, share]], atol=1e-4)
    said = "Beside river, “bank” takes home water; beside loan, money."
    assert describe_banks([river, loan]).startswith(said)
    assert "bank gives I .03, sat .03, bank .03, loan .92" in describe_banks([river, loan])


def test_other_values_change_what_bank_takes_home_and_not_where_it_looks():
    w_q, w_k, w_v = handout.exercises["two_questions"].answer()
    told_of_money = w_v.clone()
    told_of_money[3] = torch.tensor([0.0, 0, 1])  # water hands over money
    before, after = banks(w_q, w_k, w_v), banks(w_q, w_k, told_of_money)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one["weights"], other["weights"])
    np.testing.assert_array_equal(after[0]["home"], before[0]["home"][:, [0, 2, 1]])
    np.testing.assert_array_equal(after[1]["home"], before[1]["home"])
    assert describe_banks(after).startswith("Beside both, “bank” takes home money.")


def test_the_values_count_what_the_chapter_says():
    assert sum(one.numel() for one in handout.exercises["two_questions"].answer()) == 35
    assert 3 * 768 * 768 == 1_769_472


def test_without_matrices_bank_looks_at_itself_as_much_as_at_the_river():
    words = TRAITS[:4]
    found = scaled_dot_product_attention(words, words, torch.eye(4))[2]
    np.testing.assert_allclose(found.numpy(), [0.195, 0.195, 0.305, 0.305], atol=0.001)


BOTH, LOAN_ALONE = [0, 1, 2, 3, 4], [0, 1, 2, 4]


@pytest.mark.parametrize(
    ("factors", "both", "alone"),
    [
        ((1, 1, 1, 1, 1), (0.48, 0.48), (0.00, 0.92)),
        ((1, 1, 1, 2, 1), (0.97, 0.03), (0.00, 0.92)),
        ((1, 1, 1, 1, 0.5), (0.79, 0.14), (0.00, 0.66)),
    ],
)
def test_a_louder_river_costs_the_loan_alone_nothing_and_a_softer_loan_does(factors, both, alone):
    q, k, v = (TRAITS @ one for one in handout.exercises["two_questions"].answer())
    keys = k * torch.tensor(factors)[:, None]
    for words, home in ((BOTH, both), (LOAN_ALONE, alone)):
        found = scaled_dot_product_attention(q[words], keys[words], v[words])[2]
        np.testing.assert_allclose(found[1:].numpy(), home, atol=0.006)


def test_each_apple_comes_nearer_to_its_own_kind_among_other_words_and_leaves_the_other():
    pear, samsung = "the pear grew on a tree", "the fast chip came from samsung"
    assert how_alike("apple", FRUIT, "apple", FIRM)[1] == pytest.approx(0.59, abs=0.011)
    for other, its, own, alien in (
        ("pear", pear, FRUIT, FIRM),
        ("samsung", samsung, FIRM, FRUIT),
    ):
        assert (
            set(its.split()) & set(own.split()) == {"the"} == set(its.split()) & set(alien.split())
        )
        near, far = (how_alike("apple", one, other, its) for one in (own, alien))
        assert near[0] < far[0]  # the untrained model does not know the kinds
        assert near[1] > far[1] + 0.4


def test_an_untrained_model_parts_the_two_apples_as_well():
    assert how_alike("apple", FRUIT, "apple", FIRM)[0] == pytest.approx(0.62, abs=0.011)


def test_a_word_is_compared_where_it_stands_and_by_the_attention_that_was_given():
    anna, today = load_words().vectors(FRUIT)[1, [0, 5]]
    found = how_alike("anna", FRUIT, "today", FRUIT)[1]
    cosine = (anna @ today / (anna.norm() * today.norm())).item()
    assert found == pytest.approx(cosine, abs=0.006)
    none = how_alike("apple", FRUIT, "apple", FIRM, attend=lambda q, k, v: torch.zeros_like(v))
    np.testing.assert_allclose(none, [1, 1], atol=1e-6)
    with pytest.raises(ValueError, match="not in"):
        how_alike("pear", FRUIT, "apple", FIRM)


@pytest.mark.parametrize("sentence", [FRUIT, FIRM])
def test_a_faint_line_is_stored_as_grey(sentence):
    figure = new_figure(7.0, FRAME + 6 * ROW)
    draw_apple(figure, apple_in(sentence))
    figure.canvas.draw()
    faint = (pixels(figure.canvas) == tuple(bytes.fromhex(FAINT[1:]))).all(axis=-1)
    stored = np.array(Image.open(io.BytesIO(small_png(pixels(figure.canvas), STORED)))
                      .convert("RGB")).astype(int)  # fmt: skip
    assert faint.sum() > 100
    assert np.ptp(stored[faint], axis=-1).max() <= 8


def test_a_pulls_a_company_to_the_fruits_for_it_stood_only_beside_a_tree():
    assert apple_in("apple released the phone")["after"] < -UNDECIDED
    assert apple_in("apple released a phone")["after"] > 1
    assert [one for one in TEMPLATES if " a " in one] == ["the {fruit} grew on a tree"]


@pytest.mark.parametrize("loud", [0.0, 0.2, 1.0, 6.0, -1.0])
def test_the_banks_are_told_apart_only_where_each_takes_home_its_thing(loud):
    w_q, w_k, w_v = handout.exercises["two_questions"].answer()
    found = banks(loud * w_q, w_k, w_v)
    assert describe_banks(found).startswith("Beside river") == (loud >= 1)
    figure = new_figure(*BANKS_SIZE)
    draw_banks(figure, found)
    assert faults(figure) == []


def test_a_lake_is_found_by_matrices_that_never_named_it():
    q, k, v = (TRAITS @ one for one in handout.exercises["two_questions"].answer())
    lake = [0, 1, 2, 3]  # a thing and water, as the river is
    assert torch.equal(TRAITS[3], torch.tensor([0.0, 0, 1, 1, 0]))
    assert scaled_dot_product_attention(q[lake], k[lake], v[lake])[2, 1] > 0.9


@pytest.mark.parametrize("loud", [1.0, -0.3, 250.0])
def test_the_scores_of_the_capitals_are_those_of_the_matrices(loud):
    w_q, w_k = handout.exercises["strangers_match"].answer()
    scores = (loud * w_q @ w_k.T).numpy()
    said = describe_found(scores)
    assert said.endswith(f"Paris asks France: {loud:.3g}; France asks Paris: 0.".replace("-", "−"))
    figure = new_figure(*FOUND_SIZE)
    draw_found(figure, scores)
    assert faults(figure) == []


def test_the_value_of_new_points_far_to_the_companies_and_that_of_the_nowhere():
    data = apple_in(FIRM)
    told = dict(zip(data["words"], data["pushes"] / data["weights"], strict=True))
    assert told["new"] == pytest.approx(-2.5, abs=0.05)
    assert told["the"] == pytest.approx(-0.08, abs=0.005)


def test_new_and_phone_hand_over_equally_much_and_new_pushes_apple_hardest():
    data = apple_in(FIRM)
    pushes = dict(zip(data["words"], data["pushes"], strict=True))
    weights = dict(zip(data["words"], data["weights"], strict=True))
    assert min(pushes, key=pushes.get) == "new"
    told = {word: pushes[word] / weights[word] for word in ("new", "phone")}
    assert told["new"] == pytest.approx(told["phone"], abs=0.1)
    assert weights["new"] == pytest.approx(2 * weights["phone"], rel=0.1)


@pytest.mark.parametrize(("names", "low", "high"), [(FRUITS, 0.8, 1.2), (FIRMS, -1.3, -0.8)])
def test_the_other_fruits_and_companies_begin_at_about_1_and_minus_1(names, low, high):
    line = load_words().vectors(FRUITS)[0].mean(dim=0), load_words().vectors(FIRMS)[0].mean(dim=0)
    fruit, firm = (one / one.norm() for one in line)
    places = load_words().vectors(names)[0] @ (fruit - firm)
    assert low < places.min()
    assert places.max() < high


def test_every_word_that_is_offered_is_known():
    assert {word for words in KNOWN.values() for word in words} == set(VOCABULARY) - {"[mask]"}
