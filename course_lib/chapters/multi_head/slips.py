"""Multi-head attention with one thing done otherwise, and right in other ways."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.multi_head.exercises.merge_heads import merge_heads
from course_lib.chapters.multi_head.exercises.split_heads import split_heads
from course_lib.kernels.attention import attention
from course_lib.kernels.heads import multi_head_attention
from course_lib.kernels.masks import causal, may_attend


def hidden(scores, mask):
    """Minus infinity where the mask is False."""
    return scores.masked_fill(~mask, -torch.inf)


def with_slip(
    split=split_heads, merge=merge_heads, width=lambda x, q, heads: q.shape[-1], hide=hidden,
    dim=-1, final=True, turn=False, factor=1, mix=None,
):  # fmt: skip
    """Multi-head attention with one thing done otherwise."""

    def other(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split(x @ w, heads) for w in (w_q, w_k, w_v))
        q, k = (k, q) if turn else (q, k)
        scores = q @ k.mT / math.sqrt(width(x, q, heads))
        scores = scores if mask is None else hide(scores, mask)
        heard = scores.softmax(dim=dim) @ v
        if mix is not None:
            return mix(heard, w_o)
        joined = merge(heard)
        return factor * (joined @ w_o if final else joined)

    return other


def mixed_then_merged(heard, w_o):
    """Multiplies each head's output by the whole of W_O, and merges only then."""
    mixed = heard @ w_o
    return merge_heads(mixed)


def mask_after(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Masks the weights, not the scores."""
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return merge_heads((weights if mask is None else weights * mask) @ v) @ w_o


def always_causal(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Hides later words, whatever the mask."""
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=may_attend(causal, x.shape[1]))


def turned(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """With all four matrices transposed."""
    return with_slip()(x, w_q.T, w_k.T, w_v.T, w_o.T, heads, mask)


def split_first(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Cuts the words, not what was projected: a head sees a part of each word."""
    w_q, w_k, w_v = (torch.block_diag(*_diagonal(w, heads)) for w in (w_q, w_k, w_v))
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)


def _diagonal(w, heads):
    rows, columns = len(w) // heads, w.shape[1] // heads
    return [w[i * rows : (i + 1) * rows, i * columns : (i + 1) * columns] for i in range(heads)]


def heads_meet_heads(masked):
    """Never exchanges heads and words, so that each word's heads attend to each other."""

    def other(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = ((x @ w).unflatten(-1, (heads, -1)) for w in (w_q, w_k, w_v))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = hidden(scores, mask) if masked and mask is not None else scores
        return (scores.softmax(dim=-1) @ v).flatten(2) @ w_o

    return other


def unprojected(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Mixes the words themselves: w_v is not used."""
    q, k = (split_heads(x @ w, heads) for w in (w_q, w_k))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores if mask is None else hidden(scores, mask)
    return merge_heads(scores.softmax(dim=-1) @ split_heads(x, heads)) @ w_o


def averaged(heard):
    """Joins as many copies of the heads' mean as there are heads."""
    return heard.mean(dim=1).repeat(1, 1, heard.shape[1])


def head_after_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Right: a loop over heads that adds their parts."""
    d = w_q.shape[1] // heads
    out = 0
    for i in range(heads):
        part = slice(i * d, (i + 1) * d)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        out = out + attention(q, k, v, mask=mask) @ w_o[part]
    return out


def side_by_side(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Right: chunks of columns, put side by side."""
    outputs = []
    for q, k, v in zip(*((x @ w).chunk(heads, dim=-1) for w in (w_q, w_k, w_v)), strict=True):
        outputs.append(scaled_dot_product_attention(q, k, v, attn_mask=mask))
    return torch.cat(outputs, dim=-1) @ w_o


def by_einsum(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Right: with a letter for each axis."""
    q, k, v = (torch.einsum("bnm,mhd->bhnd", x, w.unflatten(1, (heads, -1)))
               for w in (w_q, w_k, w_v))  # fmt: skip
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e9, dtype=scores.dtype))
    heard = torch.einsum("bhts,bhsd->bhtd", scores.softmax(-1), v)
    return torch.einsum("bhtd,hdm->btm", heard, w_o.unflatten(0, (heads, -1)))


def by_sdpa(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Right: with PyTorch's attention between split and merge."""
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    heard = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return merge_heads(heard) @ w_o
