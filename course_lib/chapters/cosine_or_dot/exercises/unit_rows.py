"""Exercise `unit_rows`: each row at length 1; a row of zeros stays as it is."""

import numpy as np

from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import vectors
from course_lib.kernels.softmax import softmax


def unit_rows(x):
    """Each row at length 1; a row of zeros stays as it is.

    x: (n, d)   returns: (n, d)
    """
    lengths = np.sqrt((x**2).sum(axis=1, keepdims=True))  # one for each row, in a column
    # SOLUTION
    return x / np.where(lengths == 0, 1, lengths)
    # END SOLUTION


ZERO_ROW = (
    "A row of zeros has length 0, and 0 divided by 0 is not a number. It has no direction: "
    "let it stay zero."
)

SHRUNK = (
    "The number that saves the zero row is felt by short rows too: theirs are no longer of length "
    "1. Let it act only where the length is 0."
)


def _lengths(x) -> np.ndarray:
    return np.sqrt((np.asarray(x, dtype=float) ** 2).sum(axis=-1))


def _standing(x):
    """The lengths of the rows, standing as a column."""
    return np.linalg.norm(x, axis=1, keepdims=True)


def _are_unit_rows(got, want, case) -> bool | str:
    """Accepts 1e-4; tells the zero row and the short row apart from the rest."""
    if close(1e-4)(got, want, case):
        return True
    x, came = case.args[0], np.asarray(got["output"], dtype=float)
    if came.shape != x.shape:
        return False
    bad = ~np.isclose(came, want["output"], atol=1e-4).all(axis=1)
    lengths = _lengths(x)
    if bad[lengths == 0].any() and not bad[lengths > 0].any() and not np.isfinite(came).all():
        return ZERO_ROW
    order = np.argsort(lengths[lengths > 0])
    came_lengths = _lengths(came)[lengths > 0][order]
    with np.errstate(invalid="ignore"):
        turned = ~np.isclose(came, _lengths(came)[:, None] * want["output"], atol=1e-6).all()
    grow = (np.diff(came_lengths) >= 0).all() and 0.99 < came_lengths[-1] < 1 + 1e-6
    return SHRUNK if grow and not turned else False


