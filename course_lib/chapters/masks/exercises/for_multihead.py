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
        lambda rng: inputs(may_attend(causal & padding([2, 1, 3]), 3), 2),  # a shape from above
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
            "The meaning of True is right. The axes of queries and keys have changed places, and "
            "they should stay: (b * heads, t, s).",
            lambda mask, heads: ~mask.repeat_interleave(heads, dim=0).transpose(1, 2),
        ),
        Mistake(
            "Two things. True still means that a query may attend; and the copies stand in the "
            "order 0, 1, 0, 1, where the heads of one sequence belong side by side.",
            lambda mask, heads: mask.repeat(heads, 1, 1),
            also=(lambda mask, heads: torch.cat([mask] * heads),),
        ),
        Mistake(
            "You returned the mask as it was: each of the heads needs its copy, and True has to "
            "become hidden.",
            lambda mask, heads: mask,
        ),
        Mistake(
            "The queries are repeated. Each sequence's whole table is to stand once for each head: "
            "dim=0.",
            lambda mask, heads: ~mask.repeat_interleave(heads, dim=1),
        ),
        Mistake(
            "The table of each sequence is repeated below itself, along the queries. The copies "
            "belong into the first axis.",
            lambda mask, heads: ~mask.repeat(1, heads, 1),
        ),
        Mistake(
            "Every sequence got the mask of the first. Each has its own.",
            lambda mask, heads: ~mask[:1].repeat(len(mask) * heads, 1, 1),
        ),
        Mistake(
            "There are two copies of each table, whatever heads says.",
            lambda mask, heads: ~mask.repeat_interleave(2, dim=0),
        ),
        Mistake(
            "You returned 0 and -inf, which is what one adds to scores. Here True and False are "
            "asked for.",
            lambda mask, heads: torch.where(mask, 0.0, -torch.inf).repeat_interleave(heads, dim=0),
        ),
        Mistake(
            "The heads have an axis of their own, and True still means that a query may attend. "
            "Asked for is (b * heads, t, s), True where hidden.",
            lambda mask, heads: mask[:, None].expand(-1, heads, -1, -1),
        ),
        Mistake(
            "You gave the heads an axis of their own. Sequences and heads share the first one: "
            "(b * heads, t, s).",
            lambda mask, heads: ~mask[:, None].expand(-1, heads, -1, -1),
        ),
    ),
    refused=(
        Refused(lambda mask, heads: (~mask).repeat_interleave(heads, dim=0).float(), "numbers"),
        Refused(lambda mask, heads: ~mask[..., None].expand(-1, -1, -1, heads), "for_multihead"),
    ),
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
    reward="Every mask of this course can now be handed to PyTorch's own layers.",
    depth=True,
)
