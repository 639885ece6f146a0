"""FlashAttention: attention tile by tile, so that the table of scores never exists.

    for each block of queries:
        for each block of keys and values:
            scores = q kᵀ scale                     one tile, then forgotten
            the running maximum, sum and weighted sum of the values take it in
        output = weighted sum / sum                 lse = maximum + log(sum)

It is the same attention, up to rounding, and the same number of multiplications; what shrinks is
memory, from t times s numbers to one tile. On the way back each tile of weights is made again from
the scores and the lse: weights = exp(scores - lse).

Axes: b sentences, h heads of queries, g heads of keys and values (g divides h), t queries, s keys,
d width of queries and keys, e width of values. lse, the log-sum-exp, is log of the sum of
exp(score) over the keys that a query sees; -inf for a query that sees none, and its output is 0.

float16 and bfloat16 are computed in float32 and rounded once; lse stays in float32. Errors are as
in attention.py: TypeError and ValueError, with the likely cause. flash_triton.py does the same on
a GPU, and there the tile stays on the chip; in PyTorch this is slower than attention.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from course_lib.kernels.flash_arguments import Given

LOWEST = -1e30  # the maximum before the first score; finite, so that no step makes inf - inf


class Running(NamedTuple):
    """What the online softmax keeps of all scores seen so far, for each row.

    maximum: the largest score.   total: the sum of exp(score - maximum).
    weighted: the sum of exp(score - maximum) times the value.

    Shapes: maximum and total (...), weighted (..., e)
    """

    maximum: Tensor
    total: Tensor
    weighted: Tensor

    @property
    def mean(self) -> Tensor:
        """The values, each by its softmax weight; 0 where no score has counted."""
        return self.weighted / torch.where(self.total > 0, self.total, 1.0)[..., None]

    @property
    def lse(self) -> Tensor:
        """log of the sum of exp(score); -inf where no score has counted."""
        return self.maximum + torch.log(self.total)


def nothing_seen(rows: tuple[int, ...], e: int, like: Tensor) -> Running:
    """The start: no score, in the dtype and on the device of `like`."""
    zeros = like.new_zeros(rows)
    return Running(zeros + LOWEST, zeros, like.new_zeros((*rows, e)))


def absorb(running: Running, scores: Tensor, values: Tensor) -> Running:
    """Take in one more block of scores and their values.

    A new maximum is a new unit for the sums: what they hold shrinks by exp(old - new).

    Shapes: scores (..., t, c), or (c,) for one row; values (..., c, e)
    Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018), algorithm 3.
    """
    maximum = torch.maximum(running.maximum, scores.amax(dim=-1))
    shrink = torch.exp(running.maximum - maximum)
    weights = torch.exp(scores - maximum[..., None])
    return Running(
        maximum,
        shrink * running.total + weights.sum(dim=-1),
        shrink[..., None] * running.weighted + weights @ values,
    )


def online_softmax(scores: Tensor, values: Tensor, block: int) -> list[Running]:
    """The softmax mean of the values, `block` scores at a time: what is kept after each block.

    The last entry has it all: its `mean` is softmax(scores) @ values.

    Shapes: scores (..., t, s), or (s,) for one row; values (..., s, e)
    Example: the fourth score is a new maximum, so 1 + 1 + 1/2 becomes 1/8 of it, plus 1.
        >>> scores = torch.log(torch.tensor([2.0, 2.0, 1.0, 16.0]))
        >>> steps = online_softmax(scores, torch.eye(4), block=3)
        >>> print([round(step.total.item(), 4) for step in steps])
        [2.5, 1.3125]
    """
    running, steps = nothing_seen(scores.shape[:-1], values.shape[-1], scores), []
    for part in blocks(scores.shape[-1], block):
        running = absorb(running, scores[..., part], values[..., part, :])
        steps.append(running)
    return steps


def merge(out1: Tensor, lse1: Tensor, out2: Tensor, lse2: Tensor) -> tuple[Tensor, Tensor]:
    """Output and lse over two sets of keys together, from those of each alone.

    Shapes: outputs (..., t, e), lses (..., t) -> (..., t, e), (..., t)
    Example: sums of exp of 3 and of 1, so the first counts three times as much.
        >>> sums = torch.tensor([[3.0], [1.0]]).log()
        >>> out, lse = merge(torch.tensor([[8.0]]), sums[0], torch.tensor([[4.0]]), sums[1])
        >>> print(f"{out.item():.4f} {lse.exp().item():.4f}")
        7.0000 4.0000
    """
    top = torch.maximum(lse1, lse2).clamp(min=LOWEST)  # if both are empty, -inf - -inf is NaN
    share1, share2 = torch.exp(lse1 - top), torch.exp(lse2 - top)
    some = share1 + share2 > 0
    total = torch.where(some, share1 + share2, 1.0)
    out = (share1 / total)[..., None] * out1 + (share2 / total)[..., None] * out2
    return out.to(out1.dtype), torch.where(some, top + torch.log(total), -torch.inf)


def flash_attention(
    q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False, align: str = "bottom-right",
    key_lengths=None, scale: float | None = None, block_q: int = 128, block_k: int = 128,
    return_lse: bool = False, log: list | None = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Attention whose memory grows with the length, not with its square; so does the gradient's.

    causal: a query sees the keys up to its own place. align: "bottom-right", where the last query
        is the last key's neighbour; "top-left", where the first is the first's.
    key_lengths: (b,), how many keys count in each sentence; what stands behind them is never used.
        They hide keys and do not move the queries: `causal & padding(key_lengths)`.
    log: a list; gets a `Move` for each tile that the forward pass reads or writes.

    Shapes: q (b, h, t, d), k (b, g, s, d), v (b, g, s, e) -> (b, h, t, e); with return_lse also
        (b, h, t). Without the axis b, or without b and h, too: (t, d), (s, d), (s, e) -> (t, e).
    Source: Dao et al., "FlashAttention" (2022), algorithms 1 and 4; in the order of the loops of
        Dao, "FlashAttention-2" (2023), algorithm 1.
    """
    given = Given(q, k, v, causal, align, key_lengths, scale, block_q, block_k)
    rule = Rule(given.scale, given.shift, given.lengths)
    out, lse = _Flash.apply(*given.folded(), rule, block_q, block_k, log)
    out, lse = given.unfolded(out), given.unfolded(lse)[..., 0]
    return (out, lse) if return_lse else out


