"""A small transformer made of our kernels: symbols in, at each place scores for the next one.

    x = symbol + place                      a learned vector for each
    x = x + multi_head_attention(norm(x))   in each block: what the heads gathered is added,
    x = x + mlp(norm(x))                    and what each place makes of it, where there is an mlp
    scores = norm(x) w + b

The norm stands before attention and mlp, not behind the sum (pre-LN), so x runs from the symbols
to the scores and everything is only added to it. With mlp and bias this is GPT-2's architecture.

    model = Transformer(27, 48, torch.Generator().manual_seed(0))      # two blocks of four heads
    scores = model(ids)                                                # (b, t) -> (b, t, 27)
    scores = model(ids, loudness=torch.tensor([[1, 1, 0, 1], [1, 1, 1, 1]]))     # one head off

Axes: b sequences, t places, m width, h heads, z symbols.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from course_lib.kernels.attention import attention as course_attention
from course_lib.kernels.heads import projected
from course_lib.kernels.kv_cache import Counts, KVCache
from course_lib.kernels.masks import causal
from course_lib.kernels.multi_head import MultiHeadAttention


class MLP(nn.Module):
    """Each place by itself: widen four times, bend, narrow."""

    def __init__(self, m: int, generator: torch.Generator | None):
        super().__init__()
        self.w_in = _drawn(m, 4 * m, m**-0.5, generator)
        self.w_out = _drawn(4 * m, m, (4 * m) ** -0.5, generator)
        self.b_in, self.b_out = (nn.Parameter(torch.zeros(n)) for n in (4 * m, m))

    def forward(self, x: Tensor) -> Tensor:
        bent = gelu(projected(x, self.w_in, self.b_in), approximate="tanh")  # as in GPT-2
        return projected(bent, self.w_out, self.b_out)


class Block(nn.Module):
    """Attention, and an MLP where there is one; each adds to x what it makes of norm(x)."""

    def __init__(
        self, m: int, heads: int, generator: torch.Generator | None, *, mlp: bool, **options: Any
    ):
        super().__init__()
        self.norm, self.heads = nn.LayerNorm(m), MultiHeadAttention(m, heads, generator, **options)
        self.mlp_norm = nn.LayerNorm(m) if mlp else None
        self.mlp = MLP(m, generator) if mlp else None

    def forward(
        self, x: Tensor, attention: Callable, cache: KVCache | None = None,
        counts: Counts | None = None,
    ) -> Tensor:  # fmt: skip
        x = x + self.heads(
            self.norm(x), mask=causal, cache=cache, counts=counts, attention=attention
        )
        if self.mlp is None or self.mlp_norm is None:
            return x
        return x + self.mlp(self.mlp_norm(x))


class Transformer(nn.Module):
    """Symbols in, at each place scores for the next one.

    symbols: how many there are.   length: how many places it knows.
    m: width.   bias, n_kv_heads, rotary: as in `MultiHeadAttention`.
    generator: draws the first weights, torch's own where it is None.
    """

    blocks: Sequence[Block]

    def __init__(
        self, symbols: int, length: int, generator: torch.Generator | None, *, blocks: int = 2,
        m: int = 64, heads: int = 4, mlp: bool = False, **options: Any,
    ):  # fmt: skip
        super().__init__()
        self.symbol, self.place = (_drawn(n, m, 0.5, generator) for n in (symbols, length))
        made = (Block(m, heads, generator, mlp=mlp, **options) for _ in range(blocks))
        self.blocks = nn.ModuleList(made)  # type: ignore[assignment]  # it cannot say of what
        self.norm, self.b = nn.LayerNorm(m), nn.Parameter(torch.zeros(symbols))
        self.w = _drawn(m, symbols, m**-0.5, generator)

    def forward(self, ids: Tensor, **options: Any) -> Tensor:
        """Scores for what comes after each place; options as in `states`.

        Shapes: ids (..., t), whole numbers from 0 to z - 1 -> (..., t, z)
        """
        return projected(self.norm(self.states(ids, **options)[-1]), self.w, self.b)

    def states(
        self, ids: Tensor, *, attention: Callable = course_attention,
        loudness: Tensor | None = None, caches: Sequence[KVCache] | None = None,
        counts: Counts | None = None,
    ) -> list[Tensor]:  # fmt: skip
        """x before the first block and after each.

        attention: (q, k, v, mask=...) -> output, for all heads of a block: the course's, or yours.
        loudness: (blocks, h), what each head's output is multiplied with: 0 is off, 1 as learned.
        caches: of `new_caches`, for the places before these; these are added to them.
        counts: with caches, how many of the t symbols of each sequence count; behind them stands
            filling, for which what comes out means nothing. All count where it is None.

        Shapes: ids (..., t) -> 1 + blocks times (..., t, m)
        Raises: TypeError or ValueError for symbols that it does not know, too many places, and
            loudness or caches that are not one for each head or block; counts as in `KVCache`.
        """
        if caches is not None and len(caches) != len(self.blocks):
            raise ValueError(
                f"{len(caches)} caches for {len(self.blocks)} blocks: use new_caches(...)"
            )
        if counts is not None and caches is None:
            raise ValueError("counts says which symbols enter caches, and there are none")
        first = torch.tensor(0) if caches is None else caches[0].lengths
        self._check(ids, first, loudness, caches, counts)
        found = [self.symbol[ids] + self._places(first, ids.shape[-1])]
        try:
            for i, block in enumerate(self.blocks):
                heard = attention if loudness is None else _heard(attention, loudness[i])
                found.append(block(found[-1], heard, caches[i] if caches else None, counts))
        except BaseException:
            for cache in caches or ():
                cache.keep(first)  # all of them or none
            raise
        return found

    @torch.no_grad()
    def maps(
        self, ids: Tensor, *, attention: Callable = course_attention, **options: Any
    ) -> Tensor:
        """How each head shares its attention; options as in `states`.

        Shapes: ids (..., t) -> (blocks, ..., h, t, t)
        """
        seen = []

        def watched(q, k, v, *, mask):  # where the values are the identity, the weights come out
            one = torch.eye(k.shape[-2], dtype=v.dtype, device=v.device)
            seen.append(attention(q, k, one.expand(*k.shape[:-2], -1, -1), mask=mask))
            return seen[-1] @ v

        self.states(ids, attention=watched, **options)
        return torch.stack(seen)

    @torch.no_grad()
    def continued(
        self, ids: Tensor, count: int, *, attention: Callable = course_attention,
        loudness: Tensor | None = None,
    ) -> Tensor:  # fmt: skip
        """The symbols and `count` more, each the likeliest; attention and loudness as in `states`.

        Shapes: ids (..., t) -> (..., t + count)
        """
        caches, new = self.new_caches(*ids.shape[:-1]), ids
        for _ in range(count):
            scores = self(new, caches=caches, attention=attention, loudness=loudness)
            new = scores[..., -1:, :].argmax(dim=-1)
            ids = torch.cat((ids, new), dim=-1)
        return ids

    def new_caches(self, *leading: int) -> list[KVCache]:
        """An empty cache for each block, with room for all places."""
        return [block.heads.new_cache(len(self.place), *leading) for block in self.blocks]

    def _places(self, first: Tensor, t: int) -> Tensor:
        """The vectors of t places from `first` on; of the last place where there are fewer."""
        begin = int(first.max())
        if int(first.min()) == begin <= len(self.place) - t:
            return self.place[begin : begin + t]
        places = first[..., None] + torch.arange(t)
        return self.place[places.clamp(max=len(self.place) - 1).to(self.place.device)]

    def _check(self, ids, first: Tensor, loudness, caches, counts) -> None:
        if not isinstance(ids, Tensor) or ids.dtype not in (torch.int64, torch.int32):
            kind = ids.dtype if isinstance(ids, Tensor) else type(ids).__name__
            raise TypeError(f"ids is {kind}; expected a tensor of whole numbers")
        if ids.ndim < 1 or ids.numel() == 0:
            raise ValueError(f"ids has shape {tuple(ids.shape)}; expected (..., t), not empty")
        if not 0 <= int(ids.min()) <= int(ids.max()) < len(self.symbol):
            raise ValueError(f"ids go from {int(ids.min())} to {int(ids.max())}; the model knows "
                             f"0 to {len(self.symbol) - 1}")  # fmt: skip
        if caches is not None and any(not torch.equal(one.lengths, first) for one in caches):
            raise ValueError("the caches hold different numbers of places: start with new ones")
        t = ids.shape[-1]
        needed = int((first + t if counts is None else caches[0].ends(t, counts)).max())
        if needed > len(self.place):
            raise ValueError(f"the model knows {len(self.place)} places; these are {needed}")
        wanted = (len(self.blocks), self.blocks[0].heads.heads)
        if loudness is not None and tuple(loudness.shape) != wanted:
            raise ValueError(f"loudness has shape {tuple(loudness.shape)}; expected {wanted}")


def _heard(attention: Callable, loudness: Tensor) -> Callable:
    """Attention with each head's output as loud as said."""
    return lambda q, k, v, *, mask: attention(q, k, v, mask=mask) * loudness[:, None, None]


def _drawn(rows: int, columns: int, size: float, generator: torch.Generator | None) -> nn.Parameter:
    return nn.Parameter(size * torch.randn(rows, columns, generator=generator))
