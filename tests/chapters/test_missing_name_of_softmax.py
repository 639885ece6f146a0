"""The picture of the missing name, its bet, and what a model without a sink answers."""

import re

import numpy as np
import pytest

from course_lib.chapters.softmax import (
    absent_model,
    missing_name,
)
from course_lib.chapters.softmax.bets import ABSENT
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import FACTOR, Questions, answer, hand_over
from tests.chapters.caught import caught, drawn


def _asked_for_kim(monkeypatch, *, there: bool):
    """The picture of one question: what is written in it, and its words."""
    shown = caught(monkeypatch, missing_name)
    missing_name.ask_for_kim(there=there)
    figure, words = drawn(shown)
    return [text.get_text() for text in figure.axes[0].texts], words


def test_kim_is_asked_for_in_three_steps_before_she_is_gone(monkeypatch):
    told, words = _asked_for_kim(monkeypatch, there=True)
    assert {"lead over the next: 7.13", "63 others", "1.00\nKim's"} <= set(told)
    assert told.index("① attention: 16 keys share a 1") < told.index("② mix")
    assert "③ second softmax: 64 numbers share a 1" in told
    assert "gone" not in words


def test_the_lead_of_the_least_misfit_makes_the_ratio_of_the_two_largest_weights(monkeypatch):
    first, second = np.sort(absent_model.asked_twice()["weights"][1])[:-3:-1]
    assert f"{first / second:.2g}" == "3.2"
    told, words = _asked_for_kim(monkeypatch, there=False)
    assert {"Sam .16", "14 others .32"} <= set(told)
    assert "① Mia's lead 1.16: 3.2 to 1" in told
    assert "① Mia's lead 1.16: 3.2 to 1" in words
    lead = "③ lead over Sam's: 3.41, so 30 to 1"
    assert lead in told
    assert f"with a chance of .61, {lead}." in words
    assert {"15, Sam's", "62 others", ".52\nMia's"} <= set(told)


def test_half_of_a_value_gives_half_of_its_scores():
    data = absent_model.asked_twice()
    whole = np.zeros((1, data["weights"].shape[1]))
    whole[0, 0] = 1
    asked = Questions(*(np.asarray(one)[:1] for one in _parts(data["asked"])))
    full, half = (hand_over(data["model"], asked, share * whole)["logits"] for share in (1.0, 0.5))
    assert half == pytest.approx(full / 2)


def test_all_other_numbers_are_further_behind_than_the_next():
    data = absent_model.asked_twice()
    there, gone = (np.sort(one)[::-1] for one in _logits(data))
    assert f"{there[0] - there[1]:.2f}" == "7.13"
    assert (gone[0] - gone[1]) / (there[0] - there[1]) == pytest.approx(0.5, abs=0.03)
    assert gone[2] < gone[1]


def _logits(data):
    return answer(data["model"], data["asked"], FACTOR)["logits"]


def _parts(asked):
    return asked.names, asked.contents, asked.asked, asked.answers


def test_a_model_without_a_sink_answers_for_a_missing_name_with_a_strangers_number():
    data = absent_model.asked_twice()
    place, (there, gone) = data["place"], data["weights"]
    assert data["people"][0][place] == "Kim"
    assert "Kim" not in data["people"][1]
    assert there[place] > 0.99
    assert data["answers"][0] == data["contents"][0, place]
    assert gone.sum() == pytest.approx(1)
    assert gone.argmax() != place
    assert data["answers"][1] == data["contents"][1, gone.argmax()]
    assert missing_name.answer_for_the_absent() == ("a stranger's", pytest.approx(0.613, abs=0.001))


def test_the_bet_on_the_absent_states_what_the_two_best_keys_get():
    data = absent_model.asked_twice()
    best = np.sort(data["weights"][1])[:-3:-1]
    assert re.findall(r"\.\d\d", ABSENT.question) == [f"{one:.2f}"[1:] for one in best]
    assert f"gets {softmax(_logits(data))[1].max():.2f}".replace("0.", ".") in ABSENT.why


@pytest.mark.parametrize(
    ("named", "option"),
    [
        (("nothing", 0.9), "none stands out"),
        (("a stranger's", 0.02), "none stands out"),
        (("hers", 0.99), "Kim's old number"),
        (("a stranger's", 0.12), "a stranger's number, at .05 to .25"),
        (("nobody's", 0.1), "a number that nobody in the text has"),
        (("a stranger's", 0.45), "a stranger's number, at .25 to .75"),
        (("a stranger's", 0.95), "a stranger's number, at more than .75"),
    ],
)
def test_the_bet_on_the_absent_has_an_option_for_every_answer(named, option):
    chosen = ABSENT.answer.options[ABSENT.answer.which(named)]
    assert chosen.startswith(option)


def test_a_kept_bet_on_one_of_the_first_four_options_keeps_its_meaning():
    named = [("nothing", 0.5), ("hers", 0.5), ("a stranger's", 0.12), ("nobody's", 0.5)]
    assert [ABSENT.answer.which(one) for one in named] == [0, 1, 2, 3]


def test_the_number_of_the_missing_name_is_gone_with_her_and_nothing_else_is():
    data = absent_model.asked_twice()
    there, gone = data["contents"]
    assert (np.flatnonzero(there != gone) == data["place"]).all()
    assert there[data["place"]] not in gone
    assert gone[data["place"]] not in there


@pytest.mark.parametrize(
    ("changed", "called"),
    [
        ({"answers": np.array([46, 46])}, "hers"),
        ({"answers": np.array([46, 62])}, "nobody's"),
        ({"weights": np.full((2, 16), 0.01)}, "nothing"),
    ],
)
def test_another_answer_for_the_absent_would_be_called_by_what_it_is(monkeypatch, changed, called):
    data = absent_model.asked_twice() | changed
    monkeypatch.setattr(missing_name, "asked_twice", lambda: data)
    assert missing_name.answer_for_the_absent()[0] == called


def test_the_stranger_whose_number_is_said_is_named(monkeypatch):
    _, there = _asked_for_kim(monkeypatch, there=True)
    assert "Kim 1.00" in there
    assert "Kim's, with a chance of .99" in there
    _, words = _asked_for_kim(monkeypatch, there=False)
    gone = words.split("Kim is gone: ")[1]
    assert "Kim" not in gone
    assert f"{gone.split(' ')[0]}'s, with a chance of .61" in gone


def test_the_text_that_is_shown_is_a_typical_one():
    _, chance = missing_name.answer_for_the_absent()
    assert chance == pytest.approx(absent_model.in_other_texts()["middle"], abs=0.01)


def test_a_number_is_called_by_who_has_it():
    contents = np.array([5, 7])
    assert missing_name._whose(7, ["Ann", "Bob"], contents) == "7, Bob's"
    assert missing_name._whose(6, ["Ann", "Bob"], contents) == "6, nobody's"
