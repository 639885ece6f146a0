"""What the tests of attention share."""

import numpy as np
import torch

from tests.kernels.attention_errors import DTYPES

T, S, D, E = 3, 5, 7, 2  # queries, keys, width of queries and keys, width of values


def random(*shape, seed=0, dtype=torch.float64):
    numbers = np.random.default_rng([seed, *shape]).normal(size=shape)
    return torch.from_numpy(numbers).to(dtype)


def qkv(*leading, dtype=torch.float64, seed=0):
    shapes = ((T, D), (S, D), (S, E))
    return tuple(random(*leading, *shape, seed=seed, dtype=dtype) for shape in shapes)


def open_mask(*shape, share=0.5):
    """Each row may attend to at least one key."""
    mask = torch.from_numpy(np.random.default_rng(1).random(shape) < share)
    mask[..., 0] = True
    return mask


EPS = {dtype: torch.finfo(dtype).eps for dtype in DTYPES}
