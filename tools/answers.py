"""Exercise cells: the answer for the solutions, the stub for the learner, and no leak between.

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


def learner_lines(path: Path, cell: Cell) -> NumberedLines:
    """The cell with every answer replaced by its stub, each line with its line in the source."""
    lines: NumberedLines = []
    for part, marker, block in _parts(path, cell):
        if part == "plain":
            lines += block
        elif part == "stub":
            lines += [(number, _uncomment(path, number, line)) for number, line in block]
        elif part == "answer":
            indent = marker[1][: -len(marker[1].lstrip())]
            lines.append((marker[0], indent + DEFAULT_STUB))
            if not indent:
                raise SourceError(path, marker[0], "an answer outside a function needs a # STUB")
    return lines


def solution_lines(path: Path, cell: Cell) -> NumberedLines:
    """The cell without markers and stubs, each line with its line in the source."""
    return [
        numbered
        for part, _, block in _parts(path, cell)
        if part in ("plain", "answer", "stubbed answer")
        for numbered in block
    ]


def answer_lines(path: Path, cell: Cell) -> NumberedLines:
    """The lines that the learner is not to see."""
    return [
        (number, line.strip())
        for part, _, block in _parts(path, cell)
        if part in ("answer", "stubbed answer")
        for number, line in block
        if line.strip()
    ]


def _parts(path: Path, cell: Cell) -> Iterator[tuple[str, tuple[int, str], NumberedLines]]:
    """Yield (part, its opening line, its lines): plain, answer, stubbed answer or stub."""
    part, marker, block = "plain", cell.lines[0], []
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


def check_answers(chapter: Chapter, exercises: Path) -> None:
    """Raise SourceError for a misplaced marker, an unknown exercise, a leak, or broken code.

    exercises: the folder with a file of exercises for each chapter.
    """
    path = chapter.path
    known = entries(exercises / f"{chapter.name.partition('_')[2]}.py")
    seen: dict[str, int] = {}
    for cell in chapter.english:
        if cell.kind == "markdown":
            for number, line in cell.lines:
                if re.fullmatch(r"\s*# (END SOLUTION|SOLUTION|STUB)\s*", line):
                    raise SourceError(path, number, "a marker of an answer stands in prose")
            continue
        learner, solution = learner_lines(path, cell), solution_lines(path, cell)
        _parse(path, learner)
        for node in filter(is_exercise, _parse(path, solution).body):
            line = solution[node.lineno - 1][0]
            if node.name not in known:
                place = f"course_lib/exercises/{chapter.name.partition('_')[2]}.py"
                raise SourceError(path, line, f"the exercise {node.name!r} has no entry in {place}")
            if node.name in seen:
                what = f"the exercise {node.name!r} stands at line {seen[node.name]} already"
                raise SourceError(path, line, what)
            seen[node.name] = line
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


def entries(path: Path) -> set[str]:
    """The names of the exercises in a file: what its Exercise(...) have as reference."""
    if not path.exists():
        return set()
    names = set()
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except SyntaxError as error:
        raise SourceError(path, error.lineno or 1, f"not valid Python: {error.msg}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Exercise":
            named = [word.value for word in node.keywords if word.arg == "reference"]
            for value in (named or node.args)[:1]:
                names.add(getattr(value, "id", getattr(value, "attr", "")))
    return names


def _check_leaks(chapter: Chapter) -> None:
    path = chapter.path
    shown = [(cell, _shown(path, cell)) for cell in chapter.cells]
    for cell in chapter.english:
        if cell.kind != "code":
            continue
        for number, answer in answer_lines(path, cell):
            for other, text in shown:
                least = LEAST_LEAK_HERE if other is cell else LEAST_LEAK_ELSEWHERE
                if len(answer) < least or (other is cell and "shuffled" in cell.options):
                    continue
                if leaks(answer, text):
                    where = f"in the cell at line {other.first_line}"
                    if other is cell:
                        where += " (what is given stands above '# SOLUTION')"
                    raise SourceError(path, number, f"the learner sees this line {where}: {answer}")


def _shown(path: Path, cell: Cell) -> str:
    return cell.text if cell.kind == "markdown" else _joined(learner_lines(path, cell))


def _joined(lines: NumberedLines) -> str:
    return "\n".join(line for _, line in lines)


def leaks(answer: str, text: str) -> bool:
    """Whether the line `answer` stands in `text`, as a whole and however it is spaced."""
    pattern = r"\s+".join(re.escape(word) for word in answer.split())
    return re.search(rf"(?<!\w){pattern}(?!\w)", text) is not None
