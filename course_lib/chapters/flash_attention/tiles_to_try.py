"""Inputs on which a loop over tiles shows its slips: scores far apart, and sizes that differ."""

import torch

from course_lib.judging.exercise import inputs
from course_lib.judging.tensors import drawn, floats


def far_apart(rng):
    """Row 0 scores around 200, row 1 around -200, so they share no maximum."""
    q = torch.tensor([[20.0, 0.0], [-20.0, 0.0], [1.0, 0.5]])
    k = torch.cat((torch.full((5, 1), 14.0) + drawn(rng, 5, 1), drawn(rng, 5, 1)), dim=1)
    return inputs(q, k, drawn(rng, 5, 3), 2, 2)


def far_below(rng):
    """All scores around -200: from a maximum that starts at 0, every power is 0."""
    q = torch.tensor([[-20.0, 0.0], [-20.0, 1.0], [-20.0, 0.5]])
    k = torch.cat((torch.full((5, 1), 14.0) + drawn(rng, 5, 1), drawn(rng, 5, 1)), dim=1)
    return inputs(q, k, drawn(rng, 5, 3), 2, 2)


def falling(rng):
    """Row 0 scores around 200 first, and around -200 after that; row 1 the other way round."""
    q = torch.tensor([[20.0, 0.0], [-20.0, 0.0], [1.0, 0.5]])
    k = torch.cat((floats([14], [14], [-14], [-14], [-14]), drawn(rng, 5, 1)), dim=1)
    return inputs(q, k, drawn(rng, 5, 3), 2, 2)


def wide(rng):
    """No two sizes alike, more keys than a tile has numbers, and more queries asked than are."""
    return inputs(drawn(rng, 3, 2), drawn(rng, 26, 2), drawn(rng, 26, 5), 7, 4)


def long(rng):
    """Rows of scores that are longer than a tile, and a last block that is shorter."""
    return inputs(drawn(rng, 11, 3), drawn(rng, 26, 3), drawn(rng, 26, 5), 4, 6)


def whole_numbers(rng):
    """Small enough to be followed by hand; two queries a block, so that a lost column shows."""
    return inputs(
        floats([1, 0, 1, 2], [0, 2, 1, 0], [0, 0, 2, 0]),
        floats([1, 1, 0, 0], [0, 1, 2, 1], [2, 0, 1, 2]),
        floats([10, 0], [20, 5], [30, 10]),
        2,
        2,
    )
