"""Bets: offered without the answer, kept as soon as they are made, settled by the run."""

import dataclasses

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


class Form:
    """A live form, and what it says; `take` is what its front end tells."""

    def __init__(self, course, bet):
        self.widget = live_form(course._betting, bet)
        self.start, self.said = self.widget.start, self.widget.start["said"]
        self.widget.send = self._answered

    def _answered(self, message):
        assert message["number"] == 7
        self.said = message["said"]

    def take(self, answer, confidence="guess", placed=True):
        told = {"answer": answer, "confidence": confidence, "placed": placed}
        self.widget.heard({"kind": "take", "number": 7, **told})


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
    Form(course, LOUD).take(1, placed=False)
    assert course.placed("loud") == 1
    assert last_line(capsys, course, "loud", [1, 10]) == (
        "You bet key B (guess); the run says key B: right."
    )


def test_a_number_is_taken_with_its_confidence_when_the_bet_is_placed(course, capsys):
    form = Form(course, WORST)
    form.take("30", "sure")
    assert "Placed: 30 degrees (sure)" in form.said
    assert last_line(capsys, course, "worst", 73.84) == (
        "You bet 30 degrees (sure); the run says 73.8 degrees: off by 43.8."
    )


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("30", 30), (" 30 degrees", 30), ("3,5", 3.5), ("30,000", 30), ("1e1", 10), ("", None)],
)
def test_numbers_are_read_as_people_type_them(course, typed, kept):
    Form(course, WORST).take(typed)
    assert course.placed("worst") == kept


@pytest.mark.parametrize(
    ("typed", "word"), [("many", "no number"), ("91", "outside"), ("nan", "no")]
)
def test_what_is_no_number_in_range_gets_a_sentence_and_is_not_kept(course, typed, word):
    form = Form(course, WORST)
    form.take(typed)
    assert word in form.said
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


@pytest.mark.parametrize(
    ("number", "bet", "close"),
    [
        (Number(0, 900, near=10), 110, True),  # right, and so close as well
        (Number(0, 900, near=10), 114, True),
        (Number(0, 900, near=10), 116, False),
        (Number(0, 900, factor=4), 790, True),  # 4 to the power of 1.5 is 8
        (Number(0, 900, factor=4), 810, False),
        (Number(0, 900), 101, False),
    ],
)
def test_close_is_half_as_far_again_as_what_is_right(number, bet, close):
    assert number.is_close(bet, 100) is close


@pytest.mark.parametrize(
    ("number", "most"),
    [
        (Number(0, 100, unit="letters", near=15), "22.5 letters"),
        (Number(0, 1, near=0.1), "0.15"),
        (Number(0, 900, factor=2), "a factor of 2.83"),
    ],
)
def test_how_far_close_goes_is_said_as_the_question_says_how_far_right_goes(number, most):
    assert number.most_shown() == most


def test_a_near_miss_is_told_as_such_and_does_not_count(course, capsys):
    Form(course, WORST).take("67", "think")
    assert last_line(capsys, course, "worst", 73.84) == (
        "You bet 67 degrees (think so); the run says 73.8 degrees: close, off by 6.8. "
        "Within 7.5 degrees counts as close."
    )
    course.progress()
    said = capsys.readouterr().out
    assert "≈ close" in said
    assert "0 of 1 when you said think so" in said


def test_a_bet_is_shown_again_when_the_cell_runs_again(course):
    Form(course, LOUD).take(1)
    form = Form(Handout("01_test", bets=(WORST, LOUD)), LOUD)
    assert form.start["answer"] == 1
    assert "key B" in form.said


def test_a_change_after_the_run_is_kept_apart_and_does_not_count(course, capsys):
    form = Form(course, LOUD)
    form.take(0)
    course.settle("loud", [1, 10])
    form.take(1)
    assert "You bet key A (guess) before the run, and said key B after it" in form.said
    assert course.placed("loud") == 0
    assert course._betting.facts("loud")["after_the_run"]["answer"] == 1
    assert "key A (guess); the run says key B." in last_line(capsys, course, "loud", [1, 10])


def test_a_first_bet_after_the_run_does_not_count(course, capsys):
    course.settle("loud", [1, 10])
    form = Form(course, LOUD)
    form.take(1)
    assert course.placed("loud") is None
    assert "After the run you said key B; it does not count" in form.said
    assert last_line(capsys, course, "loud", [1, 10]) == (
        "After the run you said key B, which does not count; the run says key B."
    )
    course.progress()
    assert "key B (after the run)" in capsys.readouterr().out


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
    Form(course, WORST).take("30°")
    assert course.placed("worst") == 30


def test_a_comma_that_may_part_thousands_or_decimals_is_asked_about():
    many = Bet("many", "How many?", Number(0, 100_000, near=0), why="So many.")
    bets = Handout("01_test", bets=(many,))
    form = Form(bets, many)
    form.take("3,200")
    assert "3,200 may mean 3.2 or 3200" in form.said
    assert bets.placed("many") is None
    form.take("30,200,0")
    assert "no number" in form.said
    assert "type one such as 50000." in form.said
    for typed, kept in (("3200", 3200), ("0,5", 0.5), ("99,999,0", 0.5)):
        form.take(typed)
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


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"kind": "other", "answer": 1},
        {"kind": "take"},
        {"kind": "take", "answer": 2, "confidence": "sure"},
        {"kind": "take", "answer": "key B", "confidence": 3},
        {"kind": "take", "answer": True, "confidence": "sure"},
        {"kind": "take", "answer": [1], "confidence": ["sure"]},
    ],
    ids=repr,
)
def test_what_no_front_end_of_ours_tells_is_no_bet(course, told):
    form = Form(course, LOUD)
    form.widget.heard({"number": 7, **told})
    assert course.placed("loud") is None


@pytest.mark.parametrize(
    "later", [3, {"answer": 9}, {"answer": "key A"}, [], {"confidence": "sure"}], ids=repr
)
def test_what_was_said_later_by_another_version_is_left_out(course, later, capsys):
    course.memory.write("bet", "loud", run="key A", after_the_run=later)
    assert "There was no bet before the run" in Form(course, LOUD).said
    course.progress()
    assert "(after the run)" not in capsys.readouterr().out


def test_bets_that_make_no_sense_are_refused():
    with pytest.raises(ValueError, match="low"):
        Number(5, 5)
    with pytest.raises(ValueError, match="factor"):
        Number(0, 5, factor=0.5)
    with pytest.raises(ValueError, match="two options"):
        Choice(("only one",), which=int)
