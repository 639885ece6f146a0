"""When an answer counts as right: `accept(got, want, case_inputs)` on the observations."""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.learner.arrays import as_array
from course_lib.learner.compare import agree

Accept = Callable[[dict, dict, Any], bool]


def close(relative: float = 1e-6, absolute: float | None = None) -> Accept:
    """Every observation has the reference's shape and numbers.

    relative: against the largest number of the observation.   absolute: instead of it.
    A float32 answer is allowed float32's rounding. True and False are no numbers: a mask must be
    boolean where the reference's is, and numbers may not be.
    """

    def accept(got: dict, want: dict, case: object) -> bool:
        return got.keys() == want.keys() and all(
            agree(got[name], want[name], relative, absolute) for name in want
        )

    return accept


def same_average(standard_errors: float = 6.0) -> Accept:
    """For `observe.averages`: the averages differ by less than chance would allow.

    At 6 standard errors of the difference, chance refuses a right answer once in 5e8 numbers; the
    seeds are fixed, so a given answer is always judged alike.
    """

    def accept(got: dict, want: dict, case: object) -> bool:
        got_mean, mean = as_array(got["average output"]), as_array(want["average output"])
        if got_mean.shape != mean.shape:
            return False
        draws = float(want["draws"])
        spread = np.sqrt(as_array(got["spread"]) ** 2 + as_array(want["spread"]) ** 2)
        allowed = standard_errors * spread / np.sqrt(draws) + 1e-9
        return bool(np.all(np.abs(got_mean - mean) <= allowed))

    return accept
