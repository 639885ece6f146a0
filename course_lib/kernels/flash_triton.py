"""FlashAttention on a GPU: the kernels of triton_tiles.py behind the call of flash.py.

The same attention, tile by tile, but a tile stays on the chip while it is computed. Runs where
Triton and a CUDA device are, and on any machine in Triton's interpreter (interpreter.py), which is
slow and for learning and tests. Elsewhere a sentence says what is missing.

float16, bfloat16 and float32, computed and added up in float32; the weights are rounded to the
dtype before they meet the values, as in every FlashAttention. Products of float32 tiles are exact
to float32 ("ieee"), not TF32. Results are bitwise the same at each call.

How large the tiles are was chosen by the compiler's report (measures/compiler_report.py): no
registers are spilled to memory, tiles of 16 bits are multiplied by tensor cores, and a program fits
on an A100 (163 KB of shared memory) or an H100 (227 KB). With a window and a softcap at most 16
bytes of a thread are spilled. It has not been measured yet which are the fastest.
For devices below compute capability 8 (a T4 has 7.5) Triton uses no tensor cores: the kernels run
there, with small tiles, but PyTorch's scaled_dot_product_attention is the better choice.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from course_lib.kernels.differentiable_once import differentiable_once
from course_lib.kernels.flash_arguments import Given, refuse_vmap
from course_lib.kernels.interpreter import MISSING, has_triton, is_interpreted

WIDEST, LONGEST = 256, 2**29
DTYPES = (torch.float16, torch.bfloat16, torch.float32)


class Tiles(NamedTuple):
    """How a kernel is cut: queries and keys in a tile, warps in a program, tiles loaded ahead."""

    block_q: int
    block_k: int
    warps: int
    stages: int


# For each kernel, bits of a number, width of a head up to, and compute capability from
SHIPPED = {
    ("forward", 16, 64, 90): Tiles(128, 64, 8, 3),
    ("forward", 16, 128, 90): Tiles(128, 64, 8, 3),
    ("forward", 16, 256, 90): Tiles(64, 64, 8, 2),
    ("forward", 16, 64, 80): Tiles(128, 64, 8, 3),
    ("forward", 16, 128, 80): Tiles(128, 32, 8, 3),
    ("forward", 16, 256, 80): Tiles(64, 64, 8, 2),
    ("backward_q", 16, 64, 90): Tiles(128, 64, 8, 3),
    ("backward_q", 16, 128, 90): Tiles(128, 64, 8, 2),
    ("backward_q", 16, 256, 90): Tiles(64, 32, 8, 2),
    ("backward_q", 16, 64, 80): Tiles(128, 64, 8, 3),
    ("backward_q", 16, 128, 80): Tiles(128, 32, 8, 2),
    ("backward_q", 16, 256, 80): Tiles(64, 32, 8, 2),
    ("backward_kv", 16, 64, 90): Tiles(64, 128, 8, 2),
    ("backward_kv", 16, 128, 90): Tiles(32, 128, 8, 2),
    ("backward_kv", 16, 256, 90): Tiles(16, 64, 8, 2),
    ("backward_kv", 16, 64, 80): Tiles(32, 128, 8, 2),
    ("backward_kv", 16, 128, 80): Tiles(64, 64, 8, 2),
    ("backward_kv", 16, 256, 80): Tiles(32, 32, 8, 2),
    ("forward", 32, 64, 80): Tiles(64, 32, 8, 2),
    ("forward", 32, 128, 80): Tiles(32, 16, 8, 2),
    ("forward", 32, 256, 80): Tiles(16, 32, 8, 2),
    ("backward_q", 32, 64, 80): Tiles(32, 32, 4, 2),
    ("backward_q", 32, 128, 80): Tiles(32, 32, 4, 2),
    ("backward_q", 32, 256, 80): Tiles(32, 16, 8, 2),
    ("backward_kv", 32, 64, 80): Tiles(16, 32, 4, 2),
    ("backward_kv", 32, 128, 80): Tiles(32, 32, 8, 1),
    ("backward_kv", 32, 256, 80): Tiles(16, 16, 8, 1),
}
OLDER = Tiles(32, 32, 8, 1)


def missing(device: str | torch.device = "cuda") -> str:
    """Why flash_attention_triton cannot run on the device, in a sentence; "" if it can."""
    if not has_triton():
        return MISSING
    if is_interpreted():
        return ""
    if not torch.cuda.is_available():
        return (
            "No CUDA device is here; the same in plain PyTorch is flash_attention in "
            "course_lib/kernels/flash.py, and Triton's interpreter runs these kernels on a CPU "
            "(course_lib/kernels/interpreter.py)."
        )
    if torch.device(device).type != "cuda":
        return f"The tensors are on {device}, and compiled kernels need a GPU: move them to cuda."
    return ""


def flash_attention_triton(
    q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False, align: str = "bottom-right",
    window: int | None = None, key_lengths: Sequence[int] | Tensor | None = None,
    scale: float | None = None, softcap: float | None = None, return_lse: bool = False,
    tiles: dict[str, Tiles] | None = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Attention as flash_attention in flash.py computes it, by kernels for a GPU.

    tiles: other sizes than the shipped ones for "forward", "backward_q" or "backward_kv".

    Shapes: q (b, h, t, d), k (b, g, s, d), v (b, g, s, d), d up to 256 -> (b, h, t, d); with
        return_lse also (b, h, t), float32. The axis b may be missing, or b and h.
    Raises: as flash_attention; RuntimeError where Triton or a GPU is missing; TypeError for
        float64; ValueError for values of another width than d, d above 256, or more than 2**29
        queries or keys.
    """
    given = Given(q, k, v, causal=causal, align=align, window=window, key_lengths=key_lengths,
                  scale=scale, softcap=softcap)  # fmt: skip
    _refuse(q, k, v)
    q, k, v = (one[(None,) * (4 - one.ndim)] for one in (q, k, v))
    s = k.shape[-2]
    # A count is a whole number, never one of q's: float16 ends at 65504, bfloat16 has no 257.
    lengths = torch.full((len(q),), s) if given.lengths is None else given.lengths.flatten()
    # No further than there are keys and queries, so that 32 bits hold them.
    low = None if given.low is None else max(given.low, -q.shape[-2])
    high = s if given.high is None else min(given.high, s)
    if is_interpreted() and q.dtype == torch.bfloat16:  # numpy has none: its products are garbage
        q, k, v = (one.float() for one in (q, k, v))
    rules = low, high, given.scale, softcap
    options = lengths.to(q.device, torch.int32), rules, tiles or {}
    out, lse = _Flash.apply(q, k, v, *options)
    out = out.to(given.q.dtype).reshape(given.q.shape)
    return (out, lse.reshape(given.q.shape[:-1])) if return_lse else out


