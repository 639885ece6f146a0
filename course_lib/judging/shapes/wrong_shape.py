"""What a result's shape would mean, beside the one that is expected."""

from course_lib.judging import sentences as s
from course_lib.judging.verdict import Sentence, sentence

Shape = tuple[int, ...]


def meaning_of_shape(got: Shape, want: Shape) -> Sentence | None:
    """How a result of another shape than the expected one comes about; None where it is open."""
    if not got or not want:
        return _with_single_number(got, want)
    if len(got) == len(want) + 1:
        return _axis_too_many(got, want)
    if len(got) == len(want) - 1:
        return _axis_missing(got, want)
    return None


def _with_single_number(got: Shape, want: Shape) -> Sentence | None:
    if not got and len(want) == 1 and want[0] != 1:
        return sentence(s.ONE_FOR_ALL, size=want[0])
    if not want and len(got) == 1 and got[0] != 1:
        return sentence(s.ONE_NUMBER_EXPECTED, size=got[0])
    return None


def _without(shape: Shape, other: Shape) -> set[int]:
    """The axes without which a shape is the other."""
    return {k for k in range(len(shape)) if shape[:k] + shape[k + 1 :] == other}


def _axis_too_many(got: Shape, want: Shape) -> Sentence | None:
    axes = _without(got, want)
    sizes = {got[k] for k in axes}
    if sizes == {1}:
        template = s.ROW_NUMBERS_KEPT if len(want) == 1 else s.AXIS_KEPT
        return sentence(template, got=got, want=want, size=want[0])
    if len(axes) == 1:
        axis = axes.pop()
        return sentence(s.AXIS_TOO_MANY, axis=axis, size=got[axis])
    return None


def _axis_missing(got: Shape, want: Shape) -> Sentence | None:
    axes = _without(want, got)
    sizes = {want[k] for k in axes}
    if sizes == {1}:
        return sentence(s.AXIS_NOT_KEPT, got=got, want=want)
    if len(axes) == 1:
        axis = axes.pop()
        return sentence(s.AXIS_GONE, axis=axis, size=want[axis])
    return None
