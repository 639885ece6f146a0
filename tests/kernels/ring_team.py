"""Processes for test_ring.py: a team that is started once and asked many times.

A process of its own imports torch once, and the members are forked from it ("forkserver").
"""

import multiprocessing
import os
import time
import traceback

import torch
import torch.distributed as dist

from course_lib.kernels import ring, ring_group
from course_lib.kernels.ring import ring_attention
from course_lib.kernels.ring_parts import part_of

GROUPS = {}  # in a member: the group of the first so many


class Team:
    """`size` processes of one group; the first so many also make groups of their own."""

    def __init__(self, size, place, told_size=None, ranks=None, seconds=20, join=True):
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["torch", __name__])
        self.members = []
        for rank in ranks or range(size):
            here, there = context.Pipe()
            given = (there, rank, told_size or size, str(place / "meeting"), seconds, join)
            process = context.Process(target=member, args=given, daemon=True)
            process.start()
            there.close()
            self.members.append((process, here))

    def ask(self, function, *arguments, size=None, seconds=30):
        """What each of the first `size` answers; what the function raised as "Error: words"."""
        asked = self.members[: size or len(self.members)]
        for _, pipe in asked:
            pipe.send((function, size or len(self.members), arguments))
        return [self.answer(pipe, seconds) for _, pipe in asked]

    @staticmethod
    def answer(pipe, seconds=30):
        try:
            return pipe.recv() if pipe.poll(seconds) else "no answer"
        except (EOFError, ConnectionError):
            return "ended"

    def close(self):
        for process, pipe in self.members:
            pipe.close()
            process.join(5)
            if process.is_alive():
                process.kill()


def member(pipe, rank, size, meeting, seconds, join):
    """Join, then do what is asked until nobody asks."""
    torch.set_num_threads(1)
    if join:
        try:
            ring_group.join(rank, size, meeting, seconds)
            for smaller in range(2, size):
                GROUPS[smaller] = dist.new_group(list(range(smaller)))
        except Exception as error:
            pipe.send(f"{type(error).__name__}: {error}")
            return
    while True:
        try:
            function, among, arguments = pipe.recv()
        except (EOFError, ConnectionError):
            return
        try:
            pipe.send(function(rank, GROUPS.get(among), *arguments))
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
            pipe.send(told if error.__class__.__module__ == "builtins" else traceback.format_exc())


# What members are asked


def draw(n, h, g, d, e, dtype, seed=0):
    """q, k, v and a gradient of the output, of the whole text."""
    generator = torch.Generator().manual_seed(seed)
    shapes = ((2, h, n, d), (2, g, n, d), (2, g, n, e), (2, h, n, e))
    return [
        torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype) for shape in shapes
    ]


def plain(q, k, v, grad, causal, scale):
    """The formula and autograd, in the dtype that it is given."""
    q, k, v = (one.detach().requires_grad_() for one in (q, k, v))
    times = q.shape[1] // k.shape[1]
    wide_k, wide_v = (one.repeat_interleave(times, 1) for one in (k, v))
    scores = q @ wide_k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -torch.inf)
    out = scores.softmax(-1) @ wide_v
    return out.detach(), *torch.autograd.grad(out, (q, k, v), grad)


def parts(rank, group, whole, deal):
    return [part_of(one, dist.get_world_size(group), rank, deal) for one in whole]


def errors(rank, group, n, heads, widths, name, causal, deal, scale):
    """For output and gradients: the ring's error, the plain formula's, the largest number."""
    given = draw(n, *heads, *widths, getattr(torch, name))
    q, k, v, grad = parts(rank, group, given, deal)
    rows = [one.requires_grad_() for one in (q, k, v)]
    out = ring_attention(*rows, n=n, causal=causal, deal=deal, scale=scale, group=group)
    assert out.dtype == q.dtype
    found = (out.detach(), *torch.autograd.grad(out, rows, grad))
    its = parts(rank, group, plain(*given, causal, scale), deal)
    truth = parts(rank, group, plain(*(one.double() for one in given), causal, scale), deal)
    told = []
    for one, other, true in zip(found, its, truth, strict=True):
        assert one.shape == true.shape
        sizes = [(x.double() - true).abs() for x in (one, other)] + [true.abs()]
        told.append(tuple(x.max().item() if x.numel() else 0.0 for x in sizes))
    return told


