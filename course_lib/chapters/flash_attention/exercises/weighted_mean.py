"""Exercise `weighted_mean`: the online softmax, one row of scores block by block."""

import math

import numpy as np
import torch

from course_lib.chapters.flash_attention.held_at_once import MAXIMA, watched
from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.flash import online_softmax


def weighted_mean(scores, values, block):
    """The values' mean, weighted by the softmax of the scores, `block` of them at a time.

    scores: (s,)   values: (s,)   block: a number   returns: one number
    """
    blocks = zip(scores.split(block), values.split(block), strict=True)
    # SOLUTION
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in blocks:
        new = torch.maximum(largest, x.max())
        shrink = torch.exp(largest - new)
        powers = torch.exp(x - new)
        total = shrink * total + powers.sum()
        mixed = shrink * mixed + (powers * v).sum()
        largest = new
    return mixed / total
    # STUB
    # largest, total, mixed = ..., 0.0, 0.0
    # for some_scores, some_values in blocks:
    #     ...  # the new maximum; shrink both sums; add this block; keep the maximum
    # return ...  # the mean
    # END SOLUTION


def _blocks(scores, values, block):
    return list(zip(scores.split(block), values.split(block), strict=True))


SIX_SCORES, SIX_VALUES = (1, 3, 2, 5, 4, 0), (10, 20, 30, 40, 50, 60)


def _six(scores, values, block):
    return inputs(torch.as_tensor(scores) + 0.0, torch.as_tensor(values) + 0.0, block)


def _all_scores(case) -> float:
    """How many scores there are; endless where they stand in one block."""
    scores, _, block = case.args
    return len(scores) if block < len(scores) else math.inf


def _streamed(
    *, start=-torch.inf, total_shrinks=True, mixed_shrinks=True, carry=True, stored=True,
    divided=False, undivided=False,
):  # fmt: skip
    """The loop over blocks with one slip, or none."""

    def answer(scores, values, block):
        largest, total, mixed = torch.tensor(start), 0.0, 0.0
        for x, v in _blocks(scores, values, block):
            new = torch.maximum(largest, x.max()) if carry else x.max()
            shrink, powers = torch.exp(largest - new), torch.exp(x - new)
            total = (shrink if total_shrinks else 1) * total + powers.sum()
            mixed = (shrink if mixed_shrinks else 1) * mixed + (powers * v).sum()
            mixed = mixed / total if divided else mixed
            largest = new if stored else largest
        return mixed if divided or undivided else mixed / total

    return answer


