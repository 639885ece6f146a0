"""The course's answer as `reveal` prints it: what the solutions' edition of its cell holds."""

import ast
import inspect
import textwrap
from collections.abc import Callable

from course_lib.judging.marks import with_answer


def solution(answer: Callable) -> str:
    """The answer's definition without docstrings, marks and stub; "" where there is no source."""
    try:
        source = textwrap.dedent(inspect.getsource(answer))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return ""
    dropped = _lines_of_docstrings(tree)
    lines = with_answer(enumerate(source.splitlines(), start=1))
    return "\n".join(line for number, line in lines if number not in dropped).strip()


def _lines_of_docstrings(tree: ast.Module) -> set[int]:
    """The numbers of their lines; a definition that has nothing else keeps its own."""
    numbers: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or len(node.body) < 2:
            continue
        first = node.body[0]
        if ast.get_docstring(node) is not None:
            numbers.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return numbers
