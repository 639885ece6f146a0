"""The picture of the learned sink: what its rows are, and what it says of them."""

import functools

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from course_lib.chapters.softmax import (
    absent_model,
    learned_sink,
    missing_name,
    second_model,
    stills,
)
from course_lib.chapters.softmax.explorers.far_out import explore_far_out
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure
from course_lib.kernels import bounded
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import QUESTIONS
from tests.chapters.caught import caught, drawn

learned = functools.cache(learned_sink.learned)


def test_rows_a_and_b_ask_for_one_name_that_is_there_and_not_there():
    data = learned()
    there, missing = data["pair"]
    assert there < learned_sink.HALF <= missing
    assert data["scores"][there, 0] == pytest.approx(data["scores"][missing, 0])


def test_key_0_lies_between_the_key_that_fits_and_the_others():
    data = learned()
    there, missing = (data["scores"][row] for row in data["pair"])
    assert there.max() > there[0] + 2
    assert missing[1:].max() < missing[0] - 2


def test_key_0_gets_most_in_most_rows_where_the_name_is_missing():
    firsts = learned()["weights"][learned_sink.HALF :, 0]
    assert (firsts > 0.6).sum() == 4
    assert (learned()["weights"][: learned_sink.HALF, 0] < 0.1).all()


def test_key_0_scores_far_below_the_others_in_the_row_where_it_gets_nothing():
    scores = learned()["scores"][learned_sink.HALF :]
    missed = scores[scores[:, 0].argmin()]
    assert round(missed[0]) == -5
    assert round(missed[1:].max()) == 2


@pytest.mark.parametrize("name", ["show_learned_sink", "show_rows_a_and_b"])
def test_the_pictures_of_the_learned_sink_have_no_fault(monkeypatch, name):
    shown = caught(monkeypatch, learned_sink)
    getattr(learned_sink, name)()
    assert faults(shown[0][0]) == []


def test_key_0_gets_more_than_half_in_five_texts_of_six_and_every_answer_is_right():
    data = learned()
    assert 0.8 < data["most"] < 0.87
    assert data["answered"] == 1
    assert data["texts"] == data["present"] == QUESTIONS // 2
    assert data["missed"] == 0
    assert data["found"] == data["present"]
    firsts = data["weights"][learned_sink.HALF :, 0]
    assert (firsts < learned_sink.MOST).sum() == 2


def test_two_rows_have_letters_and_each_says_what_key_0_gets(monkeypatch):
    assert learned()["said"].all()
    data = learned() | {"said": np.arange(2 * learned_sink.HALF) != 3}
    monkeypatch.setattr(learned_sink, "learned", lambda: data)
    shown = caught(monkeypatch, learned_sink)
    learned_sink.show_learned_sink()
    figure, words = drawn(shown)
    told = [text.get_text() for text in figure.axes[0].texts]
    places = {text.get_text(): text.get_position()[1] for text in figure.axes[0].texts}
    assert (places["A"], places["B"]) == data["pair"]
    assert "C" not in places
    assert sum(one.startswith(".") for one in told) == 2 * learned_sink.HALF
    assert "is right in 11 rows" in words


@pytest.mark.parametrize(("power", "seen"), [(7.6, True), (8.5, False)])
def test_the_pointer_is_hidden_where_float32_has_no_number_below_it(power, seen):
    one, figure = explore_far_out, new_figure(*explore_far_out.size)
    drawing = one.draw(figure, one.compute(**one.start, **one.functions))
    drawing.update(one.compute(power=power, **one.functions))
    words = [
        text for axes in figure.axes for text in axes.texts if "float32 has" in text.get_text()
    ]
    assert [text.get_visible() for text in words] == [seen]


def test_the_table_without_names_tells_its_two_ways_of_reading_apart():
    turned = stills.UNLABELLED
    assert np.allclose(turned.sum(axis=0), 1)
    assert np.isclose(turned[0].sum(), 1)
    assert not np.isclose(turned[1:].sum(axis=1), 1).any()
    right, wrong = turned.T, turned
    assert right[1].argmax() != wrong[1].argmax()
    assert right.max(axis=1).argmin() != wrong.max(axis=1).argmin()
    heard = right.sum(axis=0)
    assert heard.argmax() != right.max(axis=0).argmax()
    assert len({int(heard.argmax()), int(right[1].argmax())}) == 2


@pytest.mark.parametrize("draw", [stills.show_unlabelled, lambda: stills.show_two_rules(softmax)])
def test_the_small_pictures_have_no_fault(monkeypatch, draw):
    shown = caught(monkeypatch, stills)
    draw()
    assert faults(shown[0][0]) == []


def test_softmax_leaves_the_others_alone_where_the_second_idea_does_not(monkeypatch):
    shown = caught(monkeypatch, stills)
    stills.show_two_rules(softmax)
    _, told = shown[0]
    assert "4.5 has 3 and then 1.22 times" in told
    assert "factors: × 1.93, × .79, from 0." in told
    assert "softmax 4.5 has 2.72 and 2.72 times" in told
    assert "one factor: × 1.38, × 1.38, × 1.38." in told


