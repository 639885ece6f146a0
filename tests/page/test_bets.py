"""Each bet on the page is settled by what the stored run said."""

import pytest

from course_lib.betting.bet import Bet, Choice, Number
from tools.editions import Course
from tools.page.bets import answer, settled
from tools.pages import ROOT
from tools.syllabus import Syllabus

NUMBER = Bet("half", "Which share?", Number(0, 9, unit="parts", near=1, format="{:.1f}"), "So.")
CHOICE = Bet("which", "Which?", Choice(("a", "b"), which=int), "So.", "At length.")


@pytest.mark.parametrize("path", Course(ROOT).sources(), ids=lambda path: path.stem)
def test_every_stored_run_is_an_answer_to_its_bet(path):
    chapter = Syllabus(path)
    assert set(chapter.runs) == set(chapter.data.bets)
    for name, bet in chapter.data.bets.items():
        told = answer(bet, chapter.runs[name])
        if isinstance(bet.answer, Choice):
            assert told["options"][told["measured"]] == chapter.runs[name]
        else:
            assert bet.answer.low <= told["measured"] <= bet.answer.high
            assert bet.answer.is_right(told["measured"], told["measured"])


def test_a_number_is_read_as_it_was_printed():
    assert answer(NUMBER, "4.5 parts")["measured"] == 4.5
    with pytest.raises(ValueError, match=r"half: the run says 4\.55 parts"):
        answer(NUMBER, "4.55 parts")


def test_a_run_that_is_no_option_is_refused():
    assert answer(CHOICE, "b")["measured"] == 1
    with pytest.raises(ValueError, match="c"):
        answer(CHOICE, "c")


def test_without_scripts_the_run_can_be_opened_and_nothing_stands_open():
    shown = settled("which", CHOICE, "b", "<pre>printed</pre>")
    assert shown.startswith('<details class="run"><summary>')
    assert "No bet placed; the run says b." in shown
    assert "<pre>printed</pre>" in shown
    assert "At length." in shown
