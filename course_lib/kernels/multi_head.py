"""Multi-head attention as a layer that owns its weights: heads.py with positions and a cache.

    layer = MultiHeadAttention(64, 4, torch.Generator().manual_seed(0), n_kv_heads=2)
    output = layer(x, mask=causal)                          # x (..., t, 64)
    layer.load_multihead(nn.MultiheadAttention(64, 4, bias=False).state_dict())   # where g = h

    cache = layer.new_cache(100)                            # decoding, a word at a time
    with torch.no_grad():
        last = layer(x[:1], mask=causal, cache=cache)

Axes as in heads.py: t queries, s keys, m width of the words, h heads, g heads of keys and values,
d width of a head.
"""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from course_lib.kernels.arguments import check_divides, check_heads, check_rows, check_whole
from course_lib.kernels.attention import attention as course_attention
from course_lib.kernels.heads import grouped_attention, merge_heads, projected, split_heads
from course_lib.kernels.kv_cache import Counts, KVCache
from course_lib.kernels.masks import Mask, may_attend
from course_lib.kernels.positions import LAYOUTS, rotary
from course_lib.kernels.precision import autocasts
from course_lib.kernels.ragged_masks import allowed_behind


class MultiHeadAttention(nn.Module):
    """`multi_head_attention` that owns its weights, with rotary positions and a cache if wanted.

    m: width of the words.   d: width of a head; m / heads where it is None.
    n_kv_heads: heads of keys and values; as many as heads where it is None.
    generator: draws the first weights, torch's own where it is None; the biases begin at 0.
    rotary: "neighbours" or "halves", the layout in which queries and keys are turned by their
        positions; None for no positions.

    Raises: ValueError for widths that do not divide, an odd width to turn, another layout.
    Example:
        >>> layer = MultiHeadAttention(8, 4, torch.Generator().manual_seed(0), n_kv_heads=2)
        >>> print([(name, *w.shape) for name, w in layer.named_parameters()][1:4])
        [('w_k', 8, 4), ('w_v', 8, 4), ('w_o', 8, 8)]
    """

    w_q: nn.Parameter
    w_k: nn.Parameter
    w_v: nn.Parameter
    w_o: nn.Parameter
    b_q: nn.Parameter | None  # all four, or none
    b_k: nn.Parameter | None
    b_v: nn.Parameter | None
    b_o: nn.Parameter | None

    def __init__(
        self, m: int, heads: int, generator: torch.Generator | None, *,
        n_kv_heads: int | None = None, d: int | None = None, bias: bool = False,
        rotary: str | None = None,
    ):  # fmt: skip
        super().__init__()
        g = heads if n_kv_heads is None else n_kv_heads
        check_whole(m=m)
        check_heads(heads, g)
        if d is None:
            check_divides("m", m, heads)
        d = m // heads if d is None else d
        check_whole(d=d)
        if rotary not in (None, *LAYOUTS):
            raise ValueError(f"rotary is {rotary!r}; expected one of {LAYOUTS}, or None")
        if rotary and d % 2:
            raise ValueError(f"heads are {d} wide; rotary turns pairs, so d must be even")
        self.m, self.heads, self.n_kv_heads, self.d, self.rotary = m, heads, g, d, rotary
        shapes = {"q": (m, heads * d), "k": (m, g * d), "v": (m, g * d), "o": (heads * d, m)}
        for name, (rows, columns) in shapes.items():
            drawn = torch.randn(rows, columns, generator=generator) * rows**-0.5
            self.register_parameter(f"w_{name}", nn.Parameter(drawn))
        for name, (_, columns) in shapes.items():
            start = nn.Parameter(torch.zeros(columns)) if bias else None
            self.register_parameter(f"b_{name}", start)

    def forward(
        self, x: Tensor, *, context: Tensor | None = None, mask: Tensor | Mask | None = None,
        cache: KVCache | None = None, counts: Counts | None = None,
        attention: Callable = course_attention,
    ) -> Tensor:  # fmt: skip
        """What each word has gathered.

        context: where keys and values come from; x itself where it is None.
        mask: a tensor, or a rule such as `causal`; a rule finds the places of x behind the cache.
        cache: keys and values of the words before x; those of x are added to it. Several words at
            once need mask=causal as without a cache, one alone needs none. Where sentences have
            different lengths, each goes on behind its own last word, and no word sees filling.
        counts: with a cache, how many of the t rows are words of each sentence; the others, behind
            them, are filling: they see nothing, and nobody sees them. All are words where it is
            None.
        attention: (q, k, v, mask=...) -> output, for all heads at once: the course's,
            the learner's, or one that watches the heads or changes them. k and v come with h heads.

        Shapes: x (..., t, m), context (..., s, m) -> (..., t, m)
        Raises: ValueError for a cache that is full, of other sizes, or together with a context;
            also for a context with rotary, which knows the positions of one text alone, and for
            counts without a cache.
        """
        x, context = self._own(x), context if context is None else self._own(context)
        self._check_call(x, context, cache, counts)
        if cache is None:
            q, k, v = self.project(x, context)
            return self._gathered(q, k, v, self._allowed(mask, q, k, context), attention)
        first, ends = cache.lengths, cache.ends(x.shape[-2], counts)
        even = cache.even and bool((ends == first + x.shape[-2]).all())
        q, k, v = self.project(x, first=cache.length if even else first)
        k, v = cache.extended(k, v, counts)
        if even:
            allowed = self._allowed(mask, q, k, None)
        else:
            allowed = allowed_behind(mask, first, ends, x.shape[-2], device=q.device)
        output = self._gathered(q, k, v, allowed, attention)
        cache.keep(ends)  # only now: a call that fails leaves the cache as it was
        return output

    def project(
        self, x: Tensor, context: Tensor | None = None, first: int | Tensor = 0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of each head, turned where the layer has rotary positions.

        first: the position of the first word of x; in each sentence, where it is a tensor (...).

        Shapes: -> q (..., h, t, d), k and v (..., g, s, d)
        """
        x = self._own(x)
        context = x if context is None else self._own(context)
        q = split_heads(projected(x, self.w_q, self.b_q), self.heads)
        k = split_heads(projected(context, self.w_k, self.b_k), self.n_kv_heads)
        v = split_heads(projected(context, self.w_v, self.b_v), self.n_kv_heads)
        if self.rotary is not None:
            first = torch.as_tensor(first, device=x.device)  # whole numbers, whatever x holds
            places = first[..., None] + torch.arange(x.shape[-2], device=x.device)
            q, k = (_turned(rows, places, self.rotary) for rows in (q, k))
        return q, k, v

    def new_cache(self, room: int, *leading: int) -> KVCache:
        """An empty cache for this layer, for `room` words in each sentence.

        leading: the axes of x before the words, such as b for b sentences.
        """
        return KVCache(
            room, leading, n_kv_heads=self.n_kv_heads, d=self.d,
            dtype=self.w_k.dtype, device=self.w_k.device,
        )  # fmt: skip

    def load_multihead(self, state: Mapping[str, Tensor]) -> None:
        """Take the weights of an `nn.MultiheadAttention` of the same sizes: its state_dict().

        Raises: ValueError if this layer is of a kind that PyTorch's is not, or state is of
            another size, bias or kind; then nothing is changed.
        """
        wanted = {name: tuple(w.shape) for name, w in self.to_multihead().items()}
        found = {name: tuple(w.shape) for name, w in state.items()}
        if found != wanted:
            differ = sorted(name for name in {**found, **wanted}
                            if found.get(name) != wanted.get(name))  # fmt: skip
            name = differ[0]
            raise ValueError(
                f"{name} is {found.get(name, 'missing')} in the state but "
                f"{wanted.get(name, 'missing')} in this layer"
            )
        with torch.no_grad():
            for kind in ("weight", "bias") if self._biases() else ("weight",):
                parts = (*state[f"in_proj_{kind}"].chunk(3), state[f"out_proj.{kind}"])
                for name, part in zip("qkvo", parts, strict=True):
                    getattr(self, f"{kind[0]}_{name}").copy_(part.mT if kind == "weight" else part)

    def to_multihead(self) -> dict[str, Tensor]:
        """The weights as an `nn.MultiheadAttention` of the same sizes loads them.

        Its matrices stand transposed, and those of q, k and v below each other.

        Raises: ValueError if this layer is of a kind that PyTorch's is not.
        """
        self._check_multihead()
        with torch.no_grad():
            state = {
                "in_proj_weight": torch.cat((self.w_q, self.w_k, self.w_v), dim=1).T.contiguous(),
                "out_proj.weight": self.w_o.T.contiguous(),
            }
            if biases := self._biases():
                state["in_proj_bias"] = torch.cat(biases[:3])
                state["out_proj.bias"] = biases[3].clone()
        return state

    def _biases(self) -> list[Tensor]:
        """Those of q, k, v and the output, or none."""
        return [b for b in (self.b_q, self.b_k, self.b_v, self.b_o) if b is not None]

    def _own(self, x: Tensor) -> Tensor:
        """x; where autocast has made it of 16 bits, in the dtype of the layer."""
        return x.to(self.w_q.dtype) if isinstance(x, Tensor) and autocasts(x) else x

    def _gathered(self, q: Tensor, k: Tensor, v: Tensor, allowed, attention: Callable) -> Tensor:
        heads = grouped_attention(q, k, v, mask=allowed, attention=attention)
        return projected(merge_heads(heads), self.w_o, self.b_o)

    def _allowed(self, mask, q: Tensor, k: Tensor, context) -> Tensor | None:
        """The mask as a tensor; the last word of x stands at the last place."""
        if not isinstance(mask, Mask):
            return mask
        t, s = q.shape[-2], k.shape[-2]
        if context is not None:
            allowed = may_attend(mask, t, s, device=q.device)
        else:  # a rule may speak of words that are still to come: as far as it needs, then cut off
            n = max(s, mask.needs)
            allowed = may_attend(mask, n - (s - t), n, align="bottom-right", device=q.device)
            allowed = allowed[..., :t, :s]
        return allowed if mask.batch is None else allowed[:, None]

    def _check_call(self, x, context, cache, counts) -> None:
        check_rows(x=x, context=x if context is None else context, w_q=self.w_q.detach())
        for name, rows in {"x": x, "context": context}.items():
            if rows is not None and rows.shape[-1] != self.m:
                raise ValueError(
                    f"{name} has vectors of width {rows.shape[-1]}; this layer has m = {self.m}"
                )
        if cache is not None and not isinstance(cache, KVCache):
            kind = type(cache).__name__
            raise TypeError(f"cache is of type {kind}; expected a KVCache: layer.new_cache(room)")
        if counts is not None and cache is None:
            raise ValueError(
                "counts says which words enter a cache, and there is none; without one, filling is "
                "hidden by mask=causal & padding(lengths)"
            )
        if context is not None and (cache is not None or self.rotary is not None):
            what = "a cache is for those" if cache is not None else "rotary turns only those"
            raise ValueError(f"context brings keys of its own; {what} of x: leave one of them out")

    def _check_multihead(self) -> None:
        """Refuse what nn.MultiheadAttention cannot be."""
        for what, differs in {
            f"{self.n_kv_heads} heads of keys for {self.heads} of queries":
                self.n_kv_heads != self.heads,
            f"heads of width {self.d}, not m / heads": self.d * self.heads != self.m,
            "rotary positions": self.rotary is not None,
        }.items():  # fmt: skip
            if differs:
                raise ValueError(f"nn.MultiheadAttention has none of this: {what}")


def _turned(rows: Tensor, places: Tensor, layout: str) -> Tensor:
    """Queries or keys turned by their positions: places (t,), or (..., t) for each sentence."""
    if places.ndim == 1:
        return rotary(rows, places, layout=layout)
    heads_first = rows.movedim(-3, 0)  # then the words of all sentences stand behind each other
    one_text = heads_first.flatten(1, -2)
    turned = rotary(one_text, places.flatten(), layout=layout)
    return turned.reshape(heads_first.shape).movedim(0, -3)
