"""Whole numbers as arguments: counts, widths, lengths."""

import operator
from collections.abc import Sequence
from typing import SupportsIndex

import torch
from torch import Tensor


def whole_number(name: str, given: SupportsIndex, least: int | None = None) -> int:
    """The argument as an int; numpy's and torch's whole numbers count, True and 2.0 do not.

    Raises: TypeError for anything else; ValueError below `least`.
    """
    no_count = isinstance(given, bool) or (
        isinstance(given, Tensor) and (given.dtype == torch.bool or given.ndim)
    )
    try:
        number = None if no_count else operator.index(given)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name} is {given!r}; expected a whole number")
    if least is not None and number < least:
        raise ValueError(f"{name} is {number}; expected at least {least}")
    return number


def whole_numbers(
    name: str, given: SupportsIndex | Sequence | Tensor, axes: tuple[int, ...]
) -> Tensor:
    """The argument as a tensor of int64 with one of these numbers of axes.

    Whatever kind of whole number came: int8 would count on from 127 to -128, uint8 from 255 to 0.

    Raises: TypeError for other things than whole numbers; ValueError for shapes and for nothing.
    """
    try:
        numbers = torch.as_tensor(given)
    except (TypeError, ValueError, RuntimeError) as error:
        text = repr(given) if len(repr(given)) < 60 else type(given).__name__
        raise TypeError(f"{name} is {text}; expected whole numbers, as many in each row") from error
    if numbers.ndim not in axes or numbers.numel() == 0:
        shapes = " or ".join({1: "(n,)", 2: "(b, n)"}.get(n, f"{n} axes") for n in axes)
        raise ValueError(f"{name} has shape {tuple(numbers.shape)}; expected {shapes}, not empty")
    if numbers.dtype == torch.bool or numbers.dtype.is_floating_point or numbers.is_complex():
        raise TypeError(f"{name} holds {numbers.dtype}; expected whole numbers")
    return numbers.to(torch.int64)
