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


STOPS_SHORT = (
    "These two lie on one line, up to rounding, so the angle is 0 or pi. Yours stops short of it. "
    "Is there a number added below the line, a limit short of 1, or a rounding?"
)

NEARLY = "That is close, and not all of its digits are right. Is something rounded on the way?"

THE_OTHER_WAY = (
    "These two point in opposite directions: the angle is pi, half a turn. Yours is 0, as if they "
    "pointed the same way."
)


def _is_the_angle(got, want, case) -> bool | str:
    """Accepts 2e-7 radians, a tenth of what a cosine of 1 - 2e-14 gives; says what it is not."""
    came, wanted = np.asarray(got["output"], dtype=float), float(want["output"])
    if came.shape == () and abs(plain_cosine(*case.args)) > 1 - 1e-13:
        if np.isnan(came):
            return ABOVE_ONE
        if 2e-7 < abs(came - wanted) < 0.1:
            return STOPS_SHORT
        if wanted > 3 and abs(came) < 0.1:
            return THE_OTHER_WAY
        return bool(abs(came - wanted) < 2e-7)
    near = came.shape == () and 2e-7 < abs(came - wanted) < 1e-5
    return NEARLY if near else close(absolute=2e-7)(got, want, case)


def _turned_by(turn):
    """A factory of two vectors with this angle, in a random plane."""

    def case(rng):
        along, across = np.linalg.qr(rng.normal(size=(5, 2)))[0].T
        return inputs(3 * along, 2 * (np.cos(turn) * along + np.sin(turn) * across))

    return case


ANGLE = Exercise(
    answer=angle,
    cases=(
        lambda rng: inputs(np.array([3.0, 4.0]), np.array([4.0, 3.0])),
        lambda rng: inputs(np.array([1.0, 0.0]), np.array([-1.0, 2.0])),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
        *(_parallel(cosine) for cosine in COSINES),
        *(_parallel(cosine, sign=-1) for cosine in COSINES[:4]),
        lambda rng: inputs(np.array([3, 4, 0]), np.array([-4, 3, 2])),
        lambda rng: inputs(np.array([1, 2, 2]), np.array([2, 4, 4])),
        lambda rng: inputs(np.array([1, 0]), np.array([-3, 0])),
        _turned_by(1e-3),
        _turned_by(np.pi - 1e-3),
        lambda rng: inputs(1e-3 * rng.normal(size=7), 1e-3 * rng.normal(size=7)),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
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
        Mistake(
            STOPS_SHORT, lambda a, b: np.arccos(np.clip(plain_cosine(a, b), -0.999999, 0.999999))
        ),
        Mistake(THE_OTHER_WAY, lambda a, b: np.nan_to_num(_unclipped(plain_cosine)(a, b))),
        Mistake(
            "Where the angle is above 90 degrees, yours is pi minus it. A negative cosine must "
            "stay negative: abs loses the sign, and arcsin cannot tell the two angles apart.",
            lambda a, b: _clipped(lambda a, b: abs(plain_cosine(a, b)))(a, b),
        ),
        Mistake(
            "From left to right, the second / or * decides: a @ b / |a| * |b| multiplies by |b|. "
            "Put the product of the lengths into brackets.",
            lambda a, b: np.arccos(np.clip(a @ b / np.linalg.norm(a) * np.linalg.norm(b), -1, 1)),
        ),
        Mistake(
            "You divided by the sum of the lengths. It takes their product.",
            lambda a, b: np.arccos(np.clip(a @ b / (np.linalg.norm(a) + np.linalg.norm(b)), -1, 1)),
        ),
        Mistake(
            "You divided by the squared lengths: the roots are missing.",
            lambda a, b: np.arccos(np.clip(a @ b / ((a @ a) * (b @ b)), -1, 1)),
        ),
        Mistake(
            "You took the cosine of the cosine. np.arccos goes back from a cosine to its angle.",
            lambda a, b: np.cos(np.clip(plain_cosine(a, b), -1, 1)),
        ),
        Mistake(
            "arccos undoes the cosine; it is not 1 divided by a cosine.",
            lambda a, b: 1 / np.cos(plain_cosine(a, b)),
        ),
        Mistake(
            "np.arcsin turns a sine into an angle. What you have is a cosine: np.arccos.",
            lambda a, b: np.arcsin(np.clip(plain_cosine(a, b), -1, 1)),
        ),
        Mistake(
            "That is the distance between the two directions, straight across. The angle is the "
            "way along the circle, and longer.",
            lambda a, b: np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b)),
        ),
        Mistake(
            "The angles from the first axis are made of the first two entries only, and their "
            "difference may be negative. Vectors may be wider.",
            lambda a, b: np.arctan2(b[1], b[0]) - np.arctan2(a[1], a[0]),
        ),
        Mistake(
            "You divided by pi. An angle in radians runs from 0 to pi itself.",
            lambda a, b: _clipped(plain_cosine)(a, b) / np.pi,
        ),
        Mistake(
            "That is twice the angle.",
            lambda a, b: 2 * _clipped(plain_cosine)(a, b),
        ),
        Mistake(
            "That is half of the angle.",
            lambda a, b: _clipped(plain_cosine)(a, b) / 2,
        ),
        Mistake(
            "np.arctan turns a slope into an angle. What you have is a cosine: np.arccos.",
            lambda a, b: np.arctan(np.clip(plain_cosine(a, b), -1, 1)),
        ),
        Mistake(
            "The products are not added up: there is an angle for each entry. The two vectors "
            "have one.",
            lambda a, b: np.arccos(np.clip(a * b / (np.linalg.norm(a) * np.linalg.norm(b)), -1, 1)),
        ),
        Mistake(
            "The lengths say nothing about the angle. It takes the dot product.",
            lambda a, b: np.arctan2(np.linalg.norm(a), np.linalg.norm(b)),
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
