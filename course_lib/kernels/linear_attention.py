"""Linear attention: another similarity, which lets the sum over the keys be made first.

Softmax attention weighs value j by exp(q · k_j). Take feature(q) · feature(k_j) in its place, and
the brackets may be moved:

    (feature(q) feature(k)ᵀ) v = feature(q) (feature(k)ᵀ v)

On the left stands a table of t times s, on the right one of width times width, however long the
text is. It is the same number on both sides, and another model than softmax attention.

Axes: "..." any leading axes, t queries, s keys, width d (after `feature` f), values of width e.
Errors are as in attention.py. float16 and bfloat16 are computed in float32 and rounded once: a sum
over the keys counts them, and bfloat16 has no 257.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_attention, check_whole
from course_lib.kernels.precision import own_precision

Feature = Callable[[Tensor], Tensor]


def elu_plus_one(x: Tensor) -> Tensor:
    """x + 1 above 0 and exp(x) below: positive everywhere.

    Shapes: (..., d) -> (..., d)
    Source: Katharopoulos et al., "Transformers are RNNs" (2020), equation 7.
    """
    return torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))  # elu(x) + 1 rounds to 0 below -17


def random_features(d: int, f: int, seed: int = 0) -> Feature:
    """A feature whose products are exp(q · k / sqrt(d)) on average, from f random directions.

    Source: Choromanski et al., "Rethinking Attention with Performers" (2020), lemma 1.
    Example: two vectors, exp(.5 / sqrt(1)) = 1.6487.
        >>> feature = random_features(1, 100_000)
        >>> one, half = torch.ones(1, 1), torch.full((1, 1), 0.5)
        >>> print(f"{(feature(one) * feature(half)).sum().item():.2f}")
        1.65
    """
    check_whole(d=d, f=f)
    directions = torch.randn(f, d, generator=torch.Generator().manual_seed(seed))

    def feature(x: Tensor) -> Tensor:
        x = x * d**-0.25  # the root of 1 / sqrt(d), once in q and once in k
        exponent = x @ directions.to(x).T - (x * x).sum(dim=-1, keepdim=True) / 2
        return torch.exp(exponent) / f**0.5

    return feature


def linear_attention(
    q: Tensor, k: Tensor, v: Tensor, *, feature: Feature = elu_plus_one, causal: bool = False
) -> Tensor:
    """Each query's mean of the values, weighted by feature(q) · feature(k); memory t + s, not t s.

    causal: a query sees the keys up to its own place; then t must be s, and the sums of keys are
    carried along like the state of a recurrent network.

    Shapes: q (..., t, d), k (..., s, d), v (..., s, e) -> (..., t, e)
    Source: Katharopoulos et al., "Transformers are RNNs" (2020), equations 5 and 9 to 12.
    """
    check_attention(q, k, v)
    with own_precision(q):
        wide_q, wide_k, wide_v = _wide(q, k, v)
        return _by_sums(wide_q, wide_k, wide_v, feature, causal).to(v.dtype)


def _by_sums(q: Tensor, k: Tensor, v: Tensor, feature: Feature, causal: bool) -> Tensor:
    fq, fk = feature(q), feature(k)
    if not causal:
        total = (fq * fk.sum(dim=-2, keepdim=True)).sum(dim=-1, keepdim=True)
        return fq @ (fk.mT @ v) / total
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"causal needs as many queries as keys; got {q.shape[-2]}, {k.shape[-2]}")
    state = v.new_zeros(*fk.shape[:-2], fk.shape[-1], v.shape[-1])
    seen, rows = fk.new_zeros(*fk.shape[:-2], 1, fk.shape[-1]), []
    for i in range(k.shape[-2]):
        here = (..., slice(i, i + 1), slice(None))
        state, seen = state + fk[here].mT @ v[here], seen + fk[here]
        rows.append(fq[here] @ state / (fq[here] * seen).sum(dim=-1, keepdim=True))
    return torch.cat(rows, dim=-2)


def linear_attention_by_table(
    q: Tensor, k: Tensor, v: Tensor, *, feature: Feature = elu_plus_one
) -> Tensor:
    """The same with the brackets on the left: all weights in a table, then the values.

    Shapes: q (..., t, d), k (..., s, d), v (..., s, e) -> (..., t, e)
    """
    check_attention(q, k, v)
    with own_precision(q):
        wide_q, wide_k, wide_v = _wide(q, k, v)
        table = feature(wide_q) @ feature(wide_k).mT
        return (table / table.sum(dim=-1, keepdim=True) @ wide_v).to(v.dtype)


def _wide(*tensors: Tensor) -> list[Tensor]:
    """The tensors in the precision that is computed in."""
    return [one.to(torch.promote_types(one.dtype, torch.float32)) for one in tensors]