def blocks(length: int, block: int) -> list[slice]:
    """0 to length in slices of `block`; the last may be shorter."""
    return [slice(begin, min(begin + block, length)) for begin in range(0, length, block)]


@dataclass(frozen=True)
class Rule:
    """Which query sees which key. Query i has the place i + shift among the keys.

    shift: None where it is not causal.   lengths: None where all keys count.
    """

    scale: float
    shift: int | None
    lengths: Tensor | None

    def sees(self, rows: slice, cols: slice) -> bool:
        """Whether any query of the block may see a key of the other: else the tile is skipped."""
        return self.shift is None or cols.start < rows.stop + self.shift

    def counts(self, cols: slice, device) -> Tensor:
        """Which of the keys are words and not padding: (..., 1, c), or (c,)."""
        keys = torch.arange(cols.start, cols.stop, device=device)
        return keys < (cols.stop if self.lengths is None else self.lengths)

    def scores(self, q: Tensor, k: Tensor, rows: slice, cols: slice) -> Tensor:
        """One tile of scores, -inf where the query must not see the key."""
        seen = self.counts(cols, q.device)
        if self.shift is not None:
            i = torch.arange(rows.start, rows.stop, device=q.device)[:, None]
            seen = seen & (torch.arange(cols.start, cols.stop, device=q.device) <= i + self.shift)
        return torch.where(seen, q @ k.mT * self.scale, -torch.inf)

    def without_padding(self, tile: Tensor, cols: slice) -> Tensor:
        """Keys or values with 0 behind the length, since 0 times NaN would be NaN."""
        if self.lengths is None:
            return tile
        return torch.where(self.counts(cols, tile.device).mT, tile, 0.0)


class Move(NamedTuple):
    """A tile on its way: "read" from the large memory or "write" to it, how many numbers."""

    action: str
    name: str
    q_block: int | None
    k_block: int | None
    elements: int


