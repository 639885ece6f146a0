"""Failed indices, writing to places, and unpacking, on the line of an answer that raised."""

import ast

import numpy as np

from course_lib.judging.shapes import rearranged as other
from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.failing import Failing
from course_lib.judging.shapes.looked_up import Unknown, value_in
from course_lib.judging.shapes.operands import Finding, operand
from course_lib.judging.verdict import sentence


def of_subscript(place: Failing, node: ast.Subscript, text: str) -> Finding | None:
    """Why an index, or what is written to a place, failed."""
    found = _of_place(place, node)
    if found is not None:
        return found
    holder = operand(place, node.value)
    above = place.above
    if isinstance(above, ast.Assign) and node in above.targets:
        found = other.assigned(operand(place, node), operand(place, above.value))
        if found is not None:
            return found
    if "boolean index" in text or "shape of the mask" in text:
        return other.masked(holder, operand(place, node.slice))
    return other.indexed(holder, text)


def _of_place(place: Failing, node: ast.Subscript) -> Finding | None:
    """A place that is no whole number, or that a text or a list does not have."""
    try:
        holder, index = value_in(place.frame, node.value), value_in(place.frame, node.slice)
    except Unknown:
        return None
    texts = {"source": place.text(node.value), "index": place.text(node.slice)}
    if isinstance(index, float | np.floating):
        kind = type(index).__name__
        return Finding(sentence(s.INDEX_KIND, kind=kind, **texts), ("index", kind))
    if type(holder) is str and type(index) is tuple:
        return Finding(sentence(s.TEXT_INDEX_RULE, **texts), ("index", "tuple"))
    if type(holder) not in (str, list, tuple) or type(index) is not int:
        return None
    size = len(holder)
    if size == 0 or -size <= index < size:
        return None
    texts["index"] = str(index)
    return Finding(sentence(s.PART_RULE, size=size, last=size - 1, **texts), ("index", index, size))


def of_text_and_number(place: Failing, left: ast.AST, right: ast.AST) -> Finding | None:
    """Why a text and a number have no sum."""
    try:
        values = [value_in(place.frame, one) for one in (left, right)]
    except Unknown:
        return None
    if type(values[0]) is not str or type(values[1]) not in (int, float):
        return None
    told = {"text": place.text(left), "number": place.text(right)}
    return Finding(sentence(s.TEXT_AND_NUMBER_RULE, **told), ("text", "number"))


def of_unpacking(place: Failing, names: ast.Tuple, value: ast.AST) -> Finding | None:
    """Why `n, d = q.shape` failed."""
    base = None
    if isinstance(value, ast.Attribute) and value.attr == "shape":
        base = operand(place, value.value)
    if any(isinstance(one, ast.Starred) for one in names.elts):
        return None
    return other.unpacked(operand(place, value), len(names.elts), base)
