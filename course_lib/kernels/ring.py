"""Attention over a text that no process holds whole: keys and values go round in a ring.

    join(rank, size, meeting_file)                    ring_group.py: torch.distributed, gloo
    q, k, v = (part_of(one, size, rank) for one in (q, k, v))
    out = ring_attention(q, k, v, n=n, causal=True)   each process: the rows of its own queries

Each process keeps its queries. In each step it computes over the keys and values that it has, and
passes them on to the next; after as many steps as there are processes, all queries have met all
keys. The answers over the parts are put together by `merge` of flash.py, from outputs and lses: no
process ever holds another's scores. On the way back keys and values go round once more, and the
gradients that they have gathered go with them until they are home.

What is sent is sent by torch.distributed (batch_isend_irecv). 16-bit numbers travel as such, are
computed and added up in float32, and rounded once; gradients on their way are float32.

Source: Liu, Zaharia, Abbeel, "Ring Attention with Blockwise Transformers for Near-Infinite Context"
    (2023), arXiv:2310.01889; parts that make work equal where the mask is causal: Brandon et al.,
    "Striped Attention" (2023), arXiv:2311.09431, and in zigzag Zhu, "ring-flash-attention" (2024).
"""

from typing import NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor

from course_lib.kernels.differentiable_once import differentiable_once
from course_lib.kernels.flash import flash_attention, gradients, merge
from course_lib.kernels.flash_arguments import Given, refuse_vmap
from course_lib.kernels.flash_rule import Rule
from course_lib.kernels.precision import own_precision
from course_lib.kernels.ring_group import Neighbours, agree
from course_lib.kernels.ring_parts import lengths, meetings, stretches

BLOCK = 128


class Step(NamedTuple):
    """What a process did in a step: of which process it had the keys, how many pairs it computed.

    sent: the bytes that it passed on. In a backward pass these are keys, values and gradients.
    """

    owner: int
    pairs: int
    sent: int


class _Plan(NamedTuple):
    """What all steps need: the ring, the stretches of each process, the rule."""

    ring: Neighbours
    stretches: list[list[slice]]
    causal: bool
    scale: float
    log: list | None

    @property
    def rank(self) -> int:
        return self.ring.rank

    def owner(self, step: int) -> int:
        """Whose keys are here in a step: they come from the process before."""
        return (self.ring.rank - step) % self.ring.size

    def meetings(self, owner: int) -> list[tuple[slice, slice, bool]]:
        return meetings(self.stretches[self.rank], self.stretches[owner], self.causal)

    def length(self, rank: int) -> int:
        return sum(one.stop - one.start for one in self.stretches[rank])

    def note(self, owner: int, sent: int) -> None:
        if self.log is not None:
            pairs = [_pairs(*one) for one in self.meetings(owner)]
            self.log.append(Step(owner, sum(pairs), sent))


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, *, n: int, causal: bool = False, deal: str = "zigzag",
    scale: float | None = None, group: dist.ProcessGroup | None = None, seconds: float = 60.0,
    log: list | None = None,
) -> Tensor:  # fmt: skip
    """Attention of this process's queries over the keys of all processes of a group.

    All processes call it, and all call the gradient or none. q, k and v are the rows that
    `part_of(..., size, rank, deal)` gives of a text of n words.

    deal: how the words were dealt out, "zigzag" or "stretches" (ring_parts.py).
    seconds: so long a process waits for another, in each step.
    log: a list; gets a `Step` for each step, forwards and back.

    Shapes: q (b, h, its words, d), k (b, g, its words, d), v (b, g, its words, e) -> (b, h, its
        words, e), without b, or without b and h, too. b, h, g, d and e are the same everywhere.
    Raises: the same ValueError or TypeError in all processes where one of them was called with
        something else than the others, or with other lengths than were dealt; RuntimeError where
        torch.distributed was not started, or a process is late or has ended.
    """
    ring = Neighbours.of(group, seconds)
    wrong: Exception | None = None
    told: dict[str, object] = {"n": n, "causal": causal, "deal": deal, "scale": scale}
    try:
        given = Given(q, k, v, causal=causal, scale=scale)
        dealt = stretches(n, ring.size, deal)
        _check_lengths(q, k, ring, lengths(n, ring.size, deal))
        told |= _alike(q, k, v)
    except (TypeError, ValueError) as error:
        wrong = error
    agree(ring, told, wrong)
    plan = _Plan(ring, dealt, causal, given.scale, log)
    with own_precision(q):
        out, _ = _Ring.apply(*given.folded(), plan)
    return given.unfolded(out)


