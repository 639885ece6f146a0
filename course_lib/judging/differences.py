"""Puts into words how a result differs from the one that is wanted."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.kinds import of_tuple
from course_lib.judging.not_finite import not_finite
from course_lib.judging.pasteable import result_shown
from course_lib.judging.shapes.wrong_shape import meaning_of_shape
from course_lib.judging.side_by_side import compared
from course_lib.judging.verdict import Comparison, Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array
from course_lib.learner.compare import agree, near


@dataclass
class Difference:
    """What is said of a difference: one sentence, and what else is seen.

    want, got: what the lines of the evidence show; None where the sentence says all.
    comparison: the two side by side.
    """

    main: Sentence
    notes: list[Sentence] = field(default_factory=list)
    want: object = None
    got: object = None
    comparison: Comparison | None = None


def difference(name: str, part: str, got: Any, want: Any, names: Sequence[str] = ()) -> Difference:
    """How a result differs.

    part: what it is called where there are several; "" for the result.
    names: of the results of a tuple; else they are counted.
    """
    if isinstance(want, tuple) or _is_ragged(want):
        return _of_several(name, got, want, names)
    try:
        given, got, want = got, as_array(got), as_array(want)
    except NotNumbers:
        return Difference(_other(name, part), want=want, got=got)
    told = Difference(_other(name, part), want=want, got=given)
    several = of_tuple(name, given) if got.shape != want.shape else None
    if several is not None:
        places = [place for place, one in enumerate(given, 1) if agree(one, want)]
        right = [sentence(s.ONE_IS_RIGHT, place=places[0])] if places and len(given) > 1 else []
        told.main, told.notes = several, right
    elif got.shape != want.shape:
        told.main, told.notes = _of_shape(name, part, got, want)
        told.comparison = compared(want, got)
    elif want.dtype == bool and got.dtype != bool:
        told.main = sentence(s.TRUE_OR_FALSE, name=name, dtype=got.dtype.name)
    elif got.dtype == bool and want.dtype != bool:
        told.main = sentence(s.NOT_TRUE_OR_FALSE, name=name)
    else:
        told.comparison = compared(want, got)
        if not np.isfinite(got[np.isfinite(want)]).all():
            told.main = not_finite(name, part, got, want, {})
        else:
            told.notes = _notes_on_numbers(got, want)
    return told


def _other(name: str, part: str) -> Sentence:
    return sentence(s.OTHER_NUMBERS_IN if part else s.OTHER_NUMBERS, name=name, part=part)


def _is_ragged(want: Any) -> bool:
    """Whether it is a list of several arrays of different shapes, which make no one array."""
    if not isinstance(want, list) or not want:
        return False
    try:
        as_array(want)
    except NotNumbers:
        return not isinstance(want[0], str)
    return False


def _of_several(name: str, got: Any, want: Any, names: Sequence[str]) -> Difference:
    count = len(got) if isinstance(got, list | tuple) or np.ndim(got) else 1
    if count != len(want):
        return Difference(sentence(s.COUNT, name=name, want=len(want), got=count), [], want, got)
    for place, (one, other) in enumerate(zip(got, want, strict=True)):
        if not agree(one, other):
            called = names[place] if len(names) == count else f"result {place + 1}"
            return difference(name, called, one, other)
    return Difference(sentence(s.OTHER_NUMBERS, name=name), [], want, got)


def _of_shape(name: str, part: str, got: np.ndarray, want: np.ndarray) -> tuple[Sentence, list]:
    template = s.SHAPE_IN if part else s.SHAPE
    main = sentence(template, name=name, part=part, got=_shape(got), want=_shape(want))
    notes = filter(None, [meaning_of_shape(got.shape, want.shape)])
    return main, [*notes, *_notes_on_shape(got, want)]


def _notes_on_shape(got: np.ndarray, want: np.ndarray) -> list[Sentence]:
    if got.ndim == want.ndim == 2 and got.shape == want.shape[::-1] and near(got.T, want).all():
        return [sentence(s.TRANSPOSED)]
    if got.ndim != want.ndim and got.squeeze().shape == want.squeeze().shape:
        right = near(got.squeeze(), want.squeeze()).all()
        return [sentence(s.EXTRA_AXIS)] if right else []
    if _in_other_order(got, want):
        return [sentence(s.OTHER_ORDER)]
    try:
        wide, wanted = np.broadcast_arrays(got, want)
    except ValueError:
        return []
    return [sentence(s.BROADCASTS)] if near(wide, wanted).all() else []


def _in_other_order(got: np.ndarray, want: np.ndarray) -> bool:
    """Whether the numbers agree once the axes stand in another order."""
    if got.ndim != want.ndim or not 2 <= got.ndim <= 5:
        return False
    turned = (got.transpose(order) for order in itertools.permutations(range(got.ndim)))
    return any(one.shape == want.shape and bool(near(one, want).all()) for one in turned)


def _shape(array: np.ndarray) -> Sentence:
    """A shape in words; `()` would tell a beginner nothing."""
    if array.ndim == 0:
        return sentence(s.SINGLE_NUMBER)
    return sentence(s.ARRAY_OF_SHAPE, shape=array.shape)


def _notes_on_numbers(got: np.ndarray, want: np.ndarray) -> list[Sentence]:
    notes = []
    square = want.ndim == 2 and want.shape[0] == want.shape[1] and want.size > 1
    if square and near(got.T, want).all():
        notes.append(sentence(s.TRANSPOSED))
    if got.dtype.kind in "iu" and want.dtype.kind == "f" and (got == np.trunc(want)).all():
        notes.append(sentence(s.CUT))
    differs = ~near(got, want)
    if want.size > 1 and differs.any() and not notes:
        place = tuple(map(int, np.argwhere(differs)[0]))
        notes.append(
            sentence(
                s.FIRST_DIFFERENCE,
                place=place[0] if len(place) == 1 else place,
                want=result_shown(want[place]),
                got=result_shown(got[place]),
            )
        )
    return notes
