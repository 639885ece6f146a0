"""The slips of `attend` that its shuffled lines allow: two of four lines, in another order."""

import itertools
import math

import torch

from course_lib.chapters.queries_keys_values.exercises.scaled_scores import scaled_scores
from course_lib.judging.exercise import Mistake


def _shares_divided(dim, axis):
    """Attention whose weights are made first and divided then."""
    return lambda q, k, v: torch.softmax(q @ k.mT, dim=dim) / math.sqrt(k.shape[axis]) @ v


# What the four shuffled lines do, of which the first two are right.
LINES = (
    lambda table, k: table / math.sqrt(k.shape[-1]),
    lambda table, k: torch.softmax(table, dim=-1),
    lambda table, k: table / math.sqrt(k.shape[-2]),
    lambda table, k: torch.softmax(table, dim=0),
)


def _table_after(*lines, end=lambda table, k, v: table):
    """What some of these lines make of the products; the last line, `end`, returns the table."""

    def answer(q, k, v):
        table = q @ k.mT
        for line in lines:
            table = line(table, k)
        return end(table, k, v)

    return answer


# Not the right two lines in the right order: those make the weights, and have sentences of their
# own. TABLES have no line, or one, as well.
NOT_YET = [two for two in itertools.permutations(LINES, 2) if two != LINES[:2]]
TABLES = [_table_after(*some) for some in (*NOT_YET, (), *((one,) for one in LINES[1:]))]
KEYS = [_table_after(*two, end=lambda table, k, v: table @ k) for two in NOT_YET]
MORE_THAN_TWO = [
    _table_after(*some, end=lambda table, k, v: table @ v)
    for count in (4, 3)
    for some in itertools.permutations(LINES, count)
]

IN_ANOTHER_ORDER = (
    Mistake(
        "Two things. You divided after the softmax, so the weights no longer add up to 1: divide "
        "the scores. And by the root of the number of keys; what counts is the width, k.shape[-1].",
        _shares_divided(-1, -2),
    ),
    Mistake(
        "Two things. You divided after the softmax, so the weights no longer add up to 1: divide "
        "the scores. And dim=0 is the first axis; the keys stand in the last one, dim=-1.",
        _shares_divided(0, -1),
    ),
    Mistake(
        "Three things. You divided after the softmax: divide the scores. You took the number of "
        "keys: what counts is the width, k.shape[-1]. And the keys stand in the last axis, dim=-1.",
        _shares_divided(0, -2),
    ),
    Mistake(
        "Both of your lines divide, and the softmax is missing: what you return is no average. "
        "One line divides by the root of the width, and the other makes shares.",
        lambda q, k, v: scaled_scores(q, k) / math.sqrt(k.shape[-2]) @ v,
    ),
    Mistake(
        "Both of your lines are a softmax. One is enough, along the keys, dim=-1. The other line "
        "divides the scores, and comes first.",
        lambda q, k, v: torch.softmax(torch.softmax(q @ k.mT, dim=0), dim=-1) @ v,
        also=(lambda q, k, v: torch.softmax(torch.softmax(q @ k.mT, dim=-1), dim=0) @ v,),
    ),
    Mistake(
        "Two things. You returned the table, and v was not used: average the values with it, "
        "table @ v. And above it belong two lines: one divides, and the next makes shares.",
        TABLES[0],
        also=tuple(TABLES[1:]),
    ),
    Mistake(
        "Two things. You averaged the keys: average the values, table @ v. And the two lines above "
        "it are not yet the right ones in the right order.",
        KEYS[0],
        also=tuple(KEYS[1:]),
    ),
    Mistake(
        "Two things. The softmax is missing: one of your lines should make shares. And you divided "
        "by the root of the number of keys; what counts is the width, k.shape[-1].",
        lambda q, k, v: q @ k.mT / math.sqrt(k.shape[-2]) @ v,
    ),
    Mistake(
        "More than two of the four lines run. Choose one that divides and one that makes shares, "
        "in this order, and leave the others with their #.",
        MORE_THAN_TWO[0],
        also=tuple(MORE_THAN_TWO[1:]),
    ),
)
