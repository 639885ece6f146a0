"""Exercises' files: the answer for the solutions, the stub for the learner, no leak between.

How they are marked: course_lib/judging/marks.py.
"""

import ast
import re
from collections.abc import Callable
from pathlib import Path

from course_lib.judging import marks
from course_lib.judging.marks import NumberedLines
from tools.chapter import Cell, Chapter, SourceError

LEAST_LEAK_HERE, LEAST_LEAK_ELSEWHERE = 6, 25  # characters of an answer line that tell something


def learner_lines(cell: Cell) -> NumberedLines:
    """The cell with every answer replaced by its stub, each line with its line in its file."""
    return _read(cell, marks.with_stub)


def solution_lines(cell: Cell) -> NumberedLines:
    """The cell without markers and stubs, each line with its line in its file."""
    return _read(cell, marks.with_answer)


def answer_lines(cell: Cell) -> NumberedLines:
    """The lines that the learner is not to see."""
    return _read(cell, marks.answer_alone)


def _read(cell: Cell, reader: Callable[..., NumberedLines]) -> NumberedLines:
    alone = [number for number, line in cell.lines if marks.ALONE.fullmatch(line.strip())]
    if alone and not cell.exercise:
        raise SourceError(cell.path, alone[0], "an answer stands in the file of its exercise")
    try:
        return reader(cell.lines)
    except marks.MisplacedMark as error:
        raise SourceError(cell.path, error.number, str(error)) from None


def check_answers(chapter: Chapter) -> None:
    """Raise SourceError for a misplaced marker, an exercise without a file, a leak, broken code."""
    seen: dict[str, int] = {}
    for cell in chapter.english:
        if cell.kind == "markdown":
            for number, line in cell.lines:
                if re.fullmatch(r"\s*# (END SOLUTION|SOLUTION|STUB)\s*", line):
                    raise SourceError(cell.path, number, "a marker of an answer stands in prose")
            continue
        learner, solution = learner_lines(cell), solution_lines(cell)
        _parse(cell.path, learner)
        for node in filter(is_exercise, _parse(cell.path, solution).body):
            if not cell.exercise:
                what = f"an exercise has a file of its own: write '# %% exercise=\"{node.name}\"'"
                raise SourceError(cell.path, solution[node.lineno - 1][0], what)
        if cell.exercise in seen:
            what = f"the exercise {cell.exercise!r} stands at line {seen[cell.exercise]} already"
            raise SourceError(chapter.path, cell.header_line, what)
        if cell.exercise:
            seen[cell.exercise] = cell.header_line
    _check_leaks(chapter)


def is_exercise(node: ast.stmt) -> bool:
    """Whether `node` is a def or class decorated with @exercise."""
    return isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef) and any(
        isinstance(mark, ast.Name) and mark.id == "exercise" for mark in node.decorator_list
    )


def _parse(path: Path, lines: NumberedLines) -> ast.Module:
    try:
        return ast.parse("\n".join(line for _, line in lines))
    except SyntaxError as error:
        number = lines[min(error.lineno or 1, len(lines)) - 1][0]
        raise SourceError(path, number, f"not valid Python: {error.msg}") from None


def _check_leaks(chapter: Chapter) -> None:
    shown = [(cell, _shown(cell)) for cell in chapter.cells]
    for cell in chapter.english:
        if cell.kind != "code":
            continue
        for number, answer in answer_lines(cell):
            for other, text in shown:
                least = LEAST_LEAK_HERE if other is cell else LEAST_LEAK_ELSEWHERE
                if len(answer) < least or (other is cell and "shuffled" in cell.options):
                    continue
                if leaks(answer, text):
                    where = f"in the cell at {other.path.name}:{other.first_line}"
                    if other is cell:
                        where += " (what is given stands above '# SOLUTION')"
                    what = f"the learner sees this line {where}: {answer}"
                    raise SourceError(cell.path, number, what)


def _shown(cell: Cell) -> str:
    return cell.text if cell.kind == "markdown" else _joined(learner_lines(cell))


def _joined(lines: NumberedLines) -> str:
    return "\n".join(line for _, line in lines)


def leaks(answer: str, text: str) -> bool:
    """Whether the line `answer` stands in `text`, as a whole and however it is spaced."""
    pattern = r"\s+".join(re.escape(word) for word in answer.split())
    return re.search(rf"(?<!\w){pattern}(?!\w)", text) is not None
