"""The examples of CONTRIBUTING.md work as they stand there."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.judging.answer import verdict_on
from course_lib.notebook.handout import Handout
from tests.chapters import proof
from tools.answers import check_answers, learner_lines
from tools.bets import check_bets
from tools.chapter import read_chapter

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def block(language, text):
    """The code block of the page that contains `text`."""
    blocks = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    (found,) = [one for one in blocks if text in one]
    return found


def run(path, text):
    """Write an example as a file of the course and run it; its names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return runpy.run_path(str(path), run_name="example")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with a chapter, in which the page's exercise has its file."""
    root = tmp_path_factory.mktemp("course")
    (root / "chapters").mkdir()
    cells = block("text", "# %% exercise") + "\n" + block("text", 'bet("quarter")')
    (root / "chapters" / "97_example.py").write_text(cells, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def halve(course):
    folder = course / "course_lib" / "chapters" / "example" / "exercises"
    return run(folder / "halve.py", block("python", "Exercise("))["HALVE"]


@pytest.fixture(scope="module")
def quarter(course):
    return run(course / "bets.py", block("python", "Bet("))["QUARTER"]


@pytest.fixture(scope="module")
def explorer(course):
    return run(course / "halves.py", block("python", "Explorer("))["explore_halves"]


def test_the_exercise_passes_the_proof_of_every_exercise(halve):
    assert verdict_on(halve, halve.answer).state == "right"
    assert [verdict_on(halve, one).state for one in halve.alternatives] == ["right"] * 2
    for mistake in halve.mistakes:
        found = verdict_on(halve, mistake.wrong)
        assert found.state == "wrong"
        assert mistake.says in found.text
    assert proof.alike(halve) == []
    assert len(halve.hints) == 3


def test_ruff_has_nothing_to_say_of_the_examples():
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 3
    for text in blocks:
        command = [sys.executable, "-m", "ruff", "check", "--stdin-filename", "example.py", "-"]
        done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


def test_the_bet_is_settled_by_its_run(halve, quarter, capsys):
    handout = Handout("97_example", exercises=(halve,), bets=(quarter,))
    handout.settle("quarter", 0.25)
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


def test_the_cells_are_read_as_the_page_says(course, halve):
    chapter = read_chapter(course / "chapters" / "97_example.py")
    check_answers(chapter)
    check_bets(chapter)
    learner = "\n".join(line for _, line in learner_lines(chapter.cells[0]))
    assert learner.startswith("@exercise\ndef halve(a):\n")
    assert "return ...  # your code here" in learner
    assert "a / 2" not in learner
    assert len(chapter.part(depth=True)) == 3
