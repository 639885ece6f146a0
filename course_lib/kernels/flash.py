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

float16 and bfloat16 are computed in float32 and rounded once, also under torch.autocast; lse stays
in float32. Errors are as in attention.py: TypeError and ValueError, with the likely cause. It has a
first derivative and no second: a RuntimeError says so where one is asked for.

flash_triton.py does the same on a GPU, and there the tile stays on the chip. In PyTorch, on a CPU,
the loops cost more than they save while texts are short; where the table of scores outgrows the
processor's cache, from about a thousand keys on, this was measured as quick as attention.py or
quicker, and causal sooner, since whole tiles are skipped.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from course_lib.kernels.differentiable_once import differentiable_once
from course_lib.kernels.flash_arguments import Given, refuse_vmap
from course_lib.kernels.flash_rule import Rule
from course_lib.kernels.precision import own_precision

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
    Source: maximum and total: Milakov and Gimelshein, "Online normalizer calculation for softmax"
        (2018), algorithm 3. The weighted sum, divided at the very end: Rabe and Staats,
        "Self-attention Does Not Need O(n²) Memory" (2021), section 2.
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
    window: int | None = None, key_lengths: Sequence[int] | Tensor | None = None,
    scale: float | None = None, softcap: float | None = None, block_q: int = 128,
    block_k: int = 128, return_lse: bool = False, log: list | None = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Attention whose memory grows with the length, not with its square; so does the gradient's.

    causal: a query sees the keys up to its own place. align: "bottom-right", where the last query
        is the last key's neighbour; "top-left", where the first is the first's.
    window: a query sees the keys fewer than `window` places away, as `sliding_window` of masks.py:
        with causal the last `window`, itself included. Tiles outside are not read.
    softcap: as in attention.py.
    key_lengths: (b,), how many keys count in each sentence; what stands behind them is never used.
        They hide keys and do not move the queries: `causal & padding(key_lengths)`.
    log: a list; gets a `Move` for each tile that the forward pass reads or writes.

    Shapes: q (b, h, t, d), k (b, g, s, d), v (b, g, s, e) -> (b, h, t, e); with return_lse also
        (b, h, t). Without the axis b, or without b and h, too: (t, d), (s, d), (s, e) -> (t, e).
    Source: Dao et al., "FlashAttention" (2022), algorithms 1 and 4; in the order of the loops of
        Dao, "FlashAttention-2" (2023), algorithm 1. Windows: Beltagy et al., "Longformer" (arXiv
        2004.05150), section 3.1; Jiang et al., "Mistral 7B" (2310.06825), figure 1.
    """
    given = Given(
        q, k, v, causal=causal, align=align, window=window, key_lengths=key_lengths, scale=scale,
        softcap=softcap, block_q=block_q, block_k=block_k,
    )  # fmt: skip
    rule = Rule(given.scale, given.low, given.high, given.lengths, softcap)
    with own_precision(q):
        out, lse = _Flash.apply(*given.folded(), rule, block_q, block_k, log)
    out, lse = given.unfolded(out), given.unfolded(lse)[..., 0]
    return (out, lse) if return_lse else out


def blocks(length: int, block: int) -> list[slice]:
    """0 to length in slices of `block`; the last may be shorter."""
    return [slice(begin, min(begin + block, length)) for begin in range(0, length, block)]


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

    def read(
        self, name: str, tensor: Tensor, part: slice, i: int | None = None, j: int | None = None
    ) -> Tensor:
        """A tile of the rows `part`."""
        tile = tensor[..., part, :]
        self._note("read", name, i, j, tile)
        return tile.to(self.wide)

    def write(
        self, name: str, tensor: Tensor, part: slice, tile: Tensor,
        i: int | None = None, j: int | None = None,
    ) -> None:  # fmt: skip
        """Put a tile in its place."""
        tensor[..., part, :] = tile
        self._note("write", name, i, j, tile)

    def _note(self, action, name, i, j, tile):
        if self.log is not None:
            self.log.append(Move(action, name, i, j, tile.numel()))


class _Flash(torch.autograd.Function):
    """q (..., g, h / g, t, d), k and v (..., g, 1, s, d or e) -> output and lse (..., t, 1)."""

    @staticmethod
    def forward(q, k, v, rule, block_q, block_k, log):
        memory = Memory(torch.promote_types(q.dtype, torch.float32), log)
        out = q.new_empty(*q.shape[:-1], v.shape[-1])
        lse = q.new_empty(*q.shape[:-1], 1, dtype=memory.wide)
        for i, rows in enumerate(blocks(q.shape[-2], block_q)):
            q_tile = memory.read("q", q, rows, i)
            running = nothing_seen(q_tile.shape[:-1], v.shape[-1], q_tile)
            for j, cols in enumerate(blocks(k.shape[-2], block_k)):
                if not rule.sees(rows, cols):
                    continue
                k_tile = rule.without_padding(memory.read("k", k, cols, i, j), cols)
                v_tile = rule.without_padding(memory.read("v", v, cols, i, j), cols)
                scores = rule.scores(q_tile, k_tile, rows, cols)
                running = absorb(running, scores, v_tile)
            memory.write("out", out, rows, running.mean, i)
            memory.write("lse", lse, rows, running.lse[..., None], i)
        return out, lse

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[:3], *output)
        ctx.options = inputs[3:6]

    @staticmethod
    @differentiable_once("flash_attention")
    def backward(ctx, grad_out, grad_lse):
        q, k, v, out, lse = ctx.saved_tensors
        # What each row of weights loses in the gradient of a softmax is a mean over all keys. It
        # is here before the first tile, for it is also grad_out · out: one number for each query.
        delta = (grad_out.to(lse) * out.to(lse)).sum(dim=-1, keepdim=True) - grad_lse
        grads = gradients(q, k, v, lse, grad_out, delta, *ctx.options)
        return *grads, None, None, None, None

    vmap = refuse_vmap("flash_attention")


def gradients(
    q: Tensor, k: Tensor, v: Tensor, lse: Tensor, grad_out: Tensor, delta: Tensor, rule: Rule,
    block_q: int, block_k: int,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Those of q, k and v, tile by tile: each tile of weights is made again from its lse.

    Are k and v some of the keys only, and lse and delta those of all, these are their parts of it
    (ring.py).

    Shapes: q and grad_out (b, g, h / g, t, ...), k and v (b, g, 1, s, ...), lse and delta with 1
    """
    memory = Memory(lse.dtype)
    empty_is_inf = torch.where(lse == -torch.inf, torch.inf, lse)  # then every weight is 0
    # Made from delta and not from q: where torch.func.jacrev maps grad_out, these go along.
    grad_q = delta.new_zeros(q.shape)
    grad_k, grad_v = (delta.new_zeros(one.shape, dtype=one.dtype) for one in (k, v))
    for cols in blocks(k.shape[-2], block_k):
        k_tile = rule.without_padding(memory.read("k", k, cols), cols)
        v_tile = rule.without_padding(memory.read("v", v, cols), cols)
        grad_k_tile, grad_v_tile = (delta.new_zeros(one.shape) for one in (k_tile, v_tile))
        for rows in blocks(q.shape[-2], block_q):
            if not rule.sees(rows, cols):
                continue
            q_tile = memory.read("q", q, rows)
            grad_tile = memory.read("grad_out", grad_out, rows)
            scores = rule.scores(q_tile, k_tile, rows, cols)
            weights = torch.exp(scores - empty_is_inf[..., rows, :])
            grad_scores = weights * (grad_tile @ v_tile.mT - delta[..., rows, :])
            grad_product = grad_scores * rule.slope(scores)
            grad_q[..., rows, :] += grad_product @ k_tile
            grad_k_tile += (grad_product.mT @ q_tile).sum(dim=-3, keepdim=True)  # of its heads
            grad_v_tile += (weights.mT @ grad_tile).sum(dim=-3, keepdim=True)
        grad_k[..., cols, :], grad_v[..., cols, :] = grad_k_tile, grad_v_tile
    return grad_q.to(q.dtype), grad_k, grad_v