def test_the_strips_have_room_for_every_name_and_the_narrow_pieces_stand_below(monkeypatch):
    shown = caught(monkeypatch, stills)
    stills.show_two_rules(softmax)
    figure, _ = drawn(shown)
    told = [text.get_text() for text in figure.axes[1].texts]
    assert {"3: 0", "−1: 0", "−1: .003", "4: .33", "4: .28", "3: .14"} <= set(told)


def test_a_share_of_nothing_stands_above_the_end_of_its_strip_and_not_beside_a_ratio(monkeypatch):
    shown = caught(monkeypatch, stills)
    stills.show_two_rules(softmax)
    figure, _ = drawn(shown)
    texts = {text.get_text(): text for text in figure.axes[1].texts}
    nothing, ratio = (texts[one].get_window_extent() for one in ("3: 0", "3 to 1"))
    assert nothing.y0 > ratio.y1
    assert nothing.x1 < ratio.x0


def test_with_a_sink_the_answer_for_the_absent_is_a_blind_guess():
    asked = missing_name._asked(1, 9.0, bounded.softmax_with_sink)
    assert asked["chance"] == ".02"
    assert asked["chances"].max() < 1.1 / 64


def test_no_printed_weight_of_the_missing_name_stands_near_the_edge_of_its_rounding():
    shown = np.sort(absent_model.asked_twice()["weights"], axis=1)[:, -missing_name.SHOWN :]
    away = np.abs(100 * shown % 1 - 0.5)  # of a last digit
    assert away.min() > 0.01


def test_a_sink_between_the_scores_takes_the_1_only_where_the_name_is_missing(monkeypatch):
    shown = caught(monkeypatch, missing_name)
    missing_name.ask_for_a_missing_name(sink=9.0)
    _, words = drawn(shown)
    there, gone = words.split("Kim is gone: ")
    assert "46, Kim's, with a chance of .99." in there
    assert "best score: Kim 11.9; .05 is spent on nothing" in there
    assert "6, Mia's, with a chance of .02." in gone
    assert "best score: Mia 3.6; .99 is spent on nothing" in gone


@pytest.mark.parametrize(
    ("sink", "rule"),
    [(-30.0, bounded.softmax_with_sink), (9.0, lambda scores, sink: softmax(scores))],
)
def test_a_sink_that_takes_nothing_leaves_the_whole_1_to_the_keys(monkeypatch, sink, rule):
    shown = caught(monkeypatch, missing_name)
    missing_name.ask_for_a_missing_name(sink=sink, softmax=rule)
    figure, words = drawn(shown)
    assert words.count("; .00 is spent on nothing") == 2
    assert not [patch for patch in figure.findobj(Rectangle) if patch.get_hatch()]


def test_without_key_0_one_answer_in_five_is_lost():
    answers, right = learned_sink.answers_without_key_0()
    missing = right == learned_sink.NONE
    assert missing.sum() == QUESTIONS // 2
    assert 0.77 < (answers == right)[missing].mean() < 0.84
    assert (answers == right)[~missing].all()


@pytest.mark.parametrize("sink", [3.0, 8.0, 11.0, 20.0, -5.0])
def test_the_questions_for_kim_can_be_read_beside_every_sink(monkeypatch, sink):
    shown = caught(monkeypatch, missing_name)
    missing_name.ask_for_a_missing_name(sink=sink)
    drawn(shown)


def test_kim_fades_beside_a_sink_as_high_as_her_own_key():
    chances = {
        sink: missing_name._asked(0, sink, bounded.softmax_with_sink)["chance"]
        for sink in (9.0, 11.5)
    }
    assert chances[9.0] == ".99"
    assert float(chances[11.5]) < 0.9


def test_kim_keeps_half_beside_a_sink_that_scores_as_much_as_her_own_key():
    best = absent_model.asked_twice()["scores"][0].max()
    assert round(best, 1) == 11.9
    kept = missing_name._asked(0, best, bounded.softmax_with_sink)["weights"][0]
    assert kept == pytest.approx(0.5, abs=0.005)


def test_the_second_model_finds_kim_and_says_nothing_where_she_is_gone(monkeypatch):
    data = second_model.asked_of_the_second()
    shown = caught(monkeypatch, second_model)
    second_model.ask_the_second_model()
    _, words = drawn(shown)
    assert data["weights"][0, data["place"]] > 0.9
    assert data["weights"][1, 0] > 0.9
    assert data["chances"][1].argmax() == 0
    assert "Kim is there: Kim 1.00, key 0 .00; the model says 46, Kim's, chance .99" in words
    assert "Kim is gone: Kim .00, key 0 .98; the model says “nothing”, chance >.99." in words
