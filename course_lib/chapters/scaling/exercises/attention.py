"""Exercise `attention`: each query's average of the values, with divided scores."""

import numpy as np

from course_lib.chapters.scaling.averages import NO_AVERAGE, TOO_EVEN, TOO_SURE, as_an_average
from course_lib.chapters.scaling.exercises.scale import scale
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels.softmax import softmax


def attention(q, k, v):
    """Each query's average of the values, with divided scores.

    q: (t, d)   k: (s, d)   v: (s, e)   returns: (t, e)
    """
    # SOLUTION
    scores = q @ k.T
    scores = scale(scores, q.shape[1])
    weights = softmax(scores)
    return weights @ v
    # STUB
    # return ...  # your code here
    # END SOLUTION


def _attention_with_loops(q, k, v):
    output = []
    for query in q:
        weights = softmax([query @ key / len(query) ** 0.5 for key in k])
        output.append(sum(w * value for w, value in zip(weights, v, strict=True)))
    return output


ATTENTION = Exercise(
    answer=attention,
    accept=as_an_average,
    cases=(
        # One query and narrow values: a wrong answer is seen at a glance, and except for the one
        # query the roots of all sizes differ, and so does the root of the root.
        lambda rng: inputs(
            np.array([[2.0, 0.0, 0.0]]),
            np.array([[2.0, 0.0, 0.0], [0.0, 1.0, -1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]),
            np.array([[10.0, 0.0], [0.0, 10.0], [10.0, 0.0], [0.0, 10.0]]),
        ),
        lambda rng: inputs(
            rng.normal(size=(2, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
        ),
        lambda rng: inputs(
            rng.normal(size=(11, 13)), rng.normal(size=(7, 13)), rng.normal(size=(7, 2))
        ),
        # All sizes alike: what else stops at its shapes is known here by its numbers.
        lambda rng: inputs(*rng.normal(size=(3, 5, 5))),
        lambda rng: inputs(  # whole numbers
            np.array([[1, 0, 2, -1, 1], [0, 3, 1, 1, -2]]),
            np.array([[1, 1, 0, 0, 1], [0, 2, -1, 1, 0], [2, 0, 1, 0, -1]]),
            np.array([[4, 0, 1], [0, 7, 2], [-5, 3, 0]]),
        ),
        lambda rng: inputs(  # shapes for the second time
            rng.normal(size=(2, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
        ),
    ),
    properties=(
        Property(
            "One row for each query, as wide as a value.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), case.args[2].shape[1]),
        ),
    ),
    mistakes=(
        Mistake(
            "The scores that softmax got were not divided. Does the division come after it? Or is "
            "what scale gives back not kept? Your scores stay as they are: scores = scale(...).",
            lambda q, k, v: softmax(q @ k.T) @ v,
        ),
        Mistake(
            "You divided the weights, the values or the output. Then the output is no longer an "
            "average of the values. The scores are divided, before the softmax.",
            lambda q, k, v: softmax(q @ k.T) @ v / np.sqrt(q.shape[1]),
            also=(
                lambda q, k, v: softmax(q @ k.T) @ (v / np.sqrt(q.shape[1])),
                lambda q, k, v: scale(softmax(q @ k.T), k.shape[0]) @ v,
            ),
        ),
        Mistake(
            "You divided by the width itself, or by its root twice (once for q and once for k, "
            "perhaps).",
            lambda q, k, v: softmax(q @ k.T / q.shape[1]) @ v,
            also=(
                lambda q, k, v: (
                    softmax((q / np.sqrt(q.shape[1])) @ (k / np.sqrt(k.shape[1])).T) @ v
                ),
            ),
        ),
        Mistake(
            "You divided by twice the width. If you wrote / q.shape[1] ** 1/2, Python divides by "
            "the width first, and what comes out by 2. Your scale has the root.",
            lambda q, k, v: softmax(q @ k.T / q.shape[1] / 2) @ v,
        ),
        Mistake(
            "You divided by half of the width. q.shape[1] ** 1/2 in brackets is the width, divided "
            "by 2. Your scale has the root.",
            lambda q, k, v: softmax(q @ k.T / (q.shape[1] / 2)) @ v,
        ),
        Mistake(
            "The root was taken twice: your scale takes the root of the width that it is given, so "
            "give it the width itself.",
            lambda q, k, v: softmax(scale(q @ k.T, np.sqrt(q.shape[1]))) @ v,
        ),
        Mistake(
            "scale wants one number, the width, and got a whole table. The width is in its shape.",
            lambda q, k, v: softmax(scale(q @ k.T, q)) @ v,
            also=(lambda q, k, v: softmax(scale(q @ k.T, k)) @ v,),
        ),
        Mistake(
            "scale wants one number, the width, and got a whole shape. The width is one of the two "
            "numbers in it.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape)) @ v,
            also=(lambda q, k, v: softmax(scale(q @ k.T, k.shape)) @ v,),
        ),
        Mistake(
            "You multiplied the scores by the root of the width.",
            lambda q, k, v: softmax(q @ k.T * np.sqrt(q.shape[1])) @ v,
        ),
        Mistake(
            "You divided by the root of the number of keys. What counts is the width of a query "
            "and of a key, q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(len(k))) @ v,
        ),
        Mistake(
            "You divided by the root of the number of queries. What counts is the width of a "
            "query and of a key, q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(len(q))) @ v,
            also=(lambda q, k, v: softmax(q @ k.T / len(q) ** 0.5) @ v,),
        ),
        Mistake(
            "You divided by the root of the width of the values. The scores were summed over the "
            "width of the queries and keys, q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(v.shape[1])) @ v,
        ),
        Mistake(
            "The softmax ran down the columns. Each row belongs to a query and should add up to 1.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1]), axis=0) @ v,
        ),
        Mistake(
            "You returned the weights. The output is their weighted sum of the values.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1])),
        ),
        Mistake(
            "You averaged with the scores: the softmax is missing.",
            lambda q, k, v: scale(q @ k.T, q.shape[1]) @ v,
        ),
        Mistake(
            "The keys are not turned: q @ k runs only where there are as many keys as numbers in "
            "each. A score is a row of q with a row of k: q @ k.T.",
            lambda q, k, v: softmax(scale(q @ k, q.shape[1])) @ v,
        ),
        Mistake(
            "q * k multiplies entry by entry, and adds nothing up. A score is the sum of the "
            "products of a row of q with a row of k: q @ k.T.",
            lambda q, k, v: softmax(scale(q * k, q.shape[1])) @ v,
        ),
        Mistake(
            "Queries and keys are exchanged: k @ q.T has a row for each key. A row belongs to a "
            "query: q @ k.T.",
            lambda q, k, v: softmax(scale(k @ q.T, q.shape[1])) @ v,
        ),
        Mistake(
            "The queries are turned, q.T @ k. Turn the keys: q @ k.T compares each query with "
            "each key.",
            lambda q, k, v: softmax(scale(q.T @ k, q.shape[1])) @ v,
        ),
        Mistake(
            "weights * v multiplies entry by entry. Each query's output is a sum over the keys: "
            "weights @ v.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1])) * v,
        ),
        Mistake(
            "The values are turned. Each row of v belongs to a key, and that is how the weights "
            "count them: weights @ v.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1])) @ v.T,
        ),
        Mistake(
            "The weights are turned. Their rows belong to the queries, and so should the rows of "
            "the output.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1])).T @ v,
        ),
        Mistake(
            "Weights and values stand in the wrong order: weights @ v.",
            lambda q, k, v: v @ softmax(scale(q @ k.T, q.shape[1])),
        ),
        Mistake(
            "You averaged the keys. The weights come from the keys; what they average is v.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1])) @ k,
        ),
        Mistake(
            "The weights of all queries together add up to 1. Each query has a 1 of its own: the "
            "softmax runs along each row.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1]).ravel()).reshape(len(q), -1) @ v,
        ),
        Mistake(
            "These are the scores. Make weights of them, and average the values.",
            lambda q, k, v: scale(q @ k.T, q.shape[1]),
        ),
        Mistake(
            "The softmax stands at the end, over the output. It makes weights of the scores, "
            "before the values come in.",
            lambda q, k, v: softmax(scale(q @ k.T, q.shape[1]) @ v),
            also=(lambda q, k, v: softmax(scale(q @ k.T @ v, q.shape[1])),),
        ),
        Mistake(
            "Each query took the value of its best key alone. The others count by their weights.",
            lambda q, k, v: v[(q @ k.T).argmax(axis=1)],
        ),
        Mistake(
            "The outputs of all queries were added up. Each query has a row of its own.",
            lambda q, k, v: (softmax(scale(q @ k.T, q.shape[1])) @ v).sum(axis=0),
        ),
        Mistake(
            "The scores were divided by 2, the root of 4, whatever the width is: q.shape[1].",
            lambda q, k, v: softmax(q @ k.T / 2) @ v,
        ),
        Mistake(
            "The scores were divided by 8, the root of 64, whatever the width is: q.shape[1].",
            lambda q, k, v: softmax(scale(q @ k.T, 64)) @ v,
        ),
        Mistake(
            "The sign is turned: the key that fits least gets the most.",
            lambda q, k, v: softmax(-scale(q @ k.T, q.shape[1])) @ v,
        ),
        Mistake(
            "The softmax was taken twice.",
            lambda q, k, v: softmax(softmax(scale(q @ k.T, q.shape[1]))) @ v,
        ),
        Mistake(
            "The values were added up with equal weights, as if no score counted.",
            lambda q, k, v: np.ones((len(q), len(k))) / len(k) @ v,
        ),
    ),
    alternatives=(
        _attention_with_loops,
        lambda q, k, v: softmax((q / np.sqrt(q.shape[1])) @ k.T) @ v,
        lambda q, k, v: softmax((q / q.shape[1] ** 0.25) @ (k / q.shape[1] ** 0.25).T) @ v,
        lambda q, k, v: softmax((q * q.shape[1] ** -0.25) @ (k * k.shape[1] ** -0.25).T) @ v,
        lambda q, k, v: np.einsum(
            "ts,se->te", softmax(np.einsum("td,sd->ts", q, k) / q[0].size ** 0.5), v
        ),
        lambda q, k, v: (
            softmax(q.astype(np.float32) @ (k.astype(np.float32) / np.float32(k.shape[1] ** 0.5)).T)
            @ v.astype(np.float32)
        ),
        lambda q, k, v: softmax(q @ k.T, temperature=q.shape[1] ** 0.5) @ v,
    ),
    refused=(
        Refused(lambda q, k, v: softmax(q @ k / q.shape[1] ** 0.5) @ v, "not turned"),
        Refused(lambda q, k, v: softmax(q @ k.T / 7) @ v, TOO_EVEN),
        Refused(lambda q, k, v: softmax(q @ k.T) @ (v / 3), NO_AVERAGE),
        Refused(lambda q, k, v: softmax(q @ k.T * 1.5) @ v, TOO_SURE),
    ),
    hints=(
        "The query [2, 0, 0] meets the keys [2, 0, 0] and [0, 1, -1]. Its scores are 4 and 0. "
        "Before softmax sees them, `scale` divides them by 1.73, the root of 3. Whose width is 3?",
        "Each line uses what an earlier line made: scores (t, s), then the scaled scores, then "
        "weights. q.shape[1] is the width of a query.",
        "scores = ...; scores = scale(...); weights = ...; return ...",
    ),
    reward=(
        "You have written equation 1 of the paper. PyTorch has it under the name "
        "scaled_dot_product_attention."
    ),
    minutes=4,
    stars=2,
)
