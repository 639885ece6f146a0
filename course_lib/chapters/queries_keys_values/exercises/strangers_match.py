"""Exercise `strangers_match`: matrices with which every capital finds its own country."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.learner.arrays import NotNumbers, as_array


def numbers(value):
    """What the learner returned, as numpy numbers in float64; None where it has none."""
    try:
        return as_array(value).astype(float)
    except (NotNumbers, TypeError):
        return None


def pair(output, first: str, second: str):
    """Two matrices from what the learner returned, or the sentence that says what is missing."""
    both = [numbers(one) for one in output] if isinstance(output, list | tuple) else []
    if not both and numbers(output) is not None and len(np.atleast_1d(numbers(output))) == 2:
        both = list(numbers(output))
    if len(both) != 2:
        return f"Return two matrices: return {first}, {second}."
    for name, matrix in zip((first, second), both, strict=True):
        if matrix is None:
            return f"{name} holds something that is no number."
        if not np.isfinite(matrix).all():
            return f"{name} holds a number that is not finite."
    return both


PLACES = ("Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt")


def strangers_match():
    """Matrices with which every capital finds its own country.

    returns: w_q (8, 4), w_k (8, 4)
    """
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    # SOLUTION
    for i in range(4):
        w_q[i, i] = 1  # capital i asks with direction i
        w_k[i + 4, i] = 1  # country i answers to direction i
    return w_q, w_k
    # STUB
    # # w_q[0, ...] = ...
    # return ..., ...  # w_q, w_k
    # END SOLUTION


def _eyes(q_top, q_bottom, k_top, k_bottom):
    eye = torch.eye(4)
    return torch.cat([q_top * eye, q_bottom * eye]), torch.cat([k_top * eye, k_bottom * eye])


def _answers_to_itself():
    w_q, w_k = torch.zeros(8, 4), torch.zeros(8, 4)
    for i in range(4):
        w_q[i, i] = w_k[i, i] = w_k[i + 4, i] = 1
    return w_q, w_k


SHAPE_8_4 = (
    "Each matrix needs 8 rows, a row for each word, and 4 columns: shape (8, 4). "
    "Yours have another shape."
)

ALL_LEVEL = "Every score of Paris is the same, so its attention stays spread over all eight."

AT_ITSELF = (
    "A capital scores itself as high as its country, or higher. Its key should not answer to its "
    "own query: leave the rows of the capitals in w_k at 0, say."
)

EXCHANGED = (
    "It works the other way round: each country finds its capital. The asking capitals belong into "
    "w_q, the answering countries into w_k."
)

NOT_ITS_COUNTRY = (
    "A capital's largest score does not stand at its own country. Let the row of a capital in w_q "
    "and the row of its country in w_k point the same way, and those of other countries elsewhere."
)

TOO_SMALL = "Each capital prefers its country by less than .1. Make the entries larger."


def _each_finds_its_country(got, want, case) -> bool | str:
    both = pair(got["output"], "w_q", "w_k")
    if isinstance(both, str):
        return both
    w_q, w_k = both
    if w_q.shape != (8, 4) or w_k.shape != (8, 4):
        return SHAPE_8_4
    scores = w_q @ w_k.T  # the words are one-hot, so a word times a matrix is a row of it
    capitals = np.arange(4)
    if np.ptp(scores[0]) < 1e-9:
        back = scores[4:, :4]
        found = (back.argmax(axis=1) == capitals).all() and np.ptp(back, axis=1).min() > 1e-9
        return EXCHANGED if found else ALL_LEVEL
    at_country = scores[capitals, capitals + 4]
    others = scores[:4].copy()
    others[capitals, capitals + 4] = -np.inf
    if (others.max(axis=1) >= at_country - 1e-9).any():
        own, rest = scores[capitals, capitals], others.copy()
        rest[capitals, capitals] = -np.inf
        alike = (own >= at_country - 1e-9) & (own > rest.max(axis=1) + 1e-9)
        return AT_ITSELF if alike.any() else NOT_ITS_COUNTRY
    if (at_country - others.max(axis=1)).min() < 0.1:
        return TOO_SMALL
    return True


STRANGERS_MATCH = Exercise(
    answer=strangers_match,
    cases=(lambda rng: inputs(),),
    accept=_each_finds_its_country,
    open_answer=True,
    mistakes=(
        Mistake(AT_ITSELF, _answers_to_itself),
        Mistake(EXCHANGED, lambda: _eyes(0, 1, 1, 0)),
        Mistake(ALL_LEVEL, lambda: (torch.zeros(8, 4), torch.zeros(8, 4))),
        Mistake(
            NOT_ITS_COUNTRY,
            lambda: (_eyes(1, 0, 0, 1)[0], _eyes(1, 0, 0, 1)[1].flip(0)),
        ),
        Mistake(SHAPE_8_4, lambda: (torch.eye(8), torch.eye(8))),
        Mistake(TOO_SMALL, lambda: _eyes(0.2, 0, 0, 0.2)),
    ),
    alternatives=(
        lambda: _eyes(1, 0, 0, 1),
        lambda: [[[float(x) for x in row] for row in one] for one in _eyes(3, 0, 0, 1)],
        lambda: tuple(one.numpy() for one in _eyes(2, 0, -1, 2)),
        lambda: _eyes(-1, 1, 1, -1),
        lambda: tuple(one @ _rotation(4) for one in _eyes(1, 0, 0, 1)),
    ),
    hints=(
        "Each word is one-hot. Which row of w_q is the query of Paris, and which row of w_k is the "
        "key of France?",
        "Four columns are four directions. Give each capital one of them in w_q, and the same "
        "direction to its country in w_k. What should the key of a capital be?",
        "w_q = torch.cat([torch.eye(4), torch.zeros(4, 4)]); w_k = torch.cat([..., ...])",
    ),
    minutes=4,
    stars=2,
)


def _rotation(d):
    return torch.linalg.qr(torch.from_numpy(np.random.default_rng(0).normal(size=(d, d))).float())[
        0
    ]
