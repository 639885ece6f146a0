"""What stood on both sides of an operation that failed, and what is found out about it."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.failing import Failing
from course_lib.judging.shapes.looked_up import Unknown, shape_of, value_in
from course_lib.judging.verdict import Sentence, sentence

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Operand:
    """One array of an expression.

    text: as the learner wrote it.   shape: None where it is not known.
    base: what is turned in it (`v` in `v.T`), with its shape; None where nothing is.
    idle: it turns nothing, though it is written so.   atom: `.T` may stand right behind it.
    """

    text: str
    shape: Shape | None
    base: tuple[str, Shape] | None = None
    idle: bool = False
    atom: bool = True

    @property
    def held(self) -> str:
        """The text so that `.T`, `[...]` or an operator may stand behind it."""
        return self.text if self.atom else f"({self.text})"


@dataclass(frozen=True)
class Fit:
    """A change that fits by its sizes.

    text: the expression after it.   says: what the change is.
    """

    text: str
    says: Sentence


@dataclass(frozen=True)
class Finding:
    """What is found out about an error.

    says: what does not fit, in the learner's names.   key: the operation and the shapes that it
    met; two answers that fail alike have equal ones.   fits: what would fit by the sizes.
    source: the expression that failed, as the learner wrote it.
    """

    says: Sentence
    key: tuple = ()
    fits: tuple[Fit, ...] = ()
    source: str = ""


TURNS = ("T", "mT", "H", "mH")


def operand(place: Failing, node: ast.AST) -> Operand:
    """An expression with its shape, and with what is turned in it."""
    try:
        shape = shape_of(value_in(place.frame, node))
    except Unknown:
        shape = None
    base, idle = None, False
    inner = _turned(node)
    if inner is not None and shape is not None and len(shape) >= 2:
        under = operand(place, inner)
        if under.shape is not None and len(under.shape) == len(shape):
            matrix = len(shape) == 2 and shape[0] != shape[1]  # else sizes may agree by chance
            idle = matrix and under.shape == shape
            base = (under.held, under.shape)
    atom = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.List)
    return Operand(place.text(node), shape, base, idle, atom)


def _turned(node: ast.AST) -> ast.AST | None:
    """What a turning expression turns: v in v.T, v.transpose(...), np.swapaxes(v, -1, -2)."""
    if isinstance(node, ast.Attribute) and node.attr in TURNS:
        return node.value
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    if node.func.attr not in ("transpose", "swapaxes", "t", "permute"):
        return None
    holder = node.func.value
    if isinstance(holder, ast.Name) and holder.id in ("np", "numpy", "torch"):
        return node.args[0] if node.args else None
    return holder


def shapes_said(operands: Sequence[Operand]) -> Sentence:
    """`q` has shape (3, 4) and `k` has shape (5, 4)."""
    known = {one.text: _shape_said(one) for one in operands if one.shape is not None}
    said, *others = list(known.values())[:4]
    for place, other in enumerate(others, 1):
        template = s.AND if place == len(others) else s.COMMA
        said = sentence(template, first=said, second=other)
    return said


def _shape_said(one: Operand) -> Sentence:
    if one.shape == ():
        return sentence(s.IS_ONE_NUMBER, source=one.text)
    return sentence(s.HAS_SHAPE, source=one.text, shape=one.shape)


def turned_forms(one: Operand) -> list[tuple[str, Shape, Sentence]]:
    """An operand turned, or with its turn taken back: text, shape, and the sentence of it."""
    if one.shape is None or len(one.shape) < 2:
        return []
    mark = ".T" if len(one.shape) == 2 else ".mT"
    turned = (*one.shape[:-2], one.shape[-1], one.shape[-2])
    if one.base is not None and not one.idle:
        text, shape = one.base
        if shape == turned:
            said = sentence(s.TURNED_TOO_MUCH, source=one.text, base=text, shape=shape)
            return [(text, shape, said)]
        better = (*shape[:-2], shape[-1], shape[-2])
        said = sentence(s.TURNS_OTHER_AXES, source=one.text, better=f"{text}{mark}", shape=better)
        return [(f"{text}{mark}", better, said)]
    held = one.base[0] if one.base is not None else one.held
    template = s.TURNS_NOTHING if one.idle else s.TO_BE_TURNED
    said = sentence(template, source=one.text, better=f"{held}{mark}", shape=turned)
    return [(f"{held}{mark}", turned, said)]


def broadcast(left: Shape, right: Shape) -> Shape | None:
    """The shape of two arrays entry by entry; None where they do not fit."""
    wide = max(len(left), len(right))
    first, second = (1,) * (wide - len(left)) + left, (1,) * (wide - len(right)) + right
    pairs = list(zip(first, second, strict=True))
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    return tuple(b if a == 1 else a for a, b in pairs)
