"""Exercise `query_of_is`: the query with which *is* finds a word whose key is zero."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import numbers
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs

KEYS = np.array([[2.0, 0], [0, 0], [1, 1]])  # of māo, zài and shuìjiào, as the chapter has them
ZAI, ENOUGH = 1, 0.8


def query_of_is():
    """The query of the English word is, with which zài gets a weight of .8 or more.

    The keys are māo [2, 0], zài [0, 0], shuìjiào [1, 1].

    returns: two numbers (a thing, an action)
    """
    # SOLUTION
    # zài scores 0 whatever is asked, so the two others have to score far below 0.
    return torch.tensor([-2.0, -2.0])
    # STUB
    # return ...  # two numbers: how much of a thing, how much of an action
    # END SOLUTION


WRONG_COUNT = "Return two numbers, one for a thing and one for an action, like a row of w_k."

NOT_FINITE = "A number is not finite. Numbers as small as -10 do what you want."

FINDS_OTHERS = (
    "A score of zài is 0 whatever you ask, for its key is [0, 0]. Your query gives another word a "
    "score above 0, so that one gets more. Where do the scores of the others have to go?"
)

ALL_LEVEL = (
    "With this query all three score 0, and each gets a third. That is the query of a word that "
    "asks for nothing."
)

SLEEPING_STAYS = (
    "māo is gone, but shuìjiào still scores as high as zài or nearly so. Its key has a 1 in both "
    "places: the two numbers of your query count for it together."
)

MAO_STAYS = (
    "shuìjiào is gone, but māo still scores as high as zài or nearly so. Its key is [2, 0], so "
    "only the first number of your query reaches it."
)

TOO_WEAK = (
    "The direction is right, for zài gets the most. But it gets less than .8: how far below 0 are "
    "the other scores, once they are divided by the root of 2?"
)


def _weights(query: np.ndarray) -> np.ndarray:
    scores = KEYS @ query / math.sqrt(2)
    raised = np.exp(scores - scores.max())
    return raised / raised.sum()


def _finds_zai(got, want, case) -> bool | str:
    query = numbers(got["output"])
    if query is None or query.shape != (2,):
        return WRONG_COUNT
    if not np.isfinite(query).all():
        return NOT_FINITE
    weights, scores = _weights(query), KEYS @ query
    if weights[ZAI] >= ENOUGH:
        return True
    if np.ptp(scores) < 1e-9:
        return ALL_LEVEL
    if scores.max() > 1e-9:
        return FINDS_OTHERS
    stays = weights > weights[ZAI] / 2
    if stays[0] and not stays[2]:
        return MAO_STAYS
    if stays[2] and not stays[0]:
        return SLEEPING_STAYS
    return TOO_WEAK


def _weights_that_follow(got, case):
    """What the three Chinese words get with this query."""
    query = numbers(got["output"])
    if query is None or query.shape != (2,):
        raise ValueError("another count of numbers makes no weights")
    asked = "the weight of zài, in the middle, .8 or more"
    return (Caused("Weights of māo, zài, shuìjiào", _weights(query), asked),)


QUERY_OF_IS = Exercise(
    answer=query_of_is,
    cases=(lambda rng: inputs(),),
    accept=_finds_zai,
    open_answer=True,
    effect=_weights_that_follow,
    mistakes=(
        Mistake(
            FINDS_OTHERS,
            lambda: torch.tensor([4.0, 4.0]),
            also=(lambda: torch.tensor([4.0, -4.0]), lambda: torch.tensor([-4.0, 6.0])),
        ),
        Mistake(ALL_LEVEL, lambda: torch.zeros(2)),
        Mistake(MAO_STAYS, lambda: torch.tensor([0.0, -4.0])),
        Mistake(SLEEPING_STAYS, lambda: torch.tensor([-4.0, 4.0])),
        Mistake(TOO_WEAK, lambda: torch.tensor([-0.5, -0.5])),
        Mistake(
            WRONG_COUNT,
            lambda: torch.tensor([-2.0, -2.0, -2.0]),
            also=(lambda: torch.tensor([[-2.0, -2.0]]),),
        ),
    ),
    refused=(
        Refused(lambda: torch.tensor([-torch.inf, -torch.inf]), "not finite"),
        Refused(lambda: torch.tensor([-2.0, torch.nan]), "not finite"),
    ),
    alternatives=(
        lambda: torch.tensor([-6.0, 0.0]),
        lambda: [-3, -1],
        lambda: np.array([-2.0, -2.0]),
        lambda: (-10.0, 5.0),
        lambda: torch.tensor([-2, -2]),
    ),
    hints=(
        "What does zài score, whatever you ask? And what do the other two have to score, so that "
        "this is the largest by far?",
        "The scores are 2a for māo, 0 for zài and a + b for shuìjiào, all divided by √2. Which "
        "numbers a and b bring the first and the last below 0?",
        "Both may be negative, and of one size. With [-1, -1], zài gets .67; go further.",
    ),
    minutes=3,
    stars=1,
    depth=True,
)
