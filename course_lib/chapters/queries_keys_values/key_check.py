"""Print: a vector that a learner has computed as the key of a word, and whether it is the key."""

import numpy as np

from course_lib.chapters.queries_keys_values.one_query import listed
from course_lib.words import say


def verdict_on_key(key, x, w_q, w_k, w_v) -> str:
    """Whether `key` is x @ w_k, or else what it is.

    key: what was computed.   x: (n,), the row of the word.   w_q, w_k, w_v: (n, d) each.
    """
    found, row = np.asarray(key, dtype=float), np.asarray(x, dtype=float)
    for matrix, says in (
        (w_k, say("✓ this is its key")),
        (w_q, say("not yet: this is its query, made with w_q")),
        (w_v, say("not yet: this is its value, made with w_v")),
    ):
        made = row @ np.asarray(matrix, dtype=float)
        if found.shape == made.shape and np.allclose(found, made):
            return says
    if found.ndim == 2:
        return say("not yet: there are several rows, so take the row of this word alone, x[2]")
    if not found.any():
        return say("the zeros still stand there")
    return say("not yet: its row of x, times the matrix that says what words offer")


def check_key(word: str, key, x, w_q, w_k, w_v) -> None:
    """Print a vector that was computed as the key of a word, and whether it is the key.

    key: what was computed.   x: (n,), the row of the word.   w_q, w_k, w_v: (n, d) each.
    """
    rows = np.atleast_2d(np.asarray(key, dtype=float))
    print(
        say("the key of {word}:", word=word),
        f"{', '.join(listed(row) for row in rows)}:",
        verdict_on_key(key, x, w_q, w_k, w_v),
    )
