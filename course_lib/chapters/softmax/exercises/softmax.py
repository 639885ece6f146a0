"""Exercise `softmax`: each row's exponentials divided by their sum, for scores of any size."""

import math
from collections.abc import Callable

import numpy as np

from course_lib.chapters.softmax.exercises.shares import each_to_its_digits, shares
from course_lib.chapters.softmax.wrong_softmax import MISTAKES
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels import softmax as kernel


def softmax(scores):
    """The shares of each row, for scores of any size.

    scores: (s,), (t, s) or more axes; the keys on the last   returns: the same shape
    """
    # SOLUTION
    largest = scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(scores - largest)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
    # STUB
    # moved = ...  # each row moved: by how much?
    # exponentials = ...
    # return ...  # your code here
    # END SOLUTION


FAR = 2000.0  # exp overflows float64 at 710


def _rows(exponentials):
    """Each row of exponentials divided by its sum."""
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _softmax_with_loops(scores):
    if scores.ndim > 1:
        return [_softmax_with_loops(row) for row in scores]
    largest = max(float(score) for score in scores)
    exponentials = [math.exp(float(score) - largest) for score in scores]
    return [one / sum(exponentials) for one in exponentials]


def _row_by_row(scores):
    out = np.empty(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        out[place] = _rows(np.exp(scores[place] - scores[place].max()))
    return out


def _with_transposes(scores):
    exponentials = np.exp(scores.T - scores.max(axis=-1).T)
    return (exponentials / exponentials.sum(axis=0)).T


PYTHONS_MAX = (
    "max(scores) is Python's own, which knows no axis and compares whole rows of a table. The "
    "largest of each row is scores.max(axis=-1, keepdims=True)."
)


def _with_max_of_python(scores):
    return _rows(np.exp(scores - max(scores)))


def _with_an_axis_for_max_of_python(scores):
    python_max: Callable = max
    return _rows(np.exp(scores - python_max(scores, axis=-1, keepdims=True)))


SOFTMAX = Exercise(
    answer=softmax,
    cases=(
        lambda rng: inputs(np.array([1.0, 2.0, 4.0])),
        lambda rng: inputs(np.array([[1.0, 2.0], [4.0, 0.0], [-1.0, 1.0]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [0.0, -1.0, 1.0], [2.0, 2.0, 0.0]])),
        lambda rng: inputs(np.array([[FAR, FAR - 1], [0.0, 2.0]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [-FAR, 1 - FAR, 2 - FAR]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0, 0.0], [0.0, 1.0, 2.0, FAR]])),
        lambda rng: inputs(np.array([[1.0, 2.0, 4.0], [FAR, 0.0, 1.0], [0.0, -900.0, 1.0]])),
        lambda rng: inputs(rng.normal(size=(2, 3, 5))),
        lambda rng: inputs(rng.normal(size=(3, 7)).astype(np.float32)),
        lambda rng: inputs(np.array([[30_001, 30_002, 30_004], [4, 1, 2]], np.float32)),
        lambda rng: inputs(np.array([[3, 1, 0, 2], [0, 5, 4, 1], [-2, 0, 1, 1]])),  # whole numbers
        lambda rng: inputs(np.array([[0.0, -9.0, -20.0], [700.0, 400.0, 711.0]])),  # small weights
        lambda rng: inputs(rng.normal(size=(2, 3, 5))),  # a shape for the second time
    ),
    accept=each_to_its_digits,
    properties=(
        Property(
            "Each row adds up to 1.",
            lambda got, case: bool(np.allclose(np.sum(got["output"], axis=-1), 1, atol=1e-5)),
        ),
    ),
    mistakes=(
        *MISTAKES,
        Mistake(PYTHONS_MAX, _with_max_of_python, also=(_with_an_axis_for_max_of_python,)),
        Mistake(
            "You divided the scores. That shrinks every lead, and so the weights change. Move the "
            "row: subtract.",
            lambda scores: _rows(np.exp(scores / 1000)),
            also=(lambda scores: _rows(np.exp(scores / 100)),),
        ),
        Mistake(
            "This takes the exponential of the largest score alone. Subtract it from each score of "
            "its row first: scores - largest.",
            lambda scores: _rows(np.exp(scores.max(axis=-1, keepdims=True))),
        ),
    ),
    alternatives=(
        _softmax_with_loops,
        _row_by_row,
        _with_transposes,
        lambda scores: _row_by_row(scores).astype(np.float32),
        lambda scores: _row_by_row(scores).tolist(),
        lambda scores: 1 / np.exp(scores[..., None, :] - scores[..., :, None]).sum(axis=-1),
        lambda scores: kernel.softmax(scores),
        lambda scores: np.exp(kernel.log_softmax(scores)),
        lambda scores: _rows(np.exp(scores - np.max(scores, axis=-1)[..., None])),
        lambda scores: np.apply_along_axis(lambda row: shares(row - row.max()), -1, scores),
        lambda scores: softmax(scores.astype(np.float32)),
    ),
    refused=(  # a weight that rounds to 0 has the logarithm -inf: not quite the mistake above
        Refused(
            lambda scores: np.log(_row_by_row(scores)),
            "One thing to look at: You returned the logarithm",
        ),
    ),
    hints=(
        "exp overflows above 709, and never at 0 or below. Take the row 1001, 1002, 1003 alone: "
        "what would you subtract? And from the row 5, 900, 20?",
        "scores.max(axis=-1, keepdims=True) is the largest of each row, standing as a column. The "
        "sum takes the same two arguments.",
        "moved = scores - scores.max(axis=..., keepdims=True); exponentials = np.exp(...); "
        "return exponentials / ...",
    ),
    minutes=7,
    stars=2,
    reward=(
        "PyTorch's softmax and the GPU program of chapter 8 subtract the largest score of a row as"
        " well. You may now give yours a score of a million."
    ),
)