def steps(rank, group, n, widths, name, causal, deal, back):
    """The log of a call, and the bytes that torch.distributed was given to send."""
    sent, send = [], dist.batch_isend_irecv

    def counted(asked):
        sent.append(sum(one.tensor.nbytes for one in asked if one.op is dist.isend))
        return send(asked)

    q, k, v, grad = parts(rank, group, draw(n, 4, 2, *widths, getattr(torch, name)), deal)
    log, rows = [], [one.requires_grad_(back) for one in (q, k, v)]
    dist.batch_isend_irecv = counted
    try:
        out = ring_attention(*rows, n=n, causal=causal, deal=deal, group=group, log=log)
        if back:
            torch.autograd.grad(out, rows, grad)
    finally:
        dist.batch_isend_irecv = send
    return [tuple(one) for one in log], sum(sent)


def pytorchs(rank, group, n, causal, balanced):
    """How far PyTorch's own ring is from ours; a sentence where it does not run here."""
    try:
        from torch.distributed.tensor.experimental._context_parallel import _attention as its
    except ImportError as error:
        return f"PyTorch has none here: {error}"
    deal = "zigzag" if balanced else "stretches"
    q, k, v, _ = parts(rank, group, draw(n, 4, 4, 8, 8, torch.float64), deal)
    its._cp_options.enable_load_balance, its._cp_options.convert_to_f32 = balanced, False
    group_of_it = group or dist.distributed_c10d._get_default_group()
    out, *_ = its._templated_ring_attention(
        group_of_it, 2, torch.ops.aten._scaled_dot_product_flash_attention_for_cpu, q, k, v,
        is_causal=causal,
    )  # fmt: skip
    ours = ring_attention(q, k, v, n=n, causal=causal, deal=deal, group=group)
    return (out - ours).abs().max().item()


def called(rank, group, changes):
    """What a call says in which process `rank` gives something of its own."""
    given = {"n": 9, "heads": (4, 2), "d": 8, "rows": 0, "dtype": "float32", "deal": "zigzag",
             "causal": True, "scale": None, "gradient": False}  # fmt: skip
    given |= changes.get(rank, {})
    whole = draw(9, *given["heads"], given["d"], given["d"], getattr(torch, given["dtype"]))
    q, k, v, _ = parts(rank, group, whole, "zigzag")
    q = torch.cat((q, q[..., : given["rows"], :]), -2).requires_grad_(given["gradient"])
    ring_attention(
        q, k, v, n=given["n"], causal=given["causal"], deal=given["deal"], scale=given["scale"],
        group=group, seconds=10,
    )  # fmt: skip
    return "nothing"


def dies(rank, group, who, step, back):
    """A call in which a process ends in a step; how long the others waited, and what they say."""
    whole = draw(12, 2, 2, 8, 8, torch.float32)
    q, k, v, grad = parts(rank, group, whole, "zigzag")
    rows, meetings = [one.requires_grad_() for one in (q, k, v)], ring.meetings
    turns = iter(range(100))

    def counted(*given):
        if rank == who and next(turns) == step + (3 if back else 0):
            os._exit(3)
        return meetings(*given)

    ring.meetings = counted
    begin = time.monotonic()
    try:
        out = ring_attention(*rows, n=12, group=group, seconds=4)
        torch.autograd.grad(out, rows, grad)
    except RuntimeError as error:
        return time.monotonic() - begin, str(error)
    return "nothing was said"


def late(rank, group, who, pause, seconds):
    """A call to which one comes late."""
    time.sleep(pause * (rank == who))
    q, k, v, _ = parts(rank, group, draw(6, 2, 2, 8, 8, torch.float32), "zigzag")
    ring_attention(q, k, v, n=6, group=group, seconds=seconds)
    return "nothing"


def second_gradient(rank, group):
    rows = [one.requires_grad_() for one in
            parts(rank, group, draw(6, 2, 2, 8, 8, torch.float32), "zigzag")[:3]]  # fmt: skip
    out = ring_attention(*rows, n=6, group=group)
    (grad,) = torch.autograd.grad(out.sum(), rows[0], create_graph=True)
    try:
        grad.sum().backward()
    except RuntimeError as error:
        return str(error)
    return "nothing"


def largest(rank, group, n):
    """Bytes of the largest tensor that a call makes, forwards and back."""
    from course_lib.measures.allocation import largest_tensor

    q, k, v, grad = parts(rank, group, draw(n, 2, 2, 8, 8, torch.float32), "zigzag")
    rows = [one.requires_grad_() for one in (q, k, v)]

    def call():
        out = ring_attention(*rows, n=n, causal=True, group=group)
        torch.autograd.grad(out, rows, grad)

    return largest_tensor(call)


def alone(rank, group):
    """Without torch.distributed."""
    rows = torch.zeros(3, 8)
    try:
        ring_attention(rows, rows, rows, n=3)
    except RuntimeError as error:
        return str(error)
    return "nothing"
