"""How fast the course's kernel is on the GPU of this machine, if it has one.

    own_rates()                               # in another process, in which Triton compiles
    python -m course_lib.measures.gpu_rates    # the same, printed as a line of JSON

Checked and timed as in attention_timing.py, at the sizes of the published figures (published.py):
16384 words in all, 16 heads of width 128, every query sees every key. In float16, since a T4 has no
bfloat16; but below compute capability 8.0 Triton uses no tensor cores, so a T4's rates are low.
"""

import json
from collections.abc import Sequence

import torch

from course_lib.kernels.interpreter import has_triton
from course_lib.measures.attention_timing import Case, race
from course_lib.measures.compiling_process import in_a_compiling_process
from course_lib.measures.published import LENGTHS

SECONDS = 300
CASE = Case(n=LENGTHS[0], d=128, dtype="float16")


def own_rates() -> dict | None:
    """Of this machine's GPU: "device", "error" and "rates" at LENGTHS; None where there is none.

    error: the largest error, divided by that of a plain float16 computation. rates: 10^12
    operations a second on the forward pass, None where memory ran out.

    Raises: RuntimeError if the kernel is wrong on this device or cannot run; TimeoutError.
    """
    if not (has_triton() and torch.cuda.is_available()):
        return None
    return in_a_compiling_process("course_lib.measures.gpu_rates", seconds=SECONDS)


def measured(case: Case = CASE, lengths: Sequence[int] = LENGTHS, name: str = "ours") -> dict:
    """What `own_rates` tells, in this process."""
    found = [_raced(case._replace(n=n), name) for n in lengths]
    device = torch.cuda.get_device_name() if case.device == "cuda" else case.device
    return {
        "device": device,
        "error": max((one["error_ratio"] for one in found if one), default=None),
        "rates": [one["tflops"] if one else None for one in found],
    }


def _raced(case: Case, name: str) -> dict | None:
    """The contender's error and rate; None where memory ran out."""
    try:
        found = race(case, [name], rounds=1, announce=lambda line: None)[name]
    except torch.cuda.OutOfMemoryError:
        return None
    if "error" in found:
        raise RuntimeError(found["error"])
    return found


if __name__ == "__main__":
    print(json.dumps(measured()))
