"""Latent attention (MLA): of each word a narrow vector is kept, and keys and values are made of it.

    latents = norm(x @ w_down)                      (s, r): all that is kept of the words
    k, v = latents @ w_uk, latents @ w_uv           in each head; made anew whenever they are needed
    output = latent_attention(q, latents, w_uk, w_uv)

Keys and values need not be made at all: q · (c W_UK) is (q W_UK^T) · c, so the query is turned
around instead, once, and meets the latents themselves (`absorbed=True`). What is kept is then like
one head of keys of width r for all heads of queries.

Positions cannot pass through that: RoPE stands between q and W_UK, and differs with the distance.
So a second, narrow pair carries them, `q_turned` and `k_turned`, and its scores are added.

Axes: h heads, t queries, s keys, d width of q, e width of v, r width of a latent, w width of what
is turned. Source: DeepSeek-AI, "DeepSeek-V2" (arXiv 2405.04434), sections 2.1.2 and 2.1.3 and
appendix C.
"""

import torch
from torch import Tensor


def latent_attention(
    q: Tensor, latents: Tensor, w_uk: Tensor, w_uv: Tensor, *, mask: Tensor | None = None,
    q_turned: Tensor | None = None, k_turned: Tensor | None = None, absorbed: bool = False,
) -> Tensor:  # fmt: skip
    """Attention whose keys and values are made of latents.

    mask: bool, True = may attend; every query needs a key that it may see.
    q_turned, k_turned: the part that RoPE has turned; of keys there is one for all heads.
    absorbed: whether W_UK goes to the query and W_UV to the output, so that no key or value is
        made. The result is the same up to rounding.

    The scores are divided by the root of d + w, the width of a whole query.

    Shapes: q (..., h, t, d), latents (..., s, r), w_uk (h, r, d), w_uv (h, r, e), mask (t, s),
        q_turned (..., h, t, w), k_turned (..., s, w) -> (..., h, t, e)
    Raises: ValueError for shapes that do not fit, or one turned part without the other.
    Source: as the module; the scores are those of section 2.1.3.
    """
    _check(q, latents, w_uk, w_uv, q_turned, k_turned)
    kept = latents[..., None, :, :]  # one head for all
    scores = (q @ w_uk.mT) @ kept.mT if absorbed else q @ (kept @ w_uk).mT
    width = q.shape[-1]
    if q_turned is not None and k_turned is not None:
        scores = scores + q_turned @ k_turned[..., None, :, :].mT
        width += q_turned.shape[-1]
    scores = scores / width**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    weights = scores.softmax(dim=-1)
    return (weights @ kept) @ w_uv if absorbed else weights @ (kept @ w_uv)


def kept_per_token(*, layers: int, latent: int, turned: int = 0) -> int:
    """How many numbers latent attention keeps of a token.

    Example:
        >>> kept_per_token(layers=61, latent=512, turned=64)   # DeepSeek-V3
        35136
    """
    return layers * (latent + turned)


def _check(q, latents, w_uk, w_uv, q_turned, k_turned) -> None:
    h, d, r = q.shape[-3], q.shape[-1], latents.shape[-1]
    if w_uk.shape != (h, r, d):
        raise ValueError(
            f"w_uk has shape {tuple(w_uk.shape)}; expected {(h, r, d)}: a head of q in each of h, "
            "from a latent to a key"
        )
    if w_uv.shape[:2] != (h, r):
        raise ValueError(f"w_uv has shape {tuple(w_uv.shape)}; expected ({h}, {r}, e)")
    if (q_turned is None) != (k_turned is None):
        raise ValueError("q_turned and k_turned belong together: one of them is missing")
    if q_turned is not None and q_turned.shape[-1] != k_turned.shape[-1]:
        raise ValueError(
            f"q_turned is {q_turned.shape[-1]} wide, k_turned {k_turned.shape[-1]}: their dot "
            "product needs one width"
        )
