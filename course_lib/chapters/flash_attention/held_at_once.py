"""Whether an answer held at once what it should see piece by piece.

PyTorch's calls are watched. What a learner does in lists or in numpy is not seen.
"""

import math
from collections.abc import Callable

import numpy as np
from torch import Tensor
from torch.overrides import TorchFunctionMode

NOT_AT_ONCE = "held everything at once"

BLOCK_BY_BLOCK = (
    "The numbers are right. But {name} looks at several blocks of scores together, or at a block a "
    "second time; it should see each once, one after another."
)
TILE_BY_TILE = (
    "The numbers are right. But {name} makes more numbers at once than it may: a tile, block_q by "
    "block_k, is all that a step may hold of the table."
)

POWERS = ("exp", "exp_", "exp2", "softmax")
READY_MADE = "scaled_dot_product_attention"

# What looks at a tensor without reading its numbers, and what hands all of it on, unread.
LOOKS = (
    "__get__", "__len__", "__repr__", "__format__", "__iter__", "__getitem__", "size", "dim",
    "numel", "nelement", "element_size", "stride", "is_floating_point", "zeros_like", "ones_like",
    "empty_like", "full_like", "new_zeros", "new_ones", "new_full", "new_empty", "new_tensor",
)  # fmt: skip
COPIES = (
    "clone", "detach", "to", "type", "type_as", "float", "double", "half", "contiguous", "cpu",
    "tolist", "numpy", "__array__", "tensor", "as_tensor", "asarray", "cat", "pad", "__deepcopy__",
)  # fmt: skip


class _Numbers(TorchFunctionMode):
    """Notes the most numbers of a result of `operations`, and every shape that is too much.

    too_much(shape, numbers): whether a result of any call is.
    """

    def __init__(self, operations: tuple[str, ...], too_much: Callable | None):
        super().__init__()
        self.operations, self.too_much = operations, too_much
        self.most, self.refused = 0, False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        tensors = _tensors(result)
        if function.__name__ in self.operations:
            self.most = max([self.most, *map(_numbers, tensors)])
        if self.too_much is not None:
            self.refused = self.refused or self._is_too_much(
                function.__name__, args, kwargs, tensors
            )
        return result

    def _is_too_much(self, name, args, kwargs, tensors) -> bool:
        """Whether a call made too much of other tensors: a column of ones is made of none."""
        made = name not in LOOKS and _given(args, kwargs)
        floats = [one for one in tensors if made and one.is_floating_point()]
        return name == READY_MADE or any(self.too_much(one.shape, _numbers(one)) for one in floats)


def _tensors(result) -> list[Tensor]:
    several = result if isinstance(result, list | tuple) else [result]
    return [one for one in several if isinstance(one, Tensor)]


def _numbers(one: Tensor) -> int:
    """How many numbers it holds; stretched without a copy, those that lie in memory."""
    return min(one.numel(), one.untyped_storage().nbytes() // one.itemsize)


def watched(
    limit: Callable,
    operations: tuple[str, ...] = POWERS,
    too_much: Callable | None = None,
    says: str = TILE_BY_TILE,
):
    """An observer: the output, and whether more was held at once than may be.

    limit(case): so many numbers are too many for a result of `operations`; numbers, not bytes, for
    a right answer may go on in float64.
    too_much(case): gives (shape, numbers) -> whether a result of any call to PyTorch is too much;
    then PyTorch's own attention is refused, too, for it holds what nobody sees.
    says: what is told of an answer that held too much.
    """

    def observe(candidate, case) -> dict:
        refuses = None if too_much is None else too_much(case)
        with _Numbers(operations, refuses) as held:
            output = candidate(*case.args, **case.kwargs)
        return {"output": output, NOT_AT_ONCE: np.asarray(held.most >= limit(case) or held.refused)}

    vars(observe)["observations"] = {NOT_AT_ONCE: says}
    return observe


class _Blocks(TorchFunctionMode):
    """Notes whether a call reads several blocks of a row together, or a block that was left."""

    def __init__(self, row: Tensor, block: int):
        super().__init__()
        self.rows, self.size, self.block = [row], len(row), block
        self.here, self.left, self.refused = -1, set(), False
        self.kept = set()  # of blocks that were left, which numbers are read; one may be

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if function.__name__ not in LOOKS:
            homes = {one.untyped_storage().data_ptr() for one in self.rows}
            of_the_row = [one for one in _given(args, kwargs) if _home(one) in homes]
            if not any(_home(one) in homes for one in _tensors(result)):  # else it is a view
                self._note(function.__name__, of_the_row, result)
        return result

    def _note(self, name, tensors, result) -> None:
        for one in tensors:
            if one.numel() == 0:
                continue
            if name in COPIES and one.numel() == self.size:
                self.rows += [copy for copy in _tensors(result) if copy.numel() == self.size]
                continue
            begin = one.storage_offset()
            steps = zip(one.shape, one.stride(), strict=True)
            end = begin + sum((length - 1) * step for length, step in steps)
            if one.dim() == 0 and begin // self.block in self.left:
                self._reads_kept(begin)
            else:
                self._reads(begin // self.block, end // self.block)

    def _reads_kept(self, place: int) -> None:
        """One number of a block that was left: its largest score, kept as Python's max gives it."""
        self.kept.add(place)
        self.refused = self.refused or len(self.kept) > 1

    def _reads(self, first: int, last: int) -> None:
        self.refused = self.refused or last > first or first in self.left
        if first != self.here:
            self.left.add(self.here)
            self.here, self.kept = first, set()


def _given(args, kwargs) -> list[Tensor]:
    return [one for part in (*args, *(kwargs or {}).values()) for one in _tensors(part)]


def _home(one: Tensor) -> int:
    return one.untyped_storage().data_ptr()


def block_by_block(candidate, case) -> dict:
    """The output, and whether the scores were looked at together or a block a second time."""
    scores, _, block = case.args
    with _Blocks(scores, block) as held:
        output = candidate(*case.args, **case.kwargs)
    return {"output": output, NOT_AT_ONCE: np.asarray(held.refused)}


vars(block_by_block)["observations"] = {NOT_AT_ONCE: BLOCK_BY_BLOCK}


def _tile(case) -> tuple[int, bool]:
    """How many numbers a tile has, and whether it is the whole table."""
    q, k, _, block_q, block_k = case.args
    tile = min(block_q, len(q)) * min(block_k, len(k))
    return tile, tile == len(q) * len(k)


def _more_than_a_tile(case) -> float:
    """So many powers are more than a tile of them; endless where one tile is the whole table."""
    tile, whole = _tile(case)
    return math.inf if whole else tile + 1


def _no_tile(case) -> Callable:
    """Whether a result is a table of scores larger than a tile.

    Inputs, outputs and the products after a tile have an axis as wide as a query or a value, one
    more where a column of ones is beside them. Whole rows of scores have none, and one of all keys.
    """
    q, k, v, *_ = case.args
    d, e = q.shape[1], v.shape[1]
    (tile, whole), widths = _tile(case), {d, e, d + 1, e + 1, d + e}
    most = max(tile, len(q), len(k)) * (max(d, e) + 1)

    def too_much(shape, numbers) -> bool:
        long = [size for size in shape if size > 1]
        rows = len(k) in long and (len(long) > 1 or len(k) != len(q))
        scores = rows and not widths.intersection(long) and numbers > tile
        return numbers > most or (scores and not whole)

    return too_much


tile_by_tile = watched(_more_than_a_tile, too_much=_no_tile)
