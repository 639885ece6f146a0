"""What the readers of the copying model ask, and which letters they cannot write.

How well the question of each place fits the key of each place, with a head's notes or without:

scores = reader_scores(model, "cats ca")                     # (t, s)
scores = reader_scores(model, "cats ca", without=(0, 1))     # keys that carry no note of that head

How far the right place leads in the readers' scores, and which weight it gets:

lead_and_weight(model, loudness)  # "lead 5.1, weight of the right place 0.99"

Which letters a model gets wrong most often, with some heads off or louder:

often_missed(model, loudness)                                            # "x 87 %, h 47 %, m 42 %"
"""

import torch
from torch import Tensor

from course_lib.chapters.multi_head.silencing import silent
from course_lib.models.copying import FRESH, copying_batch, decode, encode, two_rounds
from course_lib.models.copying_text import LONGEST
from course_lib.models.transformer import Transformer
from course_lib.words import say

LEAD = "lead {lead:.1f}, weight of the right place {weight:.2f}"


@torch.no_grad()
def reader_scores(model: Transformer, text: str, without: tuple[int, int] | None = None) -> Tensor:
    """The scores in the second layer of a copying model, as the mean over its heads.

    without: (layer, head) whose part the keys do not hear; the queries are those of the whole
        model, so that nothing but the keys has changed.

    Shapes: returns (t, s), before the mask.
    Raises: IndexError for a head that the model does not have.
    """
    ids, reader = torch.from_numpy(encode(text)), model.blocks[1]
    off = silent() if without is None else silent(without)
    asking, asked = model.states(ids)[1], model.states(ids, loudness=off)[1]
    q = reader.heads.project(reader.norm(asking))[0]
    k = reader.heads.project(reader.norm(asked))[1]
    return (q @ k.mT / q.shape[-1] ** 0.5).mean(dim=0)


@torch.no_grad()
def lead_and_weight(model: Transformer, loudness: Tensor) -> str:
    """How far a reader's score of the right place is above its next best, and the weight it gets.

    Both are medians, of all readers in the strings of `two_rounds`. A lead is the logarithm of a
    ratio of weights.

    loudness: of the heads, as in `Transformer.states`.
    """
    weights = model.maps(two_rounds(), loudness=loudness)[1][:, :, LONGEST:]
    place = torch.arange(1, LONGEST + 1)[:, None].expand(*weights.shape[:-1], 1)
    right = weights.gather(-1, place)
    others = weights.scatter(-1, place, 0).amax(dim=-1, keepdim=True)
    lead = (right / others).log().median()
    weight = float(right.median())
    return say(LEAD, lead=float(lead), weight=weight)


@torch.no_grad()
def often_missed(model: Transformer, loudness: Tensor, most: int = 3) -> str:
    """The letters that a copying model gets wrong most often in 256 fresh strings, worst first.

    loudness: of the heads, as in `Transformer.states`.   most: how many letters.
    """
    ids, periods = copying_batch(torch.Generator().manual_seed(FRESH), 256)
    asked = torch.arange(1, ids.shape[1]) > periods[:, None]
    wrong = (model(ids[:, :-1], loudness=loudness).argmax(dim=-1) != ids[:, 1:])[asked].double()
    true = ids[:, 1:][asked]
    missed = torch.stack([wrong[true == one].mean() for one in range(int(true.max()) + 1)])
    worst = missed.argsort(descending=True)[:most]
    return ", ".join(f"{decode([one])} {missed[one]:.0%}".replace("%", " %") for one in worst)