def _wrong_way(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        grow, powers = torch.exp(new - largest), torch.exp(x - new)
        if largest > -torch.inf:
            total, mixed = grow * total, grow * mixed
        total, mixed = total + powers.sum(), mixed + (powers * v).sum()
        largest = new
    return mixed / total


def _new_ones_shrink(scores, values, block):
    largest, total, mixed = torch.tensor(-torch.inf), 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(largest, x.max())
        shrink = torch.exp(largest - new) if largest > -torch.inf else 1.0
        powers = torch.exp(x - new) * shrink
        total, mixed, largest = total + powers.sum(), mixed + (powers * v).sum(), new
    return mixed / total


def _no_maximum(scores, values, block):
    total = sum(torch.exp(x).sum() for x in scores.split(block))
    return sum((torch.exp(x) * v).sum() for x, v in _blocks(scores, values, block)) / total


def _mean_of_means(scores, values, block):
    means = [x.softmax(dim=0) @ v for x, v in _blocks(scores, values, block)]
    return sum(means) / len(means)


def _joined(scores, values, block):
    return scores.softmax(dim=0) @ values


def _two_passes(scores, values, block):
    largest = max(float(x.max()) for x in scores.split(block))
    total = sum(torch.exp(x - largest).sum() for x in scores.split(block))
    return (
        sum((torch.exp(x - largest) * v).sum() for x, v in _blocks(scores, values, block)) / total
    )


def _number_by_number(scores, values, block):
    largest, total, mixed = -math.inf, 0.0, 0.0
    for x, v in _blocks(scores, values, block):
        for score, value in zip(x.tolist(), v.tolist(), strict=True):
            if score > largest:
                shrink = math.exp(largest - score)
                total, mixed, largest = total * shrink, mixed * shrink, score
            total += math.exp(score - largest)
            mixed += math.exp(score - largest) * value
    return mixed / total


def _merged_by_lse(scores, values, block):
    lse, mean = torch.tensor(-torch.inf), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        both = torch.logaddexp(lse, here := x.logsumexp(0))
        old, now = torch.exp(lse - both), torch.exp(here - both)
        lse, mean = both, old * mean + now * (x.softmax(0) @ v)
    return mean.numpy()


def _in_numpy(scores, values, block):
    s, v = scores.numpy(), values.numpy()
    m, total, mixed = -np.inf, 0.0, 0.0
    for i in range(0, len(s), block):
        new = max(m, s[i : i + block].max())
        p = np.exp(s[i : i + block] - new)
        total = total * np.exp(m - new) + p.sum()
        mixed = mixed * np.exp(m - new) + p @ v[i : i + block]
        m = new
    return np.float64(mixed / total)


def _in_float64(scores, values, block):
    return weighted_mean(scores.double(), values.double(), block).item()


def _maximum_of_all(scores, values, block):
    powers = [torch.exp(x - scores.max()) for x in scores.split(block)]
    parts = zip(powers, values.split(block), strict=True)
    return sum(p @ v for p, v in parts) / sum(p.sum() for p in powers)


def _the_mean_so_far(scores, values, block):
    m, total, mean = torch.tensor(-torch.inf), torch.tensor(0.0), torch.tensor(0.0)
    for x, v in _blocks(scores, values, block):
        new = torch.maximum(m, x.max())
        p, old = torch.exp(x - new), total * torch.exp(m - new)
        total = old + p.sum()
        mean = (old * mean + p @ v) / total
        m = new
    return mean


def _without_the_remainder(scores, values, block):
    kept = max(len(scores) // block, 1) * block
    return _in_numpy(scores[:kept], values[:kept], block)


WEIGHTED_MEAN = Exercise(
    answer=weighted_mean,
    cases=(
        lambda rng: _six([0, 2], [10, 20], 1),
        lambda rng: _six(SIX_SCORES, SIX_VALUES, 2),
        lambda rng: _six(SIX_SCORES, SIX_VALUES, 6),
        lambda rng: _six([4, 3, 2, 1], [10, 20, 30, 40], 1),
        lambda rng: inputs(drawn(rng, 7), drawn(rng, 7), 3),
        lambda rng: inputs(drawn(rng, 11, dtype=torch.float64), drawn(rng, 11).double(), 4),
        lambda rng: _six([-1000, -1002, -1001], [10, 20, 30], 1),
        lambda rng: _six([500, 502, 501, 300, 299], [10, 20, 30, 40, 50], 2),
    ),
    observe=watched(_all_scores, maxima=MAXIMA),
    accept=close(1e-4),  # a log-sum-exp near -1000 has no more digits in float32
    properties=(
        Property(
            "A weighted mean lies between the smallest value and the largest.",
            lambda got, case: bool(
                case.args[1].min() - 1e-4
                <= float(np.asarray(got["output"]))
                <= case.args[1].max() + 1e-4
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "Neither sum was brought to the new maximum. What stood in them was counted from the "
            "old one, so old and new blocks are added in different units.",
            _streamed(total_shrinks=False, mixed_shrinks=False),
        ),
        Mistake(
            "The sum of the weighted values was not brought to the new maximum; the other sum "
            "was. Both are counted from the maximum, so both have to shrink.",
            _streamed(mixed_shrinks=False),
        ),
        Mistake(
            "The sum of the powers was not brought to the new maximum; the other sum was. Both "
            "are counted from the maximum, so both have to shrink.",
            _streamed(total_shrinks=False),
        ),
        Mistake(
            "You took the maximum of this block alone, and it may be smaller than the one before. "
            "Then the old sums grow instead of shrinking, and far below they leave the range of "
            "float32. Keep the larger of the two.",
            _streamed(carry=False),
        ),
        Mistake(
            "The maximum starts at 0. If all scores lie far below 0, every power is 0, and 0 / 0 "
            "is NaN. Start below every score: -torch.inf.",
            _streamed(start=0.0),
        ),
        Mistake(
            "The new maximum was not kept for the next block. Each block then meets the "
            "start value, -inf, and what was summed before is thrown away: only the last block is "
            "left.",
            _streamed(stored=False),
        ),
        Mistake(
            "The sums grow where they should shrink: the old unit is exp(old maximum), the new one "
            "is larger, so it is exp(old - new).",
            _wrong_way,
        ),
        Mistake(
            "You shrank the new block. It is counted from the new maximum already; what has to "
            "shrink is what was summed before.",
            _new_ones_shrink,
        ),
        Mistake(
            "You divided by the sum after each block, and went on with a number that is divided "
            "already. Divide once, at the end.",
            _streamed(divided=True),
        ),
        Mistake(
            "The division is missing: at the end, the weighted sum by the sum of the powers.",
            _streamed(undivided=True),
        ),
        Mistake(
            "No maximum is subtracted. exp(89) is too large for float32, and far below 0 every "
            "power is 0 (chapter 4).",
            _no_maximum,
        ),
        Mistake(
            "Each block has its own softmax here, and the blocks count alike. A block with larger "
            "scores has to count more.",
            _mean_of_means,
        ),
        Mistake(
            "The number is right, but all scores were looked at together. The point is to see one "
            "block at a time: keep three numbers, not the blocks.",
            _joined,
            also=(_maximum_of_all,),
        ),
    ),
    refused=(
        Refused(lambda scores, values, block: scores[:block].softmax(0) @ values[:block]),
        Refused(_without_the_remainder),
        Refused(lambda scores, values, block: values.max()),
    ),
    alternatives=(
        _two_passes,
        _number_by_number,
        _merged_by_lse,
        lambda scores, values, block: online_softmax(scores, values[:, None], block)[
            -1
        ].mean.item(),
        _streamed(start=-1e30),
        _in_numpy,
        _in_float64,
        _the_mean_so_far,
    ),
    hints=(
        "The old sums are made of exp(score - old maximum). By what do you multiply that to get "
        "exp(score - new maximum)?",
        "exp(score - old) · exp(old - new) = exp(score - new). Both sums have to be multiplied, "
        "before this block is added.",
        "largest starts at -torch.inf, made a tensor. new = torch.maximum(largest, ...); "
        "shrink = torch.exp(...); total = shrink * total + ...; mixed = shrink * mixed + ...; "
        "largest = new",
    ),
    minutes=6,
    stars=2,
)
