"""Wrong answers as a quiz: code that was handed in, what may be wrong, and what the check says."""

import ast
import builtins
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, Mistake
from course_lib.judging.verdict import Verdict
from course_lib.notebook.solution import solution
from course_lib.words import say

ASKED = 3  # of each exercise: those that stand first are the commonest
OPTIONS = 4  # to choose from
LONGEST = 16  # lines of code that are still read
KNOWN = {*dir(builtins), "np", "torch", "math", "nn", "F"}


@dataclass(frozen=True)
class Question:
    """One piece of wrong code.

    options: sentences, of which number `right` is what is wrong.   verdict: what the check says.
    """

    code: str
    options: list[str]
    right: int
    verdict: str

    @property
    def told(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def questions(exercise: Exercise) -> Iterator[Question]:
    """The commonest mistakes of an exercise whose code can be shown and is named by the check."""
    found = 0
    for mistake in exercise.mistakes:
        code = handed_in(exercise, mistake.wrong)
        if found == ASKED or not code:
            continue
        verdict = verdict_on(exercise, mistake.wrong)
        if verdict.state != "wrong" or not _named(mistake, verdict):
            continue
        found += 1
        yield Question(code, *_options(exercise, mistake), verdict.text)


def _named(mistake: Mistake, verdict: Verdict) -> bool:
    """Whether the check says what is wrong; where any right answer counts, as what it observed."""
    return say(mistake.says) in f"{verdict.diagnosis} {' '.join(verdict.text.split())}"


def _options(exercise: Exercise, mistake: Mistake) -> tuple[list[str], int]:
    """Sentences in an order that is the same at every build, and the place of the right one."""
    right = say(mistake.says)
    others = list(dict.fromkeys(say(one.says) for one in exercise.mistakes if one is not mistake))
    others = [one for one in others if one != right]

    def shuffled(text: str, salt: str) -> str:
        return hashlib.sha256(f"{salt}{right}{text}".encode()).hexdigest()

    wrong = sorted(others, key=lambda text: shuffled(text, "chosen"))[: OPTIONS - 1]
    chosen = sorted([right, *wrong], key=lambda text: shuffled(text, "in order"))
    return chosen, chosen.index(right)


def handed_in(exercise: Exercise, wrong: Callable) -> str:
    """The code of a wrong answer as a learner would have written it; "" where it cannot be shown.

    That is where it has no source, is long, or uses names that a learner does not have.
    """
    text = solution(wrong)
    try:
        if getattr(wrong, "__name__", "") == "<lambda>":
            text = _as_function(exercise.name, wrong)
        tree = ast.parse(text)
    except (SyntaxError, ValueError, TypeError, OSError):
        return ""
    first = tree.body[0] if tree.body else None
    if not isinstance(first, ast.FunctionDef | ast.ClassDef) or first.decorator_list:
        return ""
    lines = text.replace(first.name, exercise.name).splitlines()
    unknown = _names(tree) - KNOWN - _given(exercise) - {first.name, exercise.name}
    return "" if unknown or len(lines) > LONGEST else "\n".join(lines)


def _given(exercise: Exercise) -> set[str]:
    """The names of the module that the course's own answer uses: a learner has them, too."""
    source = textwrap.dedent(inspect.getsource(exercise.answer))
    return _names(ast.parse(source))


def _names(tree: ast.AST) -> set[str]:
    """The names that a piece of code reads and does not make."""
    made = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    made |= {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    return {node.id for node in names} - made


def _as_function(name: str, written: Callable) -> str:
    """A lambda as a definition.

    Raises: ValueError, if it is not found in its file.
    """
    code = written.__code__
    tree = ast.parse(inspect.getsource(inspect.getmodule(written)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and _is(node, code):
            arguments = ast.unparse(node.args)
            return f"def {name}({arguments}):\n    return {ast.unparse(node.body)}"
    raise ValueError(f"{name}: no lambda at line {code.co_firstlineno}")


def _is(node: ast.Lambda, code: Any) -> bool:
    """Whether compiled code comes from this lambda: its positions lie inside."""
    places = [place for place in code.co_positions() if None not in place and place[0] != 0]
    body = [p for p in places if p[2] != p[3] or p[0] != p[1]]
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    inner = node.body
    widest = (inner.lineno, inner.end_lineno, inner.col_offset, inner.end_col_offset)
    return widest in body and all(start <= (p[0], p[2]) and (p[1], p[3]) <= end for p in body)
