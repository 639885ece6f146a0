"""Each chapter's source keeps the promises of the course: its length, its cells, its voice."""

import re
import statistics
from pathlib import Path

import pytest

from course_lib.judging import registry
from tools import effort
from tools.chapter import CORE_MINUTES, Cell, heading_is_depth, read_chapter

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "chapters").glob("[0-9][0-9]_*.py"))
CORE_AT_MOST = {"exercises": 5, "explorers": 4, "bets": 3}  # for each sitting
HURRIED = re.compile(r"\b(just|simply|obviously|of course|note that|trivial\w*)\b|!(?!=)", re.I)

every_chapter = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)


def prose(cell: Cell) -> str:
    """What a learner reads, without formulas and code."""
    return re.sub(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", " ", cell.text, flags=re.S)


def test_there_are_chapters():
    assert SOURCES


@every_chapter
def test_the_core_asks_no_more_than_one_sitting_can_hold(path):
    chapter = read_chapter(path)
    core = chapter.part(depth=False)
    code = "\n".join(cell.text for cell in core if cell.kind == "code")
    found = {
        "exercises": sum(bool(cell.exercise) for cell in core),
        "explorers": len(re.findall(r"^explore_\w+\(", code, re.M)),
        "bets": len(re.findall(r"^bet\(", code, re.M)),
    }
    sittings = chapter.budget // CORE_MINUTES
    too_many = {k: n for k, n in found.items() if n > sittings * CORE_AT_MOST[k]}
    assert not too_many, f"the core of {path.stem} has {found}, at most {CORE_AT_MOST} a sitting"
    assert all(found.values()), f"the core of {path.stem} lacks something: {found}"


@every_chapter
def test_the_core_promises_no_fewer_minutes_than_are_counted(path):
    counted, chapter = effort.core(path.stem), read_chapter(path)
    assert counted <= chapter.minutes() + 1, "name the minutes that `python -m tools.effort` counts"
    assert counted <= effort.MOST


@every_chapter
def test_depth_stands_behind_the_core(path):
    marks = [
        heading_is_depth(cell)
        for cell in read_chapter(path).english
        if cell.kind == "markdown" and cell.text.startswith("## ")
    ]
    assert marks == sorted(marks), "a core section stands behind a depth section"


@every_chapter
def test_the_exercises_of_the_core_are_those_that_are_not_marked_as_depth(path):
    core = [cell.exercise for cell in read_chapter(path).part(depth=False) if cell.exercise]
    names = [name.rpartition("/")[2] for name in registry.names(path.stem)]
    assert core == [name for name in names if not registry.find(f"{path.stem}/{name}").depth]


@every_chapter
def test_code_cells_are_short(path):
    lengths = {}
    for cell in read_chapter(path).english:
        if cell.kind == "code" and not cell.exercise:
            lines = [line for line in cell.text.splitlines() if line and "import" not in line]
            lengths[cell.first_line] = len(lines)
    too_long = {line: n for line, n in lengths.items() if n > 10}
    assert not too_long, f"cells of more than 10 lines, by their first line: {too_long}"
    assert statistics.median(lengths.values()) <= 5


@every_chapter
def test_every_exercise_has_its_heading(path):
    cells = read_chapter(path).english
    text = "\n".join(cell.text for cell in cells if cell.kind == "markdown")
    for name in (cell.exercise for cell in cells if cell.exercise):
        assert f"### Exercise: `{name}`" in text


@every_chapter
def test_the_voice_neither_hurries_nor_shouts(path):
    for cell in read_chapter(path).english:
        if cell.kind == "markdown":
            found = HURRIED.search(prose(cell))
            assert not found, f"{path.name}:{cell.first_line}: {found.group()!r} in the prose"
