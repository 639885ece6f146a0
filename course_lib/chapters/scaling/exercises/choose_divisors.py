"""Exercise `choose_divisors`: what to divide by, where the root of the width alone may be wrong."""

import math

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.observe import by_name


def choose_divisors(d):
    """What three people should divide their scores by, so that they spread by 1 (twins: mean 1).

    d: the width, even   returns: loud, half_empty, twins
    """
    # SOLUTION
    loud = 9 * np.sqrt(d)
    half_empty = np.sqrt(d / 2)
    twins = d
    return loud, half_empty, twins
    # STUB
    # loud = ...
    # half_empty = ...
    # twins = ...
    # return (loud, half_empty, twins)
    # END SOLUTION


SITUATIONS = ("loud", "half_empty", "twins")


def _instead(place, value):
    """The right divisors with one of them replaced by value(d)."""

    def answer(d):
        answers = list(choose_divisors(d))
        answers[place] = value(d)
        return tuple(answers)

    return answer


def _from_variances(d):
    return [math.sqrt(d * 3**2 * 3**2), math.sqrt(d // 2 * 1), float(d)]


CHOOSE_DIVISORS = Exercise(
    answer=choose_divisors,
    cases=(
        lambda rng: inputs(16),
        lambda rng: inputs(64),
        lambda rng: inputs(6),
        lambda rng: inputs(162),
    ),
    observe=by_name(SITUATIONS, one_more="fourth answer"),
    parts=SITUATIONS,
    properties=(
        Property(
            "There are three divisors, in the order of the docstring.",
            lambda got, case: list(got) == list(SITUATIONS),
        ),
    ),
    mistakes=(
        Mistake(
            "loud: you divide as for strangers. A product of two numbers that are three times as "
            "large is nine times as large.",
            _instead(0, lambda d: np.sqrt(d)),
        ),
        Mistake(
            "loud: you counted the 3 once. It stands in the query and in the key, so each product "
            "is 3 · 3 times as large.",
            _instead(0, lambda d: 3 * np.sqrt(d)),
            also=(_instead(0, lambda d: np.sqrt(9 * d)),),
        ),
        Mistake(
            "loud: 3 + 3 is 6, but query and key are multiplied: 3 · 3.",
            _instead(0, lambda d: 6 * np.sqrt(d)),
        ),
        Mistake(
            "loud: 81 is what happens to the mean of the squares. The spread is its root: 9 times "
            "as large.",
            _instead(0, lambda d: 81 * np.sqrt(d)),
            also=(_instead(0, lambda d: 81 * d),),
        ),
        Mistake(
            "loud: the 9 is right, but it belongs before the root of the width, not before the "
            "width.",
            _instead(0, lambda d: 9 * d),
        ),
        Mistake(
            "half_empty: a product with 0 adds nothing to the score. How many products are left?",
            _instead(1, lambda d: np.sqrt(d)),
        ),
        Mistake(
            "half_empty: half as many products halve the variance. You halved the spread.",
            _instead(1, lambda d: np.sqrt(d) / 2),
            also=(_instead(1, lambda d: np.sqrt(d / 4)),),
        ),
        Mistake(
            "half_empty: d / 2 is how many products are added up. The spread is the root of that.",
            _instead(1, lambda d: d / 2),
        ),
        Mistake(
            "half_empty: twice the width counts more products, where half of them are gone.",
            _instead(1, lambda d: np.sqrt(2 * d)),
        ),
        Mistake(
            "twins: no product is negative, so nothing cancels, and the score grows like the width "
            "itself. The root is too little.",
            _instead(2, lambda d: np.sqrt(d)),
        ),
        Mistake(
            "twins: each product is a square, and the mean of the squares is 1. So d of them make "
            "about d.",
            _instead(2, lambda d: d**2),
            also=(_instead(2, lambda d: 2 * d),),
        ),
        Mistake(
            "twins: the root of 2d is how far their scores spread. Asked is the divisor that makes "
            "their mean 1.",
            _instead(2, lambda d: np.sqrt(2 * d)),
        ),
        Mistake(
            "You chose the root for all three. It is right for strangers only.",
            lambda d: (np.sqrt(d),) * 3,
        ),
        Mistake(
            "You gave what to multiply by. The exercise asks what to divide by: one over that.",
            lambda d: tuple(1 / np.array(choose_divisors(d), dtype=float)),
        ),
        Mistake(
            "You gave the variances. The spread is the root of the variance.",
            lambda d: (81 * d, d / 2, d),
            also=(lambda d: (81 * d, d / 2, 2 * d),),
        ),
    ),
    alternatives=(
        _from_variances,
        lambda d: np.array([3 * 3 * d**0.5, (d / 2) ** 0.5, d]),
        lambda d: [
            float(np.sqrt(81 * d)),
            float(np.sqrt(d) / np.sqrt(2)),
            sum(1 for _ in range(d)),
        ],
    ),
    refused=(
        Refused(lambda d: choose_divisors(d)[:2], "There are three divisors"),
        Refused(lambda d: (*choose_divisors(d), 1), "has a fourth answer, which was not asked for"),
        Refused(_instead(1, lambda d: ...), "still returns `...` in one place"),
        Refused(lambda d: 3, "There are three divisors"),
    ),
    hints=(
        "For each: how large is one product, usually? How many are added up? Do they cancel?",
        "Loud, d = 16: each product is 9 times as large, so the sum spreads by 9 · 4 = 36. Do the "
        "same for the half-empty: how many products are left? For the twins: can squares cancel?",
        "d = 16. Half-empty: 8 products are left, so the root of 8. A twin adds 16 squares of "
        "about 1, and none of them is negative.",
    ),
    reward=(
        "So count the products. A sum of products that cancel grows like the root of their number, "
        "and one of products that do not grows like the number itself."
    ),
    minutes=5,
    stars=2,
    depth=True,
)
