"""Exercise `cross_attention`: each word of target collects from source."""

import math

import numpy as np
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.chapters.queries_keys_values.exercises.attend import attend
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.judging.tensors import drawn, floats


def cross_attention(target, source, w_q, w_k, w_v):
    """Each word of target collects from source.

    target: (t, m)   source: (s, c)   w_q: (m, d)   w_k: (c, d)   w_v: (c, e)   returns: (t, e)
    """
    # SOLUTION
    q = target @ w_q
    k = source @ w_k
    v = source @ w_v
    return attend(q, k, v)
    # END SOLUTION


def _by_word(target, source, w_q, w_k, w_v):
    return [attend((one @ w_q)[None], source @ w_k, source @ w_v)[0].tolist() for one in target]


def _four_fit(rng, t, s, m=5, d=5, e=5):
    """Target and source of one width, so that mixing them up goes through."""
    return inputs(drawn(rng, t, m), drawn(rng, s, m), *(drawn(rng, m, wide) for wide in (d, d, e)))


def _from_scores(weigh):
    """Cross-attention written out; weigh makes weights of the scores and the widths m and d."""

    def answer(target, source, w_q, w_k, w_v):
        scores = (target @ w_q) @ (source @ w_k).T
        return weigh(scores, *w_q.shape) @ (source @ w_v)

    return answer


