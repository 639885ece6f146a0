"""A room of queries in chapter 2, and how many of them one long key wins.

share_won_by_key_0(keys, queries, length=100)   # from 0 to 1
"""

import numpy as np


def share_won_by_key_0(keys: np.ndarray, queries: np.ndarray, length: float) -> float:
    """The share of the queries whose largest dot product is with key 0, made `length` long.

    Shapes: keys (s, d), each of length 1, queries (t, d) -> one number from 0 to 1
    """
    its_scores = queries @ (length * keys[0])
    best_of_others = (queries @ keys[1:].T).max(axis=1)
    return float((its_scores > best_of_others).mean())
