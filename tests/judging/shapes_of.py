"""What the tests of shapes share."""

import numpy as np
import torch
from numpy.linalg import norm

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise, inputs

N, D, S, E = 3, 4, 5, 2  # queries, width of q and k, keys, width of v


def table(q, k):
    return q @ k.T


def mixed(weights, v):
    return weights @ v


def heads(q, k):
    return q @ k.mT


SHAPES = {
    "table": ((N, D), (S, D)),
    "mixed": ((N, S), (S, E)),
    "heads": ((2, 3, 5, 7), (2, 3, 11, 7)),
}


def exercise_on(answer, of_torch):
    def case(rng):
        arrays = [rng.normal(size=shape) for shape in SHAPES[answer.__name__]]
        return inputs(*map(torch.tensor, arrays)) if of_torch else inputs(*arrays)

    return Exercise(answer=answer, cases=(case,))


def told(answer, wrong, of_torch=False):
    """The sentence, and what is folded."""
    verdict = verdict_on(exercise_on(answer, of_torch), wrong)
    assert verdict.state == "wrong"
    return verdict.symptom, verdict.diagnosis


def in_a_loop(q, k):
    return np.array([[q[i] @ k[i] for i in range(len(k))] for _ in q])


def forgotten_axis(q, k):
    scores = q @ k.T
    scores -= scores.max(axis=-1)
    return scores


def unpacks(q, k):
    b, n, d = q.shape
    return q @ k.T + b + n + d


def fills(q, k):
    out = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        out[i] = q @ q[i]
    return out


def adds_up(q, k):
    out = np.zeros(len(k))
    out += q @ k.T
    return out


# The answer, what is typed, words of the sentence, words of what is folded.
NUMPY = [
    (mixed, lambda weights, v: weights * v, "`weights` has shape (3, 5) and `v` has shape (5, 2)",
     "`weights @ v`"),
    (mixed, lambda weights, v: weights @ v.T, "a row of the first (5 numbers) must be as long as a "
     "column of the second (2)", "`v.T` is turned: as `v` it has shape (5, 2)"),
    (mixed, lambda weights, v: v @ weights, "a row of the first (2 numbers) must be as long as a "
     "column of the second (3)", "`weights @ v` gives an array of shape (3, 2)"),
    (mixed, lambda weights, v: weights.T @ v, "`weights.T` has shape (5, 3)",
     "`weights.T` is turned: as `weights` it has shape (3, 5)"),
    (table, lambda q, k: q @ k, "a row of the first (4 numbers) must be as long as a column of the "
     "second (5)",
     "`k.T` has shape (4, 5)"),
    (table, lambda q, k: q.T @ k, "`q.T` has shape (4, 3) and `k` has shape (5, 4)",
     "`q @ k.T`"),
    (table, lambda q, k: q @ k.transpose(0, 1), "`k.transpose(0, 1)` has shape (5, 4)",
     "leaves every axis where it is"),
    (table, lambda q, k: np.matmul(q, k), "for `matmul`", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: np.dot(q, k), "for `dot`", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: q.dot(k), "`q.dot(k)`", "`k.T` has shape (4, 5)"),
    (table, lambda q, k: np.inner(q, k.T), "last sizes of both must be equal, not 4 and 5",
     "`k.T` is turned"),
    (table, lambda q, k: q * k, "at axis -2 they are 3 and 5", "`q @ k.T`"),
    (table, lambda q, k: q / norm(q, axis=-1) @ k.T, "`norm(q, axis=-1)` has shape (3,)",
     "with shape (3, 1), it fits"),
    (table, lambda q, k: (q @ k.T) / (norm(q, axis=-1) * norm(k, axis=-1)),
     "`norm(q, axis=-1)` has shape (3,) and `norm(k, axis=-1)` has shape (5,)",
     "`norm(q, axis=-1)[:, None] * norm(k, axis=-1)` has shape (3, 5)"),
    (table, lambda q, k: q @ k.T / q.sum(axis=1), "in the last place they are 5 and 3",
     "`q.sum(axis=1)[:, None]`"),
    (table, lambda q, k: np.exp(q @ k.T).sum(axis=2), "there is no axis 2", ""),
    (table, lambda q, k: norm(q, axis=2), "`q` has shape (3, 4); its axes are 0 and 1", ""),
    (table, lambda q, k: np.einsum("td,ds->ts", q, k), "letter `d` would be 4 in the one and 5",
     ""),
    (table, lambda q, k: np.einsum("btd,sd->ts", q, k), "`btd` are 3 letters", ""),
    (table, lambda q, k: q.reshape(5, 4) @ k.T, "these are 12 numbers, and the new shape (5, 4) "
     "has 20 places", ""),
    (table, lambda q, k: q.reshape(5, -1) @ k.T, "12 cannot be divided by the 5", ""),
    (table, lambda q, k: np.concatenate([q, k], axis=1), "along axis 1",
     "Along axis 0 `concatenate` fits"),
    (table, lambda q, k: np.stack([q, k]), "of one and the same shape", ""),
    (table, in_a_loop, "along axis 0 its places are 0 to 2 (from the end, -1 to -3); there is no "
     "place 3", ""),
    (table, lambda q, k: q[0, 1, 2], "at most 2 indices", ""),
    (table, lambda q, k: [q[x] for x in q[0]], "`x` is no whole number (float64)", ""),
    (table, lambda q, k: [1, 2][len(k)], "`[1, 2]` has 2 parts, so its places are 0 to 1 (from the "
     "end, -1 to -2); there is no place 5", ""),
    (table, lambda q, k: max(q @ k.T, 0), "`q @ k.T` has shape (3, 5)", ""),
    (table, lambda q, k: min(q @ k.T, 0), "say `np.maximum` or `torch.maximum` (or `minimum`)", ""),
    (table, lambda q, k: float(q @ k.T), "`float` takes a single number", ""),
    (table, lambda q, k: q @ k.T if q > 0 else k, "neither true nor false", ""),
    (table, forgotten_axis, "`scores.max(axis=-1)` has shape (3,)",
     "`scores.max(axis=-1)[:, None]`, with shape (3, 1)"),
    (table, unpacks, "its shape has 2 sizes, and 3 names", ""),
    (table, fills, "`out[i]` has shape (5,) and `q @ q[i]` has shape (3,)", ""),
    (table, adds_up, "the result would have shape (3, 5)", ""),
    (table, lambda q, k: q @ 2, "`*` multiplies by a single number", ""),
    (table, lambda q, k: np.where(q > 0, q, k), "at axis -2 they are 3 and 5",
     ""),
    (heads, lambda q, k: q @ k.T, "`k.T` has shape (7, 11, 3, 2)", "`k.mT` does"),
    (heads, lambda q, k: q.transpose(1, 2) @ k, "all 4 axes are to be named", ""),
]  # fmt: skip
