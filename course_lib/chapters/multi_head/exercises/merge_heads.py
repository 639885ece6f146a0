"""Exercise `merge_heads`: the heads side by side again."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import counted, drawn
from course_lib.learner.arrays import as_array


def merge_heads(x):
    """Put the heads side by side again.

    x: (b, h, n, d)   returns: (b, n, h·d)
    """
    # SOLUTION
    b, h, n, d = x.shape
    return x.transpose(1, 2).reshape(b, n, h * d)
    # END SOLUTION


MERGE_HEADS = Exercise(
    answer=merge_heads,
    cases=(
        lambda rng: inputs(counted(1, 2, 3, 2)),
        lambda rng: inputs(counted(2, 3, 5, 2)),
        lambda rng: inputs(drawn(rng, 3, 5, 2, 4)),
        lambda rng: inputs(drawn(rng, 2, 1, 3, 7, dtype=torch.float64)),
        lambda rng: inputs(counted(2, 3, 4, 5)),
        lambda rng: inputs(drawn(rng, 3, 5, 2, 4)),
        lambda rng: inputs(counted(1, 2, 3, 2)),
    ),
    properties=(
        Property(
            "The axes are (b, n, h·d).",
            lambda got, case: (
                as_array(got["output"]).shape
                == (
                    case.args[0].shape[0],
                    case.args[0].shape[2],
                    case.args[0].shape[1] * case.args[0].shape[3],
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "Without exchanging the axes first, a row holds several words of one head. Exchange "
            "heads and words, then join the last two axes.",
            lambda x: x.reshape(x.shape[0], x.shape[2], -1),
            also=(lambda x: x.reshape(len(x), x.size(2), -1),),
        ),
        Mistake(
            "You added the heads up, and who said what is lost. Put them side by side.",
            lambda x: x.sum(dim=1),
        ),
        Mistake(
            "You averaged the heads, and who said what is lost. Put them side by side.",
            lambda x: x.mean(dim=1),
            also=(lambda x: x.mean(1),),
        ),
        Mistake(
            "The columns are interleaved: first column of each head, then second. A head's columns "
            "stay together.",
            lambda x: x.permute(0, 2, 3, 1).flatten(-2),
        ),
        Mistake(
            "The axes are exchanged, but the last two are not joined yet: (b, n, h, d) should "
            "become (b, n, h·d).",
            lambda x: x.transpose(1, 2),
        ),
        Mistake(
            "You put the heads below each other, as if they were more words: (b, h n, d).",
            lambda x: x.flatten(1, 2),
            also=(lambda x: torch.cat(list(x.unbind(1)), dim=1),),
        ),
        Mistake(
            "The strips are right, and the last head stands first.",
            lambda x: merge_heads(x.flip(1)),
        ),
        Mistake(
            "You joined words and columns, and the heads kept an axis. Exchange heads and words, "
            "then join the last two axes.",
            lambda x: x.flatten(2),
        ),
        Mistake(
            "You exchanged words and columns. Exchange heads and words, axes 1 and 2, then join "
            "the last two axes.",
            lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
        ),
        Mistake(
            "All words of a sentence stand in one row: (b, n h·d). Join the last two axes only.",
            lambda x: x.transpose(1, 2).flatten(1),
        ),
        Mistake(
            "This is the first head alone.",
            lambda x: x[:, 0],
        ),
    ),
    refused=(Refused(lambda x: x.transpose(1, 2).view(len(x), x.size(2), -1), "reshape"),),
    alternatives=(
        lambda x: torch.cat(list(x.unbind(dim=1)), dim=-1),
        lambda x: x.permute(0, 2, 1, 3).flatten(2),
        lambda x: np.concatenate([x[:, i].numpy() for i in range(x.shape[1])], axis=-1),
        lambda x: x.transpose(1, 2).contiguous().view(x.shape[0], x.shape[2], -1),
        lambda x: torch.cat([x[:, i] for i in range(x.shape[1])], dim=-1),
        lambda x: torch.stack([torch.hstack(list(one)) for one in x]),
    ),
    hints=(
        "It is the way back. Which of the two steps of split_heads was last?",
        "Exchange axes 1 and 2 again. Then reshape(b, n, h * d) joins the last two.",
        "b, h, n, d = x.shape; return x.transpose(..., ...).reshape(b, n, ...)",
    ),
    minutes=2,
    stars=1,
    depth=True,
)
