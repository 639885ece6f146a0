"""Which heads of the copying model are off: the table that it multiplies their parts by."""

import torch
from torch import Tensor

from course_lib.models.copying import BLOCKS, HEADS


def silent(*heads: tuple[int, int]) -> Tensor:
    """How loud each head is when these, each (layer, head), are off: 0 for them, else 1.

    Shapes: returns (layers, h), as `Transformer.states` takes it.
    Raises: IndexError for a head that the model does not have.
    """
    loudness = torch.ones(BLOCKS, HEADS)
    for layer, head in heads:
        loudness[layer, head] = 0
    return loudness
