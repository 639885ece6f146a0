"""Attention tile by tile where a column, a number for each row, became a flat list or a row."""

from course_lib.chapters.flash_attention.other_steps import COLUMN, steps
from course_lib.judging.exercise import Mistake

FLAT = {"dim": 1}
ACROSS = {"dim": 0, "keepdim": True}  # a number for each column of the tile


def _lost(told: str, maxima: dict, sums: dict) -> Mistake:
    """The mistake of these options, in both writings of the sums."""
    also = (steps(maxima=maxima, sums=sums, shrink_last=True),)
    return Mistake(told, steps(maxima=maxima, sums=sums), also=also)


LOST_COLUMNS = (
    _lost(
        "The maxima are a flat list here, not a column, so new spreads to a square as large as the "
        "block: each query meets the maxima of all. With keepdim=True they stay a column, as your "
        "sums of powers do.",
        FLAT,
        COLUMN,
    ),
    _lost(
        "The sums of the powers are a flat list here, not a column, so total spreads to a square "
        "as large as the block. Your maxima are a column already: give the sum its keepdim=True, "
        "too.",
        COLUMN,
        FLAT,
    ),
    _lost(
        "The maxima and the sums of the powers are flat lists here, not columns, so new and total "
        "spread to squares as large as the block. Both take keepdim=True.",
        FLAT,
        FLAT,
    ),
    _lost(
        "The maxima are those of each column of the tile, one for a key. Each query, a row, has a "
        "maximum of its own: dim=1, as in your sums of powers.",
        ACROSS,
        COLUMN,
    ),
    _lost(
        "The sums of the powers are those of each column of the tile, one for a key. Each query, a "
        "row, has a sum of its own: dim=1, as in your maxima.",
        COLUMN,
        ACROSS,
    ),
    _lost(
        "The maxima and the sums of the powers are those of each column of the tile, one for a "
        "key. Each query, a row, has a maximum and a sum of its own: dim=1 in both.",
        ACROSS,
        ACROSS,
    ),
    Mistake(
        "Two things at once. empty_sums stands in the inner loop, so each tile wipes out the ones "
        "before: call it in the outer loop. And numbers of the rows are a flat list, not a column: "
        "the maxima and the sums of the powers both take keepdim=True.",
        steps(maxima=FLAT, sums=FLAT, anew=True),
        also=tuple(
            steps(maxima=maxima, sums=sums, anew=True, shrink_last=last)
            for maxima, sums in ((FLAT, FLAT), (FLAT, COLUMN), (COLUMN, FLAT))
            for last in (False, True)
        ),
    ),
)
