"""Whether an answer held at once what it should see piece by piece."""

import math
from collections.abc import Callable

import numpy as np
from torch import Tensor
from torch.overrides import TorchFunctionMode

NOT_AT_ONCE = "held everything at once"

POWERS = ("exp", "exp_", "exp2", "softmax")
MAXIMA = ("max", "amax", "argmax", "aminmax", "sort", "topk", "cummax", "logsumexp")


class _Numbers(TorchFunctionMode):
    """Notes the most numbers that calls to PyTorch return, and those that maxima look at."""

    def __init__(self, made: tuple[str, ...], seen: tuple[str, ...]):
        super().__init__()
        self.watched = {"made": made, "seen": seen}
        self.most = {"made": 0, "seen": 0, "any": 0}

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        several = result if isinstance(result, list | tuple) else [result]
        self._note("any", several)
        if function.__name__ in self.watched["made"]:
            self._note("made", several)
        if function.__name__ in self.watched["seen"]:
            self._note("seen", args[:1])
        return result

    def _note(self, what, several) -> None:
        sizes = [_numbers(one) for one in several if isinstance(one, Tensor)]
        self.most[what] = max([self.most[what], *sizes])


def _numbers(one: Tensor) -> int:
    """How many numbers it holds; stretched without a copy, those that lie in memory."""
    return min(one.numel(), one.untyped_storage().nbytes() // one.itemsize)


def watched(
    limit: Callable,
    operations: tuple[str, ...] = POWERS,
    maxima: tuple[str, ...] = (),
    any_limit: Callable | None = None,
):
    """An observer: the output, and whether more was held at once than may be.

    limit(case): so many numbers are too many for a result of `operations`, or for what one of
    `maxima` looks at; numbers, not bytes, for a right answer may go on in float64.
    any_limit(case): so many are too many for a result of any call to PyTorch.
    """

    def observe(candidate, case) -> dict:
        with _Numbers(operations, maxima) as held:
            output = candidate(*case.args, **case.kwargs)
        too_many = max(held.most["made"], held.most["seen"]) >= limit(case)
        if any_limit is not None:
            too_many = too_many or held.most["any"] >= any_limit(case)
        return {"output": output, NOT_AT_ONCE: np.asarray(too_many)}

    return observe


def _more_than_a_tile(case) -> float:
    """So many powers are more than a tile of them; endless where one tile is the whole table."""
    q, k, _, block_q, block_k = case.args
    tile = block_q * block_k
    return tile + 1 if tile < len(q) * len(k) else math.inf


def _more_than_all_else(case) -> float:
    """So many numbers are more than inputs, outputs and the products behind a tile have.

    Inputs and outputs may have one column more: of ones, as a sum of powers is made.
    """
    q, k, v, block_q, block_k = case.args
    d, e = q.shape[1] + 1, v.shape[1] + 1
    rows = max(len(q), len(k))
    return max(block_q * block_k, rows) * max(d, e) + 1


tile_by_tile = watched(_more_than_a_tile, any_limit=_more_than_all_else)
