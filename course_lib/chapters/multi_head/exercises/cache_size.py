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
        lambda rng: inputs(8192, 80, 8, 128),
        lambda rng: inputs(1, 1, 1, 1),
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
            "This is twice as much as it takes. A word has a key and a value, each number of them "
            "two bytes: 2 times 2.",
            lambda tokens, layers, kv_heads, d: 8 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "You counted pairs of words. What is kept are keys and values, one of each for a word; "
            "the scores are not kept.",
            lambda tokens, layers, kv_heads, d: 4 * tokens**2 * layers * kv_heads * d,
        ),
        Mistake(
            "You counted vectors. Each of them has d numbers.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * kv_heads,
        ),
        Mistake(
            "You counted three vectors for a word. Keys and values are kept; a query is needed "
            "once, when its word comes.",
            lambda tokens, layers, kv_heads, d: 6 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "This is in bits. Asked for are bytes; one is 8 bits.",
            lambda tokens, layers, kv_heads, d: 32 * tokens * layers * kv_heads * d,
        ),
        Mistake(
            "You divided the width among the heads. d is the width of one head.",
            lambda tokens, layers, kv_heads, d: 4 * tokens * layers * kv_heads * (d // kv_heads),
        ),
        Mistake(
            "Numbers are squared here. Two bytes are a factor of 2.",
            lambda tokens, layers, kv_heads, d: (tokens * layers * kv_heads * d) ** 2,
        ),
        Mistake(
            "You counted one word. Keys and values of all words are kept.",
            lambda tokens, layers, kv_heads, d: 4 * layers * kv_heads * d,
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
