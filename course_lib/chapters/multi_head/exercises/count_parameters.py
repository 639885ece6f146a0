"""Exercise `count_parameters`: the learned numbers of a layer whose heads may share keys."""

from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs


def count_parameters(m, heads, kv_heads, d):
    """The learned numbers of a layer: W_Q, W_K, W_V and W_O, without biases.

    m: width of the words   heads, kv_heads, d: numbers   returns: a number
    """
    # SOLUTION
    queries, keys = m * heads * d, m * kv_heads * d
    return queries + 2 * keys + queries
    # END SOLUTION


COUNT_PARAMETERS = Exercise(
    answer=count_parameters,
    cases=(
        lambda rng: inputs(7, 6, 2, 3),
        lambda rng: inputs(6, 3, 3, 2),
        lambda rng: inputs(512, 8, 8, 64),
        lambda rng: inputs(4096, 32, 8, 128),
        lambda rng: inputs(7, int(rng.integers(4, 6)) * 2, 2, 5),
        lambda rng: inputs(6, 3, 1, 5),
        lambda rng: inputs(7, 6, 2, 3),
    ),
    mistakes=(
        Mistake(
            "W_O is missing: heads · d rows, m columns.",
            lambda m, heads, kv_heads, d: m * heads * d + 2 * m * kv_heads * d,
        ),
        Mistake(
            "You gave keys and values as many heads as queries. They have kv_heads.",
            lambda m, heads, kv_heads, d: 4 * m * heads * d,
        ),
        Mistake(
            "4 m² holds only where heads · d is m and nobody shares keys.",
            lambda m, heads, kv_heads, d: 4 * m * m,
        ),
        Mistake(
            "You counted matrices of full width for each head. Together the heads of queries have "
            "heads · d columns.",
            lambda m, heads, kv_heads, d: 2 * heads * m * m + 2 * kv_heads * m * m,
        ),
        Mistake(
            "You counted W_K or W_V, not both.",
            lambda m, heads, kv_heads, d: 2 * m * heads * d + m * kv_heads * d,
        ),
        Mistake(
            "You counted one head of queries. There are as many as heads says.",
            lambda m, heads, kv_heads, d: 2 * m * d + 2 * m * kv_heads * d,
        ),
        Mistake(
            "W_O takes what the heads of queries gathered, so it has heads · d rows, not "
            "kv_heads · d.",
            lambda m, heads, kv_heads, d: m * heads * d + 3 * m * kv_heads * d,
        ),
        Mistake(
            "You gave W_O m rows. It has as many as the heads have columns: heads · d.",
            lambda m, heads, kv_heads, d: m * heads * d + 2 * m * kv_heads * d + m * m,
        ),
        Mistake(
            "All four matrices have kv_heads here. W_Q and W_O are those of all heads of queries.",
            lambda m, heads, kv_heads, d: 4 * m * kv_heads * d,
        ),
        Mistake(
            "You made the width of a head from m and heads. It is given: d, and heads · d need "
            "not be m.",
            lambda m, heads, kv_heads, d: 2 * m * (m // heads) * (heads + kv_heads),
        ),
        Mistake(
            "You gave W_O d rows. The heads stand side by side, so it has heads · d.",
            lambda m, heads, kv_heads, d: m * d * (heads + 2 * kv_heads) + d * m,
        ),
        Mistake(
            "You counted one head everywhere: four matrices of m times d.",
            lambda m, heads, kv_heads, d: 4 * m * d,
        ),
        Mistake(
            "This is three times the matrix of the queries. There are four matrices, and W_K and "
            "W_V have kv_heads heads.",
            lambda m, heads, kv_heads, d: 3 * m * heads * d,
        ),
        Mistake(
            "You counted biases, too. Here there are none.",
            lambda m, heads, kv_heads, d: (
                count_parameters(m, heads, kv_heads, d) + heads * d + 2 * kv_heads * d + m
            ),
        ),
    ),
    refused=(
        Refused(lambda m, heads, kv_heads, d: 3 * m * m, "count_parameters"),
    ),
    alternatives=(
        lambda m, heads, kv_heads, d: 2 * m * d * (heads + kv_heads),
        lambda m, heads, kv_heads, d: sum(
            rows * columns
            for rows, columns in (
                (m, heads * d), (m, kv_heads * d), (m, kv_heads * d), (heads * d, m)
            )
        ),
        lambda m, heads, kv_heads, d: float(2 * m * d * (heads + kv_heads)),
        lambda m, heads, kv_heads, d: m * d * (heads + heads + 2 * kv_heads),
    ),
    hints=(
        "Four matrices. How many rows and columns has each, if only queries have all heads?",
        "W_Q is (m, heads · d), W_K and W_V are (m, kv_heads · d), W_O is (heads · d, m).",
        "return m * heads * d + 2 * m * ... + heads * d * ...",
    ),
    minutes=3,
    stars=1,
    depth=True,
)  # fmt: skip
