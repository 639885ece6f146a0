"""Exercise `decode`: all outputs, computed one query at a time."""

import math

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend


def decode(q, k, v):
    """All outputs, computed one query at a time.

    q: (n, d)   k: (n, d)   v: (n, e)   returns: (n, e)
    """
    # SOLUTION
    steps = [attention(q[i : i + 1], k[: i + 1], v[: i + 1]) for i in range(len(q))]
    return torch.cat(steps)
    # END SOLUTION


def _decoded(q, k, v, keys):
    """One step for each query; keys(i) says which keys and values it is given."""
    return torch.cat([attention(q[i : i + 1], k[keys(i)], v[keys(i)]) for i in range(len(q))])


def _torch_top_left(q, k, v):
    steps = [
        scaled_dot_product_attention(q[i : i + 1], k[: i + 1], v[: i + 1], is_causal=True)
        for i in range(len(q))
    ]
    return torch.cat(steps)


def _with_lists(q, k, v):
    keys, values, outputs = [], [], []
    for query, key, value in zip(q, k, v, strict=True):
        keys.append(key)
        values.append(value)
        weights = (torch.stack(keys) @ query / math.sqrt(len(query))).softmax(0)
        outputs.append(weights @ torch.stack(values))
    return torch.stack(outputs)


def _top_left(q, k, v):
    return torch.cat(
        [
            attention(
                q[i : i + 1], k[: i + 1], v[: i + 1],
                mask=may_attend(causal, 1, i + 1, align="top-left"),
            )
            for i in range(len(q))
        ]
    )  # fmt: skip


def _with_a_growing_cache(q, k, v):
    keys, values, outputs = k[:0], v[:0], []
    for i in range(len(q)):
        keys, values = torch.cat((keys, k[i : i + 1])), torch.cat((values, v[i : i + 1]))
        outputs.append(attention(q[i : i + 1], keys, values)[0])
    return torch.stack(outputs)


DECODE = Exercise(
    answer=decode,
    cases=(
        lambda rng: inputs(drawn(rng, 2, 2), drawn(rng, 2, 2), drawn(rng, 2, 3)),
        lambda rng: inputs(drawn(rng, 3, 2), drawn(rng, 3, 2), drawn(rng, 3, 2)),
        lambda rng: inputs(
            drawn(rng, 7, 3, dtype=torch.float64),
            drawn(rng, 7, 3, dtype=torch.float64),
            drawn(rng, 7, 5, dtype=torch.float64),
        ),
    ),
    mistakes=(
        Mistake(
            "Every step saw all keys, later ones too, which are not written yet. At step i the "
            "cache holds i + 1 of them.",
            lambda q, k, v: attention(q, k, v),
            also=(lambda q, k, v: scaled_dot_product_attention(q, k, v),),
        ),
        Mistake(
            "The cache holds the last key only, so each word hears itself alone. Keep the earlier "
            "ones.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(i, i + 1)),
            also=(lambda q, k, v: v,),
        ),
        Mistake(
            "A causal mask for one query, laid at the top left, takes it for word 0 and hides all "
            "but the first key. The query is the last word: its cache needs no mask.",
            _top_left,
            also=(_torch_top_left,),
        ),
        Mistake(
            "The word's own key is missing: at step i the slice is k[:i + 1], with word i itself.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(0, max(i, 1))),
        ),
        Mistake(
            "The slice k[:i] ends before word i. At step i word i is in the cache, too: k[:i + 1].",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(0, i)),
        ),
        Mistake(
            "One place too far: k[:i + 2] holds word i + 1, which is not written yet.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(0, i + 2)),
        ),
        Mistake(
            "The scores are not divided by the root of the width. attention(q, k, v) does that.",
            lambda q, k, v: attention(q, k, v, mask=may_attend(causal, len(q)), scale=1.0),
        ),
        Mistake(
            "You returned the last step. All steps are asked for, a row each.",
            lambda q, k, v: attention(q[-1:], k, v),
        ),
        Mistake(
            "In every step the first query asked. At step i it is query i.",
            lambda q, k, v: torch.cat(
                [attention(q[:1], k[: i + 1], v[: i + 1]) for i in range(len(q))]
            ),
        ),
    ),
    refused=(
        Refused(
            lambda q, k, v: [attention(q[i], k[: i + 1], v[: i + 1]) for i in range(len(q))], "q"
        ),
    ),
    alternatives=(
        _with_a_growing_cache,
        lambda q, k, v: attention(q, k, v, mask=may_attend(causal, len(q))),
        lambda q, k, v: scaled_dot_product_attention(q, k, v, is_causal=True),
        lambda q, k, v: [
            attention(q[i : i + 1], k[: i + 1], v[: i + 1])[0].tolist() for i in range(len(q))
        ],
        _with_lists,
        lambda q, k, v: torch.cat(
            [attention(q[: i + 1], k[: i + 1], v[: i + 1])[-1:] for i in range(len(q))]
        ),
        lambda q, k, v: attention(q, k, v, mask=torch.ones(len(q), len(k)).tril() > 0),
    ),
    hints=(
        "At step i the model has written words 0 to i. Which keys and values are in the cache, "
        "and which query asks?",
        "q[i : i + 1] is one query, k[: i + 1] are the keys so far. attention gives one row; "
        "torch.cat joins the rows.",
        "for i in range(len(q)): outputs.append(attention(q[i : i + 1], k[...], v[...])); "
        "return torch.cat(outputs)",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
