"""A cache of keys and values: what decoding need not compute again.

A word that is generated attends to all words before it. Their keys and values stay what they were,
so they are kept; only the new word's are made. The price is memory that grows with each word.

    cache = layer.new_cache(100)                # a MultiHeadAttention, room for 100 words
    first = layer(x[:5], mask=causal, cache=cache)     # five words at once
    sixth = layer(x[5:6], mask=causal, cache=cache)    # and then one by one

Sentences of a batch may have different lengths. Each stands in the cache from place 0 on, and what
is new is written behind its own last word:

    cache = layer.new_cache(100, 3)                                        # three sentences
    first = layer(x, mask=causal, cache=cache, counts=[5, 2, 4])           # x (3, 5, m), filled up
    next = layer(new, mask=causal, cache=cache)                            # one word for each
    last = layer(new, mask=causal, cache=cache, counts=[1, 0, 1])          # the second has ended

Axes: g heads of keys and values, t new words, s places that are in use, d width of keys and values.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.types import Device

from course_lib.kernels.arguments import check_whole
from course_lib.kernels.whole_numbers import whole_number, whole_numbers

Counts = int | Sequence[int] | Tensor  # one for all sentences, or one for each


class KVCache:
    """The keys and values of all words so far, in memory that is reserved once.

    room: how many words fit into each sentence.
    leading: the axes before the heads, such as (b,) for b sentences.
    lengths: how many words are in each sentence, (*leading), int64 on the CPU.

    Shapes: keys and values (*leading, g, room, d)
    Raises: TypeError or ValueError if a size is no whole number or below 1.
    Example: a sentence of two words and one of a single word; the latter goes on.
        >>> cache, new = KVCache(7, (2,), n_kv_heads=1, d=1), torch.ones(2, 1, 2, 1)
        >>> k, v = cache.extended(new, new, counts=[2, 1])
        >>> cache.keep([2, 1])
        >>> k, v = cache.extended(5 * new[:, :, :1], new[:, :, :1], counts=[0, 1])
        >>> print(k[:, 0, :, 0])
        tensor([[1., 1.],
                [1., 5.]])
    """

    def __init__(
        self, room: int, leading: tuple[int, ...] = (), *, n_kv_heads: int, d: int,
        dtype: torch.dtype = torch.float32, device: Device = None,
    ):  # fmt: skip
        check_whole(room=room, n_kv_heads=n_kv_heads, d=d)
        if not isinstance(leading, tuple | list):
            raise TypeError(f"leading is {leading!r}; expected a tuple such as (b,)")
        leading = tuple(whole_number("leading", size, 1) for size in leading)
        shape = (*leading, n_kv_heads, room, d)
        self.keys = torch.zeros(shape, dtype=dtype, device=device)
        self.values = torch.zeros(shape, dtype=dtype, device=device)
        self.lengths = torch.zeros(leading, dtype=torch.int64)

    @property
    def room(self) -> int:
        """How many words fit into a sentence in all."""
        return self.keys.shape[-2]

    @property
    def length(self) -> int:
        """How many words are in the longest sentence."""
        return int(self.lengths.max())

    @property
    def even(self) -> bool:
        """Whether all sentences have the same length."""
        return bool((self.lengths == self.length).all())

    @property
    def bytes(self) -> int:
        """The memory that is reserved, in bytes."""
        return 2 * self.keys.numel() * self.keys.element_size()

    def extended(self, k: Tensor, v: Tensor, counts: Counts | None = None) -> tuple[Tensor, Tensor]:
        """All keys and all values, with new ones written behind those that are there.

        They count as soon as `keep` says so: a step that fails in between has changed nothing.

        counts: how many of the t new rows are words of each sentence, all where it is None; the
            others, behind them, are filling and are not written. What comes back is as long as the
            longest sentence then, and 0 behind the end of a shorter one: `ends` says where.

        Shapes: k, v (*leading, g, t, d), counts (*leading)
            -> twice (*leading, g, longest, d), views of the cache
        Raises: TypeError for another dtype; ValueError for other shapes, another device, too
            many words, and gradients, which a cache does not carry.
        """
        self._check("k", k)
        self._check("v", v)
        if k.shape != v.shape:
            raise ValueError(f"v has {v.shape[-2]} rows but k has {k.shape[-2]}: one for each key")
        t = k.shape[-2]
        ends = self.ends(t, counts)
        longest = int(ends.max())
        if self.even and bool((ends == longest).all()):
            here = (..., slice(self.length, longest), slice(None))
            new = (..., slice(longest - self.length), slice(None))
            self.keys[here], self.values[here] = k[new], v[new]
        else:
            self._write(k, v, ends, longest)
        return self.keys[..., :longest, :], self.values[..., :longest, :]

    def ends(self, t: int, counts: Counts | None = None) -> Tensor:
        """How many words each sentence has after t new rows, of which so many are words.

        Shapes: counts as in `extended` -> (*leading), int64 on the CPU
        Raises: TypeError or ValueError for counts that are no whole numbers from 0 to t, one for
            each sentence; ValueError if they do not fit.
        """
        counts = self._of_each("counts", t if counts is None else counts, t)
        ends = self.lengths + counts
        if int(ends.max()) > self.room:
            full = int(ends.argmax())
            held, more = int(self.lengths.flatten()[full]), int(counts.flatten()[full])
            where = "" if self.even and bool((counts == more).all()) else f" in sentence {full}"
            raise ValueError(
                f"the cache has room for {self.room} words and holds {held}{where}; {more} more do "
                "not fit"
            )
        return ends

    def keep(self, lengths: Counts) -> None:
        """Let so many first words of each sentence count: those just written, or take some back.

        lengths: one for all, or one for each sentence, (*leading).
        Raises: TypeError or ValueError if they are no whole numbers from 0 to room.
        """
        self.lengths = self._of_each("lengths", lengths, self.room)

    def _write(self, k: Tensor, v: Tensor, ends: Tensor, longest: int) -> None:
        """Write each sentence's words behind its own end, and 0 behind them."""
        device = self.keys.device
        begin, end = (one.flatten().to(device)[:, None] for one in (self.lengths, ends))
        place = torch.arange(longest, device=device)
        sentence, behind = (place >= end).nonzero(as_tuple=True)
        rows, columns = ((place >= begin) & (place < end)).nonzero(as_tuple=True)
        source = columns - begin[rows, 0]
        for kept, new in ((self.keys, k), (self.values, v)):
            # One axis for all sentences; of the cache this is a view.
            kept, new = (one.reshape(-1, *one.shape[-3:]) for one in (kept, new))
            kept[sentence, :, behind] = 0  # 0 times what a failed step left there could be NaN
            kept[rows, :, columns] = new[rows, :, source]

    def _of_each(self, name: str, given, most: int) -> Tensor:
        """Whole numbers from 0 to `most`, one for each sentence."""
        leading = tuple(self.lengths.shape)
        one_for_all = not isinstance(given, Sequence) and not getattr(given, "ndim", 0)
        if one_for_all:
            numbers = torch.full(leading, whole_number(name, given), dtype=torch.int64)
        else:
            numbers = whole_numbers(name, given, axes=(max(1, len(leading)),)).cpu()
        if tuple(numbers.shape) != leading:
            raise ValueError(
                f"{name} has shape {tuple(numbers.shape)}; expected one whole number for all "
                f"sentences, or {leading}, one for each"
            )
        if not 0 <= int(numbers.min()) <= int(numbers.max()) <= most:
            wrong = int(numbers.min()) if int(numbers.min()) < 0 else int(numbers.max())
            holds = "is" if one_for_all else "holds"
            raise ValueError(f"{name} {holds} {wrong}; expected 0 to {most}")
        return numbers

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
    Raises: TypeError or ValueError if one of them is no whole number from 0 on.
    Source: Ainslie et al., "GQA" (2023), section 1; Shazeer, "Fast Transformer Decoding" (2019).
    Example: one token in Llama-3-8B, in KiB; with as many heads of keys as of queries.
        >>> cache_bytes(1, layers=32, n_kv_heads=8, d=128) // 1024
        128
        >>> cache_bytes(1, layers=32, n_kv_heads=32, d=128) // 1024
        512
    """
    sizes = {"tokens": tokens, "layers": layers, "n_kv_heads": n_kv_heads, "d": d,
             "bytes_each": bytes_each, "batch": batch}  # fmt: skip
    # As Python's whole numbers, which have no end: 2 * 10**6 words of numpy's int32 would be fewer.
    return 2 * math.prod(whole_number(name, size, 0) for name, size in sizes.items())
