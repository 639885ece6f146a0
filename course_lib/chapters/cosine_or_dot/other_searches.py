"""Other right ways to do what the exercise `search` asks for."""

import numpy as np

from course_lib.chapters.cosine_or_dot.exercises.cosine_matrix import cosine_matrix
from course_lib.chapters.cosine_or_dot.exercises.unit_rows import unit_rows
from course_lib.kernels import vectors


def search_with_loops(stored, questions, how_many):
    """Each question compared with each stored vector, one after the other."""
    found = []
    for question in questions:
        cosines = [float(vectors.cosine(question, one)) for one in stored]
        found.append(sorted(range(len(stored)), key=lambda i: -cosines[i])[:how_many])
    return found


def search_by_partition(stored, questions, how_many):
    """The best ones picked out first, and only these sorted."""
    cosines = cosine_matrix(questions, stored)
    some = np.argpartition(-cosines, how_many - 1, axis=1)[:, :how_many]
    order = np.argsort(-np.take_along_axis(cosines, some, axis=1), axis=1)
    return np.take_along_axis(some, order, axis=1)


def nearest_directions(stored, questions, how_many):
    """By the distance of unit vectors, which sorts as the cosine does."""
    apart = ((unit_rows(questions)[:, None] - unit_rows(stored)) ** 2).sum(axis=-1)
    return np.argsort(apart, axis=1)[:, :how_many]
