"""Chapter 5's small model: what pushes apple, and what else its vectors say."""

import numpy as np
import pytest
import torch
from matplotlib.colors import to_rgba
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.apple import (
    FIRMS,
    FRAME,
    FRUITS,
    KNOWN,
    ROW,
    THIN,
    UNDECIDED,
    apple_in,
    describe_apple,
    draw_apple,
    likenesses_of,
    places_of,
    seen_in,
    show_apple,
)
from course_lib.chapters.queries_keys_values.apple_line import SIZE, describe_line, draw_line
from course_lib.chapters.queries_keys_values.apple_pushes import written_pushes
from course_lib.figures.readable import faults
from course_lib.figures.theme import OUTPUT, VALUE, new_figure
from course_lib.models.words import TEMPLATES, load_words
from tests.chapters.samples import FIRM, FRUIT


def test_apple_starts_at_one_place_and_goes_to_where_its_sentence_belongs():
    fruit, firm = apple_in(FRUIT), apple_in(FIRM)
    assert fruit["before"] == pytest.approx(firm["before"], abs=1e-6)
    assert fruit["after"] > UNDECIDED
    assert firm["after"] < -UNDECIDED


def test_a_sentence_may_leave_apple_undecided():
    assert abs(apple_in("the apple was sold yesterday")["after"]) < UNDECIDED / 2


@pytest.mark.parametrize(
    ("sentence", "says"),
    [
        ("apple ate the new phone today", "stays about where it began, at 0.18: it ends at 0.19"),
        ("the apple was sold yesterday", "is neither fruit nor company"),
        ("apple washed the new phone today", "is neither fruit nor company: it ends at 0.09"),
        ("apple released the washed phone today", "becomes a fruit"),
        ("apple released the ripe phone today", "leans to the fruits: it ends at 0.30"),
        ("apple sold the apple", "leans to the companies: it ends at −0.45"),
        (FIRM, "becomes a company"),
    ],
)
def test_apple_becomes_something_only_if_it_is_moved(sentence, says):
    assert describe_apple(apple_in(sentence)).startswith(f"Here apple {says}")


@pytest.mark.parametrize(
    ("old", "new", "ends"),
    [
        ("the", "a", 0.93),
        ("new", "ripe", 0.30),
        ("new", "sweet", 0.37),
        ("new", "washed", 0.53),
        ("phone", "tree", 0.78),
    ],
)
def test_the_words_that_the_chapter_names_make_a_fruit_of_the_company(old, new, ends):
    assert apple_in(FIRM)["after"] < -UNDECIDED
    assert apple_in(FIRM.replace(old, new))["after"] == pytest.approx(ends, abs=0.005)


@pytest.mark.parametrize("sentence", [FRUIT, FIRM, "apple", FIRM.replace("the", "a")])
def test_the_written_pushes_lead_to_the_written_end(sentence):
    data = apple_in(sentence)
    written = [float(one.replace("−", "-")) for one in written_pushes(data)]
    end = round(data["before"], 2) + sum(written)
    assert end == pytest.approx(round(data["after"], 2), abs=1e-6)
    np.testing.assert_allclose(written, data["pushes"], atol=0.011)


@pytest.mark.parametrize(
    ("sentence", "misses"),
    [
        ("apple apple apple ate phone", 0),
        ("the apple apple was sold by apple", 0),
        ("new apple new apple new", 0.02),  # no word stands once
        ("new new new apple", 0.01),  # apple alone cannot make up for it
    ],
)
def test_equal_words_have_pushes_that_are_written_alike(sentence, misses):
    data = seen_in(sentence)
    written = written_pushes(data)
    assert len(set(zip(data["words"], written, strict=True))) == len(set(data["words"]))
    numbers = [float(one.replace("−", "-")) for one in written]
    assert round(data["before"], 2) + sum(numbers) == pytest.approx(
        round(data["after"], 2), abs=misses + 1e-6
    )
    np.testing.assert_allclose(numbers, data["pushes"], atol=0.0101)


