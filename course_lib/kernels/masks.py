"""Masks: which query may attend to which key. True = it may.

A mask is a small named rule on (query index i, key index j), and rules combine:

    causal & sliding_window(4)          # itself and the three before it
    causal | prefix(3)                  # the first three are open to everybody
    causal & padding([5, 3])            # a batch of two, the second padded behind its 3 words
    causal & document([0, 0, 1, 1, 1])  # two texts in one row, neither sees the other
    ~causal                             # only what is still to come

`may_attend(mask, t, s)` makes the boolean tensor. The functions below it translate at the border
to conventions of others: added scores, `nn.MultiheadAttention`, FlexAttention.

Axes: b batch, h heads, t queries, s keys.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.types import Device

from course_lib.kernels.score_arguments import FLOATS, boolean_table, kind_of
from course_lib.kernels.whole_numbers import whole_number, whole_numbers

ALIGNMENTS = ("top-left", "bottom-right")
HIDDEN_BELOW = -1e4  # float16 ends at -65504, so its stand-ins for -inf lie below this too


@dataclass(frozen=True)
class Mask:
    """A named rule; `&`, `|` and `~` make new ones.

    rule: (b, i, j) -> boolean; index tensors that broadcast, batch, query and key.
    batch: how many sequences it tells apart; None where one rule holds for all.
    size: how many positions it knows; None where it holds for any.
    needs: how many keys there must be.
    by_query: whether the index of the query counts, so that its place must be said if t != s.
    """

    name: str
    rule: Callable[[Tensor, Tensor, Tensor], Tensor]
    batch: int | None = None
    size: int | None = None
    needs: int = 0
    by_query: bool = True

    def holds(self, b: Tensor, i: Tensor, j: Tensor) -> Tensor:
        """What the rule says; refuses what is neither True nor False.

        Raises: TypeError for what is no boolean tensor.
        """
        said = self.rule(b, i, j)
        if not isinstance(said, Tensor) or said.dtype != torch.bool:
            came = kind_of(said)
            raise TypeError(f"the rule of {self} gives {came}; expected True or False: compare")
        return said

    def __and__(self, other: "Mask") -> "Mask":
        return _combined(self, "&", other, torch.logical_and)

    def __or__(self, other: "Mask") -> "Mask":
        return _combined(self, "|", other, torch.logical_or)

    def __invert__(self) -> "Mask":
        return replace(self, name=f"~{self.name}", rule=lambda b, i, j: ~self.holds(b, i, j))

    def __bool__(self) -> bool:
        raise TypeError("masks combine with &, | and ~; `and`, `or` and `not` would drop one")

    def __repr__(self) -> str:
        return self.name


causal = Mask("causal", lambda b, i, j: j <= i)
"""The key is the query itself or stands before it: j <= i."""


def sliding_window(w: int) -> Mask:
    """The key is fewer than w places away, on either side: |i - j| < w.

    With `causal` these are the last w, the query itself included.

    Raises: ValueError if w is below 1.
    Source: Beltagy et al., "Longformer" (2020), section 3.1; with causal: Jiang et al.,
        "Mistral 7B" (2023), figure 1.
    """
    w = whole_number("w", w, 1)
    return Mask(f"sliding_window({w})", lambda b, i, j: (i - j).abs() < w)


def prefix(n: int) -> Mask:
    """The key is one of the first n: j < n. `causal | prefix(n)` is the mask of a prefix LM.

    Raises: ValueError if n is below 0.
    Source: Raffel et al., "Exploring the Limits of Transfer Learning" (2019), figure 4.
    """
    n = whole_number("n", n, 0)
    return Mask(f"prefix({n})", lambda b, i, j: j < n, by_query=False)


def padding(lengths: Sequence[int] | Tensor, *, side: str = "right", size: int = 0) -> Mask:
    """The key is a word of its sequence and no filling. It hides keys, never queries.

    lengths: (b,), how many words each sequence has.   side: where the filling stands.
    size: length with the filling; only `side="left"` needs it.

    Raises: TypeError if lengths are no whole numbers; ValueError for lengths below 0, another
        side, or a size that is too small; `may_attend` then, for fewer keys than words.
    """
    lengths = whole_numbers("lengths", lengths, axes=(1,))
    longest, size = int(lengths.max()), whole_number("size", size)
    if int(lengths.min()) < 0:
        raise ValueError(f"lengths holds {int(lengths.min())}; a sequence has 0 words or more")
    if (size or side == "left") and size < longest:
        raise ValueError(f"size is {size}, but the longest sequence has {longest} words")
    name = f"padding({lengths.tolist()})"
    if side == "right":
        rule = _at(lengths, lambda length, j: j < length)
        return Mask(name, rule, batch=len(lengths), needs=longest, by_query=False)
    if side != "left":
        raise ValueError(f'side is {side!r}; expected "right" or "left"')
    rule = _at(size - lengths, lambda begin, j: j >= begin)
    return Mask(f"left {name}", rule, batch=len(lengths), size=size, by_query=False)


def document(ids: Sequence[int] | Tensor) -> Mask:
    """Query and key belong to the same document.

    ids: (s,) or (b, s), for each position the number of the document that it belongs to.
    Raises: TypeError or ValueError if ids are no whole numbers in one or two axes.
    """
    ids = whole_numbers("ids", ids, axes=(1, 2))
    size = ids.shape[-1]
    if ids.ndim == 2:
        return Mask("document", lambda b, i, j: _here(ids, b)[b, i] == _here(ids, b)[b, j],
                    batch=len(ids), size=size)  # fmt: skip
    return Mask("document", lambda b, i, j: _here(ids, i)[i] == _here(ids, j)[j], size=size)


def may_attend(
    mask: Mask, t: int, s: int | None = None, *, align: str = "", device: Device = None
) -> Tensor:
    """The mask as a boolean tensor, True where the query of the row may attend to the key.

    align: where the t queries stand among the s keys. "top-left": query 0 is position 0, as in
    PyTorch's `is_causal=True`. "bottom-right": the last query is the last position, as in
    decoding with a cache and in FlashAttention since 2.1. It must be said if t != s and the place
    of the query counts.

    Shapes: -> (t, s), or (b, t, s) where the mask differs by sequence; for heads insert an axis:
        `[:, None]`.
    Raises: TypeError for no mask or no whole number; ValueError if a size is below 1, the alignment
        is unknown or unsaid, positions are asked for that the mask does not know, or words have
        no key.
    Example:
        >>> print(may_attend(causal, 3).int())
        tensor([[1, 0, 0],
                [1, 1, 0],
                [1, 1, 1]], dtype=torch.int32)
    """
    t, s, first = _placed(mask, t, s, align)
    i = torch.arange(first, first + t, device=device)[:, None]
    j = torch.arange(s, device=device)
    if mask.batch is None:
        return mask.holds(torch.zeros_like(j[:1]), i, j).expand(t, s).contiguous()
    b = torch.arange(mask.batch, device=device)[:, None, None]
    return mask.holds(b, i, j).expand(mask.batch, t, s).contiguous()


def empty_rows(allowed: Tensor) -> Tensor:
    """The queries that may attend to nothing.

    Shapes: allowed (..., t, s) -> (..., t), boolean
    Raises: TypeError if `allowed` is not boolean.
    """
    return ~boolean_table("allowed", allowed).any(dim=-1)


def to_additive(allowed: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """0 where a query may attend, -inf where not: what is added to the scores.

    The part that is not 0 lies where attending is forbidden, for `causal` above the diagonal.

    Shapes: allowed (..., t, s) -> (..., t, s)
    Raises: TypeError if `allowed` is not boolean, or dtype is none that attention computes in.
    """
    boolean_table("allowed", allowed)
    if dtype not in FLOATS:
        raise TypeError(f"dtype is {dtype!r}; -inf needs a floating-point type: {FLOATS}")
    zeros = torch.zeros(allowed.shape, dtype=dtype, device=allowed.device)
    return zeros.masked_fill(~allowed, -torch.inf)  # not (1 - allowed) * -inf: 0 * inf is NaN


def from_additive(added: Tensor) -> Tensor:
    """Boolean from added scores: 0 allows; -inf, or a stand-in for it such as -1e9, forbids.

    Shapes: added (..., t, s) -> (..., t, s), boolean
    Raises: TypeError if `added` holds no floating-point numbers; ValueError if a number is
        neither 0 nor below -1e4: then it is a bias, which True and False cannot hold.
    """
    if not isinstance(added, Tensor) or not added.is_floating_point():
        came = kind_of(added)
        raise TypeError(f"added is {came}; expected a tensor of floating-point numbers: 0 and -inf")
    known = (added == 0) | (added <= HIDDEN_BELOW)
    if not bool(known.all()):
        raise ValueError(f"added holds {added[~known][0].item():g}; expected 0 or -inf")
    return added == 0


def to_multihead(allowed: Tensor, heads: int = 1) -> Tensor:
    """For `nn.MultiheadAttention(attn_mask=...)`, where True means the opposite: hidden.

    Shapes: allowed (t, s) -> (t, s); (b, t, s) -> (b * heads, t, s)
    Raises: TypeError if `allowed` is not boolean; ValueError for other shapes or heads below 1.
    """
    boolean_table("allowed", allowed)
    heads = whole_number("heads", heads, 1)
    if allowed.ndim not in (2, 3):
        raise ValueError(f"allowed has shape {tuple(allowed.shape)}; expected (t, s) or (b, t, s)")
    return ~(allowed if allowed.ndim == 2 else allowed.repeat_interleave(heads, dim=0))


def from_multihead(hidden: Tensor) -> Tensor:
    """Boolean, True = may attend, from a mask in which True means hidden.

    Shapes: hidden (..., t, s) -> (..., t, s)
    Raises: TypeError if `hidden` is not boolean.
    """
    return ~boolean_table("hidden", hidden)


def to_mask_mod(mask: Mask, t: int, s: int | None = None, *, align: str = "") -> Callable:
    """For FlexAttention: a function (b, h, q_idx, kv_idx) -> boolean.

    Raises: as `may_attend`.
    Source: PyTorch, torch.nn.attention.flex_attention.create_block_mask.
    """
    _, _, first = _placed(mask, t, s, align)

    def mask_mod(b, h, q_idx, kv_idx):
        return mask.holds(b, q_idx + first, kv_idx)

    return mask_mod


def _combined(one: Mask, sign: str, other: Mask, both: Callable) -> Mask:
    _a_mask(other)
    shared: dict[str, int | None] = {}
    for what in ("batch", "size"):
        known = {n for n in (getattr(one, what), getattr(other, what)) if n is not None}
        if len(known) > 1:
            raise ValueError(f"{one} and {other} differ in {what}: {' and '.join(map(str, known))}")
        shared[what] = known.pop() if known else None
    return Mask(
        f"({one} {sign} {other})",
        lambda b, i, j: both(one.holds(b, i, j), other.holds(b, i, j)),
        needs=max(one.needs, other.needs),
        by_query=one.by_query or other.by_query,
        **shared,
    )


def _placed(mask: Mask, t: int, s: int | None, align: str) -> tuple[int, int, int]:
    """How many queries and keys there are, and the position of query 0 among the keys."""
    _a_mask(mask)
    t = whole_number("t", t, 1)
    s = t if s is None else whole_number("s", s, 1)
    if s < mask.needs:
        raise ValueError(f"{mask} has a sequence of {mask.needs} words, but there are {s} keys")
    if align not in ("", *ALIGNMENTS):
        raise ValueError(f"align is {align!r}; expected one of {ALIGNMENTS}")
    if not align and t != s and mask.by_query:
        raise ValueError(
            f"{t} queries and {s} keys: say where the queries stand, align='top-left' (query 0 is "
            "position 0) or align='bottom-right' (the last query is the last position)"
        )
    first = s - t if align == "bottom-right" else 0
    last = max(first + t, s) if mask.by_query else s
    if mask.size is not None and (last > mask.size or (mask.by_query and first < 0)):
        start = first if mask.by_query else 0
        raise ValueError(f"{mask} knows positions 0 to {mask.size - 1}; got {start} to {last - 1}")
    return t, s, first


def _at(numbers: Tensor, rule: Callable) -> Callable:
    return lambda b, i, j: rule(_here(numbers, b)[b], j)


def _here(numbers: Tensor, index: Tensor) -> Tensor:
    return numbers.to(index.device)


def _a_mask(given: object) -> None:
    if not isinstance(given, Mask):
        hint = "; is its bracket missing?" if callable(given) else ""
        if isinstance(given, Tensor):
            hint = "; a table of True and False needs no may_attend"
        raise TypeError(f"expected a mask such as causal, got {type(given).__name__}{hint}")