class _Flash(torch.autograd.Function):
    """q (b, h, t, d), k and v (b, g, s, d), lengths (b,) -> output and lse (b, h, t)."""

    @staticmethod
    def forward(q, k, v, lengths, rules, tiles):
        b, h, t, d = q.shape
        out = torch.empty((b, h, t, d), dtype=q.dtype, device=q.device)
        lse = torch.empty((b, h, t), dtype=torch.float32, device=q.device)
        _launch("forward", (q, k, v, out), (lse, lengths), rules, tiles)
        return out, lse

    @staticmethod
    def setup_context(ctx, inputs, output):
        q, k, v, lengths, *ctx.options = inputs
        ctx.save_for_backward(q, k, v, *output, lengths)

    @staticmethod
    @differentiable_once("flash_attention_triton")
    def backward(ctx, grad_out, grad_lse):
        q, k, v, out, lse, lengths = ctx.saved_tensors
        rules, tiles = ctx.options
        packed = torch.contiguous_format
        delta = grad_lse.to(torch.float32, copy=True, memory_format=packed)
        grads = (torch.empty_like(one, memory_format=packed) for one in (q, k, v))
        grad_q, grad_k, grad_v = grads
        for_queries, numbers = (q, k, v, out, grad_out, grad_q), (lse, delta, lengths)
        _launch("backward_q", for_queries, numbers, rules, tiles)  # first: it completes delta
        _launch("backward_kv", (q, k, v, grad_out, grad_k, grad_v), numbers, rules, tiles)
        return grad_q, grad_k, grad_v, None, None, None

    vmap = refuse_vmap("flash_attention_triton")


def tiles_for(kernel: str, dtype: torch.dtype, d: int, capability: int = 90) -> Tiles:
    """The shipped sizes for a kernel, a dtype, a width and a compute capability (90 for 9.0)."""
    if capability < 80:
        return OLDER
    bits, width = 8 * dtype.itemsize, max(64, padded(d))
    newest = SHIPPED.get((kernel, bits, width, 90)) if capability >= 90 else None
    return newest or SHIPPED[kernel, bits, width, 80]


def padded(d: int) -> int:
    """The width of a tile for vectors of width d: a power of two, at least 16."""
    return max(16, 1 << (d - 1).bit_length())


def _launch(kernel, rows, numbers, rules, tiles) -> None:
    """Run a kernel, one program for each block of queries, or of keys in backward_kv."""
    from course_lib.kernels import triton_tiles

    (b, h, t, d), (_, g, s, _), device = rows[0].shape, rows[1].shape, rows[0].device
    own = tiles.get(kernel) or tiles_for(kernel, rows[0].dtype, d, _capability(device))
    by_keys = kernel == "backward_kv"
    programs = b * g * -(-s // own.block_k) if by_keys else b * h * -(-t // own.block_q)
    if not programs:
        return
    rows = [triton_tiles.Rows(one, *one.stride()[:3]) for one in map(_unit_stride, rows)]
    with torch.cuda.device(device) if device.type == "cuda" else nullcontext():
        getattr(triton_tiles, kernel)[(programs,)](
            *rows, *numbers, h, h // g, t, s, *rules, D=d, WIDTH=padded(d), BLOCK_Q=own.block_q,
            BLOCK_K=own.block_k, num_warps=own.warps, num_stages=own.stages,
        )  # fmt: skip


def _unit_stride(tensor: Tensor) -> Tensor:
    """The tensor, copied if its columns do not lie side by side or its rows very far apart."""
    far = tensor.stride(-2) >= 2**22  # offsets within a tile are counted in 32 bits
    return tensor.contiguous() if tensor.stride(-1) != 1 or far else tensor


@cache
def _capability(device: torch.device) -> int:
    if device.type != "cuda":
        return 90
    major, minor = torch.cuda.get_device_capability(device)
    return 10 * major + minor


def _refuse(q: Tensor, k: Tensor, v: Tensor) -> None:
    if reason := missing(q.device):
        raise RuntimeError(reason)
    if q.dtype not in DTYPES:
        raise TypeError(
            f"q holds {q.dtype}; these kernels compute float16, bfloat16 and float32, and "
            "flash_attention in flash.py also float64"
        )
    if v.shape[-1] != q.shape[-1]:
        raise ValueError(f"v has width {v.shape[-1]} but q {q.shape[-1]}: both need the same here")
    if q.shape[-1] > WIDEST:
        raise ValueError(f"q has width {q.shape[-1]}; these kernels hold at most {WIDEST}")
    for name, rows in {"q": q, "k": k}.items():
        if rows.shape[-2] > LONGEST:
            raise ValueError(
                f"{name} has {rows.shape[-2]} rows; these kernels count to {LONGEST}, in 32 bits"
            )
