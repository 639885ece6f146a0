"""Tensors for the cases of exercises, small enough to be read where a case fails."""

import math

import numpy as np
import torch


def drawn(
    rng: np.random.Generator, *shape: int, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    """Normal numbers with one digit behind the point."""
    return torch.tensor(rng.normal(size=shape).round(1), dtype=dtype)


def floats(*rows: float | list[float]) -> torch.Tensor:
    """A tensor of float32 from its rows, or from its numbers."""
    return torch.tensor(rows, dtype=torch.float32)


def counted(*shape: int) -> torch.Tensor:
    """1, 2, 3, ... in float32: each number shows where it came from."""
    return torch.arange(1.0, 1 + math.prod(shape)).reshape(shape)
