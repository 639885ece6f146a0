"""Exercise `row_of_is`: one row of attention by hand, from its scores to the output."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import numbers
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs

ROUNDED = np.array([0.006, 0.006, 0.006, 0.03])  # what two digits of each may be away


def row_of_is():
    """What the word "is" makes of its scores, 2, 0 and 1. Two digits are enough.

    returns: its weights for cat, is and sleeping, and the first number of its output
    """
    # SOLUTION
    weights = torch.softmax(torch.tensor([2.0, 0, 1]) / math.sqrt(2), dim=-1)
    return *weights.tolist(), (weights @ torch.tensor([5.0, 0, 1])).item()
    # STUB
    # return ...  # four numbers: three weights, and the first of the output
    # END SOLUTION


WRONG_COUNT = (
    "Return four numbers: the weights for cat, is and sleeping, and the first number of the output."
)

NO_OUTPUT = (
    "The output is missing. Its first number adds up the first numbers of the three values, each "
    "times its weight. Return it behind the three weights."
)

NOT_FINITE = "One of the four is not a finite number."

WITHOUT_ROOT = (
    "The scores went into the softmax as they are. They are divided by the root of the width "
    "first, and a query has two numbers here."
)

ROOT_OF_KEYS = (
    "You divided by the root of 3. Three is how many keys there are, and the root is that of the "
    "width: how many numbers does a query have?"
)

HALVED = "You divided the scores by the width itself, 2. It is divided by its root."

DOWN_THE_COLUMN = (
    "This is the softmax down the columns of the table: each word that is asked divides itself up "
    "among those that ask. The three weights of is belong to its own row and add up to 1."
)

KEYS_AVERAGED = (
    "The weights are right, but you averaged the first numbers of the keys, 2, 0 and 1. What is "
    "handed over are the values."
)

SECOND_NUMBER = (
    "The weights are right, and this is the second number of the output, that of action. The "
    "first numbers of the values were asked for."
)

OTHER_OUTPUT = (
    "The weights are right, the output is not. Take the first number of each of the three values, "
    "multiply it by the weight of its word, and add up."
)

NOT_DIVIDED = (
    "These are the exponentials, and they are not shares yet. Divide each of them by the sum of "
    "all three."
)

NO_EXPONENTIAL = (
    "You divided the scores by their sum. The softmax takes e to the power of each first, so even "
    "a score of 0 gets a share."
)

ROW_OF_CAT = "These are the weights of cat. The row of is stands below it: its scores are 2, 0, 1."

NO_SHARES = "Three weights add up to 1, and yours do not."

OTHER_WEIGHTS = (
    "The weights are others. Divide the three scores by the root of 2, take e to the power of "
    "each, and divide each of these by their sum."
)


def _near(came: np.ndarray, known) -> bool:
    return bool((np.abs(came - known) <= ROUNDED[: len(came)]).all())


def _as_by_hand(got, want, case) -> bool | str:
    came, right = numbers(got["output"]), numbers(want["output"])
    if came is None or came.shape not in ((3,), (4,)):
        return WRONG_COUNT
    if not np.isfinite(came).all():
        return NOT_FINITE
    weights = came[:3]
    if _near(weights, right[:3]):
        return NO_OUTPUT if len(came) == 3 else _output(came, right)
    for says, wrong in SLIPS:
        if _near(weights, [float(one) for one in wrong()[:3]]):
            return says
    return OTHER_WEIGHTS if abs(weights.sum() - 1) < 0.02 else NO_SHARES


def _output(came: np.ndarray, right: np.ndarray) -> bool | str:
    """What is said of the output, where the weights are right."""
    for answer, says in ((right, True), (_keys(), KEYS_AVERAGED), (_second(), SECOND_NUMBER)):
        if _near(came, [float(one) for one in answer]):
            return says
    return OTHER_OUTPUT


def _four(candidate, case) -> dict:
    """The four numbers, also where the weights come as a list or a tensor of their own."""
    output = candidate(*case.args, **case.kwargs)
    if isinstance(output, list | tuple) and len(output) == 2:
        parts = [numbers(one) for one in output]
        if all(one is not None for one in parts):
            return {"output": np.concatenate([np.ravel(one) for one in parts])}
    return {"output": output}


def _unscaled():
    weights = torch.softmax(torch.tensor([2.0, 0, 1]), dim=-1)
    return *weights, weights @ torch.tensor([5.0, 0, 1])


def _keys():
    weights = torch.softmax(torch.tensor([2.0, 0, 1]) / math.sqrt(2), dim=-1)
    return *weights, weights @ torch.tensor([2.0, 0, 1])


def _second():
    weights = torch.softmax(torch.tensor([2.0, 0, 1]) / math.sqrt(2), dim=-1)
    return *weights, weights @ torch.tensor([1.0, 0, 5])


def _root_of_keys():
    weights = torch.softmax(torch.tensor([2.0, 0, 1]) / math.sqrt(3), dim=-1)
    return *weights, weights @ torch.tensor([5.0, 0, 1])


def _halved():
    weights = torch.softmax(torch.tensor([2.0, 0, 1]) / 2, dim=-1)
    return *weights, weights @ torch.tensor([5.0, 0, 1])


def _down():
    scores = torch.tensor([[0.0, 0, 3], [2, 0, 1], [4, 0, 3]])
    weights = torch.softmax(scores / math.sqrt(2), dim=0)[1]
    return *weights, weights @ torch.tensor([5.0, 0, 1])


def _not_divided():
    raised = torch.exp(torch.tensor([2.0, 0, 1]) / math.sqrt(2))
    return *raised, raised @ torch.tensor([5.0, 0, 1])


def _of_cat():
    weights = torch.softmax(torch.tensor([0.0, 0, 3]) / math.sqrt(2), dim=-1)
    return *weights, weights @ torch.tensor([5.0, 0, 1])


SLIPS = (
    (WITHOUT_ROOT, _unscaled),
    (ROOT_OF_KEYS, _root_of_keys),
    (HALVED, _halved),
    (DOWN_THE_COLUMN, _down),
    (NOT_DIVIDED, _not_divided),
    (NO_EXPONENTIAL, lambda: (2 / 3, 0, 1 / 3, 11 / 3)),
    (ROW_OF_CAT, _of_cat),
)

ROW_OF_IS = Exercise(
    answer=row_of_is,
    cases=(lambda rng: inputs(),),
    observe=_four,
    accept=_as_by_hand,
    open_answer=True,
    mistakes=(
        Mistake(WITHOUT_ROOT, _unscaled, also=(lambda: (0.665, 0.09, 0.245, 3.57),)),
        Mistake(KEYS_AVERAGED, _keys, also=(lambda: (0.58, 0.14, 0.28, 1.44),)),
        Mistake(DOWN_THE_COLUMN, _down),
        Mistake(ROOT_OF_KEYS, _root_of_keys, also=(lambda: ([0.53, 0.17, 0.3], 2.96),)),
        Mistake(HALVED, _halved),
        Mistake(NOT_DIVIDED, _not_divided),
        Mistake(NO_EXPONENTIAL, lambda: (2 / 3, 0, 1 / 3, 11 / 3)),
        Mistake(ROW_OF_CAT, _of_cat),
        Mistake(SECOND_NUMBER, _second),
        Mistake(NO_OUTPUT, lambda: [0.576, 0.14, 0.284]),
    ),
    refused=(
        Refused(lambda: (0.58, 0.14, 0.28, 4.0), "the output is not"),
        Refused(lambda: (0.5, 0.3, 0.2, 2.7), "The weights are others"),
        Refused(lambda: (0.6, 0.3, 0.3, 3.3), "yours do not"),
        Refused(lambda: (0.576, 0.14, math.nan, 3.16), "not a finite number"),
        Refused(lambda: 3.16, "Return four numbers"),
    ),
    alternatives=(
        lambda: [0.58, 0.14, 0.28, 3.18],
        lambda: (0.576, 0.140, 0.284, 3.16),
        lambda: ([0.576, 0.14, 0.284], 3.164),
        lambda: np.array([0.576, 0.14, 0.284, 3.164]),
        lambda: (torch.tensor([0.576, 0.14, 0.284]), torch.tensor(3.164)),
    ),
    hints=(
        "What did the chapter do with the row of cat, step by step? Only the three scores are "
        "different now.",
        "Divided by √2 the scores are 1.41, 0 and .71. Their exponentials are 4.11, 1 and 2.03. "
        "Which part of their sum is each of them?",
        "The weights are .576, ... and ... . The first numbers of the three values are 5, 0 and 1: "
        "how much of each is taken?",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
