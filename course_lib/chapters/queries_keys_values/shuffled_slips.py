"""The slips of `attend` that its shuffled lines allow: two of four lines, in another order."""

import math

import torch

from course_lib.chapters.queries_keys_values.exercises.scaled_scores import scaled_scores
from course_lib.judging.exercise import Mistake


def _shares_divided(dim, axis):
    """Attention whose weights are made first and divided then."""
    return lambda q, k, v: torch.softmax(q @ k.mT, dim=dim) / math.sqrt(k.shape[axis]) @ v


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
)
