"""Who holds which words of a long text, when it is dealt out to several processes (ring.py).

"stretches": one after another, so process 0 has the beginning. With a causal mask its queries see
few keys, and the last process's queries see all: most of them wait for the last.
"zigzag": twice as many stretches as processes; process r has the r-th from the beginning and the
r-th from the end. Early queries see little and late ones much, so each has the same work.

Stretches are as long as the text allows: where it does not divide, they differ by one word.
"""

from itertools import pairwise

import torch
from torch import Tensor

DEALS = ("zigzag", "stretches")


def stretches(n: int, size: int, deal: str = "zigzag") -> list[list[slice]]:
    """For each of `size` processes, the stretches of the text that it holds, in order.

    Raises: TypeError and ValueError for a length below 0, no process, or an unknown deal.
    Example:
        >>> stretches(8, 2)
        [[slice(0, 2, None), slice(6, 8, None)], [slice(2, 4, None), slice(4, 6, None)]]
        >>> stretches(5, 2, "stretches")
        [[slice(0, 2, None)], [slice(2, 5, None)]]
    """
    for name, number, least in (("n", n, 0), ("size", size, 1)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"{name} is {number!r}; expected a whole number")
        if number < least:
            raise ValueError(f"{name} is {number}; expected {least} or more")
    if deal not in DEALS:
        raise ValueError(f"deal is {deal!r}; expected one of {DEALS}")
    pieces = size if deal == "stretches" else 2 * size
    ends = [n * i // pieces for i in range(pieces + 1)]
    pieces_of_it = [slice(a, b) for a, b in pairwise(ends)]
    if deal == "stretches":
        return [[one] for one in pieces_of_it]
    return [[pieces_of_it[r], pieces_of_it[-1 - r]] for r in range(size)]


def places(n: int, size: int, rank: int, deal: str = "zigzag") -> Tensor:
    """The numbers of the words that a process holds, in order: whole numbers, (its words,).

    Raises: as `stretches`; ValueError for a process that is not there.
    Example:
        >>> places(8, 2, rank=0)
        tensor([0, 1, 6, 7])
    """
    mine = stretches(n, size, deal)
    if not 0 <= rank < size:
        raise ValueError(f"rank is {rank}; expected 0 to {size - 1}, one of {size} processes")
    return torch.cat([torch.arange(one.start, one.stop) for one in mine[rank]])


def part_of(whole: Tensor, size: int, rank: int, deal: str = "zigzag") -> Tensor:
    """What a process holds of rows that are all there.

    Shapes: (..., n, d) -> (..., its words, d)
    """
    return whole.index_select(-2, places(whole.shape[-2], size, rank, deal).to(whole.device))


def together(parts: list[Tensor], deal: str = "zigzag") -> Tensor:
    """All rows in the order of the text, from what each process holds.

    Shapes: (..., its words, d) of each -> (..., n, d)
    Raises: ValueError where the parts are not of the lengths that `stretches` deals.
    """
    n, size = sum(one.shape[-2] for one in parts), len(parts)
    order = [places(n, size, rank, deal) for rank in range(size)]
    for rank, (one, its) in enumerate(zip(parts, order, strict=True)):
        if one.shape[-2] != len(its):
            raise ValueError(
                f"part {rank} has {one.shape[-2]} rows; of {n} dealt to {size} ({deal}) it has "
                f"{len(its)}"
            )
    rows = torch.cat(parts, dim=-2)
    return rows.index_select(-2, torch.cat(order).argsort().to(rows.device))


def lengths(n: int, size: int, deal: str = "zigzag") -> list[int]:
    """How many words each process holds.

    Example:
        >>> lengths(10, 4)
        [3, 2, 2, 3]
    """
    return [sum(one.stop - one.start for one in its) for its in stretches(n, size, deal)]


def meetings(rows: list[slice], cols: list[slice], causal: bool) -> list[tuple[slice, slice, bool]]:
    """Which stretches of queries meet which of keys: rows and columns within the parts held.

    The third says whether they are the same stretch, with the diagonal of a causal mask in it.
    Without a mask all meet at once; with one, keys behind the queries meet nobody.
    """
    own, their = _within(rows), _within(cols)
    if not causal:
        return [(slice(0, own[-1].stop), slice(0, their[-1].stop), False)]
    return [
        (mine, its, row.start == col.start)
        for row, mine in zip(rows, own, strict=True)
        for col, its in zip(cols, their, strict=True)
        if col.start <= row.start and mine.start < mine.stop and its.start < its.stop
    ]


def _within(parts: list[slice]) -> list[slice]:
    """The same stretches, counted in the rows of the part that holds them side by side."""
    found, begin = [], 0
    for one in parts:
        found.append(slice(begin, begin + one.stop - one.start))
        begin = found[-1].stop
    return found
