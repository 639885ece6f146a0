"""From one handed-in notebook to its rows: each exercise of its chapter, and what became of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from course_lib.grade.confinement import Limits
from course_lib.grade.handed_in import HandedIn, Unreadable, read
from course_lib.grade.hearing import Tried
from course_lib.grade.session import Found, run
from course_lib.judging import names

RIGHT, WRONG, TODO = "right", "wrong", "not attempted"
MISSING, NOT_JUDGED = "no cell", "not judged"
STATES = {"right": RIGHT, "wrong": WRONG, "todo": TODO}
SEVERAL = "Of {count} cells with this exercise the best counts, code cell {cell}."
ORDER = (RIGHT, WRONG, TODO, NOT_JUDGED, MISSING)


@dataclass(frozen=True)
class Row:
    """What became of one exercise.

    notebook: its path in the folder.   result: one of the five words above.
    mistake: the sentence of the named mistake, where the answer makes one.
    reason: the symptom of a wrong answer, or why there is no verdict; of a right one, which of
    several cells counts, and which functions of the course it calls.
    A notebook that could not be judged at all is one row without chapter and exercise.
    """

    notebook: str
    chapter: str
    exercise: str
    result: str
    mistake: str = ""
    reason: str = ""


def judge_notebook(path: Path, name: str, limits: Limits, closed: Sequence[str] = ()) -> list[Row]:
    """The rows of the notebook at `path`, called `name` in them. Its cells run elsewhere.

    closed: files and folders that its cells must not open.

    It never raises for what is in the notebook.
    """
    try:
        handed_in = read(path)
    except Unreadable as why:
        return [Row(name, "", "", NOT_JUDGED, reason=str(why))]
    return _rows(handed_in, name, run(handed_in, limits, closed))


def _rows(handed_in: HandedIn, name: str, found: Found) -> list[Row]:
    cells = handed_in.exercises()
    exercises = [full.rpartition("/")[2] for full in names(handed_in.chapter)]
    return [_row(name, handed_in.chapter, one, cells.get(one, []), found) for one in exercises]


def _row(name: str, chapter: str, exercise: str, cells: list[int], found: Found) -> Row:
    """The best of all that was written for an exercise; of equals, the last."""
    tried = [one for one in found.tried if one.exercise == exercise]
    results = [(one.cell, *_result(one)) for one in tried]
    judged = {one.cell for one in tried}
    results += [
        (cell, WRONG, "", f"The cell does not run: {found.failed[cell]}")
        for cell in cells
        if cell not in judged and cell in found.failed
    ]
    if not results:
        result, reason = (
            NOT_JUDGED,
            found.ended or "The cell ran, and its exercise was not checked.",
        )
        if not cells:
            result, reason = MISSING, "The notebook has no cell with this exercise."
        return Row(name, chapter, exercise, result, reason=reason)
    cell, result, mistake, reason = max(results, key=lambda one: (-ORDER.index(one[1]), one[0]))
    if len(results) > 1 and cell >= 0:
        several = SEVERAL.format(count=len(results), cell=cell + 1)
        reason = f"{several} {reason}"
    return Row(name, chapter, exercise, result, mistake, reason.strip())


def _result(one: Tried) -> tuple[str, str, str]:
    """The word, the mistake and the reason of one answer."""
    if one.defect:
        return NOT_JUDGED, "", one.symptom
    if one.state == "todo":
        return TODO, "", ""
    reason = _one_line(one.symptom)
    if one.state == "right" and one.helpers:
        reason = f"It calls the course's {', '.join(one.helpers)}, whose own cell is not right."
    return STATES[one.state], _one_line(one.mistake), reason


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
