"""Multi-head attention: several attentions beside each other, each with its own small q, k and v.

    q, k, v = x w_q, x w_k, x w_v           the columns of all heads side by side
    head_i  = attention(q_i, k_i, v_i)      each on its own block of columns
    output  = [head_1 ... head_h] w_o       which is the sum of head_i w_o_i

Axes: b sentences, t queries, s keys, m width of the words, h heads, d width of a head, g heads of
keys and values: g = h is multi-head attention, 1 < g < h grouped-query (GQA), g = 1 multi-query
(MQA). Then h / g neighbouring heads ask the same keys.

Masks are those of attention.py, True = may attend; for each sentence (b, 1, t, s).

Projections are computed in the tensors' own precision, also under torch.autocast; attention as
attention.py says. Nothing is changed in place but a cache. Errors are as there: TypeError and
ValueError, with the likely cause.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_lib.kernels.arguments import (
    check_divides,
    check_heads,
    check_multi_head,
    check_rows,
    check_whole,
)
from course_lib.kernels.attention import attention as course_attention
from course_lib.kernels.precision import own_precision


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Cut the columns into blocks, one for each head, and put the heads before the words.

    Shapes: (..., n, h d) -> (..., h, n, d)
    Raises: ValueError if the heads do not divide the width.
    Example: one word of width 4; two heads get two columns each.
        >>> import torch
        >>> split_heads(torch.tensor([[1.0, 2.0, 3.0, 4.0]]), 2).tolist()
        [[[1.0, 2.0]], [[3.0, 4.0]]]
    """
    check_rows(x=x)
    check_whole(heads=heads)
    check_divides("x", x.shape[-1], heads)
    return x.unflatten(-1, (heads, x.shape[-1] // heads)).transpose(-3, -2)


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads side by side again: `split_heads` undone.

    Shapes: (..., h, n, d) -> (..., n, h d)
    Raises: ValueError if there is no axis of heads.
    """
    check_rows(x=x)
    if x.ndim < 3:
        raise ValueError(f"x has shape {tuple(x.shape)}; expected (..., h, n, d)")
    return x.transpose(-3, -2).flatten(-2)


def repeat_heads(x: Tensor, times: int) -> Tensor:
    """Each head `times` times, beside itself: 0 0 1 1, not 0 1 0 1.

    Shapes: (..., g, s, d) -> (..., g times, s, d)
    Raises: ValueError if there is no axis of heads, or times is below 1.
    """
    check_rows(x=x)
    check_whole(times=times)
    if x.ndim < 3:
        raise ValueError(f"x has shape {tuple(x.shape)}; expected (..., g, s, d)")
    return x if times == 1 else x.repeat_interleave(times, dim=-3)


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | None = None, scale: float | None = None,
    attention: Callable = course_attention,
) -> Tensor:  # fmt: skip
    """Attention in which neighbouring heads of queries share one head of keys and values.

    The shared keys are repeated for the computation: what sharing saves is what has to be kept.

    attention: (q, k, v, mask=...) -> output, all with h heads; with scale=... where it is given.

    Shapes: q (..., h, t, d), k (..., g, s, d), v (..., g, s, e) -> (..., h, t, e)
    Raises: as `attention`; ValueError if g does not divide h, or k and v differ in g.
    Source: Ainslie et al., "GQA" (2023), section 2.2.
    """
    check_rows(q=q, k=k, v=v)
    for name, rows in {"q": q, "k": k, "v": v}.items():
        if rows.ndim < 3:
            raise ValueError(f"{name} has shape {tuple(rows.shape)}; it has no axis of heads")
    h, g = q.shape[-3], k.shape[-3]
    if v.shape[-3] != g:
        raise ValueError(f"v has {v.shape[-3]} heads but k has {g}: each key needs one value")
    check_heads(h, g)
    k, v = repeat_heads(k, h // g), repeat_heads(v, h // g)
    scaled = {} if scale is None else {"scale": scale}
    return attention(q, k, v, mask=mask, **scaled)


def multi_head_attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor, heads: int, *,
    n_kv_heads: int | None = None, context: Tensor | None = None, mask: Tensor | None = None,
    biases: Sequence[Tensor] | None = None, attention: Callable = course_attention,
) -> Tensor:  # fmt: skip
    """Project, split, attend in each head, merge, project.

    context: where keys and values come from; x itself where it is None.
    biases: b_q, b_k, b_v, b_o, added after the projections.

    Shapes: x (..., t, m), context (..., s, m), w_q (m, h d), w_k (m, g d), w_v (m, g e),
        w_o (h e, m), each bias as wide as its projection -> (..., t, m)
    Raises: as `attention`; ValueError for widths that do not divide or do not fit.
    Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.2; GQA: Ainslie et
        al. (2023), section 2.2.
    Example: two heads that pass all columns on give the mean of the words here.
        >>> import torch
        >>> x, one = torch.tensor([[0.0, 0.0], [2.0, 6.0]]), torch.eye(2)
        >>> multi_head_attention(x, 0 * one, 0 * one, one, one, heads=2)[0].tolist()
        [1.0, 3.0]
    """
    context = x if context is None else context
    g = heads if n_kv_heads is None else n_kv_heads
    weights = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
    check_multi_head(x, context, weights, biases, heads, g)
    b_q, b_k, b_v, b_o = (None,) * 4 if biases is None else biases
    q = split_heads(projected(x, w_q, b_q), heads)
    k, v = (split_heads(projected(context, w, b), g) for w, b in ((w_k, b_k), (w_v, b_v)))
    joined = merge_heads(grouped_attention(q, k, v, mask=mask, attention=attention))
    return projected(joined, w_o, b_o)


def projected(x: Tensor, w: Tensor, b: Tensor | None = None) -> Tensor:
    """x w + b.

    Shapes: x (..., n, m), w (m, f), b (f,) -> (..., n, f)
    """
    with own_precision(x):
        return x @ w if b is None else x @ w + b


def attention_inside(multi_head: Callable) -> Callable:
    """What a function such as `multi_head_attention` does between its split and its merge.

    So that a model which has projected already, as `Transformer` has, can attend with it: it is
    given q, k and v side by side as its x, and matrices that pick them out and change nothing.
    All of them are square, since a function may rely on one width; so heads are 3 d wide, and a
    factor in w_q takes back that scores are divided by the root of that.

    multi_head: (x, w_q, w_k, w_v, w_o, heads, mask=...) -> output, with x (b, t, m).
    Returns: (q, k, v, *, mask=None) -> output; mask (t, t), the same for all sentences.

    Shapes of what is returned: q, k and v (..., h, t, d) -> (..., h, t, d)
    """

    def inside(q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | None = None) -> Tensor:
        *leading, h, t, d = q.shape
        x = merge_heads(torch.cat((q, k, v), dim=-1)).reshape(-1, t, 3 * h * d)
        same = torch.eye(3 * h * d, dtype=x.dtype, device=x.device)
        # The columns of each head's part of x, moved so that q, k or v stands first.
        columns = same.unflatten(1, (h, 3, d))
        picks = [columns.roll(-i, dims=2).clone() for i in range(3)]
        for pick in picks:
            pick[:, :, 1:] = 0
        picks[0] *= 3**0.5
        output = multi_head(x, *(pick.flatten(1) for pick in picks), same, h, mask=mask)
        output = torch.as_tensor(output, dtype=x.dtype).reshape(*leading, t, 3 * h * d)
        return split_heads(output, h)[..., :d]

    return inside
