"""Exercise `query_factors`: how queries undo the division by the root, and how they do it twice."""

import math

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.observe import by_name


def query_factors(d):
    """By what to multiply the queries before `attention` sees them.

    d: the width of a query   returns: undone, twice
    """
    # SOLUTION
    undone = np.sqrt(d)
    twice = 1 / np.sqrt(d)
    return undone, twice
    # STUB
    # undone = ...  # the scores come out as if nobody had divided them
    # twice = ...  # the scores come out as if divided by the root two times
    # return (undone, twice)
    # END SOLUTION


FACTORS = ("undone", "twice")

QUERY_FACTORS = Exercise(
    answer=query_factors,
    cases=(
        lambda rng: inputs(16),
        lambda rng: inputs(64),
        lambda rng: inputs(7),
        lambda rng: inputs(144),
    ),
    observe=by_name(FACTORS, one_more="third answer"),
    parts=FACTORS,
    properties=(
        Property(
            "There are two factors, in the order of the docstring.",
            lambda got, case: list(got) == list(FACTORS),
        ),
    ),
    mistakes=(
        Mistake(
            "The two are exchanged. A longer query has larger scores, and to divide again it must "
            "be shorter.",
            lambda d: (1 / np.sqrt(d), np.sqrt(d)),
        ),
        Mistake(
            "undone: times d is too much. Your lines divide by the root of d, so the root brings "
            "all back.",
            lambda d: (d, 1 / np.sqrt(d)),
        ),
        Mistake(
            "twice: 1/d divides by the root two times more, three times in all. Your lines do it "
            "once already.",
            lambda d: (np.sqrt(d), 1 / d),
        ),
        Mistake(
            "undone: with 1 the queries stay as they are, and your lines still divide.",
            lambda d: (1.0, 1 / np.sqrt(d)),
        ),
        Mistake(
            "twice: that is what you would divide by. The queries are multiplied: one over that.",
            lambda d: (np.sqrt(d), np.sqrt(d)),
        ),
        Mistake(
            "twice: twice here means by the root and once more by the root, not by 2.",
            lambda d: (np.sqrt(d), 1 / 2),
            also=(lambda d: (np.sqrt(d), 2), lambda d: (np.sqrt(d), 1 / (2 * np.sqrt(d)))),
        ),
        Mistake(
            "You used the width where its root is needed, in both. Your lines divide by the root.",
            lambda d: (d, 1 / d),
        ),
        Mistake(
            "undone: the fourth root would be right if queries and keys were both multiplied. Here "
            "only the queries are.",
            lambda d: (d**0.25, 1 / np.sqrt(d)),
            also=(lambda d: (d**0.25, d**-0.25),),
        ),
        Mistake(
            "twice: the fourth root would be right if queries and keys were both multiplied. Here "
            "only the queries are.",
            lambda d: (np.sqrt(d), d**-0.25),
        ),
        Mistake(
            "twice: the fourth root of d makes the scores larger, and to divide again they must "
            "become smaller: one over a root of d. And a fourth root is not enough, because only "
            "the queries are multiplied.",
            lambda d: (np.sqrt(d), d**0.25),
        ),
        Mistake(
            "4 and 1/4 are right for the width 16 only. Let them depend on d.",
            lambda d: (4, 1 / 4),
        ),
    ),
    alternatives=(
        lambda d: [d**0.5, d**-0.5],
        lambda d: np.array([math.sqrt(d), math.sqrt(d) / d]),
        lambda d: (np.float32(math.sqrt(d)), 1 / np.float32(math.sqrt(d))),
    ),
    refused=(
        Refused(lambda d: (np.sqrt(d),), "There are two factors"),
        Refused(lambda d: (*query_factors(d), 1), "has a third answer, which was not asked for"),
        Refused(lambda d: (np.sqrt(d), ...), "still returns `...` in one place"),
        Refused(lambda d: 4, "There are two factors"),
    ),
    hints=(
        "A query that is twice as long has scores that are twice as large. At width 16 your lines "
        "divide them by 4. Which factor makes up for that?",
        "At width 16: the factor 4 undoes the 4. And to divide by 4 once more, which factor?",
        "undone = np.sqrt(d); twice = 1 / ...",
    ),
    reward=(
        "So the root and the length of the queries turn the same knob. A model can turn it by "
        "itself: while it learns, it makes its queries longer."
    ),
    minutes=2,
    stars=1,
    depth=True,
)
