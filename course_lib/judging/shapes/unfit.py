"""Values that an operation cannot take: None where nothing was given, a size that is a float."""

import ast
import re
from collections.abc import Iterator

from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.failing import Failing
from course_lib.judging.shapes.looked_up import Unknown, value_in
from course_lib.judging.shapes.operands import Finding
from course_lib.judging.verdict import sentence

ABOUT_NONE = re.compile(r"NoneType|\bbool\b")  # a bool is what `mask == 0` makes of None
ABOUT_WHOLE = re.compile(r"float.* as an integer|slice indices|of ints|must be int|type float")


def unfit(place: Failing, text: str) -> Finding | None:
    """Which parameter is None, or which size is no whole number; None where it is neither."""
    if ABOUT_NONE.search(text):
        for name in parameters_in(place, place.node):
            if place.frame.f_locals.get(name, "") is None:
                return Finding(sentence(s.NOT_GIVEN, source=name), ("none", name))
    if ABOUT_WHOLE.search(text):
        for node in _sizes_in(place.node):
            try:
                value = value_in(place.frame, node)
            except Unknown:
                continue
            if type(value) is float:
                says = sentence(s.NO_WHOLE_NUMBER, source=place.text(node), value=value)
                return Finding(says, ("float",))
    return None


def parameters_in(place: Failing, node: ast.AST) -> list[str]:
    """The parameters of the failed function that stand in an expression."""
    code = place.frame.f_code
    own = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    named = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
    return [name for name in named if name in own]


def _sizes_in(node: ast.AST) -> Iterator[ast.expr]:
    """What stands between the brackets of a call or of an index, each size by itself."""
    if isinstance(node, ast.Call):
        parts = [*node.args, *(one.value for one in node.keywords)]
    elif isinstance(node, ast.Subscript):
        parts = [node.slice]
    else:
        return
    while parts:
        part = parts.pop(0)
        if isinstance(part, ast.Tuple | ast.List):
            parts += part.elts
        elif isinstance(part, ast.Slice):
            parts += [one for one in (part.lower, part.upper, part.step) if one is not None]
        else:
            yield part
