"""Exercise `attention`: each query's average of the values, in three lines."""

import numpy as np

from course_lib.chapters.dot_product.exercises.dot import dot, dot_by_pairs, dot_by_places
from course_lib.chapters.dot_product.slips import (
    all_queries_at_once,
    as_many_rows_as_values,
    attention_with_loops,
    by_their_sum,
    dot_at_once,
    of_the_best_key,
    with_tables,
)
from course_lib.judging.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import vectors
from course_lib.kernels.softmax import softmax


def attention(q, k, v):
    """Mix the values for each query, by how well it agrees with the keys.

    For example t = 2 queries and s = 4 keys of d = 3 numbers, and 4 values. These may have another
    width, here e = 5. So q is (2, 3), k (4, 3), v (4, 5), scores and weights (2, 4), output (2, 5).

    q: (t, d)   k: (s, d)   v: (s, e)   returns: (t, e)
    """
    # SOLUTION
    scores = q @ k.T
    weights = softmax(scores)
    return weights @ v
    # STUB
    # scores = ...
    # weights = ...
    # return ...  # your code here
    # END SOLUTION


ATTENTION = Exercise(
    answer=attention,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]]),
            np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [1.0, 1.0, 0.0]]),
            np.array([[8.0, 0.0], [0.0, 8.0], [4.0, 4.0], [0.0, 0.0]]),
        ),
        lambda rng: inputs(
            rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
        ),
        lambda rng: inputs(
            rng.normal(size=(2, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
        ),
        lambda rng: inputs(
            rng.integers(-2, 3, size=(5, 3)),
            rng.integers(-2, 3, size=(2, 3)),
            rng.integers(-9, 10, size=(2, 7)),
        ),
        lambda rng: inputs(
            rng.normal(size=(2, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
        ),
        lambda rng: inputs(  # equal keys: equal shares
            np.array([[1.0, 2.0, 0.5], [0.0, -3.0, 1.0]]), np.ones((5, 3)), rng.normal(size=(5, 7))
        ),
    ),
    properties=(
        Property(
            "One row for each query, as wide as a value.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), case.args[2].shape[1]),
        ),
        Property(
            "Each entry of the output lies between the smallest and the largest value of its "
            "column: an average cannot leave what it averages.",
            lambda got, case: bool(
                (np.asarray(got["output"]) <= case.args[2].max(axis=0) + 1e-5).all()
                and (np.asarray(got["output"]) >= case.args[2].min(axis=0) - 1e-5).all()
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The values are averaged with the raw scores: the softmax is missing, or its weights "
            "lie unused.",
            lambda q, k, v: (q @ k.T) @ v,
        ),
        Mistake(
            "You returned the weights. The output is their weighted sum of the values, one more "
            "product with v.",
            lambda q, k, v: softmax(q @ k.T),
        ),
        Mistake(
            "The softmax ran down the columns, so each key shares out its attention. Each row "
            "belongs to a query and should add up to 1.",
            lambda q, k, v: softmax(q @ k.T, axis=0) @ v,
        ),
        Mistake(
            "The transpose of k is missing: rows of q met columns of k.",
            lambda q, k, v: softmax(q @ k) @ v,
        ),
        Mistake(
            "A dot product is one number of two vectors, and q and k are tables: each query has to "
            "meet each key. `@` makes all these dot products at once.",
            with_tables(dot),
            also=(
                with_tables(dot_at_once),
                with_tables(dot_at_once, turned=True),
                with_tables(dot_by_places),
                with_tables(dot_by_pairs),
                with_tables(dot, turned=True),
                with_tables(dot_by_places, turned=True),
                with_tables(dot, turned_queries=True),
                with_tables(dot_by_places, turned_queries=True),
            ),
        ),
        Mistake(
            "`*` multiplies entry by entry, so a query meets only the key in its own row. Each "
            "query has to meet each key, in a dot product.",
            lambda q, k, v: softmax(q * k) @ v,
        ),
        Mistake(
            "`dot(q, key)` takes q as one vector, but q is a table: each row of it is a query and "
            "needs scores of its own. `@` makes them all at once.",
            all_queries_at_once(dot),
            also=(all_queries_at_once(dot_by_places), all_queries_at_once(dot_by_pairs)),
        ),
        Mistake(
            "You took the softmax of the output. It belongs between the scores and the values.",
            lambda q, k, v: softmax((q @ k.T) @ v),
        ),
        Mistake(
            "You divided the scores by the square root of d. A real model does, and chapter 3 "
            "shows why; here the three lines stand without it.",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(q.shape[1])) @ v,
        ),
        Mistake(
            "You divided the scores by their sum. Negative scores then give negative weights, and "
            "a sum of 0 gives none. `softmax(scores)` makes all weights positive, row by row.",
            by_their_sum(axis=1, keepdims=True),
            also=(by_their_sum(), by_their_sum(axis=1), by_their_sum(axis=0)),
        ),
        Mistake(
            "You averaged the keys. The keys decide the weights; what is averaged are the values.",
            lambda q, k, v: softmax(q @ k.T) @ k,
        ),
        Mistake(
            "You averaged the queries. What is averaged are the values, v.",
            lambda q, k, v: softmax(q @ k.T) @ q,
        ),
        Mistake(
            "* multiplies the weights with the values place by place. A weighted sum is a product "
            "of tables, @: each row of weights meets the columns of v.",
            lambda q, k, v: softmax(q @ k.T) * v,
        ),
        Mistake(
            "You turned v. A row of weights has a number for each value, and the values stand in "
            "the rows of v: it fits as it is.",
            lambda q, k, v: softmax(q @ k.T) @ v.T,
        ),
        Mistake(
            "v stands before the weights. A row of the output belongs to a query, so the weights "
            "come first.",
            lambda q, k, v: v @ softmax(q @ k.T),
        ),
        Mistake(
            "Your scores lie on their side: a row for each key. A row should belong to a query.",
            lambda q, k, v: softmax(k @ q.T) @ v,
        ),
        Mistake(
            "You turned the weights. Their rows belong to the queries, as those of the output do.",
            lambda q, k, v: softmax(q @ k.T).T @ v,
        ),
        Mistake(
            "You compared the queries with the values. The scores are made with the keys.",
            lambda q, k, v: softmax(q @ v.T) @ v,
        ),
        Mistake(
            "You turned q instead of k. A row of q should meet a row of k.",
            lambda q, k, v: softmax(q.T @ k) @ v,
        ),
        Mistake(
            "All the weights of the table add up to 1. Each row should do so by itself, for each "
            "query has one attention to share out.",
            lambda q, k, v: np.exp(q @ k.T) / np.exp(q @ k.T).sum() @ v,
        ),
        Mistake(
            "The weights of a row do not add up to 1: after the exponential, divide each row by "
            "its sum.",
            lambda q, k, v: np.exp(q @ k.T) @ v,
        ),
        Mistake(
            "The sums of the rows lie along the columns, so column j was divided by the sum of row "
            "j. keepdims=True lets them stand upright.",
            lambda q, k, v: np.exp(q @ k.T) / np.exp(q @ k.T).sum(axis=1) @ v,
        ),
        Mistake(
            "Each query took only its best key. Attention mixes all of the values, by the "
            "weights that the softmax makes.",
            lambda q, k, v: v[(q @ k.T).argmax(axis=1)],
            also=(of_the_best_key,),
        ),
        Mistake(
            "You added up the outputs of all queries. Each query keeps a row of its own.",
            lambda q, k, v: (softmax(q @ k.T) @ v).sum(axis=0),
        ),
        Mistake(
            "You divided by the lengths: these scores are cosines. Here they are dot products.",
            lambda q, k, v: softmax(vectors.pairwise_cosines(q, k)) @ v,
        ),
        Mistake(
            "You took a softmax of the softmax. Once is enough.",
            lambda q, k, v: softmax(softmax(q @ k.T)) @ v,
        ),
        Mistake(
            "The shares of a row do not add up to 1 where two scores are equal, and where they are "
            "not, the best key takes all. The softmax gives each key a share.",
            lambda q, k, v: ((q @ k.T) == (q @ k.T).max(axis=1, keepdims=True)) @ v,
        ),
        Mistake(
            "Your output has a row for each value. It needs one for each query.",
            as_many_rows_as_values,
        ),
        Mistake(
            "Every value got the same share: the scores are not used.",
            lambda q, k, v: np.ones((len(q), len(k))) / len(k) @ v,
        ),
        Mistake(
            "You divided the scores by d. Here the three lines stand without it; chapter 3 shows "
            "by what a real model divides.",
            lambda q, k, v: softmax(q @ k.T / k.shape[1]) @ v,
        ),
        Mistake(
            "You divided by the number of keys as well. The weights add up to 1 already.",
            lambda q, k, v: softmax(q @ k.T) @ v / len(k),
        ),
        Mistake(
            "Weights and values are multiplied and not yet added up: there is still a row for "
            "each pair.",
            lambda q, k, v: softmax(q @ k.T)[:, :, None] * v,
        ),
        Mistake(
            "The signs of the scores are turned: the key that agrees least gets the most.",
            lambda q, k, v: softmax(-(q @ k.T)) @ v,
        ),
        Mistake(
            "You took the mean of all queries' outputs. Each query keeps a row of its own.",
            lambda q, k, v: (softmax(q @ k.T) @ v).mean(axis=0),
        ),
        Mistake(
            "Each score was bent into 0 to 1 by itself, so the weights of a row do not add up to "
            "1. softmax shares out.",
            lambda q, k, v: 1 / (1 + np.exp(-(q @ k.T))) @ v,
        ),
        Mistake(
            "You let query i see only the keys up to place i. That is a mask, chapter 6; here "
            "each query sees all keys.",
            lambda q, k, v: softmax(np.where(np.tri(len(q), len(k)) > 0, q @ k.T, -1e9)) @ v,
        ),
        Mistake(
            "You took the softmax of the values. It belongs to the scores.",
            lambda q, k, v: (q @ k.T) @ softmax(v),
        ),
        Mistake(
            "You took the softmax of the values as well. They stay as they are.",
            lambda q, k, v: softmax(q @ k.T) @ softmax(v),
        ),
        Mistake(
            "You took the softmax of the queries. It belongs to the scores, q @ k.T.",
            lambda q, k, v: softmax(q) @ k.T @ v,
            also=(lambda q, k, v: softmax(q) @ v,),
        ),
        Mistake(
            "You compared the keys with themselves. The scores are made of queries and keys.",
            lambda q, k, v: softmax(k @ k.T) @ v,
        ),
        Mistake(
            "You compared the queries with themselves. The scores are made of queries and keys.",
            lambda q, k, v: softmax(q @ q.T) @ v,
        ),
    ),
    alternatives=(
        attention_with_loops,
        lambda q, k, v: np.einsum("ts,se->te", softmax(np.einsum("td,sd->ts", q, k)), v),
        lambda q, k, v: (v.T @ softmax(q @ k.T).T).T,
        lambda q, k, v: (
            softmax(q.astype(np.float32) @ k.astype(np.float32).T) @ v.astype(np.float32)
        ),
    ),
    hints=(
        "Three questions, a line each. How well does each query agree with each key? Which weights "
        "does that make? What do the values add up to, mixed by these weights?",
        "A @ B takes rows of A with columns of B. In the first line each query should meet each "
        "key, and the keys stand in rows of k. Which of the two has to be turned?",
        "Check the shapes of the example on paper. (2, 3) @ (?, ?) should give the scores, (2, 4), "
        "and k.T has the shape (3, 4). Then weights is (2, 4), v is (4, 5), and the output should "
        "be (2, 5). Does v stand as it must, or does it have to be turned?",
    ),
    reward="You have written the heart of a language model. Papers write your three lines as "
    "softmax(QKᵀ)V; only a divisor is missing, and chapter 3 finds it.",
    minutes=5,
    stars=2,
)
