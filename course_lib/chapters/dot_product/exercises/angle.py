"""Exercise `angle`: the angle between two vectors, also where rounding lifts the cosine above 1."""

import math

import numpy as np

from course_lib.chapters.dot_product.exercises.dot import dot, dot_with_a_loop
from course_lib.judging.accept import close
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.kernels import vectors


def angle(a, b):
    """The angle between two vectors, also where rounding lifts the cosine above 1.

    a: (d,)   b: (d,)   returns: one number, in radians
    """
    # SOLUTION
    cosine = dot(a, b) / np.sqrt(dot(a, a) * dot(b, b))
    return np.arccos(np.clip(cosine, -1, 1))
    # END SOLUTION


def plain_cosine(a, b):
    """The cosine as most write it. Not clipped: rounding may lift it above 1."""
    return (a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))


# Each rounds in its own way, so each is lifted above 1 by other pairs: a check with one pair would
# let the others pass without a clip.
COSINES = (
    plain_cosine,
    lambda a, b: (a @ b) / np.sqrt((a @ a) * (b @ b)),
    lambda a, b: (a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b)),
    lambda a, b: (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()),
    lambda a, b: (a / np.linalg.norm(a)) @ (b / np.linalg.norm(b)),
    lambda a, b: dot_with_a_loop(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)),
    lambda a, b: (a @ b) / (vectors.norm(a) * vectors.norm(b)),
    lambda a, b: (a * b).sum() / (vectors.norm(a) * vectors.norm(b)),
)


def _parallel(cosine, sign=1):
    """A factory of two vectors, parallel up to rounding, whose cosine rounds to more than 1."""

    def case(rng):
        while True:
            a = rng.normal(size=7)
            b = a * rng.uniform(0.1, 10)
            if cosine(a, b) > 1:
                return inputs(a, sign * b)

    return case


def _unclipped(cosine):
    return lambda a, b: np.arccos(cosine(a, b))


def _clipped(cosine):
    return lambda a, b: np.arccos(np.clip(cosine(a, b), -1, 1))


def _with_the_math_module(a, b):
    cosine = dot_with_a_loop(a, b) / math.sqrt(dot_with_a_loop(a, a) * dot_with_a_loop(b, b))
    return math.acos(max(-1.0, min(1.0, cosine)))


ABOVE_ONE = (
    "Rounding lifted the cosine of parallel vectors a hair above 1 (or below -1), and arccos has "
    "no answer there. Clip the cosine to [-1, 1] first."
)


def _is_the_angle(got, want, case) -> bool | str:
    """Accepts 1e-6 radians; says what made the NaN where there is one."""
    is_nan = np.shape(got["output"]) == () and np.isnan(got["output"])
    if is_nan and abs(plain_cosine(*case.args)) > 1 - 1e-9:
        return ABOVE_ONE
    return close(absolute=1e-6)(got, want, case)


ANGLE = Exercise(
    answer=angle,
    cases=(
        lambda rng: inputs(np.array([3.0, 4.0]), np.array([4.0, 3.0])),
        lambda rng: inputs(np.array([1.0, 0.0]), np.array([-1.0, 2.0])),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
        *(_parallel(cosine) for cosine in COSINES),
        _parallel(plain_cosine, sign=-1),
    ),
    accept=_is_the_angle,
    mistakes=(
        Mistake(
            ABOVE_ONE,
            _unclipped(plain_cosine),
            also=tuple(_unclipped(cosine) for cosine in COSINES[1:]),
        ),
        Mistake(
            "You returned degrees; here an angle is in radians, from 0 to pi.",
            lambda a, b: np.degrees(_clipped(plain_cosine)(a, b)),
        ),
        Mistake(
            "You returned the cosine. One step is left: np.arccos turns it into an angle.",
            lambda a, b: np.clip(plain_cosine(a, b), -1, 1),
        ),
        Mistake(
            "You clipped to [0, 1], so every angle above 90 degrees comes out as 90 degrees.",
            lambda a, b: np.arccos(np.clip(plain_cosine(a, b), 0, 1)),
        ),
        Mistake(
            "The lengths are missing: divide the dot product by both before arccos.",
            lambda a, b: np.arccos(np.clip(a @ b, -1, 1)),
        ),
        Mistake(
            "You divided by one length only. It takes both.",
            lambda a, b: np.arccos(np.clip((a @ b) / np.linalg.norm(a), -1, 1)),
        ),
    ),
    alternatives=(
        *(_clipped(cosine) for cosine in COSINES),
        _with_the_math_module,
        lambda a, b: np.arccos(min(1.0, max(-1.0, plain_cosine(a, b)))),
        lambda a, b: vectors.angle(a, b),
        _clipped(vectors.cosine),
        lambda a, b: float(np.arccos(np.clip(plain_cosine(a, b), -1.0, 1.0))),
    ),
    hints=(
        "dot = |a| |b| cos(angle). Which of these do you know, and which is asked for?",
        "First the cosine: dot(a, b) over both lengths. Rounding can push it slightly outside of "
        "[-1, 1]; np.clip(x, -1, 1) pulls it back.",
        "return np.arccos(np.clip(..., -1, 1))",
    ),
    minutes=6,
    stars=2,
    depth=True,
)
