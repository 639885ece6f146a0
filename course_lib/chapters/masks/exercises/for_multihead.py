"""Exercise `for_multihead`: our mask, as nn.MultiheadAttention wants it."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.kernels.masks import causal, may_attend, padding, to_multihead


def for_multihead(mask, heads):
    """Our mask, as nn.MultiheadAttention wants it.

    mask: (b, t, s), True = may attend   heads: a number   returns: (b * heads, t, s), True = hidden
    """
    # SOLUTION
    return ~mask.repeat_interleave(heads, dim=0)
    # END SOLUTION


FOR_MULTIHEAD = Exercise(
    answer=for_multihead,
    cases=(
        lambda rng: inputs(may_attend(causal, 2)[None], 1),
        lambda rng: inputs(may_attend(causal & padding([2, 1]), 2), 2),
        lambda rng: inputs(may_attend(causal & padding([3, 1, 2]), 3), 2),
        lambda rng: inputs(may_attend(causal & padding([1, 3]), 2, 3, align="bottom-right"), 3),
    ),
    mistakes=(
        Mistake(
            "True still means that a query may attend. In nn.MultiheadAttention True means "
            "hidden: turn every entry round with ~.",
            lambda mask, heads: mask.repeat_interleave(heads, dim=0),
        ),
        Mistake(
            "The copies stand in the order 0, 1, 0, 1. The heads of one sequence belong side by "
            "side, 0, 0, 1, 1: repeat_interleave, not repeat.",
            lambda mask, heads: ~mask.repeat(heads, 1, 1),
        ),
        Mistake(
            "The axis of sequences is not repeated yet: each of the heads needs its copy.",
            lambda mask, heads: ~mask,
        ),
        Mistake(
            "You turned the mask on its side. What changes is the meaning of True, not the axes.",
            lambda mask, heads: mask.repeat_interleave(heads, dim=0).transpose(1, 2),
        ),
        Mistake(
            "You gave the heads an axis of their own. Sequences and heads share the first one: "
            "(b * heads, t, s).",
            lambda mask, heads: ~mask[:, None].expand(-1, heads, -1, -1),
        ),
    ),
    refused=(Refused(lambda mask, heads: torch.cat([mask] * heads), "for_multihead"),),
    alternatives=(
        lambda mask, heads: mask[:, None].expand(-1, heads, -1, -1).flatten(0, 1).logical_not(),
        lambda mask, heads: np.repeat(~mask.numpy(), heads, axis=0),
        lambda mask, heads: torch.stack([one for one in mask for _ in range(heads)]) == 0,
        lambda mask, heads: [(~one).tolist() for one in mask for _ in range(heads)],
        to_multihead,
        lambda mask, heads: torch.cat([~one.expand(heads, -1, -1) for one in mask]),
        lambda mask, heads: torch.repeat_interleave(mask.logical_not(), heads, 0),
    ),
    hints=(
        "Two differences: what True means, and how many tables there are. In which order do the "
        "heads of two sequences stand?",
        "mask.repeat_interleave(heads, dim=0) repeats each sequence's table in place. ~ turns "
        "True and False round.",
        "return ~mask.repeat_interleave(..., dim=0)",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
