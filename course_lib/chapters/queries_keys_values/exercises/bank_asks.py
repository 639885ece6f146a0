"""Exercise `bank_asks`: matrices with which one bank finds the river, and another the loan."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import two_matrices
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs

SCENES = ((0, 1, 2), (0, 1, 3))  # places of sat, bank and the third word, in both sentences
BANK, RIVER, LOAN, THIRD = 1, 2, 3, 2
HANDED = np.array([[2.0, 2], [2, 2], [1, 0], [0, 1]])  # w_v, as the chapter has it: water, money
OTHER = (1, 0)  # what bank should hardly take home: money beside the river, water beside the loan
LITTLE = 0.1


def bank_asks():
    """Matrices with which bank finds the river in one sentence, and the loan in the other.

    rows: sat, bank, river, loan   returns: w_q (4, 1), w_k (4, 1)
    """
    w_q, w_k = torch.zeros(4, 1), torch.zeros(4, 1)
    # SOLUTION
    w_q[1] = 4  # bank asks, and loudly
    w_k[2] = w_k[3] = 1  # river and loan answer
    return w_q, w_k
    # STUB
    # # w_q[?] = ?
    # return ..., ...  # w_q, w_k
    # END SOLUTION


def _columns(asks, answers):
    """w_q and w_k from four numbers each: sat, bank, river, loan."""
    return torch.tensor(asks).float()[:, None], torch.tensor(answers).float()[:, None]


def _too_soft():
    w_q, w_k = torch.zeros(4, 1), torch.zeros(4, 1)
    w_q[1] = 1
    w_k[2] = w_k[3] = 1
    return w_q, w_k


def _others_answer():
    w_q, w_k = torch.zeros(4, 1), torch.zeros(4, 1)
    w_q[1] = 4
    w_k[1:] = 1
    return w_q, w_k


def _full_columns():
    w_q, w_k = torch.zeros(4, 1), torch.zeros(4, 1)
    w_q[...] = 4
    w_k[...] = 1
    return w_q, w_k


def _exchanged():
    w_q, w_k = torch.zeros(4, 1), torch.zeros(4, 1)
    w_q[2] = w_q[3] = 1
    w_k[1] = 4
    return w_q, w_k


SHAPE_4_1 = (
    "Each matrix needs 4 rows, one for each word, and 1 column: shape (4, 1). Yours have another "
    "shape."
)

TOO_SOFT = (
    "Bank asks the right word in both sentences, but too softly. What is left to sat and bank "
    "still brings too much of the other thing. A higher score makes the weights sharper."
)

NOBODY_ASKS = (
    "The query of bank, row 1 of w_q, is 0. So all of its scores are 0, and each word gets a third."
)

EXCHANGED = (
    "Here river and loan ask, and bank answers. It is bank that has to ask: its row belongs into "
    "w_q, and those of river and loan into w_k."
)

ONE_ONLY = (
    "In one of the sentences bank finds its word, in the other it does not. Both river and loan "
    "have to answer: rows 2 and 3 of w_k."
)

LOOKS_AWAY = (
    "Bank looks away from river and loan: their scores are below those of sat and bank. The query "
    "of bank and the keys of river and loan need the same sign."
)

FULL_COLUMN = (
    "All four words have the same key, so they answer alike. In an index `...` stands for all "
    "rows: w_k[...] = 1 fills the whole column. Name one row, as in w_k[2] = 1."
)

OTHERS_ANSWER = (
    "Sat or bank answers as loudly as river and loan do, or louder. What should their rows of w_k "
    "be, so that they do not answer?"
)


def _looks(w_q: np.ndarray, w_k: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The scores of bank in both sentences, and what it takes home: (2, 3) and (2, 2)."""
    scores = np.stack([w_k[list(words)] @ w_q[BANK] for words in SCENES]) / math.sqrt(w_q.shape[1])
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = raised / raised.sum(axis=1, keepdims=True)
    return scores, np.stack(
        [row @ HANDED[list(words)] for row, words in zip(weights, SCENES, strict=True)]
    )


