"""The six names that a notebook imports, as a learner meets them."""

import dataclasses

import numpy as np
import pytest

from course_lib.betting.bet import Bet, Choice, Number
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.notebook import handout as chapter_module
from course_lib.notebook.handout import Handout
from course_lib.notebook.progress import calibration
from tests.judging import samples


def double(x):
    return 2 * x


DOUBLE = Exercise(
    answer=double,
    cases=(lambda rng: inputs(np.array([1.0, 2.0])), lambda rng: inputs(np.array([3, 5, 7]))),
    mistakes=(Mistake("You squared it.", lambda x: x * x),),
    hints=("How often?", "Look at `2 * x`.", "return 2 * ..."),
    minutes=3,
)
WHO = Bet("who", "Who wins?", Choice(("A", "B"), which=int), why="B is longer.")
ANGLE = Bet("angle", "How far?", Number(0, 90, unit="degrees", near=5), why="It is so.")


@pytest.fixture
def course():
    return Handout(
        "01_test", exercises=(DOUBLE, samples.SOFTMAX, samples.LINEAR), bets=(WHO, ANGLE)
    )


def test_the_first_line_begins_with_the_mark_and_the_word(course, capsys):
    answers = {"○ not attempted": lambda x: ..., "✗ wrong": lambda x: x, "✓ right": double}
    for words, answer in answers.items():
        answer.__name__ = "double"
        course.exercise(answer)
        assert capsys.readouterr().out.startswith(f"{words}: double")


def test_the_diagnosis_stands_last_and_hints_are_not_spelled_out(course, capsys):
    def double(x):
        return x * x

    course.exercise(double)
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[-1].strip().startswith("What it may be:")
    assert "You squared it." in lines[-1]
    assert 'Stuck? hint("double")' in lines[-2]
    assert "How often?" not in "".join(lines)


def test_what_the_cells_below_use_is_said_once_and_again_when_it_changes(course, capsys):
    def tried(answer):
        answer.__name__ = "double"
        course.exercise(answer)
        return "The cells below use the course's double." in capsys.readouterr().out

    assert tried(lambda x: ...)
    assert not tried(lambda x: x)
    assert not tried(lambda x: x * x)
    assert not tried(lambda x: 2 * x)  # theirs now
    assert tried(lambda x: x)
    assert not tried(lambda x: x + 1)


def test_a_cell_may_be_run_many_times(course, capsys):
    def double(x):
        return 2 * x

    for _ in range(3):
        ours = course.exercise(double)
        assert ours.source == "yours"
        assert ours.yours is double
    assert capsys.readouterr().out.count("✓ right") == 3


def test_an_unknown_name_lists_what_there_is_and_binds_the_answer_as_it_is(course, capsys):
    def triple(x):
        return 3 * x

    assert course.exercise(triple) is triple
    said = capsys.readouterr().out
    assert 'There is no "triple"' in said
    assert '"double", "softmax", "Linear"' in said


@pytest.mark.parametrize("name", ["nope", 5, None, ["double"]])
def test_unknown_names_get_a_sentence_everywhere(course, capsys, name):
    course.hint(name)
    course.reveal(name)
    course.bet(name)
    course.settle(name, 3)
    assert capsys.readouterr().out.count("There is no") == 4


def test_hints_step_on_at_each_call_and_stay_at_the_last(course, capsys):
    for words in ("Hint 1 of 3: How often?", "Hint 2 of 3", "Hint 3 of 3", "Hint 3 of 3"):
        course.hint("double")
        assert capsys.readouterr().out.startswith(words)
    course.hint("double", 2)
    assert "Look at" in capsys.readouterr().out


@pytest.mark.parametrize("number", [0, 4, "two"])
def test_a_hint_that_is_not_there_gets_a_sentence(course, capsys, number):
    course.hint("double", number)
    assert "has 3 hints" in capsys.readouterr().out


def test_reveal_shows_the_courses_answer(course, capsys):
    course.reveal("double")
    assert "def double(x):\n    return 2 * x" in capsys.readouterr().out


def test_progress_shows_states_hints_bets_and_calibration(course, capsys):
    course.exercise(double)
    course.hint("softmax")
    course.hint("softmax")
    course._betting.keep(WHO, 1, "sure")
    course._betting.keep(ANGLE, 80.0, "guess")
    course.settle("who", 1)
    course.settle("angle", 20)
    capsys.readouterr()
    course.progress()
    said = capsys.readouterr().out
    lines = {line.split()[0]: line for line in said.splitlines() if line.strip()}
    assert "✓ right" in lines["double"]
    assert "about, min" in lines["exercise"]  # an estimate, not the learner's own time
    assert "2/3" in lines["softmax"]
    assert "/3" not in lines["double"]  # which folded hints were opened is not known
    assert "B (sure)" in lines["who"]
    assert "✗ off" in lines["angle"]
    assert "0 of 1 when you said guess, 1 of 1 when you said sure" in said


def test_a_bet_that_came_close_is_counted_beside_those_that_came_true(course):
    course._betting.keep(ANGLE, 80.0, "guess")
    course.settle("angle", 73)
    told = calibration(course.bets, course.memory)
    assert told == "Your bets came true: 0 of 1 when you said guess. 1 of them came close."
    course._betting.keep(WHO, 1, "guess")
    course.settle("who", 1)
    told = calibration(course.bets, course.memory)
    assert told == "Your bets came true: 1 of 2 when you said guess. 1 more came close."


