"""A trained transformer whose layers call a multi-head function of your own.

    model = with_multi_head(load_copying(), multi_head)     # yours, of chapter 7
    scores = model(ids)

The function takes (x, w_q, w_k, w_v, w_o, heads, mask=...) and knows no biases. A trained layer may
have them. They become rows of the matrices: x gets a column of ones, and what stands in that row
of w_q is added to each query. So each head is one column wider. There, the first head hands over a
value of 1, whatever its weights, since they add up to 1; and w_o makes the last bias of it. Scores
are then divided by the root of d + 1 instead of d, which a factor in w_q takes back.
"""

from collections.abc import Callable
from copy import deepcopy

import torch
from torch import Tensor, nn

from course_lib.kernels.attention import attention as course_attention
from course_lib.kernels.kv_cache import Counts, KVCache
from course_lib.kernels.masks import Mask, may_attend
from course_lib.kernels.multi_head import MultiHeadAttention
from course_lib.models.transformer import Transformer


def with_multi_head(model: Transformer, multi_head: Callable) -> Transformer:
    """The same model, weights shared, whose layers call `multi_head`.

    multi_head: (x, w_q, w_k, w_v, w_o, heads, mask=...) -> output, with x and output (b, t, m).
    Raises: ValueError for layers that are no plain multi-head attention.
    """
    own = deepcopy(model, {id(w): w for w in model.parameters()})
    for block in own.blocks:
        block.register_module("heads", OwnHeads(block.heads, multi_head))
    return own


class OwnHeads(nn.Module):
    """In place of a `MultiHeadAttention`: its weights, and a function that computes with them."""

    def __init__(self, layer: MultiHeadAttention, multi_head: Callable):
        super().__init__()
        if layer.n_kv_heads != layer.heads or layer.rotary or layer.heads * layer.d != layer.m:
            raise ValueError(
                "a multi-head function can stand in for a layer with as many heads of keys as of "
                "queries, of width m / heads, without rotary positions"
            )
        self.heads, self.multi_head = layer.heads, multi_head
        with torch.no_grad():
            self.matrices = _with_biases(layer)

    def forward(
        self, x: Tensor, *, mask: Mask, cache: KVCache | None = None,
        counts: Counts | None = None, attention: Callable = course_attention,
    ) -> Tensor:  # fmt: skip
        """What each word has gathered. Shapes: x (..., t, m) -> (..., t, m)

        Raises: ValueError for a cache or another attention, which the function could not use, and
            for an output of another shape.
        """
        if cache is not None or attention is not course_attention:
            raise ValueError(
                "your multi-head function computes everything itself: it takes no cache, no "
                "loudness and no attention, and shows no maps"
            )
        *leading, t, m = x.shape
        wide = torch.cat((x, x.new_ones(*leading, t, 1)), dim=-1)
        wide = nn.functional.pad(wide, (0, self.heads - 1)).reshape(-1, t, m + self.heads)
        allowed = may_attend(mask, t, device=x.device)
        output = self.multi_head(wide, *self.matrices, self.heads, mask=allowed)
        if not isinstance(output, Tensor) or output.shape != wide.shape:
            found = tuple(output.shape) if isinstance(output, Tensor) else type(output).__name__
            raise ValueError(f"the multi-head function gave {found} for x {tuple(wide.shape)}")
        return output[..., :m].reshape(x.shape)


def _with_biases(layer: MultiHeadAttention) -> list[Tensor]:
    """w_q, w_k, w_v and w_o with the biases in them, each (m + h, m + h)."""
    m, h, d = layer.m, layer.heads, layer.d
    wide = []
    for name in "qkv":
        w = layer.w_q.new_zeros(m + h, h, d + 1)
        w[:m, :, :d] = getattr(layer, f"w_{name}").unflatten(1, (h, d))
        if layer.b_q is not None:
            w[m, :, :d] = getattr(layer, f"b_{name}").unflatten(0, (h, d))
        wide.append(w)
    wide[0] *= ((d + 1) / d) ** 0.5
    w_o = layer.w_o.new_zeros(h, d + 1, m + h)
    w_o[:, :d, :m] = layer.w_o.unflatten(0, (h, d))
    if layer.b_o is not None:
        wide[2][m, 0, d] = 1
        w_o[0, d, :m] = layer.b_o
    return [*(w.flatten(1) for w in wide), w_o.flatten(0, 1)]
