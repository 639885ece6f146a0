"""Exercise `multi_head`: project, split, attend in each head, merge, project."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.multi_head.exercises.merge_heads import merge_heads
from course_lib.chapters.multi_head.exercises.split_heads import reshaped_at_once, split_heads
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import attention
from course_lib.kernels.heads import multi_head_attention
from course_lib.kernels.masks import causal, may_attend


def multi_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Project, split, attend in each head, merge, project.

    x: (b, n, m)   w_q, w_k, w_v: (m, h d)   w_o: (h d, m)   heads: the number h
    mask: (n, n), True = may look, or None   returns: (b, n, m)
    """
    # SOLUTION
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return merge_heads(weights @ v) @ w_o
    # END SOLUTION


def _hidden(scores, mask):
    return scores.masked_fill(~mask, -torch.inf)


def _with(
    split=split_heads, merge=merge_heads, width=lambda x, q, heads: q.shape[-1], hide=_hidden,
    dim=-1, final=True, turn=False, factor=1,
):  # fmt: skip
    """Multi-head attention with one thing done otherwise."""

    def other(x, w_q, w_k, w_v, w_o, heads, mask=None):
        q, k, v = (split(x @ w, heads) for w in (w_q, w_k, w_v))
        q, k = (k, q) if turn else (q, k)
        scores = q @ k.mT / math.sqrt(width(x, q, heads))
        scores = scores if mask is None else hide(scores, mask)
        joined = merge(scores.softmax(dim=dim) @ v)
        return factor * (joined @ w_o if final else joined)

    return other


def _mask_after(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return merge_heads((weights if mask is None else weights * mask) @ v) @ w_o


def _always_causal(x, w_q, w_k, w_v, w_o, heads, mask=None):
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=may_attend(causal, x.shape[1]))


def _turned(x, w_q, w_k, w_v, w_o, heads, mask=None):
    return multi_head(x, w_q.T, w_k.T, w_v.T, w_o.T, heads, mask)


def _split_first(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """Cuts the words, not what was projected: a head sees a part of each word."""
    w_q, w_k, w_v = (torch.block_diag(*_diagonal(w, heads)) for w in (w_q, w_k, w_v))
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)


def _diagonal(w, heads):
    rows, columns = len(w) // heads, w.shape[1] // heads
    return [w[i * rows : (i + 1) * rows, i * columns : (i + 1) * columns] for i in range(heads)]


def _head_after_head(x, w_q, w_k, w_v, w_o, heads, mask=None):
    d = w_q.shape[1] // heads
    out = 0
    for i in range(heads):
        part = slice(i * d, (i + 1) * d)
        q, k, v = x @ w_q[:, part], x @ w_k[:, part], x @ w_v[:, part]
        out = out + attention(q, k, v, mask=mask) @ w_o[part]
    return out


def _side_by_side(x, w_q, w_k, w_v, w_o, heads, mask=None):
    outputs = []
    for q, k, v in zip(*((x @ w).chunk(heads, dim=-1) for w in (w_q, w_k, w_v)), strict=True):
        outputs.append(scaled_dot_product_attention(q, k, v, attn_mask=mask))
    return torch.cat(outputs, dim=-1) @ w_o


def _by_einsum(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (torch.einsum("bnm,mhd->bhnd", x, w.unflatten(1, (heads, -1)))
               for w in (w_q, w_k, w_v))  # fmt: skip
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.tensor(-1e9, dtype=scores.dtype))
    heard = torch.einsum("bhts,bhsd->bhtd", scores.softmax(-1), v)
    return torch.einsum("bhtd,hdm->btm", heard, w_o.unflatten(0, (heads, -1)))


def _by_sdpa(x, w_q, w_k, w_v, w_o, heads, mask=None):
    q, k, v = (split_heads(x @ w, heads) for w in (w_q, w_k, w_v))
    heard = scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return merge_heads(heard) @ w_o


def _whole_case(b, n, m, heads, d, *, mask=None, dtype=torch.float32):
    """Fresh words and matrices; mask: None, or a rule."""

    def case(rng):
        x, *w = (drawn(rng, *shape, dtype=dtype)
                 for shape in ((b, n, m), *[(m, heads * d)] * 3, (heads * d, m)))  # fmt: skip
        if mask is None:
            return inputs(x, *w, heads)
        return inputs(x, *w, heads, mask=may_attend(mask, n))

    return case


