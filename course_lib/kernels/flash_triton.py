"""FlashAttention on a GPU: the kernels of triton_tiles.py behind the call of flash.py.

The same attention, tile by tile, but a tile stays on the chip while it is computed. Runs where
Triton and a CUDA device are, and on any machine in Triton's interpreter (interpreter.py), which is
slow and for learning and tests. Elsewhere a sentence says what is missing.

float16, bfloat16 and float32, computed and added up in float32; the weights are rounded to the
dtype before they meet the values, as in every FlashAttention. Products of float32 tiles are exact
to float32 ("ieee"), not TF32. Results are bitwise the same at each call.

How large the tiles are says tile_sizes.py. Where a block of queries for each head makes fewer
programs than the device has multiprocessors, as when one word is written after another, the keys
are shared out among several programs, and `merge_parts` makes one answer of theirs.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_whole
from course_lib.kernels.differentiable_once import differentiable_once
from course_lib.kernels.flash_arguments import Given, refuse_vmap
from course_lib.kernels.interpreter import MISSING, has_triton, is_interpreted
from course_lib.kernels.tile_sizes import FEW, Tiles, padded, tiles_for

WIDEST, LONGEST = 256, 2**29
DTYPES = (torch.float16, torch.bfloat16, torch.float32)


class Device(NamedTuple):
    """What the launches ask of a device.

    capability: 90 for compute capability 9.0.   processors: its multiprocessors.
    cache_bytes: what its second cache holds.   name: as PyTorch says it.
    """

    capability: int = 90
    processors: int = 1
    cache_bytes: int = 2**25
    name: str = ""


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
    tiles: dict[str, Tiles] | None = None, parts: int | None = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Attention as flash_attention in flash.py computes it, by kernels for a GPU.

    tiles: other sizes than the shipped ones for "forward", "backward_q" or "backward_kv".
    parts: among so many programs the keys are shared out, for each block of queries; None: as many
        as keep the device busy.

    Shapes: q (b, h, t, d), k (b, g, s, d), v (b, g, s, d), d up to 256 -> (b, h, t, d); with
        return_lse also (b, h, t), float32. The axis b may be missing, or b and h.
    Raises: as flash_attention; RuntimeError where Triton or a GPU is missing; TypeError for
        float64; ValueError for values of another width than d, d above 256, or more than 2**29
        queries or keys.
    """
    given = Given(q, k, v, causal=causal, align=align, window=window, key_lengths=key_lengths,
                  scale=scale, softcap=softcap)  # fmt: skip
    _refuse(q, k, v)
    check_whole(**({} if parts is None else {"parts": parts}))
    q, k, v = (one[(None,) * (4 - one.ndim)] for one in (q, k, v))
    s = k.shape[-2]
    # A count is a whole number, never one of q's: float16 ends at 65504, bfloat16 has no 257.
    lengths = torch.full((len(q),), s) if given.lengths is None else given.lengths.flatten()
    # No further than there are keys and queries, so that 32 bits hold them.
    low = None if given.low is None else max(given.low, -q.shape[-2])
    high = s if given.high is None else min(given.high, s)
    if is_interpreted() and q.dtype == torch.bfloat16:  # numpy has none: its products are garbage
        q, k, v = (one.float() for one in (q, k, v))
    scale = abs(given.scale) or 1.0
    if given.scale <= 0:  # the kernels multiply the largest product: their scale is above 0
        q = q * (-1.0 if given.scale else 0.0)
    rules = low, high, scale, softcap
    options = lengths.to(q.device, torch.int32), rules, tiles or {}, parts
    out, lse = _Flash.apply(q, k, v, *options)
    out = out.to(given.q.dtype).reshape(given.q.shape)
    return (out, lse.reshape(given.q.shape[:-1])) if return_lse else out


class _Flash(torch.autograd.Function):
    """q (b, h, t, d), k and v (b, g, s, d), lengths (b,) -> output and lse (b, h, t)."""

    @staticmethod
    def forward(q, k, v, lengths, rules, tiles, parts):
        b, h, t, d = q.shape
        out = torch.empty((b, h, t, d), dtype=q.dtype, device=q.device)
        lse = torch.empty((b, h, t), dtype=torch.float32, device=q.device)
        parts, span = _shared_out(q, k, rules, tiles, parts)
        if parts == 1:
            _launch("forward", (q, k, v, out), (lse, lengths), rules, tiles, span=span)
            return out, lse
        outs = torch.empty((parts * b, h, t, d), dtype=lse.dtype, device=q.device)
        lses = torch.empty((parts * b, h, t), dtype=lse.dtype, device=q.device)
        _launch("forward", (q, k, v, outs), (lses, lengths), rules, tiles, parts, span)
        _merge(outs, out, lses, lse, parts)
        return out, lse

    @staticmethod
    def setup_context(ctx, inputs, output):
        q, k, v, lengths, *ctx.options, _ = inputs
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
        return grad_q, grad_k, grad_v, None, None, None, None

    vmap = refuse_vmap("flash_attention_triton")


