"""Which query sees which key in FlashAttention, and what a tile of scores is."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Rule:
    """Query i sees the keys i + low to i + high, both counted in, as far as they count.

    low, high: None where there is no such end.   lengths: None where all keys count.
    softcap: None where the scores are not capped.
    """

    scale: float
    low: int | None = None
    high: int | None = None
    lengths: Tensor | None = None
    softcap: float | None = None

    def sees(self, rows: slice, cols: slice) -> bool:
        """Whether any query of the block may see a key of the other: else the tile is skipped."""
        not_behind = self.low is None or rows.start + self.low < cols.stop
        return not_behind and (self.high is None or cols.start < rows.stop + self.high)

    def counts(self, cols: slice, device: torch.device) -> Tensor:
        """Which of the keys are words and not padding: (..., 1, c), or (c,)."""
        keys = torch.arange(cols.start, cols.stop, device=device)
        return keys < (cols.stop if self.lengths is None else self.lengths)

    def scores(self, q: Tensor, k: Tensor, rows: slice, cols: slice) -> Tensor:
        """One tile of scores, -inf where the query must not see the key."""
        scores = q @ k.mT * self.scale
        if self.softcap is not None:
            scores = self.softcap * torch.tanh(scores / self.softcap)
        seen = self.counts(cols, q.device)
        i = torch.arange(rows.start, rows.stop, device=q.device)[:, None]
        j = torch.arange(cols.start, cols.stop, device=q.device)
        if self.low is not None:
            seen = seen & (i + self.low <= j)
        if self.high is not None:
            seen = seen & (j <= i + self.high)
        return torch.where(seen, scores, -torch.inf)

    def slope(self, scores: Tensor) -> Tensor | float:
        """The derivative of `scores` by q kᵀ, from the scores: scale, less where they are capped.

        tanh has the slope 1 - tanh²; hidden scores are -inf and get 0.
        """
        if self.softcap is None:
            return self.scale
        tanh = scores.clamp(min=-self.softcap) / self.softcap
        return self.scale * (1 - tanh.square())

    def without_padding(self, tile: Tensor, cols: slice) -> Tensor:
        """Keys or values with 0 behind the length, since 0 times NaN would be NaN."""
        if self.lengths is None:
            return tile
        return torch.where(self.counts(cols, tile.device).mT, tile, 0.0)
