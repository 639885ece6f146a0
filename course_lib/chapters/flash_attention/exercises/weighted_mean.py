"""Exercise `weighted_mean`: the online softmax, one row of scores block by block."""

import numpy as np
import torch

from course_lib.chapters.flash_attention.held_at_once import block_by_block
from course_lib.chapters.flash_attention.loops_over_blocks import (
    as_they_are,
    counted_from_the_old,
    in_float64,
    in_numpy,
    joined,
    maximum_of_all,
    mean_of_means,
    merged_by_lse,
    new_ones_shrink,
    no_maximum,
    number_by_number,
    overwritten,
    python_maximum,
    stale_shrink,
    streamed,
    the_mean_so_far,
    two_passes,
    without_the_remainder,
    wrong_way,
    wrong_way_from_the_start,
)
from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.flash import online_softmax


def weighted_mean(scores, values, block):
    """The values' mean, weighted by the softmax of the scores, `block` of them at a time.

    scores: (s,)   values: (s,)   block: a number   returns: one number
    """
    blocks = zip(scores.split(block), values.split(block), strict=True)
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    # SOLUTION
    for x, v in blocks:
        new = torch.maximum(largest, x.max())
        shrink = torch.exp(largest - new)
        powers = torch.exp(x - new)
        total = shrink * total + powers.sum()
        mixed = shrink * mixed + (powers * v).sum()
        largest = new
    return mixed / total
    # STUB
    # for some_scores, some_values in blocks:
    #     ...  # meet this block: how do the three numbers change, and in which order?
    # return ...  # the mean
    # END SOLUTION


SIX_SCORES, SIX_VALUES = (1, 3, 2, 5, 4, 0), (10, 20, 30, 40, 50, 60)


def _six(scores, values, block):
    return inputs(torch.as_tensor(scores) + 0.0, torch.as_tensor(values) + 0.0, block)


def _lies_between(got, case) -> bool:
    mean, values = float(np.asarray(got["output"])), case.args[1]
    if not np.isfinite(mean):
        return True  # it is told as NaN, and there is nothing more to say
    return bool(values.min() - 1e-4 <= mean <= values.max() + 1e-4)


