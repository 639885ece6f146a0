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


def _steps(q, k, v):
    """One output for each step, each a table with one row."""
    return [attention(q[i : i + 1], k[: i + 1], v[: i + 1]) for i in range(len(q))]


def _by_exp(q, k, v):
    rows = []
    for i in range(len(q)):
        powers = torch.exp(k[: i + 1] @ q[i] / math.sqrt(q.shape[1]))
        rows.append(powers / powers.sum() @ v[: i + 1])
    return torch.stack(rows)


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
        lambda rng: inputs(drawn(rng, 2, 2), drawn(rng, 2, 2), drawn(rng, 2, 3)),  # again
        lambda rng: inputs(*(40 * drawn(rng, 3, 2) for _ in range(3))),  # scores in the hundreds
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
            "You returned the first step. All steps are asked "
            "for, a row each; a `return` inside of a loop ends it in the first round.",
            lambda q, k, v: _steps(q, k, v)[0],
        ),
        Mistake(
            "torch.stack gives each step an axis of its own. torch.cat joins the rows.",
            lambda q, k, v: torch.stack(_steps(q, k, v)),
            also=(lambda q, k, v: _steps(q, k, v),),
        ),
        Mistake(
            "All queries so far ask again in every step, and all their outputs are kept. At step i "
            "query i asks alone: q[i : i + 1].",
            lambda q, k, v: torch.cat(
                [attention(q[: i + 1], k[: i + 1], v[: i + 1]) for i in range(len(q))]
            ),
        ),
        Mistake(
            "The cache holds word i and the later ones. It is the other end: k[: i + 1].",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(i, None)),
        ),
        Mistake(
            "The keys served as values. What is averaged are the values, v[: i + 1].",
            lambda q, k, v: torch.cat(
                [attention(q[i : i + 1], k[: i + 1], k[: i + 1]) for i in range(len(q))]
            ),
        ),
        Mistake(
            "The first word is missing. It asks, too, and has itself in the cache.",
            lambda q, k, v: torch.cat(_steps(q, k, v)[1:]),
        ),
        Mistake(
            "The last word is missing: range(len(q)) goes to the last.",
            lambda q, k, v: torch.cat(_steps(q, k, v)[:-1]),
        ),
        Mistake(
            "Each step saw the last two words alone. The cache holds all words so far.",
            lambda q, k, v: _decoded(q, k, v, lambda i: slice(max(i - 1, 0), i + 1)),
        ),
        Mistake(
            "No maximum is subtracted, so exp of a score above 88 leaves the range of float32 "
            "(chapter 4). attention(q, k, v) takes care of that.",
            _by_exp,
        ),
        Mistake(
            "The weights are missing: each output is the plain mean of the values so far.",
            lambda q, k, v: torch.stack([v[: i + 1].mean(dim=0) for i in range(len(q))]),
        ),
        Mistake(
            "The steps are added up. Each of them is a row of its own.",
            lambda q, k, v: sum(_steps(q, k, v)),
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
    reward=(
        "So a chatbot writes. For 1000 words that is 1000 queries; asked anew at each step they "
        "would be 500,500."
    ),
    depth=True,
)
