"""Other ways to write `attention`, and slips that take more than a line."""

import numpy as np

from course_lib.chapters.dot_product.exercises.dot import dot
from course_lib.kernels.softmax import softmax


def attention_with_loops(q, k, v):
    """Right, with a call of `dot` for each pair."""
    output = []
    for query in q:
        weights = softmax(np.array([dot(query, key) for key in k]))
        output.append(sum(w * value for w, value in zip(weights, v, strict=True)))
    return output


def dot_at_once(a, b):
    """The learner's own `dot`, which numpy stops at tables of different sizes."""
    return (a * b).sum()


def with_tables(one_number, turned=False, turned_queries=False):
    """Hands both tables to a function of two vectors."""

    def wrong(q, k, v):
        keys = k.T if turned else k
        scores = one_number(q.T if turned_queries else q, keys)
        weights = softmax(scores)
        return weights @ v

    return wrong


def all_queries_at_once(one_number):
    """Takes the table of queries for one vector."""

    def wrong(q, k, v):
        scores = np.array([one_number(q, key) for key in k])
        weights = softmax(scores)
        return weights @ v

    return wrong


def by_their_sum(**along):
    """Makes weights by a division alone: by the sum of a row, of a column or of the table."""

    def wrong(q, k, v):
        scores = q @ k.T
        weights = scores / scores.sum(**along)
        return weights @ v

    return wrong


def as_many_rows_as_values(q, k, v):
    """Makes room for the output by the shape of v."""
    output = np.zeros_like(v)
    for i, row in enumerate(softmax(q @ k.T)):
        output[i] = row @ v
    return output


def of_the_best_key(q, k, v):
    """Takes one value for each query, in a list."""
    scores = q @ k.T
    return np.array([v[row.argmax()] for row in scores])