CROSS_ATTENTION = Exercise(
    answer=cross_attention,
    cases=(
        lambda rng: inputs(
            floats([1, 0]),
            floats([2, 0], [0, 2]),
            floats([1, 0], [1, 2]),
            floats([1, 1], [0, 1]),
            floats([3, 0], [1, 5]),
        ),
        lambda rng: _four_fit(rng, 2, 3),
        lambda rng: _four_fit(rng, 3, 3),
        lambda rng: _four_fit(rng, 5, 2, 3, 7, 11),
        lambda rng: inputs(
            drawn(rng, 3, 2),
            drawn(rng, 7, 5),
            *(drawn(rng, *shape) for shape in ((2, 3), (5, 3), (5, 11))),
        ),
        lambda rng: _four_fit(rng, 3, 3, 3, 3, 3),  # every product fits, in any order
        lambda rng: _four_fit(rng, 2, 3),  # a shape from above, other numbers
    ),
    properties=(
        Property(
            "One row for each word of target, as wide as a value.",
            lambda got, case: (
                np.shape(got["output"]) == (len(case.args[0]), case.args[4].shape[-1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "Queries came from source, keys and values from target: exchanged. The one that is "
            "being written asks; the one that was read is asked.",
            lambda target, source, w_q, w_k, w_v: cross_attention(source, target, w_q, w_k, w_v),
        ),
        Mistake(
            "Everything came from target: that is self-attention, and the source is never read.",
            lambda target, source, w_q, w_k, w_v: cross_attention(target, target, w_q, w_k, w_v),
        ),
        Mistake(
            "Everything came from source: target asks nothing.",
            lambda target, source, w_q, w_k, w_v: cross_attention(source, source, w_q, w_k, w_v),
        ),
        Mistake(
            "The values came from target. What is fetched is what the source holds; with texts of "
            "one length nothing would have stopped you.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, target @ w_v),
        ),
        Mistake(
            "The keys came from target. Keys and values belong to the same words, those of the "
            "source: what is found by a key is its own value.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, target @ w_k, source @ w_v),
        ),
        Mistake(
            "The scale is missing. `attend` divides by the root of the width for you.",
            lambda target, source, w_q, w_k, w_v: (
                torch.softmax(target @ w_q @ (source @ w_k).T, dim=-1) @ source @ w_v
            ),
            also=(
                lambda target, source, w_q, w_k, w_v: (
                    ((target @ w_q) @ (source @ w_k).T).softmax(-1) @ (source @ w_v)
                ),
            ),
        ),
        Mistake(
            "The values are the source as it is; w_v was not used.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, source),
        ),
        Mistake(
            "The keys served as values. Values have a matrix of their own, w_v.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, source @ w_k),
        ),
        Mistake(
            "w_q and w_k are exchanged: queries are target @ w_q, keys are source @ w_k.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_k, source @ w_q, source @ w_v),
        ),
        Mistake(
            "w_k and w_v are exchanged: keys are source @ w_k, values are source @ w_v.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_v, source @ w_k),
        ),
        Mistake(
            "Target and source are exchanged, and w_q and w_k with them. Queries are target @ w_q, "
            "keys are source @ w_k, values are source @ w_v.",
            lambda target, source, w_q, w_k, w_v: attend(source @ w_k, target @ w_q, target @ w_v),
        ),
        Mistake(
            "No matrix was used: the words were compared as they are. First come target @ w_q, "
            "source @ w_k and source @ w_v.",
            lambda target, source, w_q, w_k, w_v: attend(target, source, source),
        ),
        Mistake(
            "The words were compared as they are; w_q and w_k were not used.",
            lambda target, source, w_q, w_k, w_v: attend(target, source, source @ w_v),
        ),
        Mistake(
            "One matrix served for all three. The keys have w_k, the values w_v.",
            lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_q, source @ w_q),
        ),
        Mistake(
            "The matrices stand on the left of the words. A word is a row, so its matrix stands on "
            "the right: target @ w_q.",
            lambda target, source, w_q, w_k, w_v: attend(w_q @ target, w_k @ source, w_v @ source),
        ),
        Mistake(
            "The matrices are transposed. A word is a row of m numbers, and w_q has m rows: "
            "target @ w_q as it stands.",
            lambda target, source, w_q, w_k, w_v: attend(
                target @ w_q.T, source @ w_k.T, source @ w_v.T
            ),
        ),
        Mistake(
            "You divided by the root of the width of a word. The scores add up products of queries "
            "and keys, so it is their width that counts; `attend` does it for you.",
            _from_scores(lambda scores, m, d: (scores / math.sqrt(m)).softmax(dim=-1)),
        ),
        Mistake(
            "All in all your scores are divided by the width itself. Dividing once, by its square "
            "root, is enough, and `attend` does it.",
            lambda target, source, w_q, w_k, w_v: attend(
                target @ w_q / math.sqrt(w_q.shape[-1]), source @ w_k, source @ w_v
            ),
        ),
        Mistake(
            "The softmax ran down the columns, so each word of source shares itself out. A row "
            "belongs to a word of target: dim=-1.",
            _from_scores(lambda scores, m, d: (scores / math.sqrt(d)).softmax(dim=0)),
        ),
        Mistake(
            "The softmax is missing: scores are no shares. `attend` takes it for you.",
            _from_scores(lambda scores, m, d: scores / math.sqrt(d)),
        ),
    ),
    refused=(
        Refused(
            lambda target, source, w_q, w_k, w_v: (
                (target @ w_q) @ (source @ w_k).T @ (source @ w_v)
            ),
            "another result",
        ),
    ),
    alternatives=(
        _by_word,
        lambda target, source, w_q, w_k, w_v: attend(target @ w_q, source @ w_k, source) @ w_v,
        lambda target, source, w_q, w_k, w_v: scaled_dot_product_attention(
            target @ w_q, source @ w_k, source @ w_v
        ),
        lambda target, source, w_q, w_k, w_v: (
            torch.softmax(target @ (w_q @ w_k.T) @ source.T / math.sqrt(w_q.shape[1]), -1)
            @ source
            @ w_v
        ),
        lambda target, source, w_q, w_k, w_v: cross_attention(
            target, source, w_q, w_k, w_v
        ).numpy(),
    ),
    hints=(
        "Who asks, and who is asked? Who holds what is fetched?",
        "Queries come from the target. Keys and values come from the source.",
        "q = target @ w_q; k = ... @ w_k; v = ... @ w_v; return attend(q, k, v)",
    ),
    minutes=7,
    stars=2,
    depth=True,
)