class _Ring(torch.autograd.Function):
    """q (b, g, h / g, t, d), k and v (b, g, 1, s, ...) of this process -> its output."""

    @staticmethod
    def forward(q, k, v, plan):
        wide = torch.promote_types(q.dtype, torch.float32)
        out = q.new_zeros((*q.shape[:-1], v.shape[-1]), dtype=wide)
        lse = q.new_full(q.shape[:-1], -torch.inf, dtype=wide)
        for step in range(plan.ring.size):
            owner, last = plan.owner(step), step == plan.ring.size - 1
            coming = None if last else plan.ring.pass_on((k, v), plan.length(plan.owner(step + 1)))
            for rows, cols, diagonal in plan.meetings(owner):
                part = _attend(q, k, v, rows, cols, diagonal, plan.scale)
                done = out[..., rows, :], lse[..., rows]
                out[..., rows, :], lse[..., rows] = merge(*done, *part)
            plan.note(owner, coming.bytes if coming else 0)
            k, v = coming.wait(step) if coming else (k, v)
        return out.to(q.dtype), lse

    @staticmethod
    def setup_context(ctx, inputs, output):
        *rows, ctx.plan = inputs
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(*rows, *output)

    @staticmethod
    @differentiable_once("ring_attention")
    def backward(ctx, grad_out, _):
        (q, k, v, out, lse), plan = ctx.saved_tensors, ctx.plan
        delta = (grad_out.to(lse) * out.to(lse)).sum(dim=-1, keepdim=True)
        grad_q = torch.zeros_like(q, dtype=lse.dtype)
        gathered = [torch.zeros_like(one, dtype=lse.dtype) for one in (k, v)]
        queries = q, lse[..., None], grad_out, delta
        for step in range(plan.ring.size):
            owner, last = plan.owner(step), step == plan.ring.size - 1
            length = plan.length(plan.owner(step + 1))
            coming = None if last else plan.ring.pass_on((k, v), length)
            for rows, cols, diagonal in plan.meetings(owner):
                mine = tuple(one[..., rows, :] for one in queries)
                keys = k[..., cols, :], v[..., cols, :]
                part = _gradients(mine, keys, diagonal, plan.scale)
                grad_q[..., rows, :] += part[0]
                for whole, one in zip(gathered, part[1:], strict=True):
                    whole[..., cols, :] += one
            sent = coming.bytes if coming else 0
            k, v = coming.wait(step) if coming else (k, v)
            home = plan.ring.pass_on(tuple(gathered), length)  # the last of these is the own one
            plan.note(owner, sent + home.bytes)
            gathered = list(home.wait(step))
        return grad_q.to(q), gathered[0].to(q), gathered[1].to(q), None

    vmap = refuse_vmap("ring_attention")


def _attend(q, k, v, rows, cols, diagonal, scale) -> tuple[Tensor, Tensor]:
    """Output and lse of some queries over some keys, in float32 or wider."""
    wide = torch.promote_types(q.dtype, torch.float32)
    # flash_attention takes four axes: the groups are laid beside the sentences.
    parts = (q[..., rows, :], k[..., cols, :], v[..., cols, :])
    one, two, three = (part.to(wide).flatten(0, 1) for part in parts)
    out, lse = flash_attention(one, two, three, causal=diagonal, scale=scale, return_lse=True)
    return out.unflatten(0, q.shape[:2]), lse.unflatten(0, q.shape[:2])


def _gradients(queries, keys, diagonal, scale) -> tuple[Tensor, Tensor, Tensor]:
    """What some keys give to the gradients, in float32 or wider."""
    q, lse, grad_out, delta = (one.to(queries[1]) for one in queries)
    k, v = (one.to(lse) for one in keys)
    rule = Rule(scale, None, 0 if diagonal else None)
    return gradients(q, k, v, lse, grad_out, delta, rule, BLOCK, BLOCK)


def _pairs(rows: slice, cols: slice, diagonal: bool) -> int:
    """How many pairs of query and key a meeting computes; of a diagonal the lower half."""
    t, s = rows.stop - rows.start, cols.stop - cols.start
    return t * (t + 1) // 2 if diagonal else t * s


def _alike(q: Tensor, k: Tensor, v: Tensor) -> dict[str, object]:
    """What must be the same in all processes."""
    shapes = {
        name: (*one.shape[:-2], "its words", one.shape[-1])
        for name, one in {"q": q, "k": k, "v": v}.items()
    }
    gradient = torch.is_grad_enabled() and any(one.requires_grad for one in (q, k, v))
    return shapes | {"dtype": q.dtype, "a gradient": gradient}


def _check_lengths(q: Tensor, k: Tensor, ring: Neighbours, dealt: list[int]) -> None:
    for name, one in {"q": q, "k": k}.items():
        if one.shape[-2] != dealt[ring.rank]:
            raise ValueError(
                f"{name} has {one.shape[-2]} rows; of {sum(dealt)} words dealt to {ring.size} "
                f"processes this one holds {dealt[ring.rank]} (part_of of ring_parts.py)"
            )
