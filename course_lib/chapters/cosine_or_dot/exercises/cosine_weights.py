"""Exercise `cosine_weights`: the weights of attention, if only directions counted."""

import numpy as np

from course_lib.chapters.cosine_or_dot.exercises.unit_rows import unit_rows
from course_lib.judging.exercise import Exercise, Mistake, Property, Refused, inputs
from course_lib.kernels import vectors
from course_lib.kernels.softmax import softmax

MOST = np.exp(2)  # how many times the weight of one key another can get: cosines are 2 apart


def cosine_weights(q, k):
    """The weights that each query gives to the keys, if only directions count.

    q: (t, d), t queries   k: (s, d), s keys   returns: (t, s), each row adds up to 1
    """
    # SOLUTION
    scores = unit_rows(q) @ unit_rows(k).T
    return softmax(scores)
    # STUB
    # scores = ...
    # return ...  # your code here
    # END SOLUTION


def _lengths(x):
    """The lengths of the rows, standing as a column."""
    return np.linalg.norm(x, axis=1, keepdims=True)


def _cosines(q, k):
    return vectors.pairwise_cosines(q, k)


def _with_loops(q, k):
    weights = []
    for query in q:
        grown = [float(np.exp(vectors.cosine(query, key))) for key in k]
        weights.append([one / sum(grown) for one in grown])
    return weights


def _row_by_row(q, k):
    weights = np.zeros((len(q), len(k)))
    for i, query in enumerate(q):
        weights[i] = softmax(k @ query / (np.linalg.norm(query) * np.linalg.norm(k, axis=1)))
    return weights


def _divided_afterwards(q, k):
    grown = np.exp((q @ k.T) / _lengths(q) / _lengths(k).T)
    return grown / grown.sum(axis=1, keepdims=True)


def _adds_up(got, case) -> bool:
    rows = np.asarray(got["output"], dtype=float)
    return rows.ndim == 2 and bool(np.allclose(rows.sum(axis=1), 1, atol=1e-4))


def _none_is_far_ahead(got, case) -> bool:
    rows = np.asarray(got["output"], dtype=float)
    if rows.shape != (len(case.args[0]), len(case.args[1])):
        return True  # the shape is the symptom then
    return bool((rows.max(axis=1) <= rows.min(axis=1) * MOST + 1e-6).all())


