"""The text of a kernel, to be read: found in its file, so that nothing is imported or run.

print(source_of("triton_tiles", "forward"))
"""

import ast
from importlib.resources import files

from course_lib import kernels


def source_of(module: str, function: str, *, loop: bool = False) -> str:
    """The lines of a function of course_lib/kernels/, without decorator and docstring.

    loop: only its first `for` loop, moved to the left.

    Raises: ValueError if the module has no such function, or that no loop.
    Example:
        >>> print(source_of("attention", "_scale"))
        def _scale(q: Tensor, scale: float | None) -> float:
            return q.shape[-1] ** -0.5 if scale is None else scale
    """
    text = files(kernels).joinpath(f"{module}.py").read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            if loop:
                return _loop_of(node, lines)
            first = node.body[0]
            hidden = range(first.lineno, first.end_lineno + 1) if ast.get_docstring(node) else ()
            numbers = range(node.lineno, node.end_lineno + 1)
            return "\n".join(lines[i - 1] for i in numbers if i not in hidden)
    raise ValueError(f"course_lib/kernels/{module}.py has no function {function}")


def _loop_of(node, lines) -> str:
    for part in node.body:
        if isinstance(part, ast.For):
            found = lines[part.lineno - 1 : part.end_lineno]
            return "\n".join(line[part.col_offset :] for line in found)
    raise ValueError(f"{node.name} has no loop")