def test_what_may_be_left_out_stands_folded_below_the_core(monkeypatch):
    shown = []
    monkeypatch.setattr(chapter_module, "show", lambda plain, html: shown.append((plain, html)))
    deep = Handout(
        "97_deep",
        exercises=(dataclasses.replace(DOUBLE, depth=True), samples.SOFTMAX),
        bets=(dataclasses.replace(WHO, depth=True), ANGLE),
    )
    deep.memory.write("exercise", "double", state="right")
    deep.progress()
    heading = "Depth, which may be left out: 1 of 1 exercises are right"
    for text, fold in zip(shown[0], (heading, "<details>"), strict=True):
        core, depth = text.split(fold)
        assert heading in text
        assert ("softmax" in core, "angle" in core) == (True, True)
        assert ("double" in depth, "who" in depth) == (True, True)
        assert "double" not in core
        assert "who" not in core


def test_a_chapter_without_depth_has_no_fold(monkeypatch):
    shown = []
    monkeypatch.setattr(chapter_module, "show", lambda plain, html: shown.extend((plain, html)))
    Handout("97_shallow", exercises=(DOUBLE,), bets=(WHO,)).progress()
    assert all("left out" not in text for text in shown)


def test_bets_alone_may_stand_in_depth(capsys):
    Handout("97_bets", exercises=(), bets=(dataclasses.replace(WHO, depth=True),)).progress()
    said = capsys.readouterr().out
    assert said.index("Depth, which may be left out\n") < said.index("who")


def test_the_learners_code_is_kept_and_a_stub_does_not_replace_it(course, capsys):
    def double(x):
        return x + 100

    course.exercise(double)
    stub = lambda x: ...  # noqa: E731
    stub.__name__ = "double"
    course.exercise(stub)
    kept = course.memory.read("exercise", "double")
    assert kept["state"] == "wrong"
    assert "x + 100" in kept["code"]


def test_an_interrupt_between_judging_and_showing_binds_the_course(course, capsys, monkeypatch):
    def stop(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(chapter_module, "verdict_on", stop)
    ours = course.exercise(double)
    assert ours.source == "course"
    assert ours(2) == 4


def test_an_answer_that_is_interrupted_is_kept_as_yours(course, capsys):
    def double(x):
        raise KeyboardInterrupt

    ours = course.exercise(double)
    assert (ours.source, ours.yours) == ("course", double)
    assert "○ interrupted" in capsys.readouterr().out


def fails(*args, **kwargs):
    raise RuntimeError("boom")


@pytest.mark.parametrize("broken", ["cases", "observe", "accept", "mistakes", "hints", "sentence"])
def test_a_defect_of_ours_is_one_sentence_and_the_course_is_bound(capsys, broken):
    parts = {
        "cases": {"cases": (fails,)},
        "observe": {"observe": fails},
        "accept": {"accept": fails},
        "mistakes": {"mistakes": (5,)},
        "hints": {"hints": 7},
        "sentence": {"mistakes": (Mistake("{unfilled}", lambda x: x + 1),)},
    }
    course = Handout("01_test", exercises=(dataclasses.replace(DOUBLE, **parts[broken]),))

    def double(x):
        return x + 1

    ours = course.exercise(double)
    assert ours(4) == 8
    said = capsys.readouterr().out
    assert "defect, not you" in said
    assert "double" in said
    assert "Traceback" not in said


def test_a_broken_report_or_state_never_stops_the_cell(course, capsys, monkeypatch):
    monkeypatch.setattr(chapter_module.report, "html_report", fails)
    assert course.exercise(double)(4) == 8
    assert "defect, not you" in capsys.readouterr().out
    monkeypatch.setattr(course.memory, "write", fails)
    monkeypatch.setattr(course.memory, "read", fails)
    assert course.exercise(double)(4) == 8
    course.hint("double")
    course.progress()
    course.bet("who")
    course.settle("who", 1)


def test_a_class_that_cannot_be_inherited_from_binds_the_course(course, capsys):
    class Linear(samples.Linear):
        def __init_subclass__(cls, **kwargs):
            raise TypeError("no children")

    assert course.exercise(Linear)(3, 5) is not None
    assert "defect" in capsys.readouterr().out


def test_two_things_of_one_name_are_refused():
    with pytest.raises(ValueError, match="double"):
        Handout("01_test", exercises=(DOUBLE, DOUBLE))


@pytest.mark.parametrize("verb", ["hint", "reveal", "bet"])
def test_a_verb_without_a_name_tells_what_there_is(course, capsys, verb):
    getattr(course, verb)()
    assert capsys.readouterr().out.startswith("Which one? There is: ")


def test_saved_facts_of_a_wrong_type_are_ignored(course, capsys):
    course.memory.write("exercise", "double", hints="many", state=["right"])
    course.memory.write("bet", "who", run=3, confidence=[])
    course.progress()
    said = capsys.readouterr().out
    assert "defect" not in said
    assert "many" not in said
