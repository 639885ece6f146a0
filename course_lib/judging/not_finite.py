"""What is said of NaN, infinity and half precision in a result or in a gradient."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_lib.judging import sentences as s
from course_lib.judging.verdict import Sentence, sentence
from course_lib.learner.arrays import NotNumbers, as_array

SHORT = {"float16": s.HALF, "bfloat16": s.BRAIN}


def unfit_numbers(name: str, part: str, observed: Mapping[str, Any], want: Any) -> Sentence | None:
    """Numbers of the right shape that are none, or too short; None where neither is so."""
    try:
        got, wanted = as_array(observed.get(part)), as_array(want)
    except NotNumbers:
        return None
    if got.shape != wanted.shape or bool in (got.dtype, wanted.dtype):
        return None
    if not np.isfinite(got[np.isfinite(wanted)]).all():
        return not_finite(name, part, got, wanted, observed)
    return too_short(name, observed.get(part), want)


def not_finite(
    name: str, part: str, got: np.ndarray, want: np.ndarray, observed: Mapping[str, Any]
) -> Sentence:
    """A result, or a gradient, that has NaN or infinity where a number is expected."""
    wrong = ~np.isfinite(got) & np.isfinite(want)
    values = {"what": _kind(got[wrong]), "count": int(wrong.sum()), "size": got.size}
    if part.startswith("gradient"):
        fine = _is_finite(observed.get("output"))
        template = s.GRADIENT_NOT_FINITE_ALONE if fine else s.GRADIENT_NOT_FINITE
        return sentence(template, name=name, part=part, **values)
    if got.dtype == np.float16:
        return sentence(s.HALF_OVERFLOWS, name=name, **values)
    return sentence(s.NOT_A_NUMBER, name=name, **values)


def too_short(name: str, result: Any, want: Any) -> Sentence | None:
    """A result in half precision where a longer one is expected; None of all others."""
    short, expected = _type(result), _type(want)
    if short not in SHORT or expected in SHORT or "float" not in expected:
        return None
    return sentence(SHORT[short], name=name, want=expected)


def _type(value: Any) -> str:
    return str(getattr(value, "dtype", "")).removeprefix("torch.")


def _kind(numbers: np.ndarray) -> Sentence:
    nan, infinite = bool(np.isnan(numbers).any()), bool(np.isinf(numbers).any())
    if nan:
        return sentence(s.NAN_AND_INFINITY if infinite else s.NAN)
    return sentence(s.MINUS_INFINITY if (numbers < 0).all() else s.INFINITY)


def _is_finite(value: Any) -> bool:
    try:
        return bool(np.isfinite(as_array(value)).all())
    except NotNumbers:
        return False
