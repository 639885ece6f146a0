"""Attention tile by tile where a column, a number for each row, became a flat list or a row."""

import math

import torch

from course_lib.judging.exercise import Mistake

COLUMN = {"dim": 1, "keepdim": True}  # as it should be: a number for each row, standing in a column
FLAT = {"dim": 1}
ACROSS = {"dim": 0, "keepdim": True}  # a number for each column of the tile


def tiles_with(maxima: dict, sums: dict, *, shrink_last: bool = False):
    """The loop over tiles, whose maxima and sums are taken with these options of amax and sum.

    shrink_last: mixed and total are written as the first factor.
    """

    def loop(q, k, v, block_q, block_k):
        outputs = []
        for q_tile in q.split(block_q):
            largest = torch.full((len(q_tile), 1), -torch.inf)
            total, mixed = torch.zeros(len(q_tile), 1), torch.zeros(len(q_tile), v.shape[1])
            for k_tile, v_tile in zip(k.split(block_k), v.split(block_k), strict=True):
                scores = q_tile @ k_tile.T / math.sqrt(q.shape[1])
                new = torch.maximum(largest, scores.amax(**maxima))
                shrink = torch.exp(largest - new)
                powers = torch.exp(scores - new)
                here = powers.sum(**sums)
                if shrink_last:
                    total, mixed = total * shrink + here, mixed * shrink + powers @ v_tile
                else:
                    total, mixed = shrink * total + here, shrink * mixed + powers @ v_tile
                largest = new
            outputs.append(mixed / total)
        return torch.cat(outputs)

    return loop


def _lost(told: str, maxima: dict, sums: dict) -> Mistake:
    """The mistake of these options, in both writings of the sums."""
    also = (tiles_with(maxima, sums, shrink_last=True),)
    return Mistake(told, tiles_with(maxima, sums), also=also)


LOST_COLUMNS = (
    _lost(
        "The maxima are a flat list here, not a column, so new spreads to a square as large as the "
        "block: each query meets the maxima of all. With keepdim=True they stay a column, as your "
        "sums of powers do.",
        FLAT,
        COLUMN,
    ),
    _lost(
        "The sums of the powers are a flat list here, not a column, so total spreads to a square "
        "as large as the block. Your maxima are a column already: give the sum its keepdim=True, "
        "too.",
        COLUMN,
        FLAT,
    ),
    _lost(
        "The maxima and the sums of the powers are flat lists here, not columns, so new and total "
        "spread to squares as large as the block. Both take keepdim=True.",
        FLAT,
        FLAT,
    ),
    _lost(
        "The maxima are those of each column of the tile, one for a key. Each query, a row, has a "
        "maximum of its own: dim=1, as in your sums of powers.",
        ACROSS,
        COLUMN,
    ),
    _lost(
        "The sums of the powers are those of each column of the tile, one for a key. Each query, a "
        "row, has a sum of its own: dim=1, as in your maxima.",
        COLUMN,
        ACROSS,
    ),
    _lost(
        "The maxima and the sums of the powers are those of each column of the tile, one for a "
        "key. Each query, a row, has a maximum and a sum of its own: dim=1 in both.",
        ACROSS,
        ACROSS,
    ),
)
