"""Texts of different lengths one behind the other, without filling between them.

Filled up to the longest, a batch spends most of its rows on nothing. Packed, all words stand in one
row, and a list of boundaries says where each text begins: cu_seqlens, as kernels call it.

    lengths 3, 1, 2  ->  boundaries 0, 3, 4, 6      text i has the words boundaries[i] to
                                                    boundaries[i + 1] - 1

Axes: h heads of queries, g heads of keys and values (g divides h), n words of all texts together, d
width of queries and keys, e of values. Errors are as in attention.py.
"""

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from course_lib.kernels.flash import flash_attention
from course_lib.kernels.whole_numbers import whole_numbers


def boundaries(lengths: Sequence[int] | Tensor) -> Tensor:
    """Where each text begins, and at last where all end: 0, and the sums of the lengths.

    Shapes: lengths (b,) -> (b + 1,), int32
    Raises: TypeError or ValueError if they are no whole numbers from 0 on.
    Example:
        >>> boundaries([3, 1, 2]).tolist()
        [0, 3, 4, 6]
    """
    counts = whole_numbers("lengths", lengths, axes=(1,))
    if counts.numel() and int(counts.min()) < 0:
        raise ValueError(f"lengths holds {int(counts.min())}; expected 0 or more words")
    ends = counts.cumsum(dim=0)
    return torch.cat((ends.new_zeros(1), ends)).to(torch.int32)


def packed_attention(
    q: Tensor, k: Tensor, v: Tensor, begins: Sequence[int] | Tensor, *, causal: bool = False
) -> Tensor:
    """Attention within each text of a packed row; no score between two texts is computed.

    begins: the boundaries, from 0 to n. A text may be empty.

    Shapes: q (h, n, d), k (g, n, d), v (g, n, e), begins (b + 1,) -> (h, n, e)
    Raises: TypeError or ValueError for other boundaries; and as flash_attention.
    Source: `varlen_attn` of PyTorch, torch.nn.attention.varlen (2025), and `flash_attn_varlen_func`
        of FlashAttention, whose cu_seqlens these boundaries are.
    Example: a text of one word, and one of two, which see each other only.
        >>> zeros, v = torch.zeros(1, 3, 1), torch.tensor([[[7.0], [2.0], [4.0]]])
        >>> packed_attention(zeros, zeros, v, [0, 1, 3]).flatten().tolist()
        [7.0, 3.0, 3.0]
    """
    ends = whole_numbers("begins", begins, axes=(1,)).tolist()
    n = q.shape[-2]
    if ends[:1] != [0] or ends[-1:] != [n] or ends != sorted(ends):
        raise ValueError(f"begins is {ends}; expected numbers that grow from 0 to {n}")
    if k.shape[-2] != n or v.shape[-2] != n:
        raise ValueError(
            f"q, k and v have {n}, {k.shape[-2]} and {v.shape[-2]} rows; expected one of each for "
            "every word"
        )
    out = q.new_zeros(*q.shape[:-1], v.shape[-1])
    for begin, end in pairwise(ends):
        if begin < end:
            own = (one[..., begin:end, :] for one in (q, k, v))
            attended = flash_attention(*own, causal=causal)
            assert isinstance(attended, Tensor)  # with return_lse it would be two
            out[..., begin:end, :] = attended
    return out