COSINE_WEIGHTS = Exercise(
    answer=cosine_weights,
    cases=(
        lambda rng: inputs(np.array([[2.0, 0.0]]), np.array([[3.0, 0.0], [0.0, 5.0]])),
        lambda rng: inputs(
            np.array([[2.0, 0.0], [3.0, 4.0]]), np.array([[3.0, 0.0], [0.0, 5.0], [-1.0, 0.0]])
        ),
        lambda rng: inputs(
            rng.normal(size=(3, 3)) * np.array([[0.5], [1.0], [2.0]]), rng.normal(size=(3, 3))
        ),
        lambda rng: inputs(
            rng.integers(1, 4, size=(2, 5)),
            rng.integers(-3, 4, size=(3, 5)) + np.eye(3, 5, dtype=int) * 5,
        ),
        lambda rng: inputs(
            2 * rng.normal(size=(5, 3)), rng.normal(size=(7, 3)) * np.linspace(0.2, 2, 7)[:, None]
        ),
    ),
    properties=(
        Property("Each row of weights adds up to 1.", _adds_up),
        Property(
            "Cosines are at most 2 apart, and each 1 more gets 2.72 times as much. So no key gets "
            "more than 2.72 · 2.72 = 7.4 times as much as another.",
            _none_is_far_ahead,
        ),
    ),
    mistakes=(
        Mistake(
            "You divided the keys only. For a search that was enough, because a longer question "
            "changes no order. Here a longer query still pulls the scores of its row apart, and "
            "the softmax makes weights of how far they are apart.",
            lambda q, k: softmax(q @ unit_rows(k).T),
        ),
        Mistake(
            "You divided the queries only. A long key still shouts: its length multiplies its "
            "scores.",
            lambda q, k: softmax(unit_rows(q) @ k.T),
        ),
        Mistake(
            "search gives places, and the softmax took them for scores. Compute the cosines "
            "themselves, with unit_rows and @.",
            lambda q, k: softmax(np.argsort(-_cosines(q, k), axis=1)),
        ),
        Mistake(
            "These are the weights by dot product. The lengths of queries and keys still count in "
            "them.",
            lambda q, k: softmax(q @ k.T),
        ),
        Mistake(
            "These are the cosines. The softmax makes weights of them, row by row.",
            _cosines,
        ),
        Mistake(
            "You returned the dot products. Cosines come first, and then the softmax of each row.",
            lambda q, k: q @ k.T,
        ),
        Mistake(
            "You divided the cosines by the sum of their row. A key at 90 degrees then gets 0, "
            "and one that points away less than 0. The softmax makes all weights positive.",
            lambda q, k: _cosines(q, k) / _cosines(q, k).sum(axis=1, keepdims=True),
        ),
        Mistake(
            "You took e to the power of each cosine, and the division is missing: a row should add "
            "up to 1. softmax does both.",
            lambda q, k: np.exp(_cosines(q, k)),
        ),
        Mistake(
            "The whole table adds up to 1. Each row belongs to a query and should add up to 1 by "
            "itself.",
            lambda q, k: np.exp(_cosines(q, k)) / np.exp(_cosines(q, k)).sum(),
            also=(lambda q, k: softmax(_cosines(q, k).reshape(1, -1)).reshape(len(q), len(k)),),
        ),
        Mistake(
            "The softmax ran down the columns. Each row belongs to a query and should add up to 1.",
            lambda q, k: softmax(_cosines(q, k), axis=0),
        ),
        Mistake(
            "q and k have changed places: a row should belong to a query, and here it belongs to a "
            "key.",
            lambda q, k: softmax(_cosines(k, q)),
        ),
        Mistake(
            "Your table lies on its side. A row should belong to a query.",
            lambda q, k: cosine_weights(q, k).T,
        ),
        Mistake(
            "You normalised the rows of the table of scores. Normalise q and k before they meet.",
            lambda q, k: softmax(unit_rows(q @ k.T)),
        ),
        Mistake(
            "You normalised the rows of the table of scores. Normalise q and k before they meet, "
            "and let the softmax make the weights.",
            lambda q, k: unit_rows(q @ k.T),
        ),
        Mistake(
            "These cosines are right. But then unit_rows made each row of the table 1 long. Give "
            "the softmax the cosines as they are.",
            lambda q, k: softmax(unit_rows(_cosines(q, k))),
        ),
        Mistake(
            "These cosines are right. But unit_rows makes each row of the table 1 long, and a row "
            "of weights should add up to 1. The softmax makes weights of the cosines.",
            lambda q, k: unit_rows(_cosines(q, k)),
        ),
        Mistake(
            "Cosines and softmax are right. But unit_rows then made each row of weights 1 long, "
            "and it should add up to 1, as it did before. The softmax comes last.",
            lambda q, k: unit_rows(softmax(_cosines(q, k))),
        ),
        Mistake(
            "You took the softmax first and brought the weights to length 1. Divide q and k before "
            "they meet, and take the softmax last.",
            lambda q, k: unit_rows(softmax(q @ k.T)),
        ),
        Mistake(
            "You divided the weights by the lengths. The softmax comes last: divide q and k before "
            "they meet.",
            lambda q, k: softmax(q @ k.T) / (_lengths(q) * _lengths(k).T),
        ),
        Mistake(
            "The softmax of q and of k is no vector of length 1. unit_rows makes unit vectors, and "
            "the softmax comes once, at the end.",
            lambda q, k: softmax(softmax(q) @ softmax(k).T),
            also=(lambda q, k: softmax(q) @ softmax(k).T,),
        ),
        Mistake(
            "You divided all queries by one length, and all keys by one. Each row has a length of "
            "its own.",
            lambda q, k: softmax((q / np.linalg.norm(q)) @ (k / np.linalg.norm(k)).T),
        ),
        Mistake(
            "You divided by the root of the width, as a real model does (chapter 3). That is one "
            "number for all. The length of each vector still counts.",
            lambda q, k: softmax(q @ k.T / np.sqrt(q.shape[1])),
        ),
        Mistake(
            "You took the sizes of the cosines. A key that points the opposite way should get the "
            "least.",
            lambda q, k: softmax(np.abs(_cosines(q, k))),
        ),
        Mistake(
            "You gave everything to the key with the largest cosine. A softmax gives each key its "
            "share.",
            lambda q, k: np.eye(len(k))[_cosines(q, k).argmax(axis=1)],
        ),
        Mistake(
            "The bracket of softmax closes too early: it made weights of the numbers of each "
            "query. The softmax takes the whole table of cosines.",
            lambda q, k: softmax(unit_rows(q)) @ unit_rows(k).T,
        ),
        Mistake(
            "* multiplies entry by entry. Each query meets each key: unit_rows(q) @ "
            "unit_rows(k).T.",
            lambda q, k: softmax(unit_rows(q) * unit_rows(k)),
        ),
        Mistake(
            "cosine compares the first query with the first key, the second with the second, and "
            "so on. Here each query meets each key: a table of dot products of unit vectors.",
            lambda q, k: softmax(vectors.cosine(q, k)),
        ),
        Mistake(
            "You divided by the squared lengths. The length is the root of the sum of squares.",
            lambda q, k: softmax(q @ k.T / (_lengths(q) ** 2 * (_lengths(k) ** 2).T)),
        ),
    ),
    alternatives=(
        _with_loops,
        _row_by_row,
        _divided_afterwards,
        lambda q, k: softmax(vectors.pairwise_cosines(q, k)),
        lambda q, k: softmax(q @ k.T / np.outer(_lengths(q), _lengths(k))),
        lambda q, k: softmax(unit_rows(q) @ unit_rows(k).T).tolist(),
        lambda q, k: softmax(np.einsum("td,sd->ts", unit_rows(q), unit_rows(k))).astype(np.float32),
        lambda q, k: [softmax(unit_rows(k) @ one) for one in unit_rows(q)],
    ),
    refused=(
        Refused(lambda q, k: softmax(2 * _cosines(q, k))),
        Refused(lambda q, k: softmax(_cosines(q, k)).round(2)),
    ),
    hints=(
        "What can the length of a key do to its own weight? And what can the length of a query do "
        "to the weights of its whole row?",
        "The dot product of two unit vectors is their cosine. One tool of yours makes unit vectors "
        "of rows. And what makes weights of a row of scores?",
        "scores = unit_rows(...) @ unit_rows(...).T, and the last line is the softmax of scores.",
    ),
    reward=(
        "These will be the pale bars of the next picture. In a search, one division was enough: "
        "only the order counts there. A softmax looks at how far the scores lie apart."
    ),
    minutes=2,
    stars=1,
    unfolded=True,  # the symptom is a bound, and names no cause
)
