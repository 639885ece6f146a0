"""Exercise `lead_for_weight`: how far ahead a score must be for its key to get a given weight."""

import math

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs


def lead_for_weight(weight):
    """How far the first of two scores must be ahead for its key to get this weight.

    weight: between 0 and 1, without the ends   returns: the lead; below 0, if it must be behind
    """
    # SOLUTION
    return np.log(weight / (1 - weight))
    # STUB
    # return ...  # your code here
    # END SOLUTION


def _by_halving(weight):
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        if 1 / (1 + math.exp(-middle)) < weight:
            low = middle
        else:
            high = middle
    return low


LEAD_FOR_WEIGHT = Exercise(
    answer=lead_for_weight,
    cases=(
        lambda rng: inputs(0.9),
        lambda rng: inputs(0.99),
        lambda rng: inputs(0.6),
        lambda rng: inputs(0.2),
        lambda rng: inputs(0.9999),
        lambda rng: inputs(0.75),
    ),
    properties=(
        Property(
            "A key that gets less than .5 has a score that is behind.",
            lambda got, case: case.args[0] >= 0.5 or np.all(np.asarray(got["output"]) < 0),
        ),
    ),
    mistakes=(
        Mistake(
            "This is the logarithm of the weight alone. e to the power of the lead tells how many "
            "times as much the first key gets as the second, and the second gets 1 - weight.",
            lambda w: np.log(w),
            also=(lambda w: -np.log(w), lambda w: np.log(1 / w)),
        ),
        Mistake(
            "This is how many times as much weight the first key gets. The lead is how many steps "
            "of e make that: its logarithm.",
            lambda w: w / (1 - w),
        ),
        Mistake(
            "The sign is turned: this is how far the second score is ahead.",
            lambda w: np.log((1 - w) / w),
            also=(lambda w: np.log(1 - w) - np.log(w),),
        ),
        Mistake(
            "np.log10 counts steps of 10. A step of the lead multiplies by e: np.log.",
            lambda w: np.log10(w / (1 - w)),
        ),
        Mistake(
            "np.log2 counts doublings. A step of the lead multiplies by e: np.log.",
            lambda w: np.log2(w / (1 - w)),
        ),
        Mistake(
            "You compared with all of the weight, which is 1. What counts is what the second key "
            "gets: 1 - weight.",
            lambda w: np.log(1 / (1 - w)),
            also=(lambda w: np.log(1 - w),),
        ),
        Mistake(
            "np.exp goes from a lead to a ratio of weights. Here the weights are given: the way "
            "back is np.log.",
            lambda w: np.exp(w / (1 - w)),
            also=(lambda w: np.exp(w), lambda w: np.exp(w) / np.exp(1 - w)),
        ),
        Mistake(
            "This is the weight that a lead gives. Asked for is the lead that gives the weight.",
            lambda w: 1 / (1 + np.exp(-w)),
            also=(lambda w: np.exp(w) / (np.exp(w) + 1),),
        ),
        Mistake(
            "This is the difference of the two weights. A lead is a difference of scores, and it "
            "decides how many times as large the weight is.",
            lambda w: w - (1 - w),
        ),
        Mistake(
            "The logarithm of a quotient is a difference: np.log(a / b) is np.log(a) - np.log(b). "
            "Here the two were divided.",
            lambda w: np.log(w) / np.log(1 - w),
        ),
        Mistake(
            "Brackets are missing: weight / 1 - weight is read as (weight / 1) - weight, which is "
            "0 for every weight.",
            lambda w: w / 1 - w,
            also=(lambda w: np.full(np.shape(w), -np.inf),),
        ),
        Mistake(
            "The weights were multiplied. How many times as large one is as the other, a division "
            "tells.",
            lambda w: np.log(w * (1 - w)),
        ),
        Mistake(
            "4.6 belongs to a weight of .99, whatever the weight is.",
            lambda w: np.log(99),
            also=(lambda w: 4.6,),
        ),
        Mistake(
            "You rounded the result, and digits are missing. Round when you print.",
            lambda w: np.round(np.log(w / (1 - w)), 1),
            also=(lambda w: np.round(np.log(w / (1 - w)), 2),),
        ),
    ),
    alternatives=(
        lambda w: math.log(w) - math.log1p(-w),
        lambda w: -np.log(1 / w - 1),
        lambda w: 2 * np.arctanh(2 * w - 1),
        _by_halving,
    ),
    refused=(
        Refused(lambda w: np.log(w / (1 - w)) + 1, "another result"),
        Refused(lambda w: np.array([np.log(w / (1 - w))]), "The numbers are right"),
    ),
    hints=(
        "If the first key gets .9, what does the second get? How many times as much is .9?",
        ".9 is 9 times .1, and each step of the lead multiplies by e. How many steps make 9? That "
        "is np.log(9), about 2.2.",
        "return np.log(weight / (...))",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
