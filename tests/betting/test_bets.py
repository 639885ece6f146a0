"""Bets: offered without the answer, kept as soon as they are made, settled by the run."""

import dataclasses

import ipywidgets as widgets
import pytest

from course_lib.betting.bet import Bet, Choice, Number
from course_lib.betting.form import live_form
from course_lib.notebook.handout import Handout

WORST = Bet(
    "worst",
    "How far from 90 degrees is the worst pair?",
    Number(0, 90, unit="degrees", near=5, format="{:.1f}"),
    why="Many pairs, one of them is extreme.",
    model_answer="The longer story.",
)
LOUD = Bet(
    "loud",
    "Which key wins?",
    Choice(("key A", "key B"), which=lambda dots: int(dots[1] > dots[0])),
    why="B is longer.",
)


@pytest.fixture
def course():
    return Handout("01_test", bets=(WORST, LOUD))


def parts(course, bet):
    """The answer, the confidence, the button and the status of a live form."""
    _, answer, _, sure, button, status = live_form(course._betting, bet).children
    return answer, sure, button, status


def last_line(capsys, course, name, measured):
    capsys.readouterr()
    course.settle(name, measured)
    return capsys.readouterr().out.splitlines()[0]


def test_the_offer_shows_question_and_options_and_no_answer(course, capsys):
    course.bet("loud")
    course.bet("worst")
    said = capsys.readouterr().out
    assert "Which key wins?" in said
    assert "( ) key A" in said
    assert "a number from 0 to 90 degrees" in said
    assert "B is longer" not in said
    assert "longer story" not in said


def test_a_choice_counts_as_soon_as_it_is_made(course, capsys):
    answer, *_ = parts(course, LOUD)
    answer.index = 1
    assert course.placed("loud") == 1
    assert last_line(capsys, course, "loud", [1, 10]) == (
        "You bet key B (guess); the run says key B: right."
    )


def test_a_number_is_taken_with_its_confidence_when_the_bet_is_placed(course, capsys):
    answer, sure, button, status = parts(course, WORST)
    sure.value = "sure"
    answer.value = "30"
    button.click()
    assert "Placed: 30 degrees (sure)" in status.value
    assert last_line(capsys, course, "worst", 73.84) == (
        "You bet 30 degrees (sure); the run says 73.8 degrees: off by 43.8."
    )


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("30", 30), (" 30 degrees", 30), ("3,5", 3.5), ("30,000", 30), ("1e1", 10), ("", None)],
)
def test_numbers_are_read_as_people_type_them(course, typed, kept):
    answer, _, button, _ = parts(course, WORST)
    answer.value = typed
    button.click()
    assert course.placed("worst") == kept


@pytest.mark.parametrize(
    ("typed", "word"), [("many", "no number"), ("91", "outside"), ("nan", "no")]
)
def test_what_is_no_number_in_range_gets_a_sentence_and_is_not_kept(course, typed, word):
    answer, _, button, status = parts(course, WORST)
    answer.value = typed
    button.click()
    assert word in status.value
    assert course.placed("worst") is None


def test_without_a_bet_the_run_is_told_and_nothing_else_changes(course, capsys):
    assert last_line(capsys, course, "loud", [10, 1]) == "No bet placed; the run says key A."
    assert last_line(capsys, course, "worst", 73.84) == (
        "No bet placed; the run says 73.8 degrees."
    )


def test_why_and_the_model_answer_follow(course, capsys):
    course.settle("worst", 73.84)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "Many pairs, one of them is extreme.",
        "Model answer: The longer story.",
    ]


@pytest.mark.parametrize(("bet", "measured", "right"), [(30, 34.9, True), (30, 35.1, False)])
def test_near_is_a_distance(bet, measured, right):
    assert Number(0, 90, near=5).is_right(bet, measured) is right


