"""Exercise `scores_for`: scores whose softmax is `weights`."""

import math

import numpy as np
import torch

from course_lib.chapters.queries_keys_values.two_matrices import numbers
from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn


def scores_for(weights):
    """Scores whose softmax is `weights`.

    weights: (s,), all above 0, adding up to 1   returns: (s,)
    """
    # SOLUTION
    return torch.log(weights)
    # END SOLUTION


EXAMPLE = np.array([0.5, 0.3, 0.2])

WRONG_COUNT = "Return as many scores as there are weights, one number each."

THE_WEIGHTS_THEMSELVES = (
    "These are the weights themselves. Their softmax is flatter than they are: softmax takes exp "
    "of each, and that has to be undone."
)

LIKE_THE_WEIGHTS = (
    "Your scores lie as far apart as the weights do, and softmax sees nothing but these distances: "
    "it flattens them. What undoes exp?"
)

TIMES_A_NUMBER = (
    "Your scores are the weights times one number. That sharpens or flattens all of them alike; "
    "exp is undone by something that is not a product."
)

UPSIDE_DOWN = "The largest weight gets the smallest score: the sign is turned around."

UPSIDE_DOWN_BY_DIVISION = (
    "1 / w is small where w is large, so the largest weight gets the smallest score. Softmax takes "
    "exp of each score, and that has to be undone."
)

ONE_ADDED = "torch.log1p(w) is the logarithm of 1 + w. What undoes exp is the logarithm of w alone."

ONLY_THE_EXAMPLE = (
    "These are scores for the weights .5, .3 and .2 of the example, whatever was asked. Compute "
    "them from the weights that are given."
)

OTHER_BASE = (
    "That is a logarithm to another base. Softmax raises e to the power of a score, so it takes "
    "the natural logarithm, torch.log."
)

AGAINST_THE_REST = (
    "log(w / (1 - w)) undoes the sigmoid, which knows two outcomes. Softmax divides all by one and "
    "the same sum, and what divides all alike need not be undone."
)

EXP_AGAIN = "Softmax takes exp already. What undoes it?"

SOFTMAX_AGAIN = (
    "You took the softmax of the weights. It is taken later, of your scores, and should then give "
    "the weights: go the other way, from weights to scores."
)


def _gives_these_weights(got, want, case) -> bool | str:
    scores, weights = numbers(got["output"]), case.args[0].double().numpy()
    if (
        scores is not None
        and scores.shape == (3,)
        and not _same_up_to_a_constant(np.log(weights[:3]), np.log(EXAMPLE))
        and _same_up_to_a_constant(scores, np.log(EXAMPLE))
    ):
        return ONLY_THE_EXAMPLE
    if scores is None or scores.shape != weights.shape:
        return WRONG_COUNT
    if not np.isfinite(scores).all():
        return "A score is not finite. All of these weights are above 0, so finite scores will do."
    raised = np.exp(scores - scores.max())
    if np.abs(raised / raised.sum() - weights).max() < 1e-5:
        return True
    return _why_not(scores, weights)


def _same_up_to_a_constant(scores, other) -> bool:
    """Whether two rows of scores have the same softmax."""
    return bool(np.ptp(scores - other) < 1e-4)


def _why_not(scores, weights) -> str:
    """The sentence for finite scores that make other weights."""
    if np.abs(scores - weights).max() < 1e-6:
        return THE_WEIGHTS_THEMSELVES
    for sentence, other in (
        (LIKE_THE_WEIGHTS, weights),
        (UPSIDE_DOWN, -np.log(weights)),
        (UPSIDE_DOWN, -weights),
        (UPSIDE_DOWN_BY_DIVISION, 1 / weights),
        (OTHER_BASE, np.log2(weights)),
        (OTHER_BASE, np.log10(weights)),
        (ONE_ADDED, np.log1p(weights)),
        (AGAINST_THE_REST, np.log(weights / (1 - weights))),
        (EXP_AGAIN, np.exp(weights)),
        (SOFTMAX_AGAIN, np.exp(weights) / np.exp(weights).sum()),
    ):
        if _same_up_to_a_constant(scores, other):
            return sentence
    if np.ptp(scores / weights) < 1e-5 * np.abs(scores / weights).max():
        return TIMES_A_NUMBER
    return "The softmax of your scores does not give these weights."


def _softmax_of_yours(got, case):
    """The weights that the scores make, below the ones that were asked for."""
    scores, weights = numbers(got["output"]), case.args[0].double().numpy()
    if scores.shape != weights.shape:
        raise ValueError("other shapes make other weights")
    raised = np.exp(scores - scores.max())
    return Caused("Weights", weights), Caused("Softmax of yours", raised / raised.sum())


SCORES_FOR = Exercise(
    answer=scores_for,
    cases=(
        lambda rng: inputs(torch.tensor([0.5, 0.3, 0.2])),
        lambda rng: inputs(torch.tensor([0.01, 0.9, 0.05, 0.04])),
        lambda rng: inputs(torch.softmax(drawn(rng, 7), dim=0)),
        lambda rng: inputs(torch.tensor([0.1, 0.25, 0.65])),  # as many as in the example
    ),
    accept=_gives_these_weights,
    open_answer=True,
    effect=_softmax_of_yours,
    mistakes=(
        Mistake(THE_WEIGHTS_THEMSELVES, lambda weights: weights.clone()),
        Mistake(
            LIKE_THE_WEIGHTS,
            lambda weights: weights - weights.max(),
            also=(lambda weights: weights.log_softmax(dim=0),),
        ),
        Mistake(
            TIMES_A_NUMBER,
            lambda weights: 10 * weights,
            also=(lambda weights: weights / weights.max(),),
        ),
        Mistake(
            UPSIDE_DOWN,
            lambda weights: -torch.log(weights),
            also=(lambda weights: -weights, lambda weights: torch.log(1 / weights)),
        ),
        Mistake(UPSIDE_DOWN_BY_DIVISION, lambda weights: 1 / weights),
        Mistake(ONE_ADDED, lambda weights: torch.log1p(weights)),
        Mistake(ONLY_THE_EXAMPLE, lambda weights: torch.tensor([0.9163, 0.4055, 0.0])),
        Mistake(OTHER_BASE, lambda weights: torch.log2(weights)),
        Mistake(AGAINST_THE_REST, lambda weights: torch.logit(weights)),
        Mistake(EXP_AGAIN, lambda weights: torch.exp(weights)),
        Mistake(SOFTMAX_AGAIN, lambda weights: torch.softmax(weights, dim=-1)),
        Mistake(
            WRONG_COUNT,
            lambda weights: torch.log(weights[:-1]),
            also=(lambda weights: weights.log()[None],),
        ),
    ),
    refused=(
        Refused(lambda weights: weights**2, "does not give these weights"),
        Refused(lambda weights: torch.zeros_like(weights), "does not give these weights"),
    ),
    alternatives=(
        lambda weights: torch.log(weights) + 100,
        lambda weights: [math.log(float(w) / float(weights[0])) for w in weights],
        lambda weights: np.log(weights.numpy()),
        lambda weights: torch.log(weights / weights.max()),
        lambda weights: np.log(weights / weights[-1]),
        lambda weights: weights.log().double(),
    ),
    hints=(
        "Softmax takes exp of each score and divides by the sum. Suppose the sum were 1: which "
        "score has exp equal to .5?",
        "The logarithm undoes exp. And adding one number to all scores changes nothing.",
        "return torch....(weights)",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
