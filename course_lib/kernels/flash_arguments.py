"""What FlashAttention may be given, brought to one form for both of its kernels."""

from collections.abc import Sequence

from torch import Tensor

from course_lib.kernels.arguments import check_attention, check_heads, check_rows, check_whole
from course_lib.kernels.masks import ALIGNMENTS
from course_lib.kernels.score_arguments import check_softcap
from course_lib.kernels.whole_numbers import whole_numbers


class Given:
    """The checked arguments of a call.

    scale: a number.   low, high: query i sees the keys i + low to i + high; None: no such end.
    lengths: how many keys count in each sentence, (b, 1, 1, 1, 1); None where all do.

    Raises: TypeError and ValueError, as attention.py.
    """

    def __init__(
        self, q: Tensor, k: Tensor, v: Tensor, *, causal: bool = False,
        align: str = "bottom-right", window: int | None = None,
        key_lengths: Sequence[int] | Tensor | None = None, scale: float | None = None,
        softcap: float | None = None, block_q: int = 1, block_k: int = 1,
    ):  # fmt: skip
        _check_tensors(q, k, v, scale)
        check_softcap(softcap)
        check_whole(block_q=block_q, block_k=block_k)
        if window is not None:
            check_whole(window=window)
        if not isinstance(causal, bool):
            raise TypeError(f"causal is {causal!r}; expected True or False")
        if align not in ALIGNMENTS:
            raise ValueError(f"align is {align!r}; expected one of {ALIGNMENTS}")
        self.q, self.k, self.v = q, k, v
        self.scale = q.shape[-1] ** -0.5 if scale is None else float(scale)
        # Query i stands at the key i + place.
        place = k.shape[-2] - q.shape[-2] if align == "bottom-right" else 0
        self.low = None if window is None else place - (window - 1)
        self.high = None if window is None else place + (window - 1)
        self.high = place if causal else self.high
        self.lengths = None if key_lengths is None else self._lengths(key_lengths)

    def folded(self) -> tuple[Tensor, Tensor, Tensor]:
        """q as (b, g, h / g, t, d), k and v as (b, g, 1, s, ...): a group asks its own keys."""
        q, k, v = (one if one.ndim > 2 else one[None] for one in (self.q, self.k, self.v))
        q, k, v = (one if one.ndim > 3 else one[None] for one in (q, k, v))
        g = k.shape[-3]
        return q.unflatten(-3, (g, q.shape[-3] // g)), k.unsqueeze(-3), v.unsqueeze(-3)

    def unfolded(self, folded: Tensor) -> Tensor:
        """(b, g, h / g, t, x) as (..., t, x), with the leading axes that q has."""
        return folded.reshape(*self.q.shape[:-1], folded.shape[-1])

    def _lengths(self, key_lengths) -> Tensor:
        lengths = whole_numbers("key_lengths", key_lengths, axes=(0, 1)).to(self.q.device)
        wanted = self.q.shape[:-3]
        if lengths.shape != wanted:
            raise ValueError(
                f"key_lengths has shape {tuple(lengths.shape)}; expected {tuple(wanted)}: one "
                "length for each sentence"
            )
        keys, found = self.k.shape[-2], (int(lengths.min()), int(lengths.max()))
        if found[0] < 0 or found[1] > keys:
            raise ValueError(
                f"key_lengths goes from {found[0]} to {found[1]}; expected 0 to {keys}, as many as "
                "there are keys"
            )
        return lengths.reshape(-1, 1, 1, 1, 1)


def refuse_vmap(what: str) -> staticmethod:
    """For an autograd.Function: what torch.vmap over it says."""

    def refuse(info, in_dims, *inputs):
        raise NotImplementedError(
            f"torch.vmap cannot map {what}; it takes many sentences at once: give the mapped axis "
            "as b, the first of (b, heads, n, width), or map `attention` of attention.py"
        )

    return staticmethod(refuse)


def _check_tensors(q, k, v, scale) -> None:
    check_rows(q=q, k=k, v=v)
    for name, rows in {"q": q, "k": k, "v": v}.items():
        if rows.ndim != q.ndim or rows.ndim > 4:
            raise ValueError(
                f"{name} has shape {tuple(rows.shape)}; expected (b, heads, n, width), or "
                "(heads, n, width), or (n, width), and the same kind for q, k and v"
            )
        if rows.shape[:-3] != q.shape[:-3]:
            raise ValueError(
                f"{name} holds {rows.shape[0]} sentences but q {q.shape[0]}: both need the same"
            )
    h, g = (one.shape[-3] if one.ndim > 2 else 1 for one in (q, k))
    if v.ndim > 2 and v.shape[-3] != g:
        raise ValueError(f"v has {v.shape[-3]} heads but k has {g}: each key needs one value")
    check_heads(h, g)
    one_head = (one if one.ndim == 2 else one.select(-3, 0) for one in (q, k, v))
    check_attention(*one_head, scale=scale)
    if isinstance(scale, Tensor) and scale.requires_grad:
        raise TypeError("scale is a tensor with a gradient, which FlashAttention does not carry")
