"""Other operations whose sizes do not fit: reshape, axes, indices, unpacking, concatenate."""

import re
from collections.abc import Sequence
from math import prod

from course_lib.judging.shapes import sentences as s
from course_lib.judging.shapes.operands import Finding, Fit, Operand, Shape, shapes_said
from course_lib.judging.verdict import Sentence, sentence

OUT_OF_BOUNDS = r"index (-?\d+) is out of bounds for (?:axis|dimension) (\d+) with size (\d+)"


def found_at(operands: Sequence[Operand], rule: Sentence, *key: object) -> Finding:
    """A finding of the shapes of operands and of a rule."""
    says = sentence(s.TWO_PARTS, shapes=shapes_said(operands), rule=rule)
    return Finding(says, (*key, *(one.shape for one in operands)))


def reshaped(one: Operand, message: str) -> Finding | None:
    """Why reshape or view failed."""
    if one.shape is None:
        return None
    if "view size is not compatible" in message:
        return found_at([one], sentence(s.VIEW_RULE, source=one.text), "view")
    told = re.search(r"shape '\[([^\]]*)\]' is invalid|into shape \(([^)]*)\)", message)
    if told is None:
        return None
    new = (told[1] or told[2] or "").replace("newaxis", "-1")
    sizes = tuple(int(n) for n in new.split(",") if n.strip())
    count, places = prod(one.shape), prod(n for n in sizes if n != -1)
    if -1 in sizes:
        rule = sentence(s.RESHAPE_REST_RULE, count=count, shape=sizes, places=places)
    else:
        rule = sentence(s.RESHAPE_RULE, count=count, shape=sizes, places=places)
    return found_at([one], rule, "reshape", sizes)


def without_axis(candidates: Sequence[Operand], message: str) -> Finding | None:
    """Which axis was asked for that the array does not have."""
    told = re.search(r"axis (-?\d+) is out of bounds for array of dimension (\d+)", message)
    if told:
        axis, count = int(told[1]), int(told[2])
    else:
        told = re.search(r"range of \[-(\d+), \d+\], but got (-?\d+)", message)
        if told is None:
            return None
        axis, count = int(told[2]), int(told[1])
    fitting = [one for one in candidates if one.shape is not None and len(one.shape) == count]
    if not fitting:
        return None
    return found_at(fitting[:1], _axes_said(count, axis), "axis", axis)


def _axes_said(count: int, axis: int) -> Sentence:
    if count == 0:
        return sentence(s.NO_AXES, axis=axis)
    if count == 1:
        return sentence(s.ONE_AXIS, axis=axis)
    if count == 2:
        return sentence(s.TWO_AXES, axis=axis)
    return sentence(s.AXES, axis=axis, last=count - 1, count=count)


def transposed(one: Operand, given: int, message: str) -> Finding | None:
    """Why numpy's transpose or torch's permute failed: it takes every axis once."""
    if one.shape is None or given == len(one.shape):
        return None
    if "axes don't match" not in message and "desired ordering" not in message:
        return None
    rule = sentence(s.ORDER_RULE, count=len(one.shape), given=given)
    return found_at([one], rule, "transpose", given)


def swapped(one: Operand, given: int) -> Finding | None:
    """Why torch's transpose failed: it exchanges two axes."""
    if one.shape is None or given == 2:
        return None
    return found_at([one], sentence(s.SWAP_RULE, given=given), "transpose", given)


def indexed(one: Operand, message: str) -> Finding | None:
    """Why an index failed."""
    if one.shape is None:
        return None
    told = re.search(OUT_OF_BOUNDS, message)
    if told:
        index, axis, size = map(int, told.groups())
        template = s.INDEX_RULE if size else s.INDEX_OF_NOTHING
        rule = sentence(template, index=index, axis=axis, size=size, last=size - 1)
        return found_at([one], rule, "index", index)
    told = re.search(r"-dimensional, but (\d+) were indexed", message)
    if told or "too many indices" in message:
        return found_at([one], sentence(s.INDICES_RULE, count=len(one.shape)), "indices")
    return None


def masked(one: Operand, mask: Operand) -> Finding | None:
    """Why `array[mask]` failed: the shape of a mask is that of the array's first axes."""
    if one.shape is None or mask.shape is None or one.shape[: len(mask.shape)] == mask.shape:
        return None
    return found_at([one, mask], sentence(s.MASK_INDEX_RULE), "mask")


def unpacked(one: Operand, names: int, base: Operand | None) -> Finding | None:
    """Why `b, t, d = x.shape` failed."""
    if base is not None and base.shape is not None and len(base.shape) != names:
        rule = sentence(s.UNPACK_SHAPE_RULE, sizes=len(base.shape), names=names)
        return found_at([base], rule, "unpack", names)
    if one.shape and one.shape[0] != names:
        rule = sentence(s.UNPACK_RULE, parts=one.shape[0], names=names)
        return found_at([one], rule, "unpack", names)
    return None


def assigned(target: Operand, value: Operand) -> Finding | None:
    """Why `out[i] = value` failed."""
    if target.shape is None or value.shape is None or target.shape == value.shape:
        return None
    wide = len(target.shape) - len(value.shape)
    tail = target.shape[wide:] if wide >= 0 else ()
    if wide >= 0 and all(n in (1, m) for n, m in zip(value.shape, tail, strict=True)):
        return None
    template = s.ASSIGN_ONE_RULE if target.shape == () else s.ASSIGN_RULE
    return found_at([target, value], sentence(template, target=target.text), "assign")


def joined(parts: Sequence[Operand], axis: int | None, name: str) -> Finding | None:
    """Why concatenate, cat, stack, vstack or hstack failed."""
    shapes = [one.shape for one in parts if one.shape is not None]
    if len(shapes) != len(parts) or len(set(shapes)) < 2:
        return None
    if name == "stack" or axis is None:
        return found_at(parts, sentence(s.STACK_RULE, name=name), name)
    fits = tuple(
        Fit(f"axis {other}", sentence(s.JOINS_ALONG, axis=other, name=name))
        for other in range(len(shapes[0]))
        if other != axis and _joins(shapes, other)
    )
    if _joins(shapes, axis):
        return None
    finding = found_at(parts, sentence(s.CONCATENATE_RULE, name=name, axis=axis), name, axis)
    return Finding(finding.says, finding.key, fits)


def _joins(shapes: Sequence[Shape], axis: int) -> bool:
    if len({len(one) for one in shapes}) > 1:
        return False
    return len({one[:axis] + one[axis:][1:] for one in shapes}) == 1


def summed(equation: str, operands: Sequence[Operand]) -> Finding | None:
    """Why einsum failed: a letter has two sizes, or an array has other axes than letters."""
    letters = equation.replace(" ", "").split("->")[0].split(",")
    if len(letters) != len(operands) or any("." in one for one in letters):
        return None
    sizes: dict[str, tuple[int, Operand]] = {}
    for names, one in zip(letters, operands, strict=True):
        if one.shape is None:
            continue
        if len(names) != len(one.shape):
            values = {"letters": names, "count": len(names), "axes": len(one.shape)}
            return found_at([one], sentence(s.EINSUM_AXES, source=one.text, **values), "einsum")
        for letter, size in zip(names, one.shape, strict=True):
            before, other = sizes.setdefault(letter, (size, one))
            if size != before and 1 not in (size, before):
                rule = sentence(s.EINSUM_SIZES, letter=letter, left=before, right=size)
                return found_at([other, one], rule, "einsum", letter)
    return None
