"""From one handed-in notebook to its rows: each exercise of its chapter, and what became of it."""

import json
import re
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from course_lib.grade.confinement import Limits, run_limited
from course_lib.grade.handed_in import HandedIn, Unreadable, only_shows, read
from course_lib.judging import names

RIGHT, WRONG, TODO = "right", "wrong", "not attempted"
MISSING, NOT_JUDGED = "no cell", "not judged"
STATES = {"right": RIGHT, "wrong": WRONG, "todo": TODO}


@dataclass(frozen=True)
class Row:
    """What became of one exercise.

    notebook: its path in the folder.   result: one of the five words above.
    mistake: the sentence of the named mistake, where the answer makes one.
    reason: the symptom of a wrong answer, or why there is no verdict.
    A notebook that could not be judged at all is one row without chapter and exercise.
    """

    notebook: str
    chapter: str
    exercise: str
    result: str
    mistake: str = ""
    reason: str = ""


def judge_notebook(path: Path, name: str, limits: Limits) -> list[Row]:
    """The rows of the notebook at `path`, called `name` in them. It runs in a process of its own.

    It never raises for what is in the notebook.
    """
    try:
        handed_in = read(path)
    except Unreadable as why:
        return [Row(name, "", "", NOT_JUDGED, reason=str(why))]
    with tempfile.TemporaryDirectory(prefix="course-grade-") as folder:
        lines, ended = _run(handed_in, Path(folder), limits)
    return _rows(handed_in, name, lines, ended)


def _run(handed_in: HandedIn, folder: Path, limits: Limits) -> tuple[list[dict], str]:
    """What the worker told, and how it ended ("" where it came to its end)."""
    given, found = folder / "cells.json", folder / "found.jsonl"
    cells = ["" if only_shows(cell) else cell for cell in handed_in.cells]
    given.write_text(json.dumps(asdict(handed_in) | {"cells": cells}), encoding="utf-8")
    work = folder / "work"
    work.mkdir()
    command = [sys.executable, "-m", "course_lib.grade.worker", given, found, limits.memory]
    in_time, status = run_limited(list(map(str, command)), work, limits)
    lines = _told(found)
    if any("end" in line for line in lines):
        return lines, ""
    place = next((line["cell"] + 1 for line in reversed(lines) if "cell" in line), 0)
    where = f"in code cell {place}" if place else "before the first cell"
    if not in_time:
        return lines, f"The notebook was stopped after {limits.seconds:g} s, {where}."
    return lines, f"The notebook ended Python {where} (exit status {status})."


def _told(found: Path) -> list[dict]:
    """The lines that the worker wrote; a last one that was cut off is left out."""
    lines = []
    if found.exists():
        for text in found.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                lines.append(json.loads(text))
            except ValueError:
                continue
    return lines


def _rows(handed_in: HandedIn, name: str, lines: list[dict], ended: str) -> list[Row]:
    verdicts = {line["exercise"]: line for line in lines if "exercise" in line}
    errors = {line["failed"]: line["error"] for line in lines if "failed" in line}
    cells = handed_in.exercises()
    rows = []
    for full in names(handed_in.chapter):
        exercise = full.rpartition("/")[2]
        verdict = verdicts.get(exercise)
        if verdict is None:
            result, reason = NOT_JUDGED, ended
            if exercise not in cells:
                result, reason = MISSING, "The notebook has no cell with this exercise."
            elif cells[exercise] in errors:
                result, reason = WRONG, f"The cell does not run: {errors[cells[exercise]]}"
            elif not ended:
                reason = "The cell ran, and its exercise was not checked."
            rows.append(Row(name, handed_in.chapter, exercise, result, reason=reason))
        elif verdict["defect"]:
            rows.append(Row(name, handed_in.chapter, exercise, NOT_JUDGED, "", verdict["symptom"]))
        else:
            state, reason = STATES[verdict["state"]], verdict["symptom"]
            reason = "" if state == TODO else _one_line(reason)
            rows.append(
                Row(name, handed_in.chapter, exercise, state, _one_line(verdict["mistake"]), reason)
            )
    return rows


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
