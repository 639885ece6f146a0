"""Exercise `distance_scores`: minus the squared distance of every query and every key."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, inputs


def distance_scores(q, k):
    """Minus the squared distance of every query and every key.

    q: (t, d)   k: (s, d)   returns: (t, s)
    """
    # SOLUTION
    q_squared = (q * q).sum(axis=1)[:, None]
    k_squared = (k * k).sum(axis=1)
    return 2 * q @ k.T - q_squared - k_squared
    # END SOLUTION


def _squared(rows):
    """The squared length of each row."""
    return (rows * rows).sum(axis=1)


def _distances_with_loops(q, k):
    return [[-sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for b in k] for a in q]


def _distances_by_broadcasting(q, k):
    return -((q[:, None, :] - k[None, :, :]) ** 2).sum(axis=-1)


DISTANCE_SCORES = Exercise(
    answer=distance_scores,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]),
            np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]),
        ),
        lambda rng: inputs(rng.normal(size=(2, 5)), rng.normal(size=(3, 5))),
        lambda rng: inputs(rng.normal(size=(7, 2)), rng.normal(size=(1, 2))),
        lambda rng: inputs(rng.normal(size=(3, 3)), rng.normal(size=(3, 3))),
        lambda rng: inputs(rng.integers(-4, 5, size=(5, 3)), rng.integers(-4, 5, size=(2, 3))),
        lambda rng: inputs(
            np.array([[2, 0, 0], [1, 1, 1], [0, 0, 0]]),
            np.array([[0.5, 0.0, 0.0], [1.0, 1.0, 1.0]]),
        ),
        lambda rng: inputs(rng.normal(size=(2, 5)), rng.normal(size=(3, 5))),
    ),
    mistakes=(
        Mistake(
            "The sign is turned: the largest number stands at the key that is furthest away. A "
            "score should be high for a near key.",
            lambda q, k: -distance_scores(q, k),
        ),
        Mistake(
            "The 2 is missing. The square of x - y has 2xy in its middle.",
            lambda q, k: q @ k.T - _squared(q)[:, None] - _squared(k),
        ),
        Mistake(
            "The squared lengths of the queries lie along the columns, as those of the keys do. "
            "[:, None] stands them upright, one number for each row.",
            lambda q, k: 2 * (q @ k.T) - _squared(q) - _squared(k),
        ),
        Mistake(
            "Rows and columns are swapped: the squared lengths of the queries belong to the rows, "
            "those of the keys to the columns.",
            lambda q, k: 2 * (q @ k.T) - _squared(q) - _squared(k)[:, None],
        ),
        Mistake(
            "You added up the squares of all rows. With axis=1 each row keeps its own sum.",
            lambda q, k: 2 * (q @ k.T) - _squared(q).sum() - _squared(k).sum(),
        ),
        Mistake(
            "You subtracted the lengths. The formula takes their squares.",
            lambda q, k: 2 * (q @ k.T) - np.sqrt(_squared(q))[:, None] - np.sqrt(_squared(k)),
        ),
        Mistake(
            "The squared lengths of the queries are missing. Each row has the right order without "
            "them; its numbers are not the distances yet.",
            lambda q, k: 2 * (q @ k.T) - _squared(k),
        ),
        Mistake(
            "The squared lengths of the keys are missing, so a long key wins as by dot product.",
            lambda q, k: 2 * (q @ k.T) - _squared(q)[:, None],
        ),
        Mistake(
            "You took the root: that is minus the distance. Asked for is minus its square.",
            lambda q, k: -np.sqrt(-_distances_by_broadcasting(q, k)),
        ),
        Mistake(
            "You compared row by row: query i met only key i. Every query should meet every key.",
            lambda q, k: -((q - k) ** 2).sum(axis=-1),
        ),
        Mistake(
            "Your table lies on its side: rows are keys and columns are queries. A row should "
            "belong to a query.",
            lambda q, k: distance_scores(k, q),
        ),
        Mistake(
            "You added the squared lengths. In minus the squared distance they are taken away.",
            lambda q, k: 2 * (q @ k.T) + _squared(q)[:, None] + _squared(k),
        ),
        Mistake(
            "That is the square of the dot product. Subtract first, key from query, then square.",
            lambda q, k: -((q @ k.T) ** 2),
        ),
        Mistake(
            "You added up the sizes of the differences. Square each of them before you add.",
            lambda q, k: -np.abs(q[:, None] - k).sum(axis=-1),
        ),
        Mistake(
            "That is half of it: -|q-k|² has twice the dot product, and the squared lengths whole.",
            lambda q, k: distance_scores(q, k) / 2,
        ),
        Mistake(
            "You took the mean over the d numbers. Asked for is the sum.",
            lambda q, k: distance_scores(q, k) / q.shape[1],
        ),
        Mistake(
            "You added up the differences before you squared. Then a difference of 1 and one of -1 "
            "cancel: square each by itself.",
            lambda q, k: -((q[:, None] - k).sum(axis=-1) ** 2),
        ),
        Mistake(
            "The squares of each pair are not added up: there are still d numbers for each.",
            lambda q, k: -((q[:, None] - k) ** 2),
        ),
        Mistake(
            "You added up each column. With axis=1 each row, a query or a key, gets its own sum.",
            lambda q, k: 2 * (q @ k.T) - (q**2).sum(axis=0) - (k**2).sum(axis=0),
        ),
        Mistake(
            "The transpose of k is missing: the rows of q met the columns of k.",
            lambda q, k: 2 * (q @ k) - _squared(q)[:, None] - _squared(k),
        ),
        Mistake(
            "You counted as many columns as there are queries. There is one for each key.",
            lambda q, k: np.array([[-((a - k[j]) ** 2).sum() for j in range(len(q))] for a in q]),
        ),
        Mistake(
            "That is minus the square of q + k: the vectors were added, or the dot product was "
            "taken away. The distance subtracts, and so the dot product is added.",
            lambda q, k: -((q[:, None] + k) ** 2).sum(axis=-1),
            also=(lambda q, k: -2 * (q @ k.T) - _squared(q)[:, None] - _squared(k),),
        ),
        Mistake(
            "You added up over the keys. Add up over the d numbers of each pair, the last axis.",
            lambda q, k: -((q[:, None] - k) ** 2).sum(axis=1),
        ),
        Mistake(
            "The squared lengths of the keys are added. Take them away, as those of the queries.",
            lambda q, k: 2 * (q @ k.T) - _squared(q)[:, None] + _squared(k),
        ),
        Mistake(
            "The numbers stand in one long row. Each query should have a row of its own.",
            lambda q, k: distance_scores(q, k).ravel(),
        ),
        Mistake(
            "The squares are not added up: a squared length is one number for each row.",
            lambda q, k: 2 * (q @ k.T) - q**2 - k**2,
        ),
        Mistake(
            "You turned q. A row of q should meet a row of k, so it is k that must be turned.",
            lambda q, k: 2 * (q.T @ k) - _squared(q)[:, None] - _squared(k),
        ),
    ),
    alternatives=(
        _distances_with_loops,
        _distances_by_broadcasting,
        lambda q, k: np.array([-(np.linalg.norm(query - k, axis=1) ** 2) for query in q]),
        lambda q, k: _distances_by_broadcasting(q.astype(np.float32), k.astype(np.float32)),
    ),
    hints=(
        "The formula has three parts. Which part is a number for each pair, which for each query, "
        "which for each key?",
        "(q * q).sum(axis=1) is one number for each query. It belongs to whole rows of the table: "
        "with [:, None] behind it, it stands upright, of shape (t, 1).",
        "return 2 * q @ k.T - (q * q).sum(axis=1)[:, None] - ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)
