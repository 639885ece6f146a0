"""Exercise `attention`: the whole of it, from an empty cell."""

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.exercises.attend import attend
from course_lib.chapters.queries_keys_values.exercises.scaled_scores import scaled_scores
from course_lib.chapters.queries_keys_values.slips import MISTAKES
from course_lib.chapters.queries_keys_values.three_lines import (
    CASES,
    PROPERTIES,
    attend_with_loops,
    weights,
)
from course_lib.judging.exercise import Exercise, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.learner.compare import agree


def attention(q, k, v):
    """Each query's average of the values, by its agreement with the keys.

    q: (..., t, d)   k: (..., s, d)   v: (..., s, e)   returns: (..., t, e)
    """
    # SOLUTION
    agreement = q @ k.mT * q.shape[-1] ** -0.5
    shares = agreement.softmax(dim=-1)
    return shares @ v
    # END SOLUTION


def _in_numpy(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True) @ v


def _as_torch_has_it(got, want, case) -> bool:
    """The numbers of torch's own function."""
    return agree(got["output"], scaled_dot_product_attention(*case.args), 1e-6)


ATTENTION = Exercise(
    answer=attention,
    cases=(
        *CASES,
        lambda rng: inputs(*(drawn(rng, 2, 2, 2, 2) for _ in range(3))),
        lambda rng: inputs(*(drawn(rng, 2, 3, n, 5) for n in (7, 11, 11))),
        lambda rng: inputs(*(drawn(rng, n, 1) for n in (1, 2, 2))),
        lambda rng: inputs(drawn(rng, 3, 2), drawn(rng, 1, 2), drawn(rng, 1, 5)),
        lambda rng: inputs(*(drawn(rng, n, 64, dtype=torch.float64) for n in (5, 7, 7))),
        lambda rng: inputs(*(drawn(rng, 5, 7).mT for _ in range(3))),
    ),
    accept=_as_torch_has_it,
    properties=PROPERTIES,
    mistakes=MISTAKES,
    refused=(Refused(lambda q, k, v: (weights(q, k) @ v).mT, "an array of shape"),),
    alternatives=(
        attend,
        attend_with_loops,
        lambda q, k, v: scaled_dot_product_attention(q, k, v),
        lambda q, k, v: torch.einsum(
            "...ts,...se->...te",
            torch.softmax(torch.einsum("...td,...sd->...ts", q, k) / q.size(-1) ** 0.5, -1),
            v,
        ),
        lambda q, k, v: _in_numpy(q.numpy(), k.numpy(), v.numpy()),
        lambda q, k, v: torch.nn.functional.softmax(scaled_scores(q, k), dim=-1).matmul(v),
        lambda q, k, v: torch.softmax((q / q.shape[-1] ** 0.5) @ k.transpose(-1, -2), -1) @ v,
        lambda q, k, v: (v.mT @ weights(q, k).mT).mT,
    ),
    hints=(
        "Three lines. What does each query compare, what are its shares, what does it take home?",
        "Scores: queries with keys, the last two axes of k exchanged, divided by the root of the "
        "width. Weights: a softmax along the keys. Output: the weights with v.",
        "scores = q @ ... / math.sqrt(...); weights = torch.softmax(..., dim=...); return ... @ v",
    ),
    minutes=6,
    stars=2,
    depth=True,
)
