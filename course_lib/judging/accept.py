"""When an answer counts as right: `accept(got, want, case_inputs)` on the observations."""

import numpy as np

from course_lib.learner.arrays import NotNumbers, as_array

ROUNDING_STEPS = 64  # how many rounding errors of its own precision an answer may add up
HALF_STEPS = 8  # in half precision 64 would be 6 percent, enough to hide a mistake


def close(relative: float = 1e-6, absolute: float | None = None):
    """Every observation has the reference's shape and numbers.

    relative: against the largest number of the observation.   absolute: instead of it.
    A float32 answer is allowed float32's rounding. True and False are no numbers: a mask must be
    boolean where the reference's is, and numbers may not be.
    """

    def accept(got, want, case):
        return got.keys() == want.keys() and all(
            agree(got[name], want[name], relative, absolute) for name in want
        )

    return accept


def agree(got, want, relative: float = 1e-6, absolute: float | None = None) -> bool:
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


def near(got: np.ndarray, want: np.ndarray, relative=1e-6, absolute=None) -> np.ndarray:
    """Number by number: equal up to rounding. NaN equals NaN, infinity only itself."""
    if want.dtype == bool:
        return got == want
    with np.errstate(all="ignore"):
        finite = np.abs(want[np.isfinite(want)])
        scale = float(finite.max()) if finite.size else 0.0
        rounding = _rounding(got, want)
        margin = relative * scale if absolute is None else absolute
        margin = max(margin, rounding * scale, 1e-12)
        wide = np.complex128 if "c" in (got.dtype.kind, want.dtype.kind) else np.float64
        return np.isclose(got.astype(wide), want.astype(wide), rtol=0, atol=margin, equal_nan=True)


def _rounding(got: np.ndarray, want: np.ndarray) -> float:
    kinds = [one.dtype for one in (got, want) if one.dtype.kind in "fc"]
    # A half precision answer is only excused where the reference is in half precision too.
    kinds = [kind for kind in kinds if np.finfo(kind).eps < 1e-5 or kind == want.dtype]
    eps = max((float(np.finfo(kind).eps) for kind in kinds), default=0.0)
    return eps * (ROUNDING_STEPS if eps < 1e-5 else HALF_STEPS)


def same_average(standard_errors: float = 6.0):
    """For `observe.averages`: the averages differ by less than chance would allow.

    At 6 standard errors of the difference, chance refuses a right answer once in 5e8 numbers; the
    seeds are fixed, so a given answer is always judged alike.
    """

    def accept(got, want, case):
        got_mean, mean = as_array(got["average output"]), as_array(want["average output"])
        if got_mean.shape != mean.shape:
            return False
        draws = float(want["draws"])
        spread = np.sqrt(as_array(got["spread"]) ** 2 + as_array(want["spread"]) ** 2)
        allowed = standard_errors * spread / np.sqrt(draws) + 1e-9
        return bool(np.all(np.abs(got_mean - mean) <= allowed))

    return accept
