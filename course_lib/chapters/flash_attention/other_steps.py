"""Attention tile by tile where one step of the loop is another: a maximum, an exponent, a root."""

import math
from collections.abc import Callable, Mapping

import torch

from course_lib.judging.exercise import Mistake

COLUMN = {"dim": 1, "keepdim": True}  # a number for each row, standing in a column


def root_of_width(q_tile, k_tile) -> float:
    """What the scores are divided by."""
    return math.sqrt(q_tile.shape[1])


def steps(
    *, root: Callable = root_of_width, new: Callable = torch.maximum,
    shrink: Callable = lambda old, new: old - new,
    powers: Callable = lambda scores, tops, old, new: scores - new,
    maxima: Mapping = COLUMN, sums: Mapping = COLUMN, shrink_last: bool = False,
    mix: Callable = torch.matmul, anew: bool = False,
) -> Callable:  # fmt: skip
    """The loop over tiles, where each step is the right one or is given.

    root(q_tile, k_tile); new(largest, the tile's own maxima); what is the exponent of shrink, and
    of the powers; the options of amax and sum; mix(powers, v_tile). shrink_last: both sums are
    written as the first factor, and an error then names the shapes the other way round.
    anew: the sums are made in the inner loop.
    """

    def loop(q, k, v, block_q, block_k):
        outputs = []
        for q_tile in q.split(block_q):
            largest, total, mixed = _empty_sums(len(q_tile), v)
            for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
                if anew:
                    largest, total, mixed = _empty_sums(len(q_tile), v)
                scores = q_tile @ k_tile.T / root(q_tile, k_tile)
                tops = scores.amax(**maxima)
                now = new(largest, tops)
                factor = torch.exp(shrink(largest, now))
                here = torch.exp(powers(scores, tops, largest, now))
                if shrink_last:
                    total, mixed = total * factor, mixed * factor
                else:
                    total, mixed = factor * total, factor * mixed
                total, mixed = total + here.sum(**sums), mixed + mix(here, v_tile)
                largest = now
            outputs.append(mixed / total)
        return torch.cat(outputs)

    return loop


def _empty_sums(rows: int, v: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.full((rows, 1), -torch.inf), torch.zeros(rows, 1), torch.zeros(rows, v.shape[1])


def divided_by(root: Callable) -> Callable:
    """The loop whose scores are divided by root(q, k, block_q, block_k), of the whole texts."""
    return lambda q, k, v, *blocks: steps(root=lambda *_: root(q, k, *blocks))(q, k, v, *blocks)


OTHER_STEPS = (
    Mistake(
        "You divided by the width. It takes the square root of it.",
        steps(root=lambda q_tile, k_tile: q_tile.shape[1]),
    ),
    Mistake(
        "The scores are divided by the root of how many keys or queries there are; len counts the "
        "rows. It takes the root of d, the width of a query: q.shape[1].",
        steps(root=lambda q_tile, k_tile: math.sqrt(len(q_tile))),
        also=(
            steps(root=lambda q_tile, k_tile: math.sqrt(len(k_tile))),
            divided_by(lambda q, k, block_q, block_k: math.sqrt(block_q)),
            divided_by(lambda q, k, block_q, block_k: math.sqrt(block_k)),
            divided_by(lambda q, k, block_q, block_k: math.sqrt(len(q))),
            divided_by(lambda q, k, block_q, block_k: math.sqrt(len(k))),
        ),
    ),
    Mistake(
        "The scores are divided by the root of a value's width. It takes the root of d, the width "
        "of a query: q.shape[1].",
        lambda q, k, v, *blocks: steps(root=lambda *_: math.sqrt(v.shape[1]))(q, k, v, *blocks),
    ),
    Mistake(
        "Powers and values are multiplied entry by entry. A row of powers meets the values of all "
        "its keys: it is powers @ v_tile.",
        steps(mix=lambda powers, values: (powers * values).sum()),
        also=(
            steps(mix=lambda powers, values: powers * values),
            steps(mix=lambda powers, values: (powers * values).sum(**COLUMN)),
        ),
    ),
    Mistake(
        "new is the maximum of this tile alone, and that may lie below the one before. Then the "
        "old sums grow instead of shrinking, and can leave the range of float32. Keep the larger "
        "of the two: torch.maximum(largest, ...).",
        steps(new=lambda old, tops: tops),
    ),
    Mistake(
        "The old sums shrink to the new maximum, but the powers of this tile are not counted from "
        "it: exp(scores - new).",
        steps(powers=lambda scores, tops, old, new: scores),
        also=(steps(powers=lambda scores, tops, old, new: scores - tops),),
    ),
    Mistake(
        "The powers of this tile went through a softmax, which divides them already, so each tile "
        "counts alike. Divide at the end: here it is powers = exp(scores - new).",
        steps(powers=lambda scores, tops, old, new: scores.log_softmax(dim=1)),
    ),
    Mistake(
        "All is NaN from the first tile on. There largest is -inf, so exp(new - largest) and "
        "exp(scores - largest) are infinite, and -inf - (-inf) is no number. It is "
        "shrink = exp(largest - new) and powers = exp(scores - new).",
        steps(shrink=lambda old, new: new - old),
        also=(
            steps(powers=lambda scores, tops, old, new: scores - old),
            steps(new=lambda old, tops: old),
        ),
    ),
)
