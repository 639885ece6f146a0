"""Exercise `cache_size`: the bytes that the keys and values of a text take in all layers."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.kernels.kv_cache import cache_bytes


def cache_size(tokens, layers, kv_heads, d):
    """The bytes that the keys and values of one text take in all layers.

    tokens, layers, kv_heads, d: numbers   returns: a number
    """
    # SOLUTION
    return 2 * tokens * layers * kv_heads * d * 2
    # END SOLUTION


CACHE_SIZE = Exercise(
    answer=cache_size,
    cases=(
        lambda rng: inputs(1, 1, 1, 1),
        lambda rng: inputs(1, 32, 8, 128),
        lambda rng: inputs(100, 3, 5, 7),
        lambda rng: inputs(int(rng.integers(10, 90)), 12, 12, 64),
    ),
    mistakes=(
        Mistake(
            "This is half of it. Keys and values are kept, both; and in half precision each number "
            "takes two bytes.",
            lambda tokens, layers, kv_heads, d: 2 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "You counted one number of one byte. Keys and values are kept, both; and in half "
            "precision each number takes two bytes.",
            lambda tokens, layers, kv_heads, d: tokens * layers * kv_heads * d,
        ),
        Mistake(
            "This is in GiB. Asked for are bytes; the cell below divides.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * kv_heads * d / 2**30,
        ),
        Mistake(
            "You counted one layer. Each layer keeps keys and values of its own.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * kv_heads * d,
        ),
        Mistake(
            "You counted four bytes for each number. In half precision it is two.",
            lambda tokens, layers, kv_heads, d: 8 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "You counted pairs of words. What is kept are keys and values, one of each for a word; "
            "the scores are not kept.",
            lambda tokens, layers, kv_heads, d: 4 * tokens**2 * layers * kv_heads * d,
        ),
        Mistake(
            "This is in KiB. Asked for are bytes.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * kv_heads * d / 1024,
        ),
        Mistake(
            "You counted one head. Each head of keys has vectors of its own.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * d,
        ),
    ),
    alternatives=(
        lambda tokens, layers, kv_heads, d: 4.0 * tokens * layers * kv_heads * d,
        lambda tokens, layers, kv_heads, d: cache_bytes(
            tokens, layers=layers, n_kv_heads=kv_heads, d=d
        ),
        lambda tokens, layers, kv_heads, d: sum(
            2 * 2 * kv_heads * d for _ in range(layers) for _ in range(tokens)
        ),
        lambda tokens, layers, kv_heads, d: np.prod([4, tokens, layers, kv_heads, d]),
    ),
    hints=(
        "For one word in one layer: how many vectors are kept, and how wide is each?",
        "A key and a value for each word, layer and head of keys; d numbers each; two bytes a "
        "number.",
        "return 2 * tokens * layers * ... * d * ...",
    ),
    minutes=2,
    stars=1,
    depth=True,
)