@pytest.mark.parametrize(("bet", "right"), [(51, True), (199, True), (201, False), (49, False)])
def test_a_factor_is_a_ratio(bet, right):
    assert Number(0, 900, factor=2).is_right(bet, 100) is right


def test_a_bet_is_shown_again_when_the_cell_runs_again(course):
    parts(course, LOUD)[0].index = 1
    again = Handout("01_test", bets=(WORST, LOUD))
    answer, _, _, status = parts(again, LOUD)
    assert answer.index == 1
    assert "key B" in status.value


def test_a_change_after_the_run_is_kept_apart_and_does_not_count(course, capsys):
    answer, *_ = parts(course, LOUD)
    answer.index = 0
    course.settle("loud", [1, 10])
    answer.index = 1
    assert course.placed("loud") == 0
    assert course._betting.facts("loud")["after_the_run"]["answer"] == 1
    assert "key A (guess); the run says key B." in last_line(capsys, course, "loud", [1, 10])


def test_a_first_bet_after_the_run_does_not_count(course, capsys):
    course.settle("loud", [1, 10])
    answer, _, _, status = parts(course, LOUD)
    answer.index = 1
    assert course.placed("loud") is None
    assert "after the run" in status.value


def test_a_bet_that_was_run_over_can_be_begun_again(course, capsys):
    course.settle("loud", (1, 10))
    course.bet("loud")
    assert 'bet("loud", afresh=True)' in capsys.readouterr().out
    course.bet("loud", afresh=True)
    assert "There was no bet" not in capsys.readouterr().out
    course._betting.keep(LOUD, 1, "sure")
    course.settle("loud", (1, 10))
    assert "You bet key B (sure)" in capsys.readouterr().out


def test_a_degree_sign_is_read_as_a_unit(course):
    answer, _, button, _ = parts(course, WORST)
    answer.value = "30°"
    button.click()
    assert course.placed("worst") == 30


def test_a_comma_that_may_part_thousands_or_decimals_is_asked_about():
    many = Bet("many", "How many?", Number(0, 100_000, near=0), why="So many.")
    bets = Handout("01_test", bets=(many,))
    answer, _, button, status = parts(bets, many)
    answer.value = "3,200"
    button.click()
    assert "3,200 may mean 3.2 or 3200" in status.value
    assert bets.placed("many") is None
    answer.value = "30,200,0"
    button.click()
    assert "no number" in status.value
    for typed, kept in (("3200", 3200), ("0,5", 0.5), ("99,999,0", 0.5)):
        answer.value = typed
        button.click()
        assert bets.placed("many") == kept


@pytest.mark.parametrize("measured", ["text", None, [1, 2, 3], -1, 91, float("nan")])
def test_a_measured_value_that_does_not_fit_is_our_defect_and_one_sentence(
    course, capsys, measured
):
    course.settle("worst", measured)
    assert "defect, not you: worst" in capsys.readouterr().out


def test_an_option_that_is_not_there_is_our_defect(capsys):
    odd = dataclasses.replace(LOUD, answer=Choice(("A", "B"), which=lambda measured: 7))
    Handout("01_test", bets=(odd,)).settle("loud", 1)
    assert "defect" in capsys.readouterr().out


def test_a_saved_answer_that_no_longer_fits_is_no_bet(course):
    course.memory.write("bet", "loud", answer=9, confidence="very")
    assert course.placed("loud") is None
    assert live_form(course._betting, LOUD) is not None


def test_everything_in_the_form_can_be_reached_by_keyboard(course):
    kinds = [type(one) for one in live_form(course._betting, LOUD).children]
    for kind in (widgets.RadioButtons, widgets.ToggleButtons, widgets.Button):
        assert kind in kinds
    assert 'role="status"' in parts(course, LOUD)[3].value


def test_bets_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="low"):
        Number(5, 5)
    with pytest.raises(ValueError, match="factor"):
        Number(0, 5, factor=0.5)
    with pytest.raises(ValueError, match="two options"):
        Choice(("only one",), which=int)