MULTI_HEAD = Exercise(
    answer=multi_head,
    cases=(
        _whole_case(1, 3, 6, 2, 3),
        _whole_case(2, 5, 6, 3, 2),
        _whole_case(1, 2, 6, 1, 6, dtype=torch.float64),
        _whole_case(3, 5, 4, 2, 2, mask=causal),
        _whole_case(2, 7, 6, 2, 3, mask=causal, dtype=torch.float64),
    ),
    mistakes=(
        Mistake(
            "You divided by the root of the whole width. A score adds up as many products as a "
            "head is wide: q.shape[-1] after the split.",
            _with(width=lambda x, q, heads: heads * q.shape[-1]),
            also=(_with(width=lambda x, q, heads: x.shape[-1]),),
        ),
        Mistake(
            "The scores are not divided by the root of the width of a head.",
            _with(width=lambda x, q, heads: 1),
        ),
        Mistake(
            "You divided by the root of the number of words. It takes the width of a head: "
            "q.shape[-1].",
            _with(width=lambda x, q, heads: x.shape[1]),
        ),
        Mistake(
            "Keys and values are exchanged: k = x @ w_k meets the queries, v = x @ w_v is mixed.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: multi_head(
                x, w_q, w_v, w_k, w_o, heads, mask
            ),
        ),
        Mistake(
            "You averaged the heads. After W_O their parts are added, and nobody divides.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                multi_head(x, w_q, w_k, w_v, w_o, heads, mask) / heads
            ),
        ),
        Mistake(
            "You divided by the root of the number of heads. It takes the width of a head.",
            _with(width=lambda x, q, heads: heads),
        ),
        Mistake(
            "W_O is missing: the heads stand side by side, and nothing has joined them yet.",
            _with(final=False),
        ),
        Mistake(
            "There was one wide head: the split is missing. Then there is one table of weights "
            "instead of one for each head.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: multi_head_attention(
                x, w_q, w_k, w_v, w_o, 1, mask=mask
            ),
        ),
        Mistake(
            "The split reshaped straight to (b, heads, n, d), so words and heads are mixed up.",
            _with(split=reshaped_at_once),
        ),
        Mistake(
            "The merge did not exchange the axes first, so a row holds several words of one head.",
            _with(merge=lambda heard: heard.reshape(heard.shape[0], heard.shape[2], -1)),
        ),
        Mistake(
            "The softmax ran over the queries. A row belongs to a query and shares out 1: dim=-1.",
            _with(dim=-2),
        ),
        Mistake(
            "The softmax ran over the heads, so they compete. Each head shares out a 1 of its own: "
            "dim=-1.",
            _with(dim=1),
        ),
        Mistake(
            "The mask is not used: later words are seen.", _with(hide=lambda scores, mask: scores)
        ),
        Mistake(
            "The mask is inverted: True means may look, so what is False becomes -inf.",
            _with(hide=lambda scores, mask: scores.masked_fill(mask, -torch.inf)),
        ),
        Mistake(
            "Forbidden scores became 0. A score of 0 is no ban: e^0 is 1. It takes -inf.",
            _with(hide=lambda scores, mask: scores.masked_fill(~mask, 0.0)),
            also=(_with(hide=lambda scores, mask: scores * mask),),
        ),
        Mistake(
            "You multiplied the mask by -inf. 0 times infinity is NaN, so allowed places break, "
            "too. Put -inf in with masked_fill.",
            _with(hide=lambda scores, mask: scores + ~mask * -torch.inf),
        ),
        Mistake(
            "You added the mask, so True became 1 and False 0. What is added is 0 where a word may "
            "look, and -inf where it may not.",
            _with(hide=lambda scores, mask: scores + mask),
        ),
        Mistake(
            "You hid later words although no mask was given. None means that all may look at all.",
            _always_causal,
        ),
        Mistake(
            "You turned the matrices over. Words are rows here, so it is x @ w_q; only nn.Linear "
            "and its relatives keep their matrices transposed.",
            _turned,
        ),
        Mistake(
            "You added x. That sum is made outside, in the block; the heads return what they "
            "gathered.",
            lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                x + multi_head(x, w_q, w_k, w_v, w_o, heads, mask)
            ),
            also=(
                lambda x, w_q, w_k, w_v, w_o, heads, mask=None: (
                    x + _side_by_side(x, w_q, w_k, w_v, w_o, heads, mask)
                ),
            ),
        ),
        Mistake(
            "You divided by the width of a head. It takes the root of it.",
            _with(width=lambda x, q, heads: q.shape[-1] ** 2),
        ),
        Mistake(
            "You masked after the softmax, so the hidden words had taken their share by then. Put "
            "-inf into the scores.",
            _mask_after,
        ),
        Mistake(
            "Queries and keys are exchanged: the rows of the scores are queries.",
            _with(turn=True),
        ),
        Mistake(
            "You split the words before projecting them. Each head sees the whole word; what is "
            "split are the columns of q, k and v.",
            _split_first,
        ),
    ),
    refused=(Refused(_with(factor=0.5), "multi_head gives another result"),),
    alternatives=(
        _side_by_side,
        _head_after_head,
        _by_einsum,
        _by_sdpa,
        lambda x, w_q, w_k, w_v, w_o, heads, mask=None: _by_sdpa(
            x, w_q, w_k, w_v, w_o, heads, mask
        ).float(),
        lambda *args, **options: multi_head_attention(*args, **options).tolist(),
        _with(hide=lambda scores, mask: scores.masked_fill(mask == 0, -1e9)),
        _with(hide=lambda scores, mask: torch.where(mask, scores, torch.finfo(scores.dtype).min)),
        _with(hide=lambda scores, mask: scores + mask.to(scores.dtype).log()),
    ),
    hints=(
        "Between the split and the merge stand the three lines of attention. How wide is a query "
        "there, and which two axes does @ use?",
        "q = split_heads(x @ w_q, heads), and k and v alike. The scores are (b, heads, n, n). "
        "Hide with scores.masked_fill(~mask, -torch.inf) if mask is not None. At the end "
        "merge_heads(...) @ w_o.",
        "q = split_heads(x @ w_q, heads); ...; scores = q @ k.mT / math.sqrt(...); hide what the "
        "mask does not allow; weights = ...; return merge_heads(weights @ v) @ ...",
    ),
    minutes=7,
    stars=3,
)
