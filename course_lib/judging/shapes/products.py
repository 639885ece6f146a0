"""Products whose sizes do not fit: `@`, dot, inner, matmul, mm, bmm."""

import re
from dataclasses import replace

from course_lib.judging.sentences import ARRAY_OF_SHAPE, SINGLE_NUMBER
from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.operands import (
    Finding,
    Fit,
    Operand,
    Shape,
    broadcast,
    shapes_said,
    turned_forms,
)
from course_lib.judging.verdict import Sentence, sentence

LIKE_INNER = ("inner", "linear")
AXES = {"mm": 2, "bmm": 3}


def product(written: str, name: str, left: Operand, right: Operand, message: str) -> Finding | None:
    """Why a product failed; None where its sizes are no reason.

    written: how the learner wrote it, with {left} and {right}.   name: "@", "dot", "inner", ...
    """
    if "1D tensors expected" in message and left.shape is not None and right.shape is not None:
        rule = sentence(s.DOT_OF_TORCH)
        says = sentence(s.TWO_PARTS, shapes=shapes_said([left, right]), rule=rule)
        return Finding(says, ("torch.dot", left.shape, right.shape))
    if left.shape is None or right.shape is None:
        return _half_known(written, name, left, right, message)
    reason = _reason(name, left.shape, right.shape)
    if reason is None:
        return None
    says = sentence(s.TWO_PARTS, shapes=shapes_said([left, right]), rule=reason)
    wrong_axes = name in AXES and not len(left.shape) == len(right.shape) == AXES[name]
    fits = () if wrong_axes or not written else _fits(written, name, left, right)
    return Finding(says, (_kind(name), left.shape, right.shape), fits)


def multiplied(left: Shape, right: Shape) -> Shape | None:
    """The shape of a matrix product; None where the sizes do not fit."""
    if not left or not right or left[-1] != right[max(len(right) - 2, 0)]:
        return None
    batch = broadcast(left[:-2], right[:-2])
    return None if batch is None else (*batch, *left[-2:-1], *right[-1:][: len(right) - 1])


def _kind(name: str) -> str:
    return "@" if name in ("matmul", "dot", "mm", "bmm", "@") else name


def _reason(name: str, left: Shape, right: Shape) -> Sentence | None:
    if not left or not right:
        return sentence(s.PRODUCT_OF_NUMBER, op=name) if name in ("@", "matmul") else None
    axes = AXES.get(name, 0)
    if axes and not len(left) == len(right) == axes:
        return sentence(s.NEEDS_AXES, op=name, axes=axes)
    if name in LIKE_INNER:
        return None if left[-1] == right[-1] else _sizes(s.INNER_RULE, name, left[-1], right[-1])
    inner = right[max(len(right) - 2, 0)]
    if left[-1] != inner:
        return _matmul_rule(name, left, right, inner)
    if name != "dot" and broadcast(left[:-2], right[:-2]) is None:
        return _sizes(s.BATCH_RULE, name, left[:-2], right[:-2])
    return None


def _sizes(template: str, name: str, left: object, right: object) -> Sentence:
    return sentence(template, op=name, left=left, right=right)


def _matmul_rule(name: str, left: Shape, right: Shape, inner: int) -> Sentence:
    if len(left) == len(right) == 1:
        return _sizes(s.VECTORS_RULE, name, left[-1], inner)
    if len(right) == 1:
        return _sizes(s.PRODUCT_WITH_VECTOR_RULE, name, left[-1], inner)
    template = s.PRODUCT_OF_VECTOR_RULE if len(left) == 1 else s.PRODUCT_RULE
    return _sizes(template, name, left[-1], inner)


def _half_known(
    written: str, name: str, left: Operand, right: Operand, message: str
) -> Finding | None:
    """The two sizes are in the message, though an operand was made by another function."""
    found = re.search(r"\(size (\d+) is different from (\d+)\)", message)
    if found:
        rule = _sizes(s.PRODUCT_RULE, name, int(found[2]), int(found[1]))
        return _with_known(rule, (_kind(name), *found.groups()), left, right)
    found = re.search(r"\((\d+)x(\d+) and (\d+)x(\d+)\)", message)
    found = found or re.search(r"shapes \((\d+),(\d+)\) and \((\d+),(\d+)\)", message)
    if not found:
        return None
    sizes = tuple(map(int, found.groups()))
    left, right = (
        replace(left, shape=left.shape or sizes[:2]),
        replace(right, shape=right.shape or sizes[2:]),
    )
    return product(written, name, left, right, "")


def _with_known(rule: Sentence, key: tuple, left: Operand, right: Operand) -> Finding:
    known = [one for one in (left, right) if one.shape is not None]
    if not known:
        return Finding(rule, key)
    return Finding(sentence(s.TWO_PARTS, shapes=shapes_said(known), rule=rule), key)


def _fits(written: str, name: str, left: Operand, right: Operand) -> tuple[Fit, ...]:
    """The products that fit with one operand turned; else exchanged; else with both turned."""
    if left.shape is None or right.shape is None:
        return ()
    works = _inner if name in LIKE_INNER else multiplied
    found = []
    for text, shape, said in turned_forms(left):
        if works(shape, right.shape) is not None:
            found.append(Fit(written.format(left=text, right=right.held), said))
    for text, shape, said in turned_forms(right):
        if works(left.shape, shape) is not None:
            found.append(Fit(written.format(left=left.held, right=text), said))
    exchanged = works(right.shape, left.shape)
    if exchanged is not None:
        text = written.format(left=right.held, right=left.held)
        said = sentence(s.EXCHANGED, expression=text, shape=_as_result(exchanged))
        found.append(Fit(text, said))
    if any(one.base is not None for one in (left, right)):
        found += _both_turned(written, works, left, right)
    return tuple(found)


def _both_turned(written: str, works, left: Operand, right: Operand) -> list[Fit]:
    found = []
    for first, shape, _ in turned_forms(left):
        for second, other, _ in turned_forms(right):
            made = works(shape, other)
            if made is not None:
                text = written.format(left=first, right=second)
                said = sentence(s.FITS_AS, expression=text, shape=_as_result(made))
                found.append(Fit(text, said))
    return found


def _inner(left: Shape, right: Shape) -> Shape | None:
    fits = bool(left) and bool(right) and left[-1] == right[-1]
    return (*left[:-1], *right[:-1]) if fits else None


def _as_result(shape: Shape) -> Sentence:
    return sentence(ARRAY_OF_SHAPE, shape=shape) if shape else sentence(SINGLE_NUMBER)
