"""The text of a kernel, to be read: found in its file, so that nothing is imported or run.

print(source_of("triton_tiles", "forward"))
"""

import ast
from importlib.resources import files

from course_lib import kernels, measures


def source_of(module: str, function: str, *, loop: bool = False) -> str:
    """The lines of a function of a kernel, or of a measure, without decorator and docstring.

    module: the name of its file.

    loop: only its first `for` loop, moved to the left.

    Raises: ValueError if the module has no such function, or that no loop.
    Example:
        >>> print(source_of("attention", "_scale"))
        def _scale(q: Tensor, scale: float | None) -> float:
            return q.shape[-1] ** -0.5 if scale is None else scale
    """
    text = _text_of(f"{module}.py")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            if loop:
                return _loop_of(node, lines)
            hidden = _lines_of(node.body[0]) if ast.get_docstring(node) else ()
            return "\n".join(lines[i] for i in _lines_of(node) if i not in hidden)
    raise ValueError(f"{module}.py has no function {function}")


def _text_of(name: str) -> str:
    found = [files(room).joinpath(name) for room in (kernels, measures)]
    return next((one for one in found if one.is_file()), found[0]).read_text(encoding="utf-8")


def _lines_of(node: ast.stmt) -> range:
    """The numbers of its lines, from 0 on; those of decorators stand above."""
    return range(node.lineno - 1, node.end_lineno or node.lineno)


def _loop_of(node: ast.FunctionDef, lines: list[str]) -> str:
    for part in node.body:
        if isinstance(part, ast.For):
            return "\n".join(lines[i][part.col_offset :] for i in _lines_of(part))
    raise ValueError(f"{node.name} has no loop")
