"""Exercise `one_way`: matrices with which the cat looks at the dog, and the dog looks away."""

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import two_matrices
from course_lib.judging.exercise import Caused, Exercise, Mistake, inputs
from course_lib.judging.tensors import floats


def one_way(cat, dog):
    """Matrices with which the cat looks at the dog, and not the other way round.

    cat: (2,), it is [2, 1]   dog: (2,), it is [1, 2]   returns: w_q (2, 2), w_k (2, 2)
    """
    # SOLUTION
    w_q = torch.eye(2)
    w_k = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
    return w_q, w_k
    # STUB
    # return ..., ...  # w_q, w_k
    # END SOLUTION


SHAPE_2_2 = "Each matrix needs 2 rows and 2 columns. Yours have another shape."

SAME_BOTH_WAYS = (
    "Both scores are the same number. That is always so where w_q @ w_k.T is its own transpose, as "
    "with w_q equal to w_k. Give the key another turn than the query."
)

TURNED_AROUND = (
    "It is the dog that looks at the cat, and the cat that looks away. What decides who asks and "
    "who is asked?"
)

BOTH_LOOK = (
    "The two look at each other: both scores are above 0. The dog's query has to point away from "
    "the cat's key, so that their score is below 0."
)

BOTH_LOOK_AWAY = "Both look away: neither score is above 0. The cat's should be 1 or more."

NOT_YET_ONE_WAY = (
    "The two scores differ, and are not yet 1 or more for the cat's question and -1 or less for "
    "the dog's."
)

TOO_SMALL = (
    "The cat looks at the dog and the dog looks away, and a score is too close to 0. Asked for are "
    "1 or more and -1 or less: make the entries larger."
)


def _looks_one_way(got, want, case) -> bool | str:
    both = two_matrices(got["output"], "w_q", "w_k")
    if isinstance(both, str):
        return both
    w_q, w_k = both
    if w_q.shape != (2, 2) or w_k.shape != (2, 2):
        return SHAPE_2_2
    cat, dog = (one.double().numpy() for one in case.args)
    there, back = cat @ w_q @ (dog @ w_k), dog @ w_q @ (cat @ w_k)
    if there >= 1 - 1e-6 and back <= -1 + 1e-6:
        return True
    if abs(there - back) < 1e-6:
        return SAME_BOTH_WAYS
    return _why_not_yet(there, back)


def _why_not_yet(there: float, back: float) -> str:
    """The sentence for two scores that differ."""
    if back > 1e-9 and there < -1e-9:
        return TURNED_AROUND
    if min(there, back) > 1e-9:
        return BOTH_LOOK
    if max(there, back) < -1e-9:
        return BOTH_LOOK_AWAY
    return TOO_SMALL if there > 1e-9 and back < -1e-9 else NOT_YET_ONE_WAY


def _both_scores(got, case):
    """What the cat scores the dog, and the dog the cat."""
    w_q, w_k = two_matrices(got["output"], "w_q", "w_k")
    cat, dog = (one.double().numpy() for one in case.args)
    return (
        Caused("The cat's score for the dog", cat @ w_q @ (dog @ w_k), "1 or more"),
        Caused("The dog's score for the cat", dog @ w_q @ (cat @ w_k), "-1 or less"),
    )


ONE_WAY = Exercise(
    answer=one_way,
    cases=(lambda rng: inputs(floats(2, 1), floats(1, 2)),),
    accept=_looks_one_way,
    open_answer=True,
    effect=_both_scores,
    mistakes=(
        Mistake(
            SAME_BOTH_WAYS,
            lambda cat, dog: (torch.eye(2), torch.eye(2)),
            also=(
                lambda cat, dog: (torch.eye(2), -torch.eye(2)),
                lambda cat, dog: (torch.eye(2), torch.eye(2).flip(0)),
            ),
        ),
        Mistake(TURNED_AROUND, lambda cat, dog: one_way(cat, dog)[::-1]),
        Mistake(
            NOT_YET_ONE_WAY,
            lambda cat, dog: (torch.eye(2), torch.tensor([[1.0, -1.0], [0.0, 1.0]])),
        ),
        Mistake(
            TOO_SMALL,
            lambda cat, dog: (torch.eye(2) / 10, torch.tensor([[0.0, -1.0], [1.0, 0.0]])),
        ),
        Mistake(
            BOTH_LOOK,
            lambda cat, dog: (torch.outer(cat, cat), torch.outer(dog, dog)),
            also=(lambda cat, dog: (torch.eye(2), torch.tensor([[1.0, 0.0], [1.0, 1.0]])),),
        ),
        Mistake(BOTH_LOOK_AWAY, lambda cat, dog: (-torch.outer(cat, cat), torch.outer(dog, dog))),
        Mistake(
            SHAPE_2_2,
            lambda cat, dog: (torch.ones(2), torch.ones(2)),
            also=(lambda cat, dog: torch.eye(2),),
        ),
    ),
    alternatives=(
        lambda cat, dog: ([[0, 1], [-1, 0]], [[1, 0], [0, 1]]),
        lambda cat, dog: (np.array([[1, 0], [-1, 0]]), np.array([[1, 0], [1, 0]])),
        lambda cat, dog: (torch.eye(2) * 2, torch.tensor([[0.5, -1.0], [1.0, -0.5]])),
    ),
    hints=(
        "The score is cat @ w_q @ w_k.T @ dog. Which single matrix stands between the two words, "
        "and what should change when the words change places?",
        "Let w_q be torch.eye(2), so the query is the word itself. Now choose keys: the key of the "
        "dog less than a right angle from the cat, and the key of the cat more than a right angle "
        "from the dog. A quarter turn of both words does it. To which side?",
        "w_q = torch.eye(2); w_k[0, 1] = ...; w_k[1, 0] = ...; the two others are 0",
    ),
    minutes=9,
    stars=2,
    depth=True,
)
