"""The examples of CONTRIBUTING.md work as they stand there."""

import re
from pathlib import Path

import pytest

from course_lib.judging.answer import verdict_on
from tests.chapters import proof
from tools.answers import learner_lines
from tools.bets import check_bets
from tools.chapter import read_chapter

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def block(language, text):
    """The code block of the page that contains `text`."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    (found,) = [one for one in blocks if text in one]
    return found


@pytest.fixture(scope="module")
def exercises():
    space = {"__name__": "example"}
    exec(compile(block("python", "Handout("), "CONTRIBUTING.md", "exec"), space)
    return space


@pytest.fixture(scope="module")
def explorer():
    space = {"__name__": "example"}
    exec(compile(block("python", "Explorer("), "CONTRIBUTING.md", "exec"), space)
    return space["explore_halves"]


def test_the_exercise_passes_the_proof_of_every_exercise(exercises):
    halve = exercises["HALVE"]
    assert verdict_on(halve, halve.answer).state == "right"
    assert [verdict_on(halve, one).state for one in halve.alternatives] == ["right"] * 2
    for mistake in halve.mistakes:
        found = verdict_on(halve, mistake.wrong)
        assert found.state == "wrong"
        assert mistake.says in found.text
    assert proof.alike(halve) == []
    assert len(halve.hints) == 3


def test_the_bet_is_settled_by_its_run(exercises, capsys):
    exercises["chapter"].settle("quarter", 0.25)
    said = capsys.readouterr().out
    assert "the run says 0.25" in said
    assert "defect" not in said


def test_the_explorer_draws_and_its_goal_is_reached_by_its_solution(explorer):
    start, end = explorer.frame(), explorer.frame(**explorer.goal.solution)
    assert start.broken == end.broken == ""
    assert not explorer.goal.reached(start.params, start.right)
    assert explorer.goal.reached(end.params, end.right)
    assert explorer.render(size=20) != explorer.render()
    assert explorer.numbers(end.params, end.right)
    assert "12 numbers" in explorer.describe(end.params, end.right)


def test_the_cells_are_read_as_the_page_says(tmp_path):
    path = tmp_path / "97_example.py"
    path.write_text(block("text", "@exercise") + "\n" + block("text", 'bet("quarter")'))
    chapter = read_chapter(path)
    learner = "\n".join(line for _, line in learner_lines(path, chapter.cells[0]))
    assert "return ...  # your code here" in learner
    assert "a / 2" not in learner
    check_bets(chapter)
    assert len(chapter.part(depth=True)) == 3
