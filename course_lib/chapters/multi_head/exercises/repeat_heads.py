"""Exercise `repeat_heads`: each head `times` times, neighbours alike."""

import numpy as np
import torch

from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.judging.tensors import counted, drawn
from course_lib.learner.arrays import as_array


def repeat_heads(x, times):
    """Each head `times` times, neighbours alike.

    x: (b, g, n, d)   times: a number   returns: (b, g * times, n, d)
    """
    # SOLUTION
    return x.repeat_interleave(times, dim=1)
    # END SOLUTION


REPEAT_HEADS = Exercise(
    answer=repeat_heads,
    cases=(
        lambda rng: inputs(counted(1, 2, 2, 2), 2),
        lambda rng: inputs(drawn(rng, 2, 3, 5, 2), 2),
        lambda rng: inputs(drawn(rng, 3, 2, 2, 4), 4),
        lambda rng: inputs(drawn(rng, 2, 5, 3, 2, dtype=torch.float64), 3),
        lambda rng: inputs(counted(2, 3, 4, 5), 2),
        lambda rng: inputs(drawn(rng, 3, 2, 2, 4), 4),
        lambda rng: inputs(counted(1, 2, 2, 2), 2),
    ),
    properties=(
        Property(
            "Neighbouring heads are alike: 0 and 1, where each is used twice.",
            lambda got, case: bool(
                np.array_equal(as_array(got["output"])[:, 0], as_array(got["output"])[:, 1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "repeat (in numpy: tile) gives 0 1 0 1. Heads that share keys are neighbours, so the "
            "order is 0 0 1 1: repeat_interleave. Nothing but the result would tell: the shapes "
            "are the same.",
            lambda x, times: x.repeat(1, times, 1, 1),
            also=(
                lambda x, times: torch.cat([x] * times, dim=1),
                lambda x, times: x.tile(1, times, 1, 1),
            ),
        ),
        Mistake(
            "You repeated the words. What is shared are heads, axis 1.",
            lambda x, times: x.repeat_interleave(times, dim=2),
        ),
        Mistake(
            "You repeated the sentences. What is shared are heads, axis 1.",
            lambda x, times: x.repeat_interleave(times, dim=0),
        ),
        Mistake(
            "You repeated the columns. What is shared are heads, axis 1.",
            lambda x, times: x.repeat_interleave(times, dim=-1),
        ),
        Mistake(
            "Without dim, repeat_interleave repeats every number in one long row.",
            lambda x, times: x.repeat_interleave(times),
        ),
        Mistake(
            "The copies have an axis of their own. Join it with the heads: flatten(1, 2).",
            lambda x, times: x[:, :, None].expand(-1, -1, times, -1, -1),
        ),
        Mistake(
            "Each word stands there several times, and reshape has mixed words and heads. The "
            "copies belong beside the heads: x[:, :, None], then join axes 1 and 2.",
            lambda x, times: x.repeat_interleave(times, dim=2).reshape(
                x.shape[0], -1, *x.shape[2:]
            ),
        ),
        Mistake(
            "You took times for the number of heads at the end. It says how often each head is "
            "wanted.",
            lambda x, times: x.repeat_interleave(times // x.shape[1], dim=1),
        ),
        Mistake(
            "Each head comes once too often. times counts the head itself, too.",
            lambda x, times: x.repeat_interleave(times + 1, dim=1),
        ),
        Mistake(
            "Nothing is repeated: there are as many heads as before.",
            lambda x, times: x.clone(),
        ),
        Mistake(
            "You repeated the first head only, for everybody. That is multi-query attention.",
            lambda x, times: x[:, :1].repeat(1, x.shape[1] * times, 1, 1),
        ),
    ),
    alternatives=(
        lambda x, times: x[:, :, None].expand(-1, -1, times, -1, -1).flatten(1, 2),
        lambda x, times: np.repeat(x.numpy(), times, axis=1),
        lambda x, times: x[:, torch.arange(x.shape[1] * times) // times],
        lambda x, times: torch.stack([x[:, i // times] for i in range(x.shape[1] * times)], dim=1),
        lambda x, times: torch.stack([x] * times, dim=2).flatten(1, 2),
    ),
    hints=(
        "Four heads of queries, two of keys, and neighbours share. Which keys do the heads 0, 1, 2 "
        "and 3 ask?",
        "torch has repeat, which gives 0 1 0 1, and repeat_interleave, which gives 0 0 1 1.",
        "return x.repeat_interleave(times, dim=...)",
    ),
    minutes=3,
    stars=1,
    depth=True,
)