def _launch(kernel, rows, numbers, rules, tiles, parts=1, span=None) -> None:
    """Run a kernel, one program for each block of queries, or of keys in backward_kv.

    parts, span: in forward the keys are shared out, span to each of so many programs.
    """
    from course_lib.kernels import triton_tiles

    (b, h, t, d), (_, g, s, _), device = rows[0].shape, rows[1].shape, rows[0].device
    own, by_keys = _tiles(kernel, rows[0], tiles), kernel == "backward_kv"
    blocks = b * g * -(-s // own.block_k) if by_keys else b * h * -(-t // own.block_q)
    if not blocks:
        return
    heads = b * (g if by_keys else h)
    side = _side_by_side(
        heads, rows[0].element_size() * 2 * d * (t if by_keys else s * g / h), device
    )
    rows = [_rows(one) for one in rows]
    span = () if span is None else (span,)
    with torch.cuda.device(device) if device.type == "cuda" else nullcontext():
        getattr(triton_tiles, kernel)[(blocks, parts)](
            *rows, *numbers, h, h // g, side, *span, t, s, *rules, D=d, WIDTH=padded(d),
            BLOCK_Q=own.block_q, BLOCK_K=own.block_k, num_warps=own.warps, num_stages=own.stages,
        )  # fmt: skip


def _side_by_side(heads: int, passing: float, device: torch.device) -> int:
    """How many heads go together: half of the cache holds what passes by them, about.

    passing: the bytes of a head. Groups of equal size, since the last should be no small one.
    """
    fit = max(1.0, _device(device).cache_bytes / 2 / max(passing, 1))
    return -(-heads // max(1, int(heads / fit)))


def _merge(outs, out, lses, lse, parts) -> None:
    """Put the answers over all parts of the keys together."""
    from course_lib.kernels import triton_tiles

    b, h, t, d = out.shape
    with torch.cuda.device(out.device) if out.device.type == "cuda" else nullcontext():
        triton_tiles.merge_parts[(b * h * -(-t // FEW),)](
            _rows(outs), _rows(out), lses, lse, h, parts, t, D=d, WIDTH=padded(d), BLOCK_Q=FEW
        )


def _shared_out(q, k, rules, tiles, parts) -> tuple[int, int]:
    """Among how many programs the keys are shared out, and how many each gets, in whole tiles.

    Where the blocks of queries are as many as the multiprocessors, nothing is; nor with a window.
    Else each part is at least four tiles, so that it is worth its merge.
    """
    (b, h, t, _), s = q.shape, k.shape[-2]
    own = _tiles("forward", q, tiles)
    blocks = b * h * -(-t // own.block_q)
    if parts is None:
        worth = 1 if rules[0] is not None else s // (4 * own.block_k)
        parts = min(_device(q.device).processors // max(blocks, 1), worth)
    span = -(-s // max(parts, 1) // own.block_k) * own.block_k
    return (-(-s // span), span) if span and blocks else (1, s)


def _tiles(kernel: str, q: Tensor, tiles: dict[str, Tiles]) -> Tiles:
    device = _device(q.device)
    shipped = "few" if kernel == "forward" and q.shape[-2] <= FEW else kernel
    return tiles.get(kernel) or tiles_for(
        shipped, q.dtype, q.shape[-1], device.capability, device.name
    )


def _rows(tensor: Tensor):
    """The tensor as the kernels take it."""
    from course_lib.kernels.triton_rows import Rows

    tensor = _unit_stride(tensor)
    return Rows(tensor, *tensor.stride()[:3])


def _unit_stride(tensor: Tensor) -> Tensor:
    """The tensor, copied if its columns do not lie side by side or its rows very far apart."""
    far = tensor.stride(-2) >= 2**22  # offsets within a tile are counted in 32 bits
    return tensor.contiguous() if tensor.stride(-1) != 1 or far else tensor


@cache
def _device(device: torch.device) -> Device:
    if device.type != "cuda":
        return Device()
    found = torch.cuda.get_device_properties(device)
    return Device(
        10 * found.major + found.minor, found.multi_processor_count,
        getattr(found, "L2_cache_size", 0) or Device().cache_bytes, found.name,
    )  # fmt: skip


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
