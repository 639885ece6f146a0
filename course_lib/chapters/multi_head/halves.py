"""In which half of a training text head 2 of the first layer works.

print(halves_of_head_2(model))
"""

import torch

from course_lib.kernels.attention import attention
from course_lib.models.copying import FRESH, copying_batch
from course_lib.models.copying_text import LONGEST
from course_lib.models.transformer import Transformer
from course_lib.words import say

HEAD = 2  # of the first layer
FOUND = (
    "weight of head 2 on two places back\n"
    "  letters 1 to 24:  {first:.2f}\n"
    "  letters 25 to 48: {second:.2f}\n"
    "right letters with head 2 off from letter 25 on: {right:.2f}"
)


@torch.no_grad()
def halves_of_head_2(model: Transformer) -> str:
    """What head 2 gives to two places back in each half, and what its second half is worth."""
    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), 256)
    two_back = (
        model.maps(ids)[0][:, HEAD].diagonal(-2, 1, 2).mean(dim=0)
    )  # the first is that of place 2
    asked = torch.arange(1, ids.shape[1]) > periods[:, None]
    said = model(ids[:, :-1], attention=_off_in_the_second_half()).argmax(dim=-1)
    return say(
        FOUND,
        first=float(two_back[: LONGEST - 2].mean()),
        second=float(two_back[LONGEST - 2 :].mean()),
        right=float((said == ids[:, 1:])[asked].double().mean()),
    )


def _off_in_the_second_half():
    """Attention in which HEAD of the first layer brings nothing to the places from LONGEST on."""
    loudness = iter((0, 1))  # of the first layer, then of the second

    def heard(q, k, v, *, mask=None):
        output = attention(q, k, v, mask=mask)
        output[:, HEAD, LONGEST:] *= next(loudness)
        return output

    return heard
