"""Attention: each query takes the weighted mean of the values whose keys agree with it.

    scores  = q kᵀ / sqrt(d)      how well query i and key j agree
    weights = softmax(scores)     the same as shares: each row is positive and adds up to 1
    output  = weights v           for each query, the values mixed by its shares

Axes: t queries and s keys, each key with its value; queries and keys have width d, values width e.
"..." stands for any leading axes (sentences, heads); those of the arguments broadcast.

mask: boolean, broadcasts to (..., t, s); True = this query may attend to this key. A query that
may attend to no key gets weights 0 and output 0, and its gradient is finite.
scale: what the scores are multiplied by; 1 / sqrt(d) where it is None.
softcap: a number c above 0; the scaled scores x become c tanh(x / c), so none leaves -c to c.
bias: numbers that are added then, broadcast to (..., t, s); finite, or -inf for a key that does not
count. In q's dtype, or float32 with 16-bit queries. A learned one gets its gradient.

The nine steps, by the names that `trace` gives them:

    1  x                 the input, (..., t, m); x_q, x_k, x_v where they are not the same
    2  q, k, v           x w_q, x w_k, x w_v
    3  scores            q kᵀ, (..., t, s)
    4  scaled            scores times scale; with softcap then capped, with bias biased
    5  masked            -inf where the mask says False
    6  weights           softmax of each row; 0 where there is no key to attend to
    7  output            weights v, (..., t, e)
    8  joined            the outputs of all heads side by side, (..., t, h e)
    9  projected         joined w_o, (..., t, m)

Steps 3 to 7 are what is called scaled dot-product attention; the others stand around it. The cap
comes before bias and mask: after them it would make -c of -inf, and what is hidden would count.

Sources: bias: Raffel et al., "Exploring the Limits of Transfer Learning" (T5, arXiv 1910.10683),
section 2.1, learned for each distance; Press et al., "Train Short, Test Long" (ALiBi, 2108.12409),
section 3, fixed (`alibi` in positions.py). softcap: Gemma Team, "Gemma 2" (2408.00118), section 2.

Tensors are float16, bfloat16, float32 or float64, all of one call alike. The two 16-bit kinds are
computed in float32 and rounded once, at the end, also under torch.autocast, which would compute
all products in 16 bits. Nothing is changed in place. Every function
raises TypeError for what is no tensor, for other dtypes and for a mask that is not boolean, and
ValueError for shapes that do not fit; the message names the likely cause.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import (
    check_attention,
    check_output_projection,
    check_projections,
)
from course_lib.kernels.precision import own_precision


def attention(
    q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | None = None, scale: float | None = None,
    bias: Tensor | None = None, softcap: float | None = None,
) -> Tensor:  # fmt: skip
    """Scaled dot-product attention: softmax(q kᵀ / sqrt(d)) v.

    Shapes: q (..., t, d), k (..., s, d), v (..., s, e) -> (..., t, e)
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1.
    Example: a query that agrees with both keys alike gets the mean of their values.
        >>> attention(torch.ones(1, 2), torch.ones(2, 2), torch.tensor([[10.0], [30.0]])).tolist()
        [[20.0]]
    """
    check_attention(q, k, v, mask=mask, scale=scale, bias=bias, softcap=softcap)
    scores = _biased(_capped(_scores(_wide(q), _wide(k)) * _scale(q, scale), softcap), bias)
    return _mixed(masked_softmax(scores, _counted(mask, bias)), v)


def attention_weights(
    q: Tensor, k: Tensor, *, mask: Tensor | None = None, scale: float | None = None,
    bias: Tensor | None = None, softcap: float | None = None,
) -> Tensor:  # fmt: skip
    """How each query shares its attention among the keys: softmax(q kᵀ / sqrt(d)).

    Shapes: q (..., t, d), k (..., s, d) -> (..., t, s); each row adds up to 1
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1.
    Example:
        >>> attention_weights(torch.tensor([[0.0, 9.0]]), torch.zeros(4, 2)).tolist()
        [[0.25, 0.25, 0.25, 0.25]]
    """
    check_attention(q, k, mask=mask, scale=scale, bias=bias, softcap=softcap)
    scores = _biased(_capped(_scores(_wide(q), _wide(k)) * _scale(q, scale), softcap), bias)
    return masked_softmax(scores, _counted(mask, bias)).to(q.dtype)


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax along the keys, where only the keys that `mask` allows count.

    Shapes: scores (..., t, s), mask broadcasts to them -> (..., t, s)
    Example:
        >>> masked_softmax(torch.zeros(1, 3), torch.tensor([True, False, True])).tolist()
        [[0.5, 0.0, 0.5]]
    """
    if mask is None:
        return torch.softmax(scores, dim=-1)
    # exp(-inf) is 0. But a row of -inf alone has no softmax: it would be NaN, and so would be a
    # step of the way back. There 0 stands in, and the weights are taken back afterwards.
    hidden = torch.where(mask.any(dim=-1, keepdim=True), -torch.inf, 0.0).to(scores)
    weights = torch.softmax(torch.where(mask, scores, hidden), dim=-1)
    return torch.where(mask, weights, 0.0)


