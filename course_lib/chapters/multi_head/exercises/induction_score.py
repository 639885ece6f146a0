"""Exercise `induction_score`: how much a head looks at what followed the last time."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import counted


def induction_score(weights, period):
    """The mean weight on what followed when the letter was there the last time.

    weights: (t, t), of a text that repeats itself every `period` places   returns: a number
    """
    # SOLUTION
    i = torch.arange(period, len(weights))
    return weights[i, i - period + 1].mean()
    # END SOLUTION


def _mean_at(shift, start=lambda period: period):
    """The mean weight at j = i - shift(period), from a row on."""

    def wrong(weights, period):
        i = torch.arange(max(start(period), shift(period)), len(weights))
        return weights[i, i - shift(period)].mean()

    return wrong


def _pattern(t, period, rng, share, shift):
    """Causal weights, of which `share` stands at j = i - shift, where there is such a place."""
    noise = torch.tensor(rng.random((t, t)), dtype=torch.float64).tril()
    weights = (1 - share) * noise / noise.sum(dim=1, keepdim=True)
    for i in range(t):
        weights[i, max(i - shift, 0)] += share
    return weights


def _score_case(t, period, share, shift):
    return lambda rng: inputs(_pattern(t, period, rng, share, shift), period)


INDUCTION_SCORE = Exercise(
    answer=induction_score,
    cases=(
        _score_case(6, 3, 0.9, 2),
        _score_case(11, 5, 0.8, 4),
        _score_case(11, 3, 0.3, 1),
        _score_case(13, 7, 0.0, 1),
        _score_case(10, 5, 0.6, 5),
        _score_case(11, 5, 0.4, 4),
        lambda rng: inputs(counted(7, 7), 3),
        _score_case(6, 3, 0.9, 2),
    ),
    mistakes=(
        Mistake(
            "You looked at the same letter, one period back. An induction head looks one place "
            "further, at what followed it: i - period + 1.",
            _mean_at(lambda period: period),
            also=(lambda weights, period: weights.diagonal(-period).mean(),),
        ),
        Mistake(
            "You looked at the place before. That finds previous-token heads.",
            _mean_at(lambda period: 1),
            also=(lambda weights, period: weights.diagonal(-1)[period - 1 :].mean(),),
        ),
        Mistake(
            "You looked at the place before, in all rows. An induction head looks at what followed "
            "the last time: i - period + 1.",
            lambda weights, period: weights.diagonal(-1).mean(),
        ),
        Mistake(
            "All rows count, also those of the first period. There i - period + 1 is below 0, "
            "where Python counts from the end of the row.",
            lambda weights, period: torch.stack(
                [weights[i, i - period + 1] for i in range(len(weights))]
            ).mean(),
        ),
        Mistake(
            "You began one row too late. The letter at place period has come before: start at "
            "i = period.",
            _mean_at(lambda period: period - 1, start=lambda period: period + 1),
        ),
        Mistake(
            "The last row is left out. It belongs to the mean.",
            lambda weights, period: weights.diagonal(1 - period)[1:-1].mean(),
        ),
        Mistake(
            "This is one row, the last. The mean goes over all rows from the second period on.",
            lambda weights, period: weights[-1, -period],
        ),
        Mistake(
            "You looked one place too far back: i - period - 1. What followed stands after the "
            "last time, not before it.",
            _mean_at(lambda period: period + 1),
        ),
        Mistake(
            "The first period counts, too. There nothing has come twice yet, so no head can look "
            "back: start at i = period.",
            _mean_at(lambda period: period - 1, start=lambda period: period - 1),
            also=(lambda weights, period: weights.diagonal(1 - period).mean(),),
        ),
        Mistake(
            "You divided by the number of all places. The mean goes over the places from the "
            "second period on.",
            lambda weights, period: (
                induction_score(weights, period) * (len(weights) - period) / len(weights)
            ),
        ),
        Mistake(
            "Rows and columns are exchanged: the rows of weights are queries.",
            lambda weights, period: induction_score(weights.mT, period),
        ),
        Mistake(
            "You took the sum. A score from 0 to 1 is a mean.",
            lambda weights, period: induction_score(weights, period) * (len(weights) - period),
        ),
        Mistake(
            "You took the largest weight. One lucky place does not make an induction head; take "
            "the mean.",
            lambda weights, period: torch.stack(
                [weights[i, i - period + 1] for i in range(period, len(weights))]
            ).max(),
        ),
        Mistake(
            "You counted how often that place has the largest weight of its row. Asked for is the "
            "mean of the weights themselves.",
            lambda weights, period: (
                (weights.argmax(dim=1) == torch.arange(len(weights)) - period + 1)[period:]
                .double()
                .mean()
            ),
        ),
    ),
    refused=(Refused(lambda weights, period: weights.diagonal(1 - period)[1:], "single number"),),
    alternatives=(
        lambda weights, period: weights.diagonal(1 - period)[1:].mean(),
        lambda weights, period: (
            sum(float(weights[i, i - period + 1]) for i in range(period, len(weights)))
            / (len(weights) - period)
        ),
        lambda weights, period: np.diagonal(weights.numpy(), 1 - period)[1:].mean(),
        lambda weights, period: (
            weights[period:].gather(1, torch.arange(1, len(weights) - period + 1)[:, None]).mean()
        ),
        lambda weights, period: weights.numpy().diagonal(1 - period)[1:].mean(),
        lambda weights, period: torch.stack(
            [weights[i, i - period + 1] for i in range(period, len(weights))]
        ).mean(),
    ),
    hints=(
        "The text repeats every `period` places. You stand at i; your letter was last at "
        "i - period. Where stands what followed it?",
        "The weight is weights[i, i - period + 1], for every i from period on. torch.arange makes "
        "all these i at once.",
        "i = torch.arange(..., len(weights)); return weights[i, ...].mean()",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