WEIGHTED_MEAN = Exercise(
    answer=weighted_mean,
    cases=(
        lambda rng: _six([0, 1, 2], [10, 20, 30], 2),
        lambda rng: _six(SIX_SCORES, SIX_VALUES, 2),
        lambda rng: _six(SIX_SCORES, SIX_VALUES, 6),
        lambda rng: _six([4, 3, 2, 1], [10, 20, 30, 40], 1),
        lambda rng: inputs(drawn(rng, 7), drawn(rng, 7), 3),
        lambda rng: inputs(drawn(rng, 11, dtype=torch.float64), drawn(rng, 11).double(), 4),
        lambda rng: _six([-1000, -1002, -1001], [10, 20, 30], 1),
        lambda rng: _six([500, 502, 501, 300, 299], [10, 20, 30, 40, 50], 2),
        lambda rng: inputs(drawn(rng, 7), drawn(rng, 7), 3),
        lambda rng: _six([0, 1, 2], [10, 20, 30], 2),
    ),
    observe=block_by_block,
    accept=close(1e-4),  # a log-sum-exp near -1000 has no more digits in float32
    properties=(
        Property(
            "A weighted mean lies between the smallest value and the largest.",
            _lies_between,
        ),
    ),
    mistakes=(
        Mistake(
            "Neither sum was brought to the new maximum. What stood in them was counted from the "
            "old one, so old and new blocks are added in different units. (If there is a shrink: "
            "make it before largest is overwritten, else it is exp(0) = 1.)",
            streamed(total_shrinks=False, mixed_shrinks=False),
        ),
        Mistake(
            "The sum of the weighted values was not brought to the new maximum; the other sum "
            "was. Both are counted from the maximum, so both have to shrink.",
            streamed(mixed_shrinks=False),
        ),
        Mistake(
            "The sum of the powers was not brought to the new maximum; the other sum was. Both "
            "are counted from the maximum, so both have to shrink.",
            streamed(total_shrinks=False),
        ),
        Mistake(
            "You took the maximum of this block alone, and it may be smaller than the one before. "
            "Then the old sums grow instead of shrinking, and far below they leave the range of "
            "float32. Keep the larger of the two.",
            streamed(carry=False),
        ),
        Mistake(
            "The maximum starts at 0. If all scores lie far below 0, every power is 0, and 0 / 0 "
            "is NaN. Start below every score: -torch.inf.",
            streamed(start=0.0),
        ),
        Mistake(
            "The new maximum was not kept for the next block. Each block then meets the "
            "start value, -inf, and what was summed before is thrown away: only the last block is "
            "left.",
            streamed(stored=False),
        ),
        Mistake(
            "The sums grow where they should shrink: the old unit is exp(old maximum), the new one "
            "is larger, so it is exp(old - new).",
            wrong_way,
            also=(wrong_way_from_the_start(0.0),),
        ),
        Mistake(
            "All is NaN from the first block on. There largest is -inf, so what is counted from "
            "it, exp(new - largest) or exp(score - largest), is infinite. Shrink by exp(largest - "
            "new), which is 0 there, and count the powers from the new maximum: exp(score - new).",
            wrong_way_from_the_start(-torch.inf),
            also=(wrong_way_from_the_start(-1e30), counted_from_the_old),
        ),
        Mistake(
            "largest was overwritten before shrink was made, so the old maximum is lost. shrink "
            "needs both, exp(old - new): call the new one by another name first.",
            overwritten(),
            also=(
                overwritten(from_the_block=True),
                overwritten(turned=True),
                overwritten(turned=True, from_the_block=True),
            ),
        ),
        Mistake(
            "The powers of a block are counted from its own maximum, but the sums from the "
            "largest so far. Count both from new: exp(score - new).",
            streamed(own_unit=True),
        ),
        Mistake(
            "A block without a new maximum shrinks the sums, too, by the shrink of an earlier "
            "block. There it has to be 1: make it anew in every block, exp(old - new).",
            stale_shrink(),
            also=(stale_shrink(own_unit=True),),
        ),
        Mistake(
            "You shrank the new block. It is counted from the new maximum already; what has to "
            "shrink is what was summed before.",
            new_ones_shrink,
        ),
        Mistake(
            "You divided by the sum after each block, and went on with a number that is divided "
            "already. Divide once, at the end.",
            streamed(divided=True),
        ),
        Mistake(
            "The division is missing: at the end, the weighted sum by the sum of the powers.",
            streamed(undivided=True),
        ),
        Mistake(
            "No maximum is subtracted. exp(89) is too large for float32, and far below 0 every "
            "power is 0 (chapter 4).",
            no_maximum,
        ),
        Mistake(
            "Each block has its own softmax here, and the blocks count alike. A block with larger "
            "scores has to count more.",
            mean_of_means,
        ),
        Mistake(
            "The number is right, but the scores were looked at together, or a block a second "
            "time. A block comes once and is gone: keep three numbers, not the blocks.",
            joined,
            also=(maximum_of_all, two_passes, python_maximum),
        ),
        Mistake(
            "The sums shrank after the block was added. It is counted from the new maximum "
            "already: shrink what was summed before, then add.",
            streamed(late=True, total_shrinks=False, mixed_shrinks=False),
        ),
        Mistake(
            "A last block that is shorter is left out. split gives it as well.",
            without_the_remainder,
        ),
        Mistake(
            "The products of powers and values were not added up: mixed is one number, "
            "(powers * v).sum().",
            streamed(add=as_they_are),
        ),
        Mistake(
            "The powers of a block were not added up: total is one number, powers.sum().",
            streamed(add_powers=as_they_are),
        ),
        Mistake(
            "Within a block you took a mean, which divides by the number of its scores. total and "
            "mixed are sums: powers.sum() and (powers * v).sum().",
            streamed(add=torch.mean),
            also=(
                streamed(add_powers=torch.mean),
                streamed(add=torch.mean, add_powers=torch.mean),
            ),
        ),
        Mistake(
            "Nothing was added up within a block. total and mixed are one number each: "
            "powers.sum() and (powers * v).sum().",
            streamed(add_powers=as_they_are, add=as_they_are),
        ),
        Mistake(
            "Two things at once. mixed is one number, so it takes the sum of the products, "
            "(powers * v).sum(). And an old sum did not shrink: make shrink from the old "
            "largest and the new one, before largest is overwritten, and multiply both sums by it.",
            streamed(add=as_they_are, total_shrinks=False, mixed_shrinks=False),
            also=(
                streamed(add=as_they_are, mixed_shrinks=False),
                streamed(add=as_they_are, total_shrinks=False),
            ),
        ),
        Mistake(
            "The maximum of the block is missing: largest is one number, so compare it with the "
            "largest score of the block, .max().",
            streamed(top=lambda x: x),
            also=(streamed(top=lambda x: x, maximum=max),),
        ),
        Mistake(
            "Only the first block is there. return belongs after the loop.",
            streamed(early=True),
        ),
        Mistake(
            "The division is upside down. The mean is mixed by total.",
            streamed(upside_down=True),
        ),
    ),
    refused=(
        Refused(lambda scores, values, block: scores[:block].softmax(0) @ values[:block]),
        Refused(lambda scores, values, block: values.max()),
    ),
    alternatives=(
        number_by_number,
        merged_by_lse,
        lambda scores, values, block: online_softmax(scores, values[:, None], block)[
            -1
        ].mean.item(),
        streamed(start=-1e30),
        streamed(top=max, maximum=max),
        in_numpy,
        in_float64,
        the_mean_so_far,
    ),
    hints=(
        "The old sums are made of exp(score - old maximum). By what do you multiply that to get "
        "exp(score - new maximum)?",
        "exp(score - old) · exp(old - new) = exp(score - new). Both sums have to be multiplied, "
        "before this block is added.",
        "new = max(largest, ...), or torch.maximum; "
        "shrink = torch.exp(...); total = shrink * total + ...; mixed = shrink * mixed + ...; "
        "largest = new",
    ),
    minutes=6,
    stars=2,
    reward=(
        "These three numbers are all that FlashAttention is built round: with them it never needs "
        "a whole row of scores."
    ),
)
