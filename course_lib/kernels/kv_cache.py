"""A cache of keys and values: what decoding need not compute again.

A word that is generated attends to all words before it. Their keys and values stay what they were,
so they are kept; only the new word's are made. The price is memory that grows with each word.

    cache = layer.new_cache(100)                # a MultiHeadAttention, room for 100 words
    first = layer(x[:5], mask=causal, cache=cache)     # five words at once
    sixth = layer(x[5:6], mask=causal, cache=cache)    # and then one by one

Axes: g heads of keys and values, s places that are in use, d width of keys and values.
"""

import torch
from torch import Tensor

from course_lib.kernels.arguments import check_whole


class KVCache:
    """The keys and values of all words so far, in memory that is reserved once.

    room: how many words fit.   leading: the axes before the heads, such as (b,) for b sentences.
    length: how many words are in it.

    Shapes: keys and values (*leading, g, room, d)
    Raises: TypeError or ValueError if a size is no whole number or below 1.
    """

    def __init__(
        self, room: int, leading: tuple[int, ...] = (), *, n_kv_heads: int, d: int,
        dtype: torch.dtype = torch.float32, device=None,
    ):  # fmt: skip
        check_whole(room=room, n_kv_heads=n_kv_heads, d=d)
        shape = (*leading, n_kv_heads, room, d)
        self.keys = torch.zeros(shape, dtype=dtype, device=device)
        self.values = torch.zeros(shape, dtype=dtype, device=device)
        self.length = 0

    @property
    def room(self) -> int:
        """How many words fit in all."""
        return self.keys.shape[-2]

    @property
    def bytes(self) -> int:
        """The memory that is reserved, in bytes."""
        return 2 * self.keys.numel() * self.keys.element_size()

    def extended(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """All keys and all values, with new ones written behind those that are there.

        They count as soon as `keep` says so: a step that fails in between has changed nothing.

        Shapes: k, v (*leading, g, t, d) -> twice (*leading, g, length + t, d), views of the cache
        Raises: TypeError for another dtype; ValueError for other shapes, another device, too
            many words, and gradients, which a cache does not carry.
        """
        self._check("k", k), self._check("v", v)
        if k.shape != v.shape:
            raise ValueError(f"v has {v.shape[-2]} rows but k has {k.shape[-2]}: one for each key")
        end = self.length + k.shape[-2]
        if end > self.room:
            raise ValueError(
                f"the cache has room for {self.room} words and holds {self.length}; "
                f"{k.shape[-2]} more do not fit"
            )
        self.keys[..., self.length : end, :] = k
        self.values[..., self.length : end, :] = v
        return self.keys[..., :end, :], self.values[..., :end, :]

    def keep(self, length: int) -> None:
        """Let the first `length` words count: those just written, or fewer to take some back.

        Raises: TypeError or ValueError if length is no whole number from 0 to room.
        """
        if isinstance(length, bool) or not isinstance(length, int):
            raise TypeError(f"length is {length!r}; expected a whole number")
        if not 0 <= length <= self.room:
            raise ValueError(f"length is {length}; expected 0 to {self.room}")
        self.length = length

    def _check(self, name: str, new: Tensor) -> None:
        """Refuse what would be converted, repeated or cut off from its gradient in silence."""
        *leading, g, _, d = self.keys.shape
        shape = tuple(new.shape)
        if new.ndim != self.keys.ndim or (*shape[:-2], shape[-1]) != (*leading, g, d):
            wanted = ", ".join(str(size) for size in (*leading, g, "t", d))
            raise ValueError(
                f"{name} has shape {shape} but the cache was made for ({wanted}): "
                "other sentences, heads or widths need another cache"
            )
        if new.dtype != self.keys.dtype:
            raise TypeError(f"{name} holds {new.dtype} but the cache holds {self.keys.dtype}")
        if new.device != self.keys.device:
            raise ValueError(f"{name} is on {new.device} but the cache on {self.keys.device}")
        if torch.is_grad_enabled() and new.requires_grad:
            raise ValueError("a cache carries no gradients: decode under torch.no_grad()")


def cache_bytes(
    tokens: int, *, layers: int, n_kv_heads: int, d: int, bytes_each: int = 2, batch: int = 1
) -> int:
    """The memory of the caches of a whole model: a key and a value per token, head and layer.

    Units: bytes; bytes_each is 2 in float16 and bfloat16.
    Source: Ainslie et al., "GQA" (2023), section 1; Shazeer, "Fast Transformer Decoding" (2019).
    Example: one token in Llama-3-8B, in KiB; with as many heads of keys as of queries.
        >>> cache_bytes(1, layers=32, n_kv_heads=8, d=128) // 1024
        128
        >>> cache_bytes(1, layers=32, n_kv_heads=32, d=128) // 1024
        512
    """
    sizes = {"tokens": tokens, "layers": layers, "n_kv_heads": n_kv_heads, "d": d,
             "bytes_each": bytes_each, "batch": batch}  # fmt: skip
    for name, size in sizes.items():
        if size < 0:
            raise ValueError(f"{name} is {size}; expected 0 or more")
    return 2 * tokens * layers * n_kv_heads * d * bytes_each * batch
