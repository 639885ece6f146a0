"""The course's answer as `reveal` prints it: what the solutions' edition of its cell holds.

An exercise's file marks the answer inside of its definition:

    # SOLUTION          from here to END SOLUTION (or STUB) stands the answer
    # STUB              optional: commented lines that only the learner gets
    # END SOLUTION
"""

import ast
import inspect
import textwrap
from collections.abc import Callable


def solution(answer: Callable) -> str:
    """The answer's definition without docstrings, marks and stub; "" where there is no source."""
    try:
        source = textwrap.dedent(inspect.getsource(answer))
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return ""
    dropped = _lines_of_docstrings(tree)
    kept, in_stub = [], False
    for number, line in enumerate(source.splitlines(), start=1):
        mark = line.strip()
        in_stub = (in_stub or mark == "# STUB") and mark != "# END SOLUTION"
        is_mark = mark in ("# SOLUTION", "# END SOLUTION")
        if not (in_stub or is_mark or number in dropped):
            kept.append(line)
    return "\n".join(kept).strip()


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
