"""The processes of ring.py: how they find each other, agree, and pass tensors on.

All of it is torch.distributed: a FileStore to meet at, gloo on a CPU, its sends and receives. What
is added here are sentences: who is missing, late, has ended, or was called with something else.
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor

LOOPBACK = {"linux": "lo", "darwin": "lo0"}  # the interface by which a machine reaches itself


def join(rank: int, size: int, meeting: str | Path, seconds: float = 60.0) -> None:
    """Start torch.distributed in this process, with the others of this machine.

    meeting: a file in a folder that all can write to; new for each group. It holds who is there.

    Raises: ValueError for a rank that is not there, or one that came already; RuntimeError where
        others did not come within `seconds`, or torch has no gloo.
    """
    if size < 1 or not 0 <= rank < size:
        raise ValueError(f"rank is {rank} of {size} processes; expected 0 to {size - 1}")
    if not (dist.is_available() and dist.is_gloo_available()):
        raise RuntimeError("This PyTorch was built without gloo, by which processes talk on a CPU")
    if sys.platform in LOOPBACK:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", LOOPBACK[sys.platform])
    store = dist.FileStore(str(meeting), -1)
    store.set_timeout(timedelta(seconds=seconds))
    said = store.compare_set("size", "", str(size)).decode()  # the first to come says it
    if said != str(size):
        raise ValueError(f"size is {size}, but another process says {said}: all need the same")
    if store.add(f"here/{rank}", 1) > 1:
        raise ValueError(f"A process {rank} is there already: each of {size} has its own rank")
    _wait_for_all(store, size, seconds)
    dist.init_process_group(
        "gloo", store=store, rank=rank, world_size=size, timeout=timedelta(seconds=seconds)
    )


def _wait_for_all(store: dist.Store, size: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while missing := [one for one in range(size) if not store.add(f"here/{one}", 0)]:
        if time.monotonic() > end:
            who = ", ".join(map(str, missing))
            raise RuntimeError(
                f"{size - len(missing)} of {size} processes came within {seconds:g} s; missing: "
                f"{who}. Start as many as `size` says."
            )
        time.sleep(0.01)


class Coming(NamedTuple):
    """Tensors that are on their way here, while others leave."""

    works: list
    buffer: Tensor
    shapes: list[torch.Size]
    bytes: int
    kept: Tensor  # what leaves must live until it has left
    seconds: float
    failed: Callable[[int, Exception], Exception]

    def wait(self, step: int) -> tuple[Tensor, ...]:
        """The tensors, when they are here.

        Raises: RuntimeError where the process before has ended or is late.
        """
        try:
            for work in self.works:
                work.wait(timedelta(seconds=self.seconds))
        except RuntimeError as error:
            raise self.failed(step, error) from error
        sizes = [shape.numel() for shape in self.shapes]
        parts = zip(self.buffer.split(sizes), self.shapes, strict=True)
        return tuple(part.reshape(shape) for part, shape in parts)


class Neighbours(NamedTuple):
    """This process's place in the ring of a group."""

    rank: int
    size: int
    group: dist.ProcessGroup | None
    seconds: float

    @classmethod
    def of(cls, group: dist.ProcessGroup | None, seconds: float) -> "Neighbours":
        """Raises: RuntimeError where torch.distributed was not started."""
        if not (dist.is_available() and dist.is_initialized()):
            raise RuntimeError(
                "torch.distributed was not started in this process: call join of "
                "course_lib/kernels/ring_group.py first, in each of them"
            )
        return cls(dist.get_rank(group), dist.get_world_size(group), group, seconds)

    def pass_on(self, tensors: tuple[Tensor, ...], length: int) -> Coming:
        """Send tensors (..., rows, d) to the next process; from the one before come such of
        `length` rows. Both go on while this process computes.
        """
        flat = torch.cat([one.detach().flatten() for one in tensors])
        shapes = [torch.Size((*one.shape[:-2], length, one.shape[-1])) for one in tensors]
        buffer = flat.new_empty(sum(shape.numel() for shape in shapes))
        if self.size == 1:
            return Coming([], flat, shapes, 0, flat, self.seconds, self._failure)
        after, before = ((self.rank + way) % self.size for way in (1, -1))
        asked = []
        if flat.numel():
            asked.append(dist.P2POp(dist.isend, flat, self._global(after), self.group))
        if buffer.numel():
            asked.append(dist.P2POp(dist.irecv, buffer, self._global(before), self.group))
        try:
            works = dist.batch_isend_irecv(asked) if asked else []
        except RuntimeError as error:
            raise self._failure(0, error) from error
        return Coming(works, buffer, shapes, flat.nbytes, flat, self.seconds, self._failure)

    def _global(self, rank: int) -> int:
        return rank if self.group is None else dist.get_global_rank(self.group, rank)

    def _failure(self, step: int, error: Exception) -> Exception:
        after, before = ((self.rank + way) % self.size for way in (1, -1))
        return RuntimeError(
            f"Process {self.rank} of {self.size} could not go on after step {step}: process "
            f"{before}, from which its keys come, or process {after}, to which they go, has ended "
            f"or is late ({str(error).splitlines()[0][:200]})"
        )


def agree(ring: Neighbours, mine: dict[str, object], wrong: Exception | None) -> None:
    """All processes hear what each was called with, and raise the same where it does not fit.

    Raises: ValueError or TypeError; RuntimeError where one is late or has ended.
    """
    told: list = [None] * ring.size
    try:
        if ring.size > 1 and dist.get_backend(ring.group) == "gloo":
            late = timedelta(seconds=ring.seconds)
            dist.monitored_barrier(ring.group, timeout=late, wait_all_ranks=True)
        dist.all_gather_object(told, (mine, wrong), group=ring.group)
    except RuntimeError as error:
        raise RuntimeError(
            f"Process {ring.rank} of {ring.size} waited {ring.seconds:g} s for the others to call "
            f"ring_attention: one is late or has ended ({str(error).splitlines()[0][:200]})"
        ) from error
    for rank, (_, its) in enumerate(told):
        if its is not None:
            raise type(its)(f"process {rank}: {its}")
    for rank, (its, _) in enumerate(told):
        for name, value in told[0][0].items():
            if its[name] != value:
                raise ValueError(
                    f"process {rank} has {name} = {its[name]}, but process 0 {value}: all "
                    "processes need the same"
                )
