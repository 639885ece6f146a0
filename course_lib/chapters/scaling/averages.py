"""What a wrong `attention` is told of its first case, where each value adds up to 10.

as_an_average(got, want, case)   # True, False, or how it differs from the average that is right
"""

import numpy as np

from course_lib.judging.accept import close
from course_lib.learner.compare import agree

ADDED = 10.0  # each value of the first case adds up to this, and so does every average of them

NO_AVERAGE = (
    "This is no average of the values. Each of them adds up to 10, so an average does, too."
)

TOO_SURE = (
    "This average leans too far towards the keys that fit best. Perhaps you did not divide the "
    "scores, or you divided them by too small a number."
)

TOO_EVEN = (
    "This average leans too little towards the keys that fit best. Perhaps you divided the scores "
    "twice, or by too large a number."
)


def as_an_average(got, want, case) -> bool | str:
    """Right up to rounding; in the first case else what is wrong with it as an average."""
    if close()(got, want, case):
        return True
    yours, right = np.asarray(got["output"]), want["output"]
    if yours.shape != right.shape or not _add_up(right):
        return False
    if not _add_up(yours):
        return NO_AVERAGE
    return TOO_SURE if yours[0, 0] > right[0, 0] else TOO_EVEN


def _add_up(rows) -> bool:
    """Whether each row adds up as every average of the first case's values does."""
    return agree(rows.sum(axis=1), np.full(len(rows), ADDED))
