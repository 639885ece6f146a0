"""Whether two results are the same: up to rounding for the judge, to the eye for a picture."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np

from course_lib.learner import sentences as s
from course_lib.learner.arrays import NotNumbers, as_array
from course_lib.words import say

ROUNDING_STEPS = 64  # how many rounding errors of its own precision an answer may add up
HALF_STEPS = 8  # in half precision 64 would be 6 percent, enough to hide a mistake


def agree(got: object, want: object, relative: float = 1e-6, absolute: float | None = None) -> bool:
    """Whether two values are the same up to rounding; tuples and dicts part by part."""
    if isinstance(want, dict):
        return (
            isinstance(got, dict)
            and got.keys() == want.keys()
            and all(agree(got[k], want[k], relative, absolute) for k in want)
        )
    try:
        want_array = as_array(want)
    except NotNumbers:
        return _agree_without_numbers(got, want, relative, absolute)
    try:
        got_array = as_array(got)
    except NotNumbers:
        return False
    if got_array.shape != want_array.shape:
        return False
    if (got_array.dtype == bool) != (want_array.dtype == bool):
        return False
    return bool(np.all(near(got_array, want_array, relative, absolute)))


def _agree_without_numbers(got, want, relative, absolute) -> bool:
    if isinstance(want, list | tuple):
        return (
            isinstance(got, list | tuple)
            and len(got) == len(want)
            and all(agree(g, w, relative, absolute) for g, w in zip(got, want, strict=True))
        )
    try:
        return bool(got == want)
    except Exception:  # an object whose == fails is not the answer
        return False


def near(
    got: np.ndarray, want: np.ndarray, relative: float = 1e-6, absolute: float | None = None
) -> np.ndarray:
    """Number by number: equal up to rounding. NaN equals NaN, infinity only itself.

    relative: against the largest finite number of `want`.   absolute: instead of it.
    """
    if want.dtype == bool:
        return got == want
    with np.errstate(all="ignore"):
        scale = _largest(want)
        margin = relative * scale if absolute is None else absolute
        margin = max(margin, _rounding(got, want) * scale, 1e-12)
        wide = np.complex128 if "c" in (got.dtype.kind, want.dtype.kind) else np.float64
        return np.isclose(got.astype(wide), want.astype(wide), rtol=0, atol=margin, equal_nan=True)


def _largest(array: np.ndarray) -> float:
    return float(np.max(np.abs(array), initial=0.0, where=np.isfinite(array)))


def _rounding(got: np.ndarray, want: np.ndarray) -> float:
    kinds = [one.dtype for one in (got, want) if one.dtype.kind in "fc"]
    # A half precision answer is only excused where the reference is in half precision too.
    kinds = [kind for kind in kinds if np.finfo(kind).eps < 1e-5 or kind == want.dtype]
    eps = max((float(np.finfo(kind).eps) for kind in kinds), default=0.0)
    return eps * (ROUNDING_STEPS if eps < 1e-5 else HALF_STEPS)


def leaves(data: object, path: str = "") -> dict[str, object]:
    """Every number, array and word inside of `data`, by its path."""
    if is_dataclass(data) and not isinstance(data, type):
        data = {field.name: getattr(data, field.name) for field in fields(data)}
    if isinstance(data, list | tuple):
        data = dict(enumerate(data))
    if not isinstance(data, Mapping):
        return {path: data}
    found: dict[str, object] = {}
    for key, value in data.items():
        found |= leaves(value, f"{path}.{key}" if path else str(key))
    return found


def misfit(yours: object, right: object) -> str:
    """Why the learner's data cannot stand in for the right one; empty where it can."""
    theirs = leaves(yours)
    for path, value in leaves(right).items():
        if path not in theirs:
            return say(s.NO_VALUE)
        want, got = _numbers(value), _numbers(theirs[path])
        if want is None:
            continue
        if got is None:
            return say(s.NO_NUMBER)
        if got.shape != want.shape:
            return say(s.SHAPE_NEEDED, got=got.shape, want=want.shape)
        if np.isfinite(want).all() and not np.isfinite(got).all():
            return say(s.NOT_FINITE)
    return ""


def all_finite(data: object) -> bool:
    """Whether all numbers inside of `data` are finite."""
    arrays = (_numbers(value) for value in leaves(data).values())
    return all(array is None or bool(np.isfinite(array).all()) for array in arrays)


def drawn_alike(yours: object, right: object) -> bool:
    """Whether two sets of data would make the same picture: each number to one part in 10,000.

    They must fit each other (`misfit`). Words are not compared.
    """
    theirs = leaves(yours)
    for path, value in leaves(right).items():
        want, got = _numbers(value), _numbers(theirs[path])
        if want is None:
            continue
        if got is None:
            return False
        margin = 1e-6 * _largest(want) + 1e-12
        if not np.allclose(got, want, rtol=1e-4, atol=margin, equal_nan=True):
            return False
    return True


def _numbers(value: object) -> np.ndarray | None:
    """A leaf as an array of numbers; None where it is something else."""
    try:
        return as_array(value)
    except NotNumbers:
        return None
