"""Masks for sentences of different lengths, each with its new words behind its own last one."""

import torch
from torch import Tensor
from torch.types import Device

from course_lib.kernels.masks import Mask
from course_lib.kernels.score_arguments import check_mask


def allowed_behind(
    mask: Tensor | Mask | None, begins: Tensor, ends: Tensor, t: int, *, device: Device = None
) -> Tensor:
    """Which key each of t new words may attend to, where sentences end at different places.

    Row i of a sentence stands at the place begins + i. From its end on all is filling: it sees
    nothing, and nobody sees it.

    mask: a rule, which is asked about the places; a boolean tensor that broadcasts to
        (..., h, t, s); or None, where a word may see all words of its sentence, also new ones
        behind it.

    Shapes: begins and ends (...), whole numbers -> (..., 1, t, s), or (..., h, t, s) where mask
        differs by head; s is the largest end
    Raises: TypeError for another mask; ValueError for one of other shapes or sentences, or that
        knows fewer places.
    """
    begin, end = (one.to(device)[..., None, None] for one in (begins, ends))
    s = int(ends.max())
    i, j = begin + torch.arange(t, device=device)[:, None], torch.arange(s, device=device)
    words = ((i < end) & (j < end)).unsqueeze(-3)
    if mask is None:
        return words
    if not isinstance(mask, Mask):
        heads = mask.shape[-3] if isinstance(mask, Tensor) and mask.ndim > 2 else 1
        check_mask(mask, (*begins.shape, heads, t, s), words.device)
        return words & mask
    if mask.batch is not None and tuple(begins.shape) != (mask.batch,):
        raise ValueError(
            f"{mask} is for {mask.batch} sentences; these are of shape {tuple(begins.shape)}"
        )
    if mask.size is not None and s > mask.size:
        raise ValueError(f"{mask} knows positions 0 to {mask.size - 1}; got 0 to {s - 1}")
    sentence = torch.arange(mask.batch or 1, device=device)[:, None, None]
    i = i.minimum(end - 1).clamp(min=0)  # filling stands nowhere: a rule is not asked about it
    said = mask.holds(sentence if mask.batch else sentence[0], i, j)
    return said.expand(*begins.shape, t, s).unsqueeze(-3) & words
