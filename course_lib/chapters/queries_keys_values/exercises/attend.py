"""Exercise `attend`: scores, weights, output, from shuffled lines."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.exercises.scaled_scores import scaled_scores
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

    q: (..., t, d)   k: (..., s, d)   v: (..., s, e)   returns: (..., t, e)
    """
    # SOLUTION
    scores = scaled_scores(q, k)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ v
    return output
    # STUB
    # return ...  # instead of this line, four of these seven:
    #
    # # weights = torch.softmax(scores, dim=0)
    # # return output
    # # scores = scaled_scores(k, q)
    # # output = weights @ v
    # # weights = torch.softmax(scores, dim=-1)
    # # output = weights @ k
    # # scores = scaled_scores(q, k)
    # END SOLUTION


ATTEND = Exercise(
    answer=attend,
    cases=CASES,
    properties=PROPERTIES,
    mistakes=MISTAKES,
    alternatives=(
        attend_with_loops,
        lambda q, k, v: scaled_dot_product_attention(q, k, v),
        lambda q, k, v: (weights(q, k) @ v).numpy().tolist(),
        lambda q, k, v: torch.einsum("...ts,...se->...te", weights(q, k), v),
        lambda q, k, v: (v.mT @ weights(q, k).mT).mT,
    ),
    hints=(
        "Three steps: how well does each query agree with each key, which shares does that make, "
        "what do the values add up to in these shares? Then return it.",
        "The softmax has to run over the keys, and the keys stand in the last axis. And what is "
        "averaged, keys or values?",
        "scores = scaled_scores(...); weights = torch.softmax(scores, ...); output = ...",
    ),
    minutes=3,
    stars=1,
)
