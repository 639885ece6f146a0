"""What may stand between scores and weights: a mask, a bias, a scale, a softcap."""

import math
from numbers import Real

import torch
from torch import Tensor

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def check_mask(mask: Tensor | None, scores: tuple[int, ...], device: torch.device) -> None:
    """Refuse a mask that is no boolean table of the scores' shape, or one that broadcasts to it."""
    if mask is None:
        return
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask is of type {type(mask).__name__}; expected a boolean tensor")
    if mask.dtype != torch.bool:
        floats = mask.dtype.is_floating_point
        cure = "additive mask of 0 and -inf: mask == 0" if floats else "mask of 0 and 1: mask == 1"
        cure += ", or bias=mask" if floats else ""
        raise TypeError(f"mask holds {mask.dtype}; expected True = may attend (for an {cure})")
    _check_table("mask", mask, scores, device)


def check_bias(bias: Tensor | None, scores: tuple[int, ...], q: Tensor) -> None:
    """Refuse a bias that is no table of floats of the scores' shape, or one that broadcasts to it.

    16-bit queries may have one in float32, which is what is computed in.
    """
    if bias is None:
        return
    if not isinstance(bias, Tensor):
        raise TypeError(f"bias is of type {type(bias).__name__}; expected a tensor of floats")
    if bias.dtype == torch.bool:
        raise TypeError("bias holds torch.bool, and a bias is added to the scores; give it as mask")
    allowed = dict.fromkeys((q.dtype, torch.promote_types(q.dtype, torch.float32)))
    if bias.dtype not in allowed:
        raise TypeError(
            f"bias holds {bias.dtype} but q holds {q.dtype}: expected "
            f"{' or '.join(map(str, allowed))}"
        )
    _check_table("bias", bias, scores, q.device)


def check_scale(scale: float | Tensor | None) -> None:
    """Refuse a scale that is not one finite number; None stands for 1 / sqrt(d)."""
    if scale is None or (isinstance(scale, Tensor) and scale.ndim == 0):
        return
    if isinstance(scale, bool) or not isinstance(scale, Real):
        kind = (
            "a tensor with axes" if isinstance(scale, Tensor) else f"of type {type(scale).__name__}"
        )
        raise TypeError(f"scale is {kind}; expected one number")
    if not math.isfinite(scale):
        raise ValueError(f"scale is {scale}; expected a finite number")


def check_softcap(softcap: float | None) -> None:
    """Refuse a softcap that is not one finite number above 0; None stands for no cap."""
    if softcap is None:
        return
    if isinstance(softcap, bool) or not isinstance(softcap, Real):
        raise TypeError(f"softcap is of type {type(softcap).__name__}; expected one number")
    if not 0 < softcap < math.inf:
        raise ValueError(f"softcap is {softcap}; expected a number above 0, or None for no cap")


def boolean_table(name: str, given: Tensor) -> Tensor:
    """The argument, a boolean tensor with queries and keys as its last axes.

    Raises: TypeError for anything but a boolean tensor; ValueError for fewer than two axes.
    """
    if not isinstance(given, Tensor) or given.dtype != torch.bool:
        raise TypeError(
            f"{name} is {kind_of(given)}; expected a boolean tensor (compare, or use .bool())"
        )
    if given.ndim < 2:
        raise ValueError(f"{name} has shape {tuple(given.shape)}; expected (..., t, s)")
    return given


def kind_of(given: object) -> str:
    """What an argument is, for a sentence: the dtype of a tensor, the type of anything else."""
    return str(given.dtype if isinstance(given, Tensor) else type(given).__name__)


def broadcast(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which two shapes broadcast.

    As torch.broadcast_shapes, which imports sympy at its first call: seconds on a busy machine.

    Raises: ValueError if a size differs and neither is 1.
    Example:
        >>> broadcast((2, 1, 5), (3, 1))
        (2, 3, 5)
    """
    axes = max(len(one), len(other))
    pairs = [*zip((1,) * (axes - len(one)) + one, (1,) * (axes - len(other)) + other, strict=True)]
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        raise ValueError(f"{one} and {other} do not broadcast")
    return tuple(b if a == 1 else a for a, b in pairs)


def _check_table(name: str, table: Tensor, scores: tuple[int, ...], device: torch.device) -> None:
    """Refuse another device than the scores', and shapes that do not broadcast to theirs."""
    if table.device != device:
        raise ValueError(f"{name} is on {table.device} but q on {device}")
    shape = tuple(table.shape)
    said = f"{name} has shape {shape} but the scores have shape {scores}"
    last = (1, 1, *shape)[-2:]
    if not shape or any(
        size not in (1, wanted) for size, wanted in zip(last, scores[-2:], strict=True)
    ):
        raise ValueError(f"{said}: its last two axes are (queries, keys), or 1")
    try:
        broadcast(shape[:-2], scores[:-2])
    except ValueError as error:
        heads = f"; one {name} for all heads of a sentence is {name}.unsqueeze(1)"
        raise ValueError(
            f"{said}: the axes before the last two must match or be 1"
            f"{heads if len(shape) == 3 and len(scores) == 4 else ''}"
        ) from error
