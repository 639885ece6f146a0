"""Exercises' files: the answer for the solutions, the stub for the learner, no leak between.

    # SOLUTION          from here to END SOLUTION (or STUB) stands the answer, runnable
    # STUB              optional: commented lines that become the learner's stub
    # END SOLUTION

Without a STUB the learner gets `return ...  # your code here`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tools.chapter import Cell, Chapter, SourceError

DEFAULT_STUB = "return ...  # your code here"
MARKER = re.compile(r"#\s*(?P<name>END SOLUTION|SOLUTION|STUB)\b")
LEAST_LEAK_HERE, LEAST_LEAK_ELSEWHERE = 6, 25  # characters of an answer line that tell something
NumberedLines = list[tuple[int, str]]


def learner_lines(cell: Cell) -> NumberedLines:
    """The cell with every answer replaced by its stub, each line with its line in its file."""
    lines: NumberedLines = []
    for part, marker, block in _parts(cell):
        if part == "plain":
            lines += block
        elif part == "stub":
            lines += [(number, _uncomment(cell.path, number, line)) for number, line in block]
        elif part == "answer":
            indent = marker[1][: -len(marker[1].lstrip())]
            lines.append((marker[0], indent + DEFAULT_STUB))
    return lines


def solution_lines(cell: Cell) -> NumberedLines:
    """The cell without markers and stubs, each line with its line in its file."""
    return [
        numbered
        for part, _, block in _parts(cell)
        if part in ("plain", "answer", "stubbed answer")
        for numbered in block
    ]


def answer_lines(cell: Cell) -> NumberedLines:
    """The lines that the learner is not to see."""
    return [
        (number, line.strip())
        for part, _, block in _parts(cell)
        if part in ("answer", "stubbed answer")
        for number, line in block
        if line.strip()
    ]


def _parts(cell: Cell) -> Iterator[tuple[str, tuple[int, str], NumberedLines]]:
    """Yield (part, its opening line, its lines): plain, answer, stubbed answer or stub."""
    path, part, marker, block = cell.path, "plain", cell.lines[0], []
    order = {"plain": ("SOLUTION",), "answer": ("STUB", "END SOLUTION"), "stub": ("END SOLUTION",)}
    following = {"SOLUTION": "answer", "STUB": "stub", "END SOLUTION": "plain"}
    for number, line in cell.lines:
        found = MARKER.search(line)
        if found is None:
            block.append((number, line))
            continue
        name = found["name"]
        if line.strip() != f"# {name}":
            raise SourceError(path, number, f"a marker stands alone on its line: '# {name}'")
        if not cell.exercise:
            raise SourceError(path, number, "an answer stands in the file of its exercise")
        if name not in order[part]:
            wanted = " or ".join(order[part])
            raise SourceError(path, number, f"'# {name}' where only {wanted} can come")
        if part == "answer" and not any(text.strip() for _, text in block):
            raise SourceError(path, marker[0], "the answer is empty")
        yield ("stubbed answer" if name == "STUB" else part), marker, block
        part, marker, block = following[name], (number, line), []
    if part != "plain":
        raise SourceError(path, marker[0], "this answer has no '# END SOLUTION'")
    yield part, marker, block


def _uncomment(path: Path, number: int, line: str) -> str:
    indent, sign, text = re.fullmatch(r"(\s*)(# ?)?(.*)", line).groups()
    if text and not sign:
        raise SourceError(path, number, "a line of a # STUB is commented: '# ' and the line")
    return indent + text


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