UNIT_ROWS = Exercise(
    answer=unit_rows,
    cases=(
        lambda rng: inputs(np.array([[3.0, 4.0, 0.0], [0.0, 5.0, 12.0]])),
        lambda rng: inputs(rng.normal(size=(3, 3)).round(1) * np.array([[1.0], [2.0], [5.0]])),
        lambda rng: inputs(np.array([[3.0, 4.0], [0.0, 0.0], [-6.0, 8.0]])),
        lambda rng: inputs(np.array([[6e4, 8e4], [3e-5, -4e-5], [5e4, 0.0]])),  # one short
        lambda rng: inputs(rng.normal(size=(5, 7))),
        lambda rng: inputs(np.array([[2, -1, 2, 0], [0, 0, 0, 0], [1, 1, 1, 1], [-2, 0, 0, 0]])),
        lambda rng: inputs(rng.normal(size=(5, 7))),
    ),
    accept=_are_unit_rows,
    properties=(
        Property(
            "Every row that is not zero has length 1.",
            lambda got, case: bool(
                np.allclose(_lengths(got["output"])[_lengths(case.args[0]) > 0], 1, atol=1e-3)
            ),
        ),
    ),
    mistakes=(
        Mistake(
            ZERO_ROW,
            lambda x: x / np.sqrt((x**2).sum(axis=1, keepdims=True)),
            also=(
                lambda x: x / _standing(x),
                lambda x: [row / np.linalg.norm(row) for row in x],
            ),
        ),
        Mistake(
            SHRUNK,
            lambda x: x / (np.sqrt((x**2).sum(axis=1, keepdims=True)) + 1e-6),
            also=(
                lambda x: x / (_standing(x) + 1e-8),
                lambda x: x / (_standing(x) + 1e-3),
                lambda x: x / np.sqrt((x**2).sum(axis=1, keepdims=True) + 1e-8),
                lambda x: x / np.maximum(_standing(x), 1e-3),
                lambda x: x / np.maximum(_standing(x), 1),
            ),
        ),
        Mistake(
            "You divided each column by its length. A vector stands in a row: add up along axis 1.",
            lambda x: x / np.where(_lengths(x.T) == 0, 1, _lengths(x.T)),
        ),
        Mistake(
            "You divided the whole table by one number, made of all its entries. Each row has a "
            "length of its own.",
            lambda x: x / np.linalg.norm(x),
            also=(
                lambda x: x / _lengths(x).sum(),
                lambda x: x / _lengths(x).mean(),
                lambda x: x / _lengths(x).max(),
            ),
        ),
        Mistake(
            "The root is missing: you divided by the squared length.",
            lambda x: x / np.where(_lengths(x) == 0, 1, _lengths(x) ** 2)[:, None],
        ),
        Mistake(
            "You divided by the sum of the entries' sizes. The rows then add up to 1; their length "
            "is the root of the sum of squares.",
            lambda x: x / np.where(_lengths(x) == 0, 1, np.abs(x).sum(axis=1))[:, None],
        ),
        Mistake(
            "You returned the lengths. Divide each row by its own.",
            lambda x: _lengths(x),
        ),
        Mistake(
            "You returned the lengths, one below the other. Divide each row of x by its own.",
            _standing,
        ),
        Mistake(
            "The lengths lie along the columns: the length of row j divides column j. "
            "keepdims=True lets them stand upright, one for each row.",
            lambda x: x / _lengths(x),
        ),
        Mistake(
            "You divided by the sum of the entries. The length is the root of the sum of squares.",
            lambda x: x / x.sum(axis=1, keepdims=True),
        ),
        Mistake(
            "You divided by the largest size in each row. The length is the root of the sum of "
            "squares.",
            lambda x: x / np.where(_standing(x) == 0, 1, np.abs(x).max(axis=1, keepdims=True)),
            also=(lambda x: x / np.abs(x).max(axis=1, keepdims=True),),
        ),
        Mistake(
            "One row of zeros, and all the rows stay as they are. The others should still be "
            "divided.",
            lambda x: x if (_lengths(x) == 0).any() else x / _standing(x),
        ),
        Mistake(
            "You took the mean of each row away. The length is measured from 0: divide, and "
            "subtract nothing.",
            lambda x: (x - x.mean(axis=1, keepdims=True)) / _standing(x),
        ),
        Mistake(
            "The result is stored in the type of x: where x holds whole numbers, what stands "
            "behind the point is cut off.",
            lambda x: (x / np.maximum(_standing(x), 1e-12)).astype(x.dtype),
        ),
        Mistake(
            "Each row is divided by its squared length, and a row of zeros is not a number: the "
            "root is missing, and a zero row has to stay zero.",
            lambda x: x / (x**2).sum(axis=1, keepdims=True),
        ),
        Mistake(
            "You left the zero row out. As many rows should come out as went in.",
            lambda x: (x / np.where(_lengths(x) == 0, 1, _lengths(x))[:, None])[_lengths(x) > 0],
        ),
        Mistake(
            "You multiplied by the lengths. Divide by them.",
            lambda x: x * _standing(x),
        ),
        Mistake(
            "The rows come out as they were: they are divided by 1, or not at all. np.where gives "
            "its first value where the test holds, and its second one elsewhere. Are they swapped?",
            lambda x: x / np.where(_standing(x) > 0, 1, _standing(x)),
            also=(lambda x: x * 1.0,),
        ),
        Mistake(
            "The row of zeros became a row of ones. It should stay zero.",
            lambda x: np.nan_to_num(x / np.where(_standing(x) == 0, np.nan, _standing(x)), nan=1.0),
        ),
        Mistake(
            "That is the softmax of each row: its entries add up to 1. At length 1 their squares "
            "do.",
            softmax,
        ),
        Mistake(
            "You took the mean away and divided by the spread. Length 1 takes one division, by "
            "the length.",
            lambda x: (x - x.mean(axis=1, keepdims=True)) / (x.std(axis=1, keepdims=True) + 1e-12),
        ),
        Mistake(
            "You took the sizes of the entries first. Their signs belong to the direction.",
            lambda x: np.abs(x) / np.maximum(_standing(x), 1e-12),
        ),
    ),
    alternatives=(
        lambda x: [row / (np.linalg.norm(row) or 1) for row in x],
        lambda x: [vectors.normalize(row) if row.any() else row for row in x],
        lambda x: x / (_standing(x) + 1e-12),
        lambda x: x / np.maximum(_standing(x), 1e-12),
        lambda x: x / np.maximum(_standing(x), 1e-8),
        lambda x: (x / np.maximum(_standing(x), 1e-12)).tolist(),
        lambda x: np.divide(x, _standing(x), out=np.zeros(x.shape), where=_standing(x) > 0),
        lambda x: np.nan_to_num(x / np.linalg.norm(x, axis=1)[:, None]),
        lambda x: (x.T / np.where(_lengths(x) == 0, 1, _lengths(x))).T,
        lambda x: (x / np.maximum(_standing(x), 1e-12)).astype(np.float32),
    ),
    hints=(
        "Try x / lengths first. Which of the two promises does it keep, and which row becomes nan?",
        "By which number may a row of zeros be divided, so that it stays as it is? Only the "
        "lengths that are 0 need another number. The card has a tool that chooses entry by entry.",
        "return x / np.where(lengths == 0, ..., lengths): the blank is what a row of zeros is "
        "divided by.",
    ),
    reward="One division, and a row's length counts no more. Your search will run on it.",
    minutes=4,
    stars=1,
)