class Memory(NamedTuple):
    """The large memory of the device. Tiles are computed in `wide`."""

    wide: torch.dtype
    log: list | None = None

    def read(self, name: str, tensor: Tensor, part: slice, i=None, j=None) -> Tensor:
        """A tile of the rows `part`."""
        tile = tensor[..., part, :]
        self._note("read", name, i, j, tile)
        return tile.to(self.wide)

    def write(self, name: str, tensor: Tensor, part: slice, tile: Tensor, i=None, j=None) -> None:
        """Put a tile in its place."""
        tensor[..., part, :] = tile
        self._note("write", name, i, j, tile)

    def _note(self, action, name, i, j, tile):
        if self.log is not None:
            self.log.append(Move(action, name, i, j, tile.numel()))


class _Flash(torch.autograd.Function):
    """q (..., g, h / g, t, d), k and v (..., g, 1, s, d or e) -> output and lse (..., t, 1)."""

    @staticmethod
    def forward(ctx, q, k, v, rule, block_q, block_k, log):
        memory = Memory(torch.promote_types(q.dtype, torch.float32), log)
        out = q.new_empty(*q.shape[:-1], v.shape[-1])
        lse = q.new_empty(*q.shape[:-1], 1, dtype=memory.wide)
        for i, rows in enumerate(blocks(q.shape[-2], block_q)):
            q_tile = memory.read("q", q, rows, i)
            running = nothing_seen(q_tile.shape[:-1], v.shape[-1], q_tile)
            for j, cols in enumerate(blocks(k.shape[-2], block_k)):
                if not rule.sees(rows, cols):
                    break
                k_tile = rule.without_padding(memory.read("k", k, cols, i, j), cols)
                v_tile = rule.without_padding(memory.read("v", v, cols, i, j), cols)
                scores = rule.scores(q_tile, k_tile, rows, cols)
                running = absorb(running, scores, v_tile)
            memory.write("out", out, rows, running.mean, i)
            memory.write("lse", lse, rows, running.lse[..., None], i)
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.options = rule, block_q, block_k
        return out, lse

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_out, grad_lse):
        q, k, v, out, lse = ctx.saved_tensors
        rule, block_q, block_k = ctx.options
        memory = Memory(lse.dtype)
        # What each row of weights loses in the gradient of a softmax is a mean over all keys. It
        # is here before the first tile, for it is also grad_out · out: one number for each query.
        delta = (grad_out.to(lse) * out.to(lse)).sum(dim=-1, keepdim=True) - grad_lse
        empty_is_inf = torch.where(lse == -torch.inf, torch.inf, lse)  # then every weight is 0
        grad_q = torch.zeros_like(q, dtype=memory.wide)
        grad_k, grad_v = torch.empty_like(k), torch.empty_like(v)
        for cols in blocks(k.shape[-2], block_k):
            k_tile = rule.without_padding(memory.read("k", k, cols), cols)
            v_tile = rule.without_padding(memory.read("v", v, cols), cols)
            grad_k_tile, grad_v_tile = torch.zeros_like(k_tile), torch.zeros_like(v_tile)
            for rows in blocks(q.shape[-2], block_q):
                if not rule.sees(rows, cols):
                    continue
                q_tile = memory.read("q", q, rows)
                grad_tile = memory.read("grad_out", grad_out, rows)
                scores = rule.scores(q_tile, k_tile, rows, cols)
                weights = torch.exp(scores - empty_is_inf[..., rows, :])
                grad_scores = weights * (grad_tile @ v_tile.mT - delta[..., rows, :]) * rule.scale
                grad_q[..., rows, :] += grad_scores @ k_tile
                grad_k_tile += (grad_scores.mT @ q_tile).sum(dim=-3, keepdim=True)  # of its heads
                grad_v_tile += (weights.mT @ grad_tile).sum(dim=-3, keepdim=True)
            grad_k[..., cols, :], grad_v[..., cols, :] = grad_k_tile, grad_v_tile
        return grad_q.to(q.dtype), grad_k, grad_v, None, None, None, None