def test_on_the_line_companies_stand_left_of_apple_and_fruits_right():
    (apple,) = places_of("apple")
    assert apple == pytest.approx(apple_in(FIRM)["before"], abs=1e-5)
    assert places_of(FIRMS).max() < apple < places_of(FRUITS).min()
    figure = new_figure(*SIZE)
    draw_line(figure)
    assert faults(figure) == []
    assert "Pear: 1.34 (fruit) − 0.25 (company). Apple: 0.98 − 0.80 = 0.18." in describe_line()


def test_a_place_is_the_first_likeness_less_the_second():
    fruit, firm = likenesses_of(f"{FIRMS} apple {FRUITS}").T
    np.testing.assert_allclose(fruit - firm, places_of(f"{FIRMS} apple {FRUITS}"), atol=1e-5)
    assert (fruit[:4] < firm[:4]).all()
    assert (fruit[5:] > firm[5:]).all()


def test_apple_begins_between_samsung_and_pear():
    assert apple_in(FIRM)["before"] == pytest.approx(0.18, abs=0.005)


def test_both_of_two_apples_are_purple():
    data = apple_in("apple sold the apple")
    figure = new_figure(7.0, FRAME + ROW * 4)
    draw_apple(figure, data)
    apples = [one.get_color() for one in figure.axes[0].texts if one.get_text() == "apple"]
    assert apples == [OUTPUT, OUTPUT]


def test_a_bar_is_as_long_as_its_push_and_a_short_one_has_a_fine_edge():
    figure, data = new_figure(7.0, FRAME + ROW * 6), apple_in(FIRM)
    draw_apple(figure, data)
    bars = [bar for bar in figure.axes[0].patches if bar.get_edgecolor() == to_rgba(VALUE)][2:]
    at = data["before"]
    for bar, push in zip(bars, data["pushes"], strict=True):
        assert bar.get_width() == pytest.approx(abs(push), abs=1e-6)
        assert (bar.get_linewidth() < 1) == (abs(push) < THIN)
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(at + push / 2, abs=1e-6)
        at += push


def test_a_line_leads_from_where_apple_begins_to_the_first_bar():
    figure, data = new_figure(7.0, FRAME + ROW * 6), apple_in(FIRM)
    draw_apple(figure, data)
    lines = [line.get_xydata() for line in figure.axes[0].lines]
    (down,) = (one for one in lines if len(one) == 2 and one[0][1] == 0 and one[1][1] > 1)
    np.testing.assert_allclose(down[:, 0], data["before"])


@pytest.mark.parametrize("sentence", [FRUIT, FIRM])
def test_each_row_says_weight_times_what_the_word_tells_and_its_push(sentence):
    figure, data = new_figure(7.0, FRAME + ROW * 6), apple_in(sentence)
    draw_apple(figure, data)
    says = {text.get_text() for text in figure.axes[0].texts}
    assert {"weight", "× tells", "= push"} <= says
    assert {f"{told:.1f}".replace("-", "−") for told in data["told"]} <= says
    np.testing.assert_allclose(data["weights"] * data["told"], data["pushes"], atol=1e-6)
    assert faults(figure) == []


@pytest.mark.parametrize("sentence", [FRUIT, FIRM, "apple", "the apple apple was sold by apple"])
def test_the_pushes_lead_from_before_to_after(sentence):
    data = apple_in(sentence)
    assert data["before"] + data["pushes"].sum() == pytest.approx(data["after"], abs=1e-4)
    assert data["weights"].sum() == pytest.approx(1, abs=1e-5)


def test_a_push_is_what_the_word_hands_over_times_its_weight():
    data, model = apple_in(FRUIT), load_words()

    def only_ate(q, k, v):
        weights = torch.zeros(6, 6)
        weights[:, 1] = float(data["weights"][1])
        return weights @ v

    alone = apple_in(FRUIT, only_ate)
    assert alone["after"] - alone["before"] == pytest.approx(data["pushes"][1], abs=1e-4)
    x = torch.nn.functional.layer_norm(model.vectors(FRUIT)[0], (32,))
    scores = (x @ model.w_q)[data["place"]] @ (x @ model.w_k).T / 32**0.5
    np.testing.assert_allclose(data["weights"], scores.softmax(-1).numpy(), atol=1e-5)


