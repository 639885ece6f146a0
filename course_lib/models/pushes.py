"""What the heads of one block hand over, and what a part of the sum does to the next letter.

    heard = gathered(model, ids, block=1)            # before W_O
    parts = heard @ ...                              # what each head adds to the sum
    pushes(model, parts, model.states(ids)[-1][-1])  # and how much that speaks for each symbol

The scores for the next symbol are norm(x) w + b, and x is a sum. The norm divides by the spread of
the whole sum; with that spread held, the scores are a sum of what each part of x pushes for.
"""

import torch
from torch import Tensor

from course_lib.kernels.attention import attention
from course_lib.models.transformer import Transformer


@torch.no_grad()
def gathered(model: Transformer, ids: Tensor, block: int) -> Tensor:
    """What each head of a block has gathered at each place, before W_O.

    Shapes: ids (t,) -> (1, h, t, d)
    Raises: IndexError for a block that there is not.
    """
    seen = []

    def watched(q, k, v, *, mask):
        seen.append(attention(q, k, v, mask=mask))
        return seen[-1]

    model.states(ids, attention=watched)
    return seen[block][None]


@torch.no_grad()
def pushes(model: Transformer, parts: Tensor, x: Tensor) -> Tensor:
    """What parts of x add to the score of each symbol, less their mean over all symbols.

    A softmax looks at differences alone, so the mean is left out.
    parts: such as those of the heads; parts that add up to x add up to the scores of x, except for
    what the model's biases give.

    Shapes: parts (..., m), x (m,) -> (..., z)
    """
    spread = (x.var(unbiased=False) + model.norm.eps).sqrt()
    centred = parts - parts.mean(dim=-1, keepdim=True)
    scores = (centred / spread * model.norm.weight) @ model.w
    return scores - scores.mean(dim=-1, keepdim=True)
