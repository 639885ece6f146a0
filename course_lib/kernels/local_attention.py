"""Local attention: each query sees the keys near to it, and only their scores are computed.

A mask over a full table saves nothing: every score is computed, and then hidden. What saves is to
leave whole blocks out. It is exact for its rule, `causal & sliding_window(w)` of masks.py, and the
rule is another model than attention to everything.

Axes: "..." any leading axes, n queries and keys, width d, values of width e, w keys in a window.
Errors are as in attention.py; w and block are whole numbers from 1 on.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_attention, check_whole
from course_lib.kernels.attention import attention


def local_attention(q: Tensor, k: Tensor, v: Tensor, *, w: int, block: int = 64) -> Tensor:
    """Causal attention to the last w keys, block by block: O(n (w + block)) scores, not O(n²).

    Shapes: q and k (..., n, d), v (..., n, e) -> (..., n, e)
    Source: Beltagy et al., "Longformer" (2020), section 3.1; Child et al., "Generating Long
        Sequences with Sparse Transformers" (2019), section 4.2.
    Raises: ValueError, too, if there are not as many queries as keys.
    """
    check_attention(q, k, v)
    n = q.shape[-2]
    if n != k.shape[-2]:
        raise ValueError(f"a window needs as many queries as keys; got {n} and {k.shape[-2]}")
    outputs = [torch.empty_like(v[..., :0, :])]
    for rows, cols in _windows(n, w, block):
        i = torch.arange(rows.start, rows.stop, device=q.device)[:, None]
        j = torch.arange(cols.start, cols.stop, device=q.device)
        mask = (j <= i) & (i - j < w)
        outputs.append(attention(q[..., rows, :], k[..., cols, :], v[..., cols, :], mask=mask))
    return torch.cat(outputs, dim=-2)


def scores_computed(n: int, *, w: int, block: int = 64) -> int:
    """How many scores `local_attention` computes; attention to everything computes n².

    Example: a window of 256 in 4096 keys.
        >>> print(f"{scores_computed(4096, w=256) / 4096**2:.3f}")
        0.075
    """
    check_whole(n=n)
    return sum(
        (rows.stop - rows.start) * (cols.stop - cols.start) for rows, cols in _windows(n, w, block)
    )


def _windows(n: int, w: int, block: int):
    """For each block of queries, the slice of keys that any of them may see."""
    check_whole(w=w, block=block)
    for begin in range(0, n, block):
        end = min(begin + block, n)
        yield slice(begin, end), slice(max(0, begin - w + 1), end)
