"""Exercise `read_by_eye`: four answers about a table of weights that has no names."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.observe import by_name
from course_lib.judging.verdict import Sentence, sentence


def read_by_eye():
    """Four answers about the table above; keys and queries count from 0.

    returns: queries_in_rows, looks_at, heard, undecided
    """
    # SOLUTION
    queries_in_rows = False  # each column adds up to 1, and of the rows only the first
    looks_at = 0  # in the column below the 1, .4 is the largest
    heard = 2  # row 2 adds up to 1.2, more than any other
    undecided = 1  # the largest numbers of the columns are .5, .4, .6 and .5
    return queries_in_rows, looks_at, heard, undecided
    # STUB
    # queries_in_rows = ...  # True or False: is each row a query?
    # looks_at = ...  # the key that query 1 looks at most
    # heard = ...  # the key most heard: all queries together give it the most
    # undecided = ...  # the query least sure of its key: its largest weight is the smallest
    # return (queries_in_rows, looks_at, heard, undecided)
    # END SOLUTION


ANSWERS = ("queries_in_rows", "looks_at", "heard", "undecided")
RIGHT = (False, 0, 2, 1)

FOUR = "Return four answers: True or False, then a key, a key and a query, each from 0 to 3."

FROM_1 = "You counted from 1. The numbers at the edge of the table begin with 0."

READ_A_ROW = (
    "queries_in_rows: you took a row for a query. Each query spends exactly 1. Add up two rows, "
    "then two columns: one sum alone may be 1 by chance."
)

ROW_1 = (
    "looks_at: row 1 has its largest number, .6, at 2. But a row is a key here. Query 1 is the "
    "column below the 1. Where is its largest number?"
)

LESS = (
    "looks_at: query 1, the column below the 1, gives {share} to key {key}. It gives more to "
    "another key."
)

LOUDEST = (
    "heard: key 1 gets the largest single weight, .6. From all queries together it gets 1.1, "
    "and another key gets more."
)

NOT_HEARD = "heard: all that key {key} gets is its row, which adds up to {share}. Another has more."

ROW_3 = (
    "undecided: .3 is the largest number of row 3. But a row is a key here. Take the largest "
    "number of each column, and then the smallest of these four."
)

DECIDED = (
    "undecided: query 2 is the most decided, since it gives .6 to one key. Which query's largest "
    "weight is the smallest?"
)

STILL_DECIDED = (
    "undecided: query {query} gives .5 to one key. Another query's largest weight is smaller still."
)

OF_QUERY_1 = {1: ".3", 3: ".2"}
OF_ROWS = {0: "1.0", 3: ".7"}


def _slip(place: int, value: int) -> str | Sentence:
    """What a wrong value in one place is told."""
    if place == 0:
        return READ_A_ROW
    if place == 1:
        return ROW_1 if value == 2 else sentence(LESS, share=OF_QUERY_1[value], key=value)
    if place == 2:
        return LOUDEST if value == 1 else sentence(NOT_HEARD, share=OF_ROWS[value], key=value)
    named = {3: ROW_3, 2: DECIDED}
    return named.get(value) or sentence(STILL_DECIDED, query=value)


def _whole(value: object) -> int | None:
    """A whole number from 0 to 3, or None."""
    if not isinstance(value, bool | int | float | np.bool_ | np.number):
        return None
    return int(value) if value in range(4) else None


def _as_read(got, want, case) -> bool | str | Sentence:
    """Whether all four are right; else what the first wrong one is told."""
    came = [_whole(got.get(name)) for name in ANSWERS]
    if came[1:] == [one + 1 for one in RIGHT[1:]]:
        return FROM_1
    if len(got) != len(ANSWERS) or None in came or came[0] not in (0, 1):
        return FOUR
    for place, (one, right) in enumerate(zip(came, RIGHT, strict=True)):
        if one != right:
            return _slip(place, one)
    return True


READ_BY_EYE = Exercise(
    answer=read_by_eye,
    cases=(lambda rng: inputs(),),
    observe=by_name(ANSWERS, one_more="fifth answer"),
    accept=_as_read,
    open_answer=True,
    properties=(
        Property(
            "There are four answers, in the order of the docstring.",
            lambda got, case: list(got) == list(ANSWERS),
        ),
    ),
    mistakes=(
        Mistake(READ_A_ROW, lambda: (True, 2, 2, 3), also=(lambda: (True, 0, 2, 1),)),
        Mistake(ROW_1, lambda: (False, 2, 2, 1), also=(lambda: [False, 2, 0, 3],)),
        Mistake(LOUDEST, lambda: (False, 0, 1, 1)),
        Mistake(ROW_3, lambda: (False, 0, 2, 3)),
        Mistake(DECIDED, lambda: (False, 0, 2, 2)),
        Mistake(FROM_1, lambda: (False, 1, 3, 2)),
    ),
    refused=(
        Refused(lambda: (False, 1, 2, 1), "gives .3 to key 1"),
        Refused(lambda: (False, 3, 2, 1), "gives .2 to key 3"),
        Refused(lambda: (False, 0, 0, 1), "adds up to 1.0"),
        Refused(lambda: (False, 0, 3, 1), "adds up to .7"),
        Refused(lambda: (False, 0, 2, 0), "query 0 gives .5"),
        Refused(lambda: (False, 0, 2), "gives no undecided"),
        Refused(lambda: (False, 0, 2, 1, 1), "has a fifth answer, which was not asked for"),
        Refused(lambda: (False, 0.4, 2, 1), "Return four answers"),
        Refused(lambda: ("columns", 0, 2, 1), "text where numbers are expected"),
        Refused(lambda: 3, "There are four answers"),
    ),
    alternatives=(
        lambda: [False, 0, 2, 1],
        lambda: (0, 0.0, 2.0, 1.0),
        lambda: np.array([0, 0, 2, 1]),
        lambda: (np.False_, np.int64(0), np.int64(2), np.int64(1)),
    ),
    hints=(
        "What is the same for all queries, and can differ from key to key?",
        "A query spends exactly 1. Add up two rows, then two columns. One sum alone may be 1 by "
        "chance.",
        "What a query gives stands in its own line, and the largest number there is what it gives "
        "to one key. What a key gets from all of them is the sum of the line that crosses them.",
    ),
    minutes=3,
    stars=1,
    used=False,
    reward=(
        "First the sums, then the shades: so you can read a map that a paper prints without names."
    ),
)
