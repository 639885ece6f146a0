"""Exercise `jacobian_times`: the Jacobian of softmax, multiplied by a change of the scores."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import softmax as kernel


def jacobian_times(weights, change):
    """The Jacobian of softmax, multiplied by a change of the scores.

    weights: (s,), the softmax of the scores   change: (s,)   returns: (s,)
    """
    # SOLUTION
    return weights * (change - weights @ change)
    # END SOLUTION


def _by_building_it(weights, change):
    return (np.diag(weights) - np.outer(weights, weights)) @ change


def _by_small_differences(weights, change):
    scores, step = np.log(weights), 1e-6 * change
    return (kernel.softmax(scores + step) - kernel.softmax(scores - step)) / 2e-6


def _jacobian_with_loops(weights, change):
    result = []
    for i, w in enumerate(weights):
        row = [w * ((i == j) - v) for j, v in enumerate(weights)]
        result.append(sum(a * b for a, b in zip(row, change, strict=True)))
    return result


def _into_zeros_like(weights, change):
    out = np.zeros_like(change)
    out[...] = weights * (change - weights @ change)
    return out


JACOBIAN_TIMES = Exercise(
    answer=jacobian_times,
    cases=(
        lambda rng: inputs(np.array([0.5, 0.3, 0.2]), np.array([1.0, 0.0, 0.0])),
        lambda rng: inputs(np.array([0.5, 0.25, 0.25]), np.array([1.0, -2.0, 3.0])),
        lambda rng: inputs(kernel.softmax(rng.normal(size=7)), rng.normal(size=7)),
        lambda rng: inputs(np.array([0.1, 0.2, 0.3, 0.4]), np.array([3, 0, -1, 2])),  # whole
        lambda rng: inputs(kernel.softmax(rng.normal(size=7)), rng.normal(size=7)),
    ),
    properties=(
        Property(
            "The changes of the weights add up to 0: the weights still add up to 1.",
            lambda got, case: bool(abs(np.sum(got["output"])) < 1e-6),
        ),
    ),
    mistakes=(
        Mistake(
            "You used the diagonal alone. A score also takes from all the other weights: subtract "
            "the weighted average of the changes.",
            lambda weights, change: weights * (1 - weights) * change,
        ),
        Mistake(
            "Nothing is taken from the others, so the weights no longer add up to 1. Subtract the "
            "weighted average of the changes first.",
            lambda weights, change: weights * change,
        ),
        Mistake(
            "You subtracted the plain mean of the changes. The average that counts is weighted: "
            "weights @ change.",
            lambda weights, change: weights * (change - change.mean()),
        ),
        Mistake(
            "The sign is turned: a score that rises raises its own weight.",
            lambda weights, change: weights * (weights @ change - change),
        ),
        Mistake(
            "The average is subtracted without the factor in front. It is taken from each key by "
            "its weight: weights * (change - average).",
            lambda weights, change: weights * change - weights @ change,
        ),
        Mistake(
            "You added the average of the changes. What one weight gains, the others lose: "
            "subtract it.",
            lambda weights, change: weights * (change + weights @ change),
        ),
        Mistake(
            "You subtracted the sum of the changes. Subtract their weighted average, "
            "weights @ change.",
            lambda weights, change: weights * (change - change.sum()),
        ),
        Mistake(
            "The factor in front is missing: a key with little weight gains little.",
            lambda weights, change: change - weights @ change,
        ),
        Mistake(
            "You left out the diagonal part, diag(w): only the taking is there, without the gain.",
            lambda weights, change: -weights * (weights @ change),
        ),
        Mistake(
            "You returned the table itself. Multiply it with the change.",
            lambda weights, change: np.diag(weights) - np.outer(weights, weights),
        ),
        Mistake(
            "You added the change to the weights. It is a change of the scores; the question is "
            "how the weights answer.",
            lambda weights, change: weights + change,
        ),
        Mistake(
            "The identity stands where diag(w) should: each gain has its own weight as a factor.",
            lambda weights, change: change - weights * (weights @ change),
        ),
        Mistake(
            "You took softmax once more. What you are given are the weights already.",
            lambda weights, change: kernel.softmax_jacobian(weights) @ change,
        ),
        Mistake(
            "This is what the whole step does. Asked for is the slope: what a tiny part of the "
            "step does, scaled up.",
            lambda weights, change: kernel.softmax(np.log(weights) + change) - weights,
        ),
        Mistake(
            "You subtracted the weights from the change. What is subtracted is one number, the "
            "weighted average of the changes: weights @ change.",
            lambda weights, change: weights * (change - weights),
        ),
        Mistake(
            "The weights count twice in what is taken away, and the plain sum of the changes with "
            "them. It is w_i times the weighted sum: weights * (weights @ change).",
            lambda weights, change: weights * change - weights**2 * change.sum(),
        ),
        Mistake(
            "weights @ weights was subtracted. The average is that of the changes, "
            "weights @ change.",
            lambda weights, change: change * (weights - weights @ weights),
            also=(lambda weights, change: weights * change - change * (weights @ weights),),
        ),
        Mistake(
            "The average is a factor here. It is subtracted from each change.",
            lambda weights, change: weights * change * (1 - weights @ change),
        ),
        Mistake(
            "Only the average of the changes enters. Each change counts by itself, less that "
            "average: weights * (change - average).",
            lambda weights, change: (weights @ change) * (1 - weights),
        ),
        Mistake(
            "Subtract the weighted average from the change, not from 1: weights * (change - "
            "average).",
            lambda weights, change: weights * (1 - weights @ change),
        ),
        Mistake(
            "The weighted changes were averaged once more, with equal parts. Their sum, "
            "weights @ change, is the average.",
            lambda weights, change: weights * (change - (weights * change).mean()),
        ),
        Mistake(
            "This is the table of all products, w_i times change_j. Two multiplications a key are "
            "enough, and one number a key is asked for.",
            lambda weights, change: np.outer(weights, change),
        ),
        Mistake(
            "This is one number, the weighted average of the changes. Each weight answers by "
            "itself: weights * (change - average).",
            lambda weights, change: weights @ change,
        ),
        Mistake(
            "You used the diagonal of the table and left out the rest: w_i (1 - w_i).",
            lambda weights, change: weights * (1 - weights),
        ),
        Mistake(
            "Of whole numbers np.zeros_like makes an array that holds whole numbers only. "
            "np.zeros_like(weights) holds all.",
            _into_zeros_like,
        ),
        Mistake(
            "The factor in front is the change. It is the weight: weights * (change - average).",
            lambda weights, change: change * (change - weights @ change),
        ),
        Mistake(
            "The weights were subtracted from 1 and not multiplied: w_i stands in front of the "
            "whole.",
            lambda weights, change: (1 - weights) * (change - weights @ change),
        ),
        Mistake(
            "The table is not the outer product alone. Subtract that from diag(w).",
            lambda weights, change: np.outer(weights, weights) @ change,
        ),
    ),
    alternatives=(
        _by_building_it,
        _jacobian_with_loops,
        _by_small_differences,
        lambda weights, change: weights * change - weights * np.dot(weights, change),
        lambda weights, change: kernel.softmax_jacobian(np.log(weights)) @ change,
        lambda weights, change: np.float32(weights) * np.float32(change - weights @ change),
    ),
    hints=(
        "Row i of the table: w_i (1 - w_i) at its own place and -w_i w_j elsewhere. Which factor "
        "do all its entries have in common?",
        "Put w_i in front. What is left of row i times change is change_i minus the weighted "
        "average, weights @ change.",
        "return weights * (... - ...)",
    ),
    minutes=6,
    stars=2,
    depth=True,
)
