"""Exercise `what_each_adds`: each head's own part of the output."""

import numpy as np
import torch

from course_lib.chapters.multi_head.exercises.merge_heads import merge_heads
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import counted, drawn
from course_lib.learner.arrays import as_array


def what_each_adds(outputs, w_o):
    """Each head's own part of the output.

    outputs: (b, h, n, d), what the heads gathered   w_o: (h·d, m)   returns: (b, h, n, m)
    """
    # SOLUTION
    h, d = outputs.shape[1], outputs.shape[3]
    return outputs @ w_o.reshape(h, d, -1)
    # END SOLUTION


def _one_at_a_time(outputs, w_o):
    parts = []
    for i in range(outputs.shape[1]):
        alone = torch.zeros_like(outputs)
        alone[:, i] = outputs[:, i]
        parts.append(merge_heads(alone) @ w_o)
    return torch.stack(parts, dim=1)


def _by_slices(outputs, w_o):
    d = outputs.shape[-1]
    return torch.stack(
        [outputs[:, i] @ w_o[i * d : (i + 1) * d] for i in range(outputs.shape[1])], 1
    )


def _by_chunks(outputs, w_o):
    return torch.stack(
        [outputs[:, i] @ rows for i, rows in enumerate(w_o.chunk(outputs.shape[1]))], dim=1
    )


def _every_so_many_row(outputs, w_o):
    return torch.stack(
        [outputs[:, i] @ w_o[i :: outputs.shape[1]] for i in range(outputs.shape[1])], dim=1
    )


def _by_columns(outputs, w_o):
    d = outputs.shape[-1]
    return torch.stack(
        [outputs[:, i] @ w_o[:, i * d : (i + 1) * d] for i in range(outputs.shape[1])], dim=1
    )


WHAT_EACH_ADDS = Exercise(
    answer=what_each_adds,
    cases=(
        lambda rng: inputs(counted(1, 2, 2, 2), drawn(rng, 4, 4)),
        lambda rng: inputs(drawn(rng, 2, 3, 5, 2), drawn(rng, 6, 6)),
        lambda rng: inputs(drawn(rng, 1, 2, 3, 5), drawn(rng, 10, 7)),
        lambda rng: inputs(
            drawn(rng, 3, 1, 2, 4, dtype=torch.float64), drawn(rng, 4, 4, dtype=torch.float64)
        ),
        lambda rng: inputs(drawn(rng, 1, 2, 3, 5), drawn(rng, 10, 7)),
        lambda rng: inputs(counted(2, 2, 3, 4), counted(8, 5)),
        lambda rng: inputs(counted(1, 2, 2, 2), drawn(rng, 4, 4)),
    ),
    properties=(
        Property(
            "Added up over the heads, the parts are the merged heads times w_o.",
            lambda got, case: bool(
                np.allclose(
                    as_array(got["output"]).sum(axis=1),
                    merge_heads(case.args[0]) @ case.args[1],
                    atol=1e-4,
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You added the parts up already. Asked for is each head's own part: (b, h, n, m).",
            lambda outputs, w_o: what_each_adds(outputs, w_o).sum(dim=1),
            also=(lambda outputs, w_o: outputs.transpose(1, 2).flatten(2) @ w_o,),
        ),
        Mistake(
            "You divided by the number of heads, as in an average. Nobody divides here.",
            lambda outputs, w_o: what_each_adds(outputs, w_o) / outputs.shape[1],
        ),
        Mistake(
            "You shared the output out: every head got an equal part of it. What a head adds comes "
            "from its own numbers alone, times its own rows of w_o.",
            lambda outputs, w_o: torch.stack(
                [merge_heads(outputs) @ w_o / outputs.shape[1]] * outputs.shape[1], dim=1
            ),
        ),
        Mistake(
            "Every head got the whole output. What a head adds comes from its own numbers alone, "
            "times its own rows of w_o.",
            lambda outputs, w_o: torch.stack(
                [merge_heads(outputs) @ w_o] * outputs.shape[1], dim=1
            ),
        ),
        Mistake(
            "Each head took every so many-th row of w_o. Head i meets the rows i d to (i + 1) d, "
            "because its columns stand side by side in the merged table.",
            lambda outputs, w_o: (
                outputs @ torch.stack([w_o[i :: outputs.shape[1]] for i in range(outputs.shape[1])])
            ),
            also=(_every_so_many_row,),
        ),
        Mistake(
            "You took columns of w_o. The columns of head i in the merged table meet rows of w_o: "
            "the rows i d to (i + 1) d, with all their columns, and no transpose is needed.",
            _by_columns,
            also=(
                lambda outputs, w_o: torch.stack(
                    [
                        outputs[:, i] @ rows
                        for i, rows in enumerate(w_o.T.split(outputs.shape[-1]))
                        if i < outputs.shape[1]
                    ],
                    dim=1,
                ),
            ),
        ),
        Mistake(
            "All heads used the first strip of w_o. Each has rows of its own.",
            lambda outputs, w_o: outputs @ w_o[: outputs.shape[-1]],
        ),
        Mistake(
            "The strips are exchanged: the first head met the last rows of w_o.",
            lambda outputs, w_o: (
                outputs @ w_o.reshape(outputs.shape[1], outputs.shape[3], -1).flip(0)
            ),
        ),
        Mistake(
            "The strip of head i began at row i. It begins at row i d, where the rows of the heads "
            "before it end.",
            lambda outputs, w_o: torch.stack(
                [outputs[:, i] @ w_o[i : i + outputs.shape[3]] for i in range(outputs.shape[1])],
                dim=1,
            ),
        ),
        Mistake(
            "The strip was turned over: its rows meet the columns of the head, and it is (d, m).",
            lambda outputs, w_o: outputs @ w_o.reshape(outputs.shape[1], -1, outputs.shape[3]).mT,
        ),
        Mistake(
            "The heads stand before the sentences, (h, b, n, m). The batch comes first: stack with "
            "dim=1.",
            lambda outputs, w_o: what_each_adds(outputs, w_o).transpose(0, 1),
        ),
        Mistake(
            "The axes are (b, n, h, m). Heads stand before words: (b, h, n, m).",
            lambda outputs, w_o: what_each_adds(outputs, w_o).transpose(1, 2),
        ),
    ),
    refused=(Refused(lambda outputs, w_o: outputs @ w_o, "what_each_adds"),),
    alternatives=(
        _by_slices,
        _one_at_a_time,
        lambda outputs, w_o: torch.einsum(
            "bhnd,hdm->bhnm", outputs, w_o.unflatten(0, (outputs.shape[1], -1))
        ),
        lambda outputs, w_o: _by_slices(outputs, w_o).numpy(),
        _by_chunks,
        lambda outputs, w_o: torch.einsum(
            "bhnd,hdm->bhnm", outputs, w_o.view(outputs.shape[1], -1, w_o.shape[1])
        ).tolist(),
    ),
    hints=(
        "Look again at the picture in which the merged row meets W_O. Which rows of w_o do the "
        "yellow numbers meet, and which the blue ones?",
        "The columns i d to (i + 1) d of the merged table are head i's. So it meets the same rows: "
        "w_o[i * d : (i + 1) * d], where d is outputs.shape[-1].",
        "parts = [outputs[:, i] @ w_o[...] for i in range(outputs.shape[1])]; "
        "return torch.stack(parts, dim=1)",
    ),
    reward=(
        "Whoever takes a model apart begins with these parts: each can be measured, made quieter "
        "or taken away."
    ),
    minutes=4,
    stars=2,
    depth=True,
)
