"""How fast the course's kernel is on the GPU of this machine, if it has one.

    own_rates()                               # in another process, in which Triton compiles
    python -m course_lib.kernels.gpu_rates    # the same, printed as a line of JSON

First the output is compared with the plain formula in float32; only a right kernel is timed. The
sizes are those of the published figures (published.py): 16384 words in all, 16 heads of width 128,
every query sees every key. float16, which a T4 multiplies on its tensor cores, too.
"""

import json

import torch

from course_lib.kernels.attention import attention
from course_lib.kernels.attention_cost import core_flops
from course_lib.kernels.flash_triton import flash_attention_triton
from course_lib.kernels.interpreter import has_triton, in_a_compiling_process
from course_lib.kernels.published import LENGTHS

WORDS, HEADS, WIDTH = 16384, 16, 128
ROUNDS, WARM = 20, 5
SECONDS = 300


def own_rates() -> dict | None:
    """Of this machine's GPU: "device", "error" and "rates" at LENGTHS; None where there is none.

    error: the largest difference from the plain formula, divided by the same of a plain float16
    computation. rates: 10^12 operations a second on the forward pass, None where memory ran out.

    Raises: RuntimeError if the kernel is wrong on this device or cannot run; TimeoutError.
    """
    if not (has_triton() and torch.cuda.is_available()):
        return None
    return in_a_compiling_process("course_lib.kernels.gpu_rates", seconds=SECONDS)


def measured(device: str = "cuda", lengths=LENGTHS, words: int = WORDS) -> dict:
    """What `own_rates` tells, in this process."""
    error = _relative_error(device)
    if error > 2:
        raise RuntimeError(f"the kernel's error is {error:.1f} times that of the plain way")
    rates = [_rate(n, words // n, device) for n in lengths]
    return {"device": torch.cuda.get_device_name(), "error": round(error, 2), "rates": rates}


def _drawn(b: int, n: int, device: str, seed: int) -> torch.Tensor:
    generator = torch.Generator(device=device).manual_seed(seed)
    shape = (b, HEADS, n, WIDTH)
    return torch.randn(shape, generator=generator, device=device, dtype=torch.float16)


def _relative_error(device: str) -> float:
    """The kernel's largest error against float32, in units of the plain float16 way's."""
    q, k, v = (_drawn(1, 1000, device, seed) for seed in range(3))
    right = attention(q.float(), k.float(), v.float())
    plain = ((q @ k.mT) * WIDTH**-0.5).softmax(dim=-1) @ v
    off = (flash_attention_triton(q, k, v).float() - right).abs().max()
    return (off / (plain.float() - right).abs().max()).item()


def _rate(n: int, b: int, device: str) -> float | None:
    """The median of ROUNDS runs, in 10^12 operations a second."""
    try:
        q, k, v = (_drawn(b, n, device, seed) for seed in range(3))
        times = []
        for _ in range(WARM + ROUNDS):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            flash_attention_triton(q, k, v)
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
    except torch.cuda.OutOfMemoryError:
        return None
    seconds = sorted(times[WARM:])[ROUNDS // 2]
    return round(b * core_flops(n, HEADS * WIDTH) / seconds / 1e12, 1)


if __name__ == "__main__":
    print(json.dumps(measured()))
