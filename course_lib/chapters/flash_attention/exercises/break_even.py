"""Exercise `break_even`: the length at which the core costs what the projections do."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def break_even(m):
    """The length at which the core has as many operations as the four projections.

    m: the width of the model   returns: a number
    """
    # SOLUTION
    return 2 * m
    # END SOLUTION


BREAK_EVEN = Exercise(
    answer=break_even,
    cases=(
        lambda rng: inputs(10),
        lambda rng: inputs(768),
        lambda rng: inputs(4096),
        lambda rng: inputs(7),
        lambda rng: inputs(10),
    ),
    mistakes=(
        Mistake(
            "There are four projections of 2 n m² operations each, so 8 n m², and two products "
            "of 2 n² m in the core. You counted one projection against one product.",
            lambda m: m,
        ),
        Mistake(
            "You counted the feed-forward part as well. Here only the four projections stand on "
            "the other side.",
            lambda m: 6 * m,
        ),
        Mistake(
            "You counted the feed-forward part as well, against one product of the core. Here the "
            "four projections stand on one side, 8 n m², and both products on the other, 4 n² m.",
            lambda m: 12 * m,
        ),
        Mistake(
            "Three projections are counted: those of queries, keys and values. The output has one "
            "as well.",
            lambda m: 1.5 * m,
        ),
        Mistake(
            "It is the other way round: divide what the projections have by what the core has.",
            lambda m: m / 2,
            also=(lambda m: m // 2, lambda m: m / 4, lambda m: m / 8),
        ),
        Mistake(
            "The 4 of the core is left out: it has 4 n² m operations, not n² m.",
            lambda m: 8 * m,
        ),
        Mistake(
            "No root is needed: both sides have a factor n, and dividing by it leaves n itself.",
            lambda m: np.sqrt(2 * m),
        ),
        Mistake(
            "Six projections are counted, or three at twice their operations. There are four, of "
            "2 n m² each.",
            lambda m: 3 * m,
        ),
        Mistake(
            "One too many: at the length where both are level neither has more.",
            lambda m: 2 * m + 1,
        ),
        Mistake(
            "One too few: at 2 m itself both have the same number of operations.",
            lambda m: 2 * m - 1,
        ),
        Mistake(
            "m has gone. Of 8 n m² = 4 n² m one n and one m cancel, and on the left one m stays.",
            lambda m: 2,
            also=(lambda m: 8, lambda m: 4),
        ),
        Mistake(
            "You counted one product in the core. It has two, scores and weighted values: 4 n² m "
            "operations.",
            lambda m: 4 * m,
        ),
        Mistake(
            "Divide both sides by n and by m: one power of m is left.",
            lambda m: 2 * m * m,
            also=(lambda m: 4 * m * m, lambda m: 8 * m * m),
        ),
    ),
    refused=(
        Refused(lambda m: "2 m"),
        Refused(lambda m: m**2),
    ),
    alternatives=(
        lambda m: next(n for n in range(1, 10 * m) if 4 * n * n * m >= 8 * n * m * m),
        lambda m: float(8 * m * m / (4 * m)),
        lambda m: np.float32(m + m),
        lambda m: m * 2.0,
        lambda m: np.array(2 * m),
        lambda m: 8 * m // 4,
    ),
    hints=(
        "How many operations have the four projections, how many the core?",
        "8 n m² and 4 n² m. Set them equal.",
        "return ... * m",
    ),
    minutes=3,
    stars=1,
    depth=True,
)