def trace(
    q: Tensor, k: Tensor, v: Tensor, *, mask: Tensor | None = None, scale: float | None = None,
    bias: Tensor | None = None, softcap: float | None = None, w_q: Tensor | None = None,
    w_k: Tensor | None = None, w_v: Tensor | None = None, w_o: Tensor | None = None,
) -> dict[str, Tensor]:  # fmt: skip
    """Attention with every step kept: a dict from the name of each intermediate to its tensor.

    With w_q, w_k and w_v, the arguments q, k and v are what is projected: in self-attention three
    times the same x. Step 1 is there with these three, steps 8 and 9 with w_o.

    Shapes: w_q, w_k (m, d), w_v (m, e), w_o (e, m); for h heads w_q, w_k (h, m, d), w_v (h, m, e),
        w_o (h e, m), and then the steps 2 to 7 have an axis h before the last two.
    Source: Vaswani et al., "Attention Is All You Need" (2017), equation 1 and figure 2.
    Example:
        >>> steps = trace(torch.ones(3, 2), torch.ones(5, 2), torch.ones(5, 7))
        >>> print([(name, *steps[name].shape) for name in ("q", "scores", "output")])
        [('q', 3, 2), ('scores', 3, 5), ('output', 3, 7)]
    """
    steps: dict[str, Tensor] = {}
    if projections := check_projections(q, k, v, w_q, w_k, w_v):
        steps |= {"x": q} if q is k is v else {"x_q": q, "x_k": k, "x_v": v}
        q, k, v = (_project(x, w) for x, w in zip((q, k, v), projections, strict=True))
    check_attention(q, k, v, mask=mask, scale=scale, bias=bias, softcap=softcap)
    heads = w_q is not None and w_q.ndim == 3
    steps |= {"q": q, "k": k, "v": v}
    steps["scores"] = _scores(_wide(q), _wide(k))
    steps["scaled"] = last = steps["scores"] * _scale(q, scale)
    if softcap is not None:
        steps["capped"] = last = _capped(last, softcap)
    if bias is not None:
        steps["biased"] = last = _biased(last, bias)
    steps["masked"] = last if mask is None else torch.where(mask, last, -torch.inf)
    steps["weights"] = masked_softmax(last, _counted(mask, bias))
    steps["output"] = _mixed(steps["weights"], v)
    if w_o is not None:
        output = steps["output"]
        steps["joined"] = output.transpose(-3, -2).flatten(-2) if heads else output
        check_output_projection(steps["joined"], w_o)
        steps["projected"] = _project(steps["joined"], w_o)
    return steps


def _scores(q: Tensor, k: Tensor) -> Tensor:
    with own_precision(q):
        return q @ k.transpose(-2, -1)


def _mixed(weights: Tensor, v: Tensor) -> Tensor:
    """The values, mixed by the weights, and rounded to their own dtype."""
    with own_precision(v):
        return (weights @ _wide(v)).to(v.dtype)


def _scale(q: Tensor, scale: float | None) -> float:
    return q.shape[-1] ** -0.5 if scale is None else scale


def _capped(scores: Tensor, softcap: float | None) -> Tensor:
    return scores if softcap is None else softcap * torch.tanh(scores / softcap)


def _biased(scores: Tensor, bias: Tensor | None) -> Tensor:
    return scores if bias is None else scores + bias.to(scores.dtype)


def _counted(mask: Tensor | None, bias: Tensor | None) -> Tensor | None:
    """The mask, False also where the bias is -inf: a row of those alone has no softmax."""
    if bias is None:
        return mask
    return bias > -torch.inf if mask is None else mask & (bias > -torch.inf)


def _wide(tensor: Tensor) -> Tensor:
    """The tensor in the precision that is computed in."""
    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


def _project(x: Tensor, w: Tensor) -> Tensor:
    """x w, for every head where w has an axis of heads."""
    with own_precision(x):
        return x.unsqueeze(-3) @ w if w.ndim == 3 else x @ w