def test_the_learners_own_attention_moves_apple():
    def means(q, k, v):
        return v.mean(dim=0).expand(len(q), -1)

    assert apple_in(FRUIT, means)["after"] != pytest.approx(apple_in(FRUIT)["after"], abs=0.01)
    np.testing.assert_allclose(apple_in(FRUIT, means)["weights"], 1 / 6, atol=1e-6)
    right = apple_in(FRUIT, scaled_dot_product_attention)
    assert right["after"] == pytest.approx(apple_in(FRUIT)["after"], abs=1e-4)


@pytest.mark.parametrize("sentence", [FRUIT, FIRM])
def test_with_equal_weights_both_apples_end_not_far_from_where_they_are(sentence):
    def equal(q, k, v):
        return v.mean(dim=-2, keepdim=True).expand(*q.shape[:-1], -1)

    with_weights, without = (
        apple_in(sentence, one)["after"] for one in (scaled_dot_product_attention, equal)
    )
    assert with_weights * without > 0
    assert abs(with_weights - without) < 0.3


def test_people_occur_in_one_template_alone_and_days_more_often_beside_fruit():
    about_fruit, about_firms = TEMPLATES[:3], TEMPLATES[3:]
    assert sum("{person}" in one for one in TEMPLATES) == 1
    assert "{person}" in " ".join(about_fruit)
    assert sum("{day}" in one for one in about_fruit) > sum("{day}" in one for one in about_firms)


@pytest.mark.parametrize(
    ("sentence", "word", "push"), [(FIRM, "new", "−0.53"), (FRUIT, "ate", "+0.61")]
)
def test_the_word_that_pushes_hardest_and_its_push_are_bold(sentence, word, push):
    figure, data = new_figure(7.0, FRAME + ROW * 6), apple_in(sentence)
    draw_apple(figure, data)
    bold = {one.get_text() for one in figure.axes[0].texts if one.get_fontweight() == "bold"}
    assert {word, push, "apple", "apple, after"} < bold
    assert len(bold) == 5


def test_a_word_that_stands_twice_gets_one_vector_for_the_model_sees_no_order():
    both = load_words().vectors("apple sold the apple")[1][[0, 3]]
    np.testing.assert_allclose(both[0].numpy(), both[1].numpy(), atol=1e-5)


def test_only_a_push_towards_the_fruits_is_filled():
    figure, data = new_figure(7.0, FRAME + ROW * 6), apple_in(FIRM)
    draw_apple(figure, data)
    bars = [bar for bar in figure.axes[0].patches if bar.get_edgecolor() == to_rgba(VALUE)]
    filled = [bar.get_facecolor() == to_rgba(VALUE) for bar in bars]
    assert filled[:2] == [False, True]  # the two bars that say what hollow and filled mean
    assert filled[2:] == [push >= 0 for push in data["pushes"]]


@pytest.mark.parametrize(
    ("sentence", "said"), [("hello apple", "'hello'"), ("the ripe plum", "needs the word apple")]
)
def test_a_sentence_that_cannot_be_drawn_is_answered_with_the_words_that_are_known(
    capsys, sentence, said
):
    show_apple(sentence)
    told = capsys.readouterr().out
    assert said in told
    assert all(word in told for words in KNOWN.values() for word in words)


def test_dots_for_a_sentence_ask_for_one_and_say_the_words(capsys):
    show_apple("... apple ...")
    told = capsys.readouterr().out
    assert "in place of the dots" in told
    assert "No picture" not in told
    assert all(word in told for words in KNOWN.values() for word in words)


@pytest.mark.parametrize("sentence", [FRUIT, FIRM, "apple", "the apple apple was sold by apple"])
def test_every_text_of_the_apple_picture_can_be_read(sentence):
    data = apple_in(sentence)
    figure = new_figure(7.0, FRAME + ROW * len(data["words"]))
    draw_apple(figure, data)
    assert faults(figure) == []
    assert describe_apple(data).startswith("Here apple ")


def test_a_sentence_with_apple_in_capitals_and_a_full_stop_is_the_same():
    assert apple_in("Apple released the new phone today.")["after"] == apple_in(FIRM)["after"]
