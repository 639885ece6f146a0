"""Exercise `attend`: scores, weights, output, from shuffled lines and one typed line."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.shuffled_slips import IN_ANOTHER_ORDER
from course_lib.chapters.queries_keys_values.slips import MISTAKES
from course_lib.chapters.queries_keys_values.three_lines import (
    CASES,
    PROPERTIES,
    attend_with_loops,
    weights,
)
from course_lib.judging.exercise import Exercise


def attend(q, k, v):
    """Scores, weights, output.

    in our sentence, q and k: (3, 2)   v: (3, 3)   returns: (3, 3)
    other sizes are tried, too: one sentence may ask another, as in a translator
    """
    # SOLUTION
    scores = q @ k.transpose(-2, -1)
    scores = scores / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    return weights @ v
    # STUB
    # table = q @ k.transpose(-2, -1)  # the scores: k.T, also for several sentences at once
    # # table = torch.softmax(table, dim=0)
    # # table = table / math.sqrt(k.shape[-2])
    # # table = table / math.sqrt(k.shape[-1])
    # # table = torch.softmax(table, dim=-1)
    # return ...  # above this line, two of these four
    # END SOLUTION


ATTEND = Exercise(
    answer=attend,
    cases=CASES,
    properties=PROPERTIES,
    mistakes=(*MISTAKES, *IN_ANOTHER_ORDER),
    alternatives=(
        attend_with_loops,
        lambda q, k, v: scaled_dot_product_attention(q, k, v),
        lambda q, k, v: (weights(q, k) @ v).numpy().tolist(),
        lambda q, k, v: torch.einsum("...ts,...se->...te", weights(q, k), v),
        lambda q, k, v: (v.mT @ weights(q, k).mT).mT,
    ),
    hints=(
        "Of the four lines, one divides the scores, and then one turns them into shares. The last "
        "line, which you write, averages with these shares.",
        "Four questions decide: how many products does a score add up? Along which axis do the "
        "shares of one query stand? Do they still add up to 1 at the end? And what is averaged, "
        "keys or values?",
        "table = table / math.sqrt(...); table = torch.softmax(table, dim=...); return table @ ...",
    ),
    reward="Chapters 6 to 8 build on these four lines: with masks, with heads, and fast on a GPU.",
    unfolded=True,  # for k.T the symptom is a table of long decimals
    minutes=4,
    stars=1,
)
