"""What a layer of multi-head attention costs: learned numbers, operations, scores, and its time.

    head_cost(1024, 512, heads=8)           # counted
    measure()                               # timed on this machine: about two minutes
    recorded()["ratios"]["naive"]["64"]     # as it was once timed

The heads are m / heads wide, so that together they are as wide as the words. Times are kept as a
ratio to that of one head: on another machine the milliseconds are others, the ratios less so.
"""

import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.kernels.arguments import check_divides, check_whole

HEADS = (1, 2, 4, 8, 16, 32, 64)
N, M = 1024, 512  # words and their width, for the times
RECORD = "head_times.json"


@dataclass(frozen=True)
class HeadCost:
    """parameters: learned numbers.   flops: multiplications and additions.   scores: how many."""

    parameters: int
    flops: int
    scores: int


def head_cost(n: int, m: int, heads: int) -> HeadCost:
    """One layer on n words of width m, without biases.

    The operations are those of the matrix products; the softmax, which has one exponential for
    each score, is not among them.

    Raises: TypeError or ValueError for sizes below 1 and heads that do not divide m.
    Example:
        >>> head_cost(1024, 512, 1).flops == head_cost(1024, 512, 64).flops
        True
    """
    check_whole(n=n, m=m, heads=heads)
    check_divides("x", m, heads)
    return HeadCost(4 * m * m, 8 * n * m * m + 4 * n * n * m, heads * n * n)


def measure(rounds: int = 7, seed: int = 0) -> dict[str, dict[str, float]]:
    """How many times as long as one head: by kind and number of heads, the median of the rounds.

    naive: all scores are written into memory. fused: `scaled_dot_product_attention`, which does
    without. Both attend only; the projections, which are the same for any number, are left out.
    """
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(N, M, generator=generator)
    ways = {"naive": _naive, "fused": scaled_dot_product_attention}
    ratios: dict = {way: {str(h): [] for h in HEADS} for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            for h in HEADS:
                q = x.unflatten(-1, (h, -1)).transpose(0, 1).contiguous()[None]
                one = x[None, None]
                ratios[way][str(h)].append(_seconds(run, q) / _seconds(run, one))
    return {way: {h: round(statistics.median(found), 2) for h, found in by_heads.items()}
            for way, by_heads in ratios.items()}  # fmt: skip


def recorded() -> dict:
    """The recorded times: "machine", and "ratios" by kind and number of heads."""
    return json.loads(files(__package__).joinpath(RECORD).read_text(encoding="utf-8"))


def _naive(q, k, v):
    return (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1) @ v


def _seconds(run: Callable, q) -> float:
    """The shorter of two runs."""
    found = []
    for _ in range(2):
        start = time.perf_counter()
        run(q, q, q)
        found.append(time.perf_counter() - start)
    return min(found)
