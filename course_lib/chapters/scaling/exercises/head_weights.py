"""Exercise `head_weights`: the weights of each head, divided by the root of its own width."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels.softmax import softmax


def head_weights(q, k):
    """The weights of each head, from scores that are divided as they should be.

    q: (h, t, d)   k: (h, s, d)   returns: (h, t, s)
    """
    # SOLUTION
    scores = q @ k.swapaxes(-1, -2)
    return softmax(scores / np.sqrt(q.shape[-1]))
    # END SOLUTION


def _heads_with_a_loop(q, k):
    return [softmax(a @ b.T / a.shape[1] ** 0.5) for a, b in zip(q, k, strict=True)]


def _as_one_table(q, k):
    rows, columns = q.reshape(-1, q.shape[-1]), k.reshape(-1, k.shape[-1])
    return softmax(rows @ columns.T / np.sqrt(q.shape[-1]))


def _over_all(scores):
    return np.exp(scores) / np.exp(scores).sum()


def _flat_sums(q, k):
    exponentials = np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return exponentials / exponentials.sum(axis=-1)


def _divided(root_of):
    """Divides the scores by the root of root_of(q, k)."""
    return lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(root_of(q, k)))


HEAD_WEIGHTS = Exercise(
    answer=head_weights,
    cases=(
        lambda rng: inputs(rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 7, 5))),
        lambda rng: inputs(rng.normal(size=(3, 2, 11)), rng.normal(size=(3, 5, 11))),
        # All sizes alike: what else stops at its shapes is known here by its numbers.
        lambda rng: inputs(rng.normal(size=(3, 3, 3)), rng.normal(size=(3, 3, 3))),
        lambda rng: inputs(  # whole numbers
            rng.integers(-2, 3, size=(2, 3, 5)), rng.integers(-2, 3, size=(2, 7, 5))
        ),
        lambda rng: inputs(rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 7, 5))),
    ),
    properties=(
        Property(
            "A table for each head: one row for each query, one column for each key.",
            lambda got, case: (
                np.shape(got["output"]) == (*case.args[0].shape[:2], case.args[1].shape[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You divided by the root of the model's width, h times d. Each head's score is summed "
            "over the d numbers of that head only.",
            _divided(lambda q, k: q.shape[0] * q.shape[-1]),
        ),
        Mistake("The division is missing.", _divided(lambda q, k: 1)),
        Mistake(
            "q.shape[1] is now the number of queries: the heads have come in front. The width is "
            "the last axis, q.shape[-1].",
            _divided(lambda q, k: q.shape[1]),
        ),
        Mistake(
            "You divided by the root of the number of heads.", _divided(lambda q, k: q.shape[0])
        ),
        Mistake(
            "You divided by the root of the number of keys.", _divided(lambda q, k: k.shape[1])
        ),
        Mistake("You divided by d, not by its root.", _divided(lambda q, k: q.shape[-1] ** 2)),
        Mistake(
            "The softmax ran over the queries. Each row belongs to a query and adds up to 1.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), axis=1),
        ),
        Mistake(
            "These are the scores; the softmax is missing.",
            lambda q, k: q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]),
        ),
        Mistake(
            "The weights were divided, and a row of them no longer adds up to 1. Divide the "
            "scores, before the softmax.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2)) / np.sqrt(q.shape[-1]),
        ),
        Mistake("The scores were multiplied by the root.", _divided(lambda q, k: 1 / q.shape[-1])),
        Mistake(
            "You divided by 8, the root of 64, whatever the width of these heads is. Take it from "
            "q: its last axis.",
            _divided(lambda q, k: 64),
            also=(_divided(lambda q, k: 768 / 12),),
        ),
        Mistake(
            "You divided by the root of 768. These heads have a width of their own, the last axis "
            "of q.",
            _divided(lambda q, k: 768),
        ),
        Mistake(
            ".T turns all three axes around, the heads too. k.swapaxes(-1, -2) turns each head's "
            "keys and leaves the heads in front.",
            lambda q, k: softmax(q @ k.T / np.sqrt(q.shape[-1])),
        ),
        Mistake(
            "The keys are not turned: a score is a row of q with a row of k, and k.swapaxes(-1, "
            "-2) makes columns of these rows.",
            lambda q, k: softmax(q @ k / np.sqrt(q.shape[-1])),
        ),
        Mistake(
            "The softmax ran over the heads. Each head shares out a 1 of its own, along the keys: "
            "axis=-1.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]), axis=0),
        ),
        Mistake(
            "All weights of all heads together add up to 1. Each row of each head has a 1 of its "
            "own: axis=-1.",
            lambda q, k: _over_all(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])),
        ),
        Mistake(
            "The sums of the rows came out without an axis for the keys and were laid along "
            "another one. keepdims=True keeps them in place.",
            _flat_sums,
        ),
        Mistake(
            "The scores of the heads were averaged. Each head compares for itself, and its table "
            "is kept.",
            lambda q, k: softmax((q @ k.swapaxes(-1, -2)).mean(axis=0) / np.sqrt(q.shape[-1])),
            also=(
                lambda q, k: softmax(np.einsum("htd,hsd->ts", q, k) / len(q) / q.shape[-1] ** 0.5),
            ),
        ),
        Mistake(
            "The scores of the heads were added up. Each head compares for itself, and its table "
            "is kept: htd,hsd->hts.",
            lambda q, k: softmax(np.einsum("htd,hsd->ts", q, k) / np.sqrt(q.shape[-1])),
        ),
        Mistake(
            "reshape keeps the order of the numbers and cuts the rows elsewhere. To turn each "
            "head's keys, exchange the axes: k.swapaxes(-1, -2).",
            lambda q, k: softmax(
                q @ k.reshape(k.shape[0], k.shape[2], k.shape[1]) / np.sqrt(q.shape[-1])
            ),
        ),
        Mistake(
            "The tables are turned: there is a row for each key. A row belongs to a query.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])).swapaxes(-1, -2),
        ),
        Mistake(
            "These are the exponentials. Divide each by the sum of its row; softmax does both.",
            lambda q, k: np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])),
        ),
        Mistake(
            "This is the table of the first head alone. Keep the axis of the heads.",
            lambda q, k: softmax(q[0] @ k[0].T / np.sqrt(q.shape[-1])),
        ),
        Mistake(
            "The weights of the heads were averaged. Each head keeps a table of its own.",
            lambda q, k: softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])).mean(axis=0),
        ),
        Mistake(
            "Queries and keys are exchanged: there is a row for each key. A row belongs to a "
            "query.",
            lambda q, k: softmax(k @ q.swapaxes(-1, -2) / np.sqrt(q.shape[-1])),
        ),
    ),
    alternatives=(
        _heads_with_a_loop,
        lambda q, k: softmax(np.einsum("htd,hsd->hts", q, k) * q.shape[2] ** -0.5),
        lambda q, k: softmax(
            (q.astype(np.float32) / np.float32(q.shape[2] ** 0.5))
            @ k.astype(np.float32).swapaxes(1, 2)
        ),
        lambda q, k: softmax(q @ k.transpose(0, 2, 1), temperature=k.shape[-1] ** 0.5),
    ),
    refused=(Refused(_as_one_table),),
    hints=(
        "Over how many numbers is one score of one head summed?",
        "k.swapaxes(-1, -2) turns each head's keys into columns; q.shape[-1] is the width of a "
        "head.",
        "return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(...))",
    ),
    minutes=4,
    stars=2,
    depth=True,
)
