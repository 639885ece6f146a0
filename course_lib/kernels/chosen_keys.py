"""Attention to a few keys that a cheaper score has chosen.

An indexer scores every query against every key in few numbers, and keeps the best; attention then
meets those alone. The table of cheap scores still grows with t times s, the costly part with t
times the count that is kept.

Axes: "..." any leading axes, h indexer heads, t queries, s keys, width d (of the indexer's vectors
where they are its own), e of values; mask True = may attend. Errors are as in attention.py.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_attention, check_rows, check_whole
from course_lib.kernels.attention import attention
from course_lib.kernels.score_arguments import check_mask


def index_scores(q: Tensor, k: Tensor, weights: Tensor) -> Tensor:
    """How much each key deserves a query's attention: the heads' positive products, weighted.

    Shapes: q (..., h, t, d), k (..., s, d), weights (..., t, h) -> (..., t, s)
    Raises: TypeError for no tensors of floats; ValueError for widths or weights that do not fit.
    Source: DeepSeek-AI, "DeepSeek-V3.2-Exp" (2025), equation 1.
    Example: the second head's product is negative, so it adds nothing.
        >>> q = torch.tensor([[[2.0]], [[-3.0]]])
        >>> index_scores(q, torch.tensor([[1.0]]), torch.tensor([[0.5, 9.0]])).tolist()
        [[1.0]]
    """
    check_rows(q=q, k=k)
    if q.ndim < 3 or q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"q has shape {tuple(q.shape)} and k {tuple(k.shape)}; expected (..., h, t, d) and "
            "(..., s, d) with the same d"
        )
    heads, queries = q.shape[-3], q.shape[-2]
    if tuple(weights.shape[-2:]) != (queries, heads):
        raise ValueError(
            f"weights has shape {tuple(weights.shape)}; expected a weight for each query and "
            f"head: (..., {queries}, {heads})"
        )
    products = torch.relu(q @ k[..., None, :, :].mT)
    return (products * weights.mT[..., None]).sum(dim=-3)


def chosen(index: Tensor, count: int, mask: Tensor | None = None) -> Tensor:
    """The keys that each query keeps: the `count` that score highest among those it may see.

    A query that may see fewer keeps these.

    Shapes: index (..., t, s), mask broadcasts to it -> (..., t, s), True = may attend
    Raises: ValueError for a count below 1; TypeError for a mask that is not boolean.
    Source: DeepSeek-AI, "DeepSeek-V3.2-Exp" (2025), equation 2.
    Example:
        >>> chosen(torch.tensor([[0.1, 0.9, 0.5]]), 2).tolist()
        [[False, True, True]]
    """
    check_whole(count=count)
    check_mask(mask, tuple(index.shape), index.device)
    seen = index if mask is None else index.masked_fill(~mask, -torch.inf)
    best = seen.topk(min(count, index.shape[-1]), dim=-1).indices
    kept = torch.zeros_like(index, dtype=torch.bool).scatter(-1, best, True)
    return kept if mask is None else kept & mask


def attention_to_chosen(
    q: Tensor, k: Tensor, v: Tensor, index: Tensor, count: int, *, mask: Tensor | None = None
) -> Tensor:
    """Attention in which each query meets only its chosen keys; no other score is computed.

    The same numbers as `attention` with the mask that `chosen` gives, from t times count scores.

    Shapes: q (..., t, d), k (..., s, d), v (..., s, e), index (..., t, s) -> (..., t, e)
    Raises: as `attention`, `chosen`; ValueError for an index of another shape.
    Source: DeepSeek-AI, "DeepSeek-V3.2-Exp" (2025), equation 2.
    """
    check_attention(q, k, v, mask=mask)
    lead = torch.broadcast_shapes(*(one.shape[:-2] for one in (q, k, v, index)))
    if tuple(index.shape[-2:]) != (q.shape[-2], k.shape[-2]):
        raise ValueError(
            f"index has shape {tuple(index.shape)}; expected a score for each of "
            f"{q.shape[-2]} queries and {k.shape[-2]} keys"
        )
    index = index.expand(*lead, *index.shape[-2:])
    kept = chosen(index, count, mask)
    places = kept.to(torch.uint8).topk(min(count, k.shape[-2]), dim=-1).indices  # (..., t, count)
    met = kept.gather(-1, places)
    own_k, own_v = (_rows_at(one.expand(*lead, *one.shape[-2:]), places) for one in (k, v))
    q = q.expand(*lead, *q.shape[-2:])[..., None, :]
    return attention(q, own_k, own_v, mask=met[..., None, :])[..., 0, :]


def _rows_at(rows: Tensor, places: Tensor) -> Tensor:
    """Rows (..., s, d) at places (..., t, count) -> (..., t, count, d)."""
    queries, width = places.shape[-2], rows.shape[-1]
    wide = rows[..., None, :, :].expand(*rows.shape[:-2], queries, *rows.shape[-2:])
    return wide.gather(-2, places[..., None].expand(*places.shape, width))
