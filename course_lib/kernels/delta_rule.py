"""Attention as a memory of one size that is written over: decay and the delta rule.

Linear attention without its division carries one matrix z of d times e from word to word and adds
k vᵀ to it. What was written stays for good, so two keys that are alike mix their values. The delta
rule reads first what the key already finds, and writes only what is missing; decay forgets a part
of everything. For one word, with a key of length 1:

    z = keep * (z - write * k (kᵀ z)) + write * k vᵀ          output = q z

write = 1 puts v in the place of what k found; write = 0 leaves the memory as it is.

Axes: "..." any leading axes, s words (each asks and is remembered), width d of queries and keys, e
of values. Errors are as in attention.py. float16 and bfloat16 are computed in float32.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_attention
from course_lib.kernels.precision import own_precision


def delta_rule(
    q: Tensor, k: Tensor, v: Tensor, write: Tensor, keep: Tensor | None = None, *,
    erase: bool = True,
) -> Tensor:  # fmt: skip
    """What each query reads from the memory that the words up to its own have written.

    Keys are divided by their length first: the rule overshoots with longer ones.
    write: how much of what is missing is written, from 0 to 1, for each word.
    keep: how much of the memory is kept before, from 0 to 1, for each word; all, if left out.
    erase: False leaves out the reading, which is linear attention with decay.

    Shapes: q (..., s, d), k (..., s, d), v (..., s, e), write (..., s), keep (..., s)
        -> (..., s, e)
    Raises: ValueError for other lengths, and for write or keep outside of 0 to 1; and as attention.
    Source: Schlag et al., "Linear Transformers Are Secretly Fast Weight Programmers" (2021),
        section 4.2; with keep, Yang et al., "Gated Delta Networks" (2024), equation 10.
    Example: the same key twice; the second value takes the place of the first.
        >>> one, values = torch.ones(2, 1), torch.tensor([[10.0], [30.0]])
        >>> delta_rule(one, one, values, torch.ones(2)).tolist()
        [[10.0], [30.0]]
        >>> delta_rule(one, one, values, torch.ones(2), erase=False).tolist()
        [[10.0], [40.0]]
    """
    _check(q, k, v, write, keep)
    keep = torch.ones_like(write) if keep is None else keep
    with own_precision(q):
        dtype = torch.promote_types(v.dtype, torch.float32)
        wide = [one.to(dtype) for one in (q, k, v, write, keep)]
        return _word_by_word(*wide, erase=erase).to(v.dtype)


def _word_by_word(
    q: Tensor, k: Tensor, v: Tensor, write: Tensor, keep: Tensor, *, erase: bool
) -> Tensor:
    lead = torch.broadcast_shapes(*(one.shape[:-2] for one in (q, k, v)), write.shape[:-1])
    k = k / k.norm(dim=-1, keepdim=True).clamp(min=torch.finfo(k.dtype).tiny)
    z, read = v.new_zeros(*lead, k.shape[-1], v.shape[-1]), []
    for i in range(k.shape[-2]):
        here = (..., slice(i, i + 1), slice(None))
        share, kept = write[..., i, None, None], keep[..., i, None, None]
        column = k[here].mT
        if erase:
            z = z - share * (column @ (k[here] @ z))
        z = kept * z + share * (column @ v[here])
        read.append(q[here] @ z)
    return torch.cat(read, dim=-2) if read else v.new_zeros(*lead, 0, v.shape[-1])


def _check(q: Tensor, k: Tensor, v: Tensor, write: Tensor, keep: Tensor | None) -> None:
    check_attention(q, k, v)
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(
            f"q has {q.shape[-2]} rows but k has {k.shape[-2]}: each word asks once and is "
            "remembered once"
        )
    for name, share in (("write", write), ("keep", keep)):
        if share is not None:
            _check_share(name, share, k)


def _check_share(name: str, share: Tensor, k: Tensor) -> None:
    if not isinstance(share, Tensor) or not share.is_floating_point():
        kind = share.dtype if isinstance(share, Tensor) else type(share).__name__
        raise TypeError(f"{name} must be a tensor of floats; got {kind}")
    if share.ndim == 0 or share.shape[-1] != k.shape[-2]:
        raise ValueError(
            f"{name} has shape {tuple(share.shape)}; expected one share for each of the "
            f"{k.shape[-2]} words: (..., {k.shape[-2]})"
        )
    if share.numel() and not bool(((share >= 0) & (share <= 1)).all()):
        low, high = share.min().item(), share.max().item()
        raise ValueError(f"{name} must lie from 0 to 1; got {low:g} to {high:g}")
