"""Operations entry by entry whose sizes do not fit: `*`, `/`, `-`, comparisons, np.where."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

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
from course_lib.judging.shapes.products import multiplied
from course_lib.judging.verdict import Sentence, sentence


def entrywise(written: str, name: str, operands: Sequence[Operand], message: str) -> Finding | None:
    """Why an operation entry by entry failed; None where its sizes are no reason.

    written: how the learner wrote it, with {left} and {right}; "" where it has more than two
    operands.   name: of the operation.
    """
    operands = _completed(operands, message)
    known = [one for one in operands if one.shape is not None]
    for left, right in itertools.combinations(known, 2):
        rule = _rule(name, left.shape, right.shape)
        if rule is not None:
            says = sentence(s.TWO_PARTS, shapes=shapes_said(known), rule=rule)
            key = (name, *(one.shape for one in known))
            fits = _fits(written, name, left, right) if written else ()
            return Finding(says, key, fits)
    return _from_torch(name, known, message) if len(known) < len(operands) else None


def in_place(name: str, left: Operand, right: Operand) -> Finding | None:
    """Why `left += right` failed: what stands on the left keeps its shape."""
    if left.shape is None or right.shape is None:
        return None
    made = broadcast(left.shape, right.shape)
    if made is None or made == left.shape:
        return None
    rule = sentence(s.IN_PLACE_RULE, op=name, made=made)
    says = sentence(s.TWO_PARTS, shapes=shapes_said([left, right]), rule=rule)
    return Finding(says, (name, left.shape, right.shape))


def _from_torch(name: str, known: Sequence[Operand], message: str) -> Finding | None:
    """The two sizes that torch tells, where another function made one of the tensors."""
    told = re.search(r"tensor a \((\d+)\) .* tensor b \((\d+)\) .* dimension (\d+)", message)
    if told is None or not known:
        return None
    left, right, axis = map(int, told.groups())
    at = sentence(s.AT_RESULTS_AXIS, axis=axis)
    rule = sentence(s.ENTRYWISE_RULE, op=name, left=left, right=right, at=at)
    says = sentence(s.TWO_PARTS, shapes=shapes_said(known), rule=rule)
    return Finding(says, (name, left, right, axis))


def _completed(operands: Sequence[Operand], message: str) -> list[Operand]:
    """With the shapes that the message tells in order, where one is not known."""
    told = re.findall(r"\(([\d,]*)\)", message.partition("with shapes")[2])
    shapes = [tuple(int(n) for n in one.split(",") if n) for one in told]
    if len(shapes) < len(operands):
        return list(operands)
    return [
        replace(one, shape=shape) if one.shape is None else one
        for one, shape in zip(operands, shapes, strict=False)
    ]


def _rule(name: str, left: Shape | None, right: Shape | None) -> Sentence | None:
    pairs = zip(reversed(left or ()), reversed(right or ()), strict=False)
    for behind, (one, other) in enumerate(pairs, 1):
        if one != other and 1 not in (one, other):
            at = sentence(s.AT_LAST_AXIS if behind == 1 else s.AT_AXIS, axis=behind)
            return sentence(s.ENTRYWISE_RULE, op=name, left=one, right=other, at=at)
    return None


def _fits(written: str, name: str, left: Operand, right: Operand) -> tuple[Fit, ...]:
    found = [*_with_axes(written, left, right, True), *_with_axes(written, right, left, False)]
    found += _as_outer(written, left, right)
    found += _turned(written, left, right)
    if name == "*":
        found += _as_product(left, right)
    return tuple(found)


def _with_axes(written: str, small: Operand, large: Operand, first: bool) -> list[Fit]:
    """The smaller array with axes of size 1, where one place alone makes it fit the larger."""
    if not small.shape or large.shape is None or len(small.shape) >= len(large.shape):
        return []
    ways = [
        kept
        for kept in itertools.combinations(range(len(large.shape)), len(small.shape))
        if all(n in (1, large.shape[at]) for n, at in zip(small.shape, kept, strict=True))
    ]
    if len(ways) != 1:
        return []
    index = [":" if at in ways[0] else "None" for at in range(len(large.shape))]
    sizes = iter(small.shape)
    shape = tuple(next(sizes) if at in ways[0] else 1 for at in range(len(large.shape)))
    while index[-1] == ":":
        index.pop()
    text = f"{small.held}[{', '.join(index)}]"
    pair = (text, large.held) if first else (large.held, text)
    one_axis = len(large.shape) - len(small.shape) == 1
    template = s.NEEDS_AXIS if one_axis else s.NEEDS_SEVERAL_AXES
    said = sentence(template, source=small.text, shape=shape, indexed=text)
    return [Fit(written.format(left=pair[0], right=pair[1]), said)]


def _as_outer(written: str, left: Operand, right: Operand) -> list[Fit]:
    """Two rows of numbers: one result for each pair."""
    if left.shape is None or right.shape is None or len(left.shape) != 1 or len(right.shape) != 1:
        return []
    text = written.format(left=f"{left.held}[:, None]", right=right.held)
    shape = left.shape + right.shape
    other = written.format(left=left.held, right=f"{right.held}[:, None]")
    said = sentence(
        s.ONE_FOR_EACH_PAIR, expression=text, shape=shape, other=other, turned=shape[::-1]
    )
    return [Fit(text, said)]


def _turned(written: str, left: Operand, right: Operand) -> list[Fit]:
    found = []
    for text, shape, said in turned_forms(left):
        if shape == right.shape:
            found.append(Fit(written.format(left=text, right=right.held), said))
    for text, shape, said in turned_forms(right):
        if shape == left.shape:
            found.append(Fit(written.format(left=left.held, right=text), said))
    return found


def _as_product(left: Operand, right: Operand) -> list[Fit]:
    """`a * b` where `a @ b` or `a @ b.T` fits: a matrix product was meant."""
    if left.shape is None or right.shape is None or not len(left.shape) >= 2 <= len(right.shape):
        return []
    for text, shape in [(right.held, right.shape), *((t, n) for t, n, _ in turned_forms(right))]:
        made = multiplied(left.shape, shape)
        if made is not None:
            expression = f"{left.held} @ {text}"
            return [Fit(expression, sentence(s.MEANS_PRODUCT, expression=expression, shape=made))]
    return []