def _each_bank_finds_its_word(got, want, case) -> bool | str:
    both = two_matrices(got["output"], "w_q", "w_k")
    if isinstance(both, str):
        return both
    w_q, w_k = both
    if w_q.shape != w_k.shape or w_q.ndim != 2 or len(w_q) != 4 or not w_q.size:
        return SHAPE_4_1
    scores, home = _looks(w_q, w_k)
    if (home[[0, 1], OTHER] <= LITTLE + 1e-6).all():
        return True
    if not w_q[BANK].any():
        turned = w_q[[RIVER, LOAN]].any(axis=1).all() and w_k[BANK].any()
        return EXCHANGED if turned else NOBODY_ASKS
    if w_k.any() and not np.ptp(w_k, axis=0).any():
        return FULL_COLUMN
    leads = scores[:, THIRD] - scores[:, :THIRD].max(axis=1)
    found = leads > 1e-9
    if found.all():
        return TOO_SOFT
    if found.any():
        return ONE_ONLY
    behind = scores[:, THIRD] < scores[:, :THIRD].min(axis=1) - 1e-9
    return LOOKS_AWAY if behind.all() else OTHERS_ANSWER


def _what_bank_takes_home(got, case):
    """Water and money, beside the river and beside the loan."""
    w_q, w_k = two_matrices(got["output"], "w_q", "w_k")
    asked = f"in the first row money, in the second water {LITTLE:g} or less"
    return (Caused("Water and money beside river, and beside loan", _looks(w_q, w_k)[1], asked),)


BANK_ASKS = Exercise(
    answer=bank_asks,
    cases=(lambda rng: inputs(),),
    accept=_each_bank_finds_its_word,
    open_answer=True,
    effect=_what_bank_takes_home,
    mistakes=(
        Mistake(
            TOO_SOFT,
            _too_soft,
            also=(
                lambda: _columns([0, 3, 0, 0], [0, 0, 1, 1]),
                lambda: _columns([1, 1, 1, 1], [-1, -1, 1, 1]),
            ),
        ),
        Mistake(
            OTHERS_ANSWER,
            _others_answer,
            also=(lambda: _columns([0, 4, 0, 0], [0, 1, 0, 0]),),
        ),
        Mistake(
            FULL_COLUMN,
            _full_columns,
            also=(lambda: _columns([0, 4, 0, 0], [1, 1, 1, 1]),),
        ),
        Mistake(NOBODY_ASKS, lambda: _columns([0, 0, 0, 0], [0, 0, 1, 1])),
        Mistake(
            EXCHANGED,
            _exchanged,
            also=(lambda: _columns([0, 0, 4, 4], [0, 1, 0, 0]),),
        ),
        Mistake(
            ONE_ONLY,
            lambda: _columns([0, 4, 0, 0], [0, 0, 1, 0]),
            also=(lambda: _columns([0, 4, 0, 0], [0, 0, 1, -1]),),
        ),
        Mistake(
            LOOKS_AWAY,
            lambda: _columns([0, 4, 0, 0], [0, 0, -1, -1]),
            also=(lambda: _columns([0, -4, 0, 0], [0, 0, 1, 1]),),
        ),
        Mistake(
            SHAPE_4_1,
            lambda: tuple(one.T for one in _columns([0, 4, 0, 0], [0, 0, 1, 1])),
            also=(lambda: tuple(one[:, 0] for one in _columns([0, 4, 0, 0], [0, 0, 1, 1])),),
        ),
    ),
    refused=(
        Refused(lambda: (_columns([0, 4, 0, 0], [0, 0, 1, 1])[0], ...), "still returns `...`"),
        Refused(lambda: _columns([0, 4, 0, 0], [0, 0, 1, 1])[0], "Return two matrices"),
        Refused(lambda: _columns([0, math.inf, 0, 0], [0, 0, 1, 1]), "not finite"),
    ),
    alternatives=(
        lambda: _columns([0, 1, 0, 0], [0, 0, 4, 4]),
        lambda: _columns([0, -2, 0, 0], [0, 0, -2, -3]),
        lambda: _columns([4, 4, 4, 4], [0, 0, 1, 1]),
        lambda: _columns([0, 2, 0, 0], [-1, -1, 1, 1]),
        lambda: tuple(one.numpy() for one in _columns([0, 10, 0, 0], [0, 0, 1, 1])),
        lambda: ([[0], [4], [0], [0]], [[0], [0], [1], [1]]),
        lambda: (4 * torch.eye(4)[:, [1, 1]], 2 * torch.eye(4)[:, [2, 3]]),
    ),
    hints=(
        "Who asks here, and who should answer in the first sentence? And in the second?",
        "Row 1 of w_q is the query of bank; rows 2 and 3 of w_k are the keys of river and loan. "
        "A query times a key is the score, and what does not answer has the key 0.",
        "w_q[1] = ...; w_k[2] = w_k[3] = 1. With a score of 1 there is still .85 of the other "
        "thing, and with a score of 3 still .18.",
    ),
    minutes=4,
    stars=2,
)
