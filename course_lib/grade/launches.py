"""A kernel's launch in another process: the memory of its tensors goes there and comes back.

Addresses of this process mean nothing in the other one, so both say for each access in which
tensor's memory it was and how far from its beginning.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.grade.wire import Garbled
from course_lib.learner.arrays import is_tensor
from course_lib.learner.triton_language import Launch, NotWritten, execute


def launched(launch: Launch, ask: Callable[[dict], Any]) -> Any:
    """Have a kernel launched by the process that holds it; its tensors are changed as there.

    ask: sends the launch, and gives what `served` returned.

    Returns: as `execute`, or `...` where the kernel is not written.
    Raises: Garbled, for an answer that is none; what the kernel raised.
    """
    tensors = [one for one in launch.arguments if is_tensor(one)]
    memory = [_memory(one) for one in tensors]
    answer = ask({
        "grid": list(launch.grid), "memory": memory, "constants": launch.constants,
        "arguments": [_place(one) if is_tensor(one) else one for one in launch.arguments],
    })  # fmt: skip
    if answer is ...:
        return ...
    try:
        for mine, theirs in zip(memory, answer["memory"], strict=True):
            mine.copy_(theirs)
        begins = [one.untyped_storage().data_ptr() for one in tensors]
        return tuple([_address(one, begins) for one in answer[what]] for what in ("load", "store"))
    except (TypeError, KeyError, ValueError, RuntimeError) as error:
        raise Garbled(f"no launch: {error}") from None


def served(kernel: Callable, question: dict) -> Any:
    """Launch a kernel here, on copies of the memory that was sent."""
    left = iter(question["memory"])
    memory: list = []
    arguments = []
    for one in question["arguments"]:
        if isinstance(one, dict):
            memory.append(next(left))
            begin, shape = one["begin"], one["shape"]
            count = int(np.prod(shape))
            arguments.append(memory[-1][begin : begin + count].reshape(shape))
        else:
            arguments.append(one)
    try:
        loaded, stored = execute(
            kernel, tuple(question["grid"]), *arguments, **question["constants"]
        )
    except NotWritten:
        return ...
    spans = [(one.data_ptr(), one.data_ptr() + one.nbytes) for one in memory]
    return {
        "memory": memory,
        "load": [_where(one, spans) for one in loaded],
        "store": [_where(one, spans) for one in stored],
    }


def _memory(tensor):
    """All numbers of a tensor's memory, those beside it too."""
    import torch

    whole = torch.empty(0, dtype=tensor.dtype)
    return whole.set_(tensor.untyped_storage())


def _place(tensor) -> dict:
    return {"begin": tensor.storage_offset(), "shape": list(tensor.shape)}


def _where(addresses, spans) -> list:
    """For each address the number of its memory, and how many bytes from the beginning."""
    flat = addresses.ravel().astype(np.int64)
    inside = np.array([(begin <= flat) & (flat < end) for begin, end in spans])
    number = inside.argmax(axis=0)
    return [number, flat - np.array([begin for begin, _ in spans])[number]]


def _address(pair, begins) -> np.ndarray:
    number, offset = (np.asarray(one, dtype=np.int64) for one in pair)
    return (np.array(begins, dtype=np.int64)[number] + offset).astype(np.uint64)
