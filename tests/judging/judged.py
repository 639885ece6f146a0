"""What the tests of judge share."""

import numpy as np

from course_lib.judging.exercise import Exercise, Mistake, inputs


def table(q, k):
    return q @ k.T


TABLE = Exercise(
    answer=table,
    cases=(
        lambda rng: inputs(rng.normal(size=(5, 3)), rng.normal(size=(7, 3))),
        lambda rng: inputs(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 7.0]])),
        lambda rng: inputs(rng.normal(size=(3, 2)), rng.normal(size=(3, 2))),
    ),
    mistakes=(Mistake("You multiplied by zero.", lambda q, k: 0 * (q @ k.T)),),
)


def lambda_named(name, function):
    function.__name__ = name
    return function
