"""Exercise `causal_attention`: the learner's mask and turned scores, put together."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.masks.exercises.causal_weights import causal_weights
from course_lib.chapters.masks.exercises.rope_scores import rope_scores
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn
from course_lib.kernels.attention import attention
from course_lib.kernels.masks import causal, may_attend
from course_lib.kernels.positions import frequencies, rotary, rotate
from course_lib.learner.arrays import as_array


def causal_attention(q, k, v):
    """Outputs of attention that knows how far each word is, and sees no later one.

    q: (n, d)   k: (n, d)   v: (n, e)   returns: (n, e)
    """
    # SOLUTION
    return causal_weights(rope_scores(q, k)) @ v
    # END SOLUTION


def _turned(x):
    return rotate(x, torch.arange(len(x))[:, None] * frequencies(x.shape[1]))


# The three that follow are shown on the page, so they are written as learners write them.


def _values_turned(q, k, v):
    n, e = v.shape
    angles = torch.arange(n)[:, None] * frequencies(e)
    return causal_weights(rope_scores(q, k)) @ rotate(v, angles)


def _masked_late(q, k, v):
    weights = rope_scores(q, k).softmax(dim=-1).tril()
    return weights @ v


def _no_mask(q, k, v):
    return rope_scores(q, k).softmax(dim=-1) @ v


def _weights_turned(q, k, v):
    weights = causal_weights(q @ k.T / q.shape[1] ** 0.5)
    return rope_scores(weights, weights) @ v


def _given_weights(scores, turn):
    """One more writing of the mistake: weights of these scores, and how they are turned."""
    return lambda q, k, v: turn(causal_weights(scores(q, k)), k, v)


_WEIGHTS_TURNED = tuple(
    _given_weights(scores, turn)
    for scores in (
        lambda q, k: q @ k.T,
        lambda q, k: q @ k.T / q.shape[1] ** 0.5,
        rope_scores,
    )
    for turn in (
        lambda w, k, v: rope_scores(w, w) @ v,
        lambda w, k, v: rope_scores(w, k) @ v,
        lambda w, k, v: rope_scores(w, v),
        lambda w, k, v: rope_scores(w, w).softmax(dim=-1) @ v,
        lambda w, k, v: rope_scores(w, k).softmax(dim=-1) @ v,
    )
)


def _word_by_word(q, k, v):
    rows = []
    for i in range(len(q)):
        scores = rope_scores(q[: i + 1], k[: i + 1])[i]
        rows.append(scores.softmax(dim=0) @ v[: i + 1])
    return torch.stack(rows)


def _case(n, d, e):
    """A factory of n words whose queries and keys are d wide, and values e wide."""
    return lambda rng: inputs(*(drawn(rng, n, w, dtype=torch.float64) for w in (d, d, e)))


CAUSAL_ATTENTION = Exercise(
    answer=causal_attention,
    cases=(_case(3, 2, 2), _case(4, 4, 4), _case(5, 4, 6), _case(7, 8, 2), _case(3, 4, 4)),
    properties=(
        Property(
            "The first word sees itself alone, so its output is its value.",
            lambda got, case: bool(
                torch.allclose(
                    torch.as_tensor(as_array(got["output"])).double()[0], case.args[2][0], atol=1e-4
                )
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The values are turned, too. Then the outputs depend on where the sentence stands: "
            "with 7 added to each place they change. Places belong in the scores alone.",
            _values_turned,
        ),
        Mistake(
            "The mask comes after the softmax, so the later words have had their share, and leaks "
            "finds that. causal_weights takes the scores and does both.",
            _masked_late,
        ),
        Mistake(
            "causal_weights was called before the turn, with queries or keys. It takes a square "
            "table of scores: let rope_scores make them first.",
            lambda q, k, v: rope_scores(causal_weights(q), k) @ v,
            also=(
                lambda q, k, v: rope_scores(q, causal_weights(k)) @ v,
                lambda q, k, v: rope_scores(causal_weights(q), causal_weights(k)) @ v,
                lambda q, k, v: rope_scores(causal_weights(q), k).softmax(dim=-1) @ v,
                lambda q, k, v: (
                    rope_scores(causal_weights(q), causal_weights(k)).softmax(dim=-1) @ v
                ),
            ),
        ),
        Mistake(
            "rope_scores was given weights. It takes queries and keys, turns them and makes their "
            "scores; causal_weights comes after it.",
            _weights_turned,
            also=_WEIGHTS_TURNED,
        ),
        Mistake(
            "Nothing is hidden: each word sees the later ones, too. Turning does not replace the "
            "mask.",
            _no_mask,
        ),
        Mistake(
            "No place counts here: these are the scores without turns. Where do the places come "
            "in?",
            lambda q, k, v: causal_weights(q @ k.T / q.shape[1] ** 0.5) @ v,
            also=(lambda q, k, v: causal_weights(q @ k.T) @ v,),
        ),
        Mistake(
            "rope_scores has turned and divided already, and you did it once more.",
            lambda q, k, v: causal_weights(rope_scores(q, k) / q.shape[1] ** 0.5) @ v,
            also=(lambda q, k, v: causal_weights(rope_scores(_turned(q), _turned(k))) @ v,),
        ),
        Mistake(
            "The softmax was taken twice: causal_weights takes scores, and gives weights.",
            lambda q, k, v: causal_weights(rope_scores(q, k)).softmax(dim=-1) @ v,
            also=(lambda q, k, v: causal_weights(rope_scores(q, k).softmax(dim=-1)) @ v,),
        ),
        Mistake(
            "Queries and keys are exchanged: row i belongs to the query at place i.",
            lambda q, k, v: causal_weights(rope_scores(k, q)) @ v,
        ),
        Mistake(
            "The table of weights lies on its side. Row i holds the weights of output i.",
            lambda q, k, v: causal_weights(rope_scores(q, k)).T @ v,
        ),
        Mistake(
            "These are scores times values, and nothing is hidden. Weights mix the values, and "
            "causal_weights makes them of the scores.",
            lambda q, k, v: rope_scores(q, k) @ v,
        ),
        Mistake(
            "These are the weights. Asked for are the outputs: with the weights, the values are "
            "mixed.",
            lambda q, k, v: causal_weights(rope_scores(q, k)),
        ),
    ),
    refused=(Refused(lambda q, k, v: v, "causal_attention"),),
    alternatives=(
        _word_by_word,
        lambda q, k, v: attention(rotary(q), rotary(k), v, mask=may_attend(causal, len(q))),
        lambda q, k, v: scaled_dot_product_attention(rotary(q), rotary(k), v, is_causal=True),
        lambda q, k, v: (
            (
                rope_scores(q, k).masked_fill(torch.ones(len(q), len(q)).triu(1) == 1, -torch.inf)
            ).softmax(dim=-1)
            @ v
        ),
        lambda q, k, v: (causal_weights(rope_scores(q, k)) @ v).tolist(),
    ),
    hints=(
        "What does each of your two functions take, and what does it return? So which of them can "
        "take what the other returns?",
        "rope_scores makes scores of q and k. causal_weights makes weights of scores. And which "
        "table has a row for each word that the weights can mix?",
        "scores = rope_scores(...); weights = causal_weights(...); return weights @ ...",
    ),
    minutes=2,
    stars=1,
    depth=True,
    reward=(
        "With learned matrices in front of q, k and v, this is one head of Llama 3, whose "
        "dials are slower. Llama 3 8B has 32 of them in each of its 32 layers."
    ),
)
