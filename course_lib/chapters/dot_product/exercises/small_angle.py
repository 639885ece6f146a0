"""Exercise `small_angle`: the angle between two vectors, with its digits kept however small."""

import numpy as np

from course_lib.chapters.dot_product.exercises.angle import plain_cosine
from course_lib.judging.exercise import Exercise, Mistake, Refused, inputs
from course_lib.kernels import vectors


def small_angle(a, b):
    """The angle between two vectors, with its digits kept however small it is.

    a: (d,)   b: (d,)   returns: one number, in radians
    """
    u, v = a / np.linalg.norm(a), b / np.linalg.norm(b)
    # SOLUTION
    return 2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))
    # END SOLUTION


def _turned(turn, rng, d):
    """A vector, and the same turned by a known angle in a random plane."""
    along = vectors.normalize(rng.normal(size=d))
    across = rng.normal(size=d)
    across = vectors.normalize(across - vectors.projection(across, along))
    a, b = rng.uniform(1, 2), rng.uniform(1, 2)
    return inputs(a * along, b * (np.cos(turn) * along + np.sin(turn) * across))


def _diagonals(a, b):
    u, v = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return u - v, u + v


def _apart(a, b):
    """The distance of the two directions."""
    return np.linalg.norm(_diagonals(a, b)[0])


def _diagonals_exchanged(a, b):
    short, long = map(np.linalg.norm, _diagonals(a, b))
    return 2 * np.arctan2(long, short)


def _by_the_two_parts(a, b):
    """From the part of b along a, and the part across it."""
    along = (a @ b) / np.linalg.norm(a)
    return np.arctan2(np.linalg.norm(b - (a @ b) / (a @ a) * a), along)


DIGITS = (
    "That is close, and not all of its digits are kept. Is something added on the way, or rounded?"
)


def _keeps_its_digits(got, want, case) -> bool | str:
    """Accepts 8 digits, and what the rounding of the inputs costs; says where some are lost."""
    came, wanted = np.asarray(got["output"]), float(want["output"])
    if came.shape != () or not np.isfinite(came):
        return False
    relative = 1e-8 if came.dtype == np.float64 else 1e-6
    apart = abs(float(came) - wanted)
    if apart <= relative * wanted + 3e-15:
        return True
    told_apart = wanted < 1e-6 or wanted > 0.5  # in between, other mistakes come as close
    return DIGITS if told_apart and apart < 5e-4 * wanted else False


SMALL_ANGLE = Exercise(
    answer=small_angle,
    cases=(
        lambda rng: _turned(1.0, rng, d=2),
        lambda rng: _turned(1.37e-9, rng, d=3),
        lambda rng: _turned(2.6e-8, rng, d=5),
        lambda rng: _turned(2.5, rng, d=3),
        lambda rng: _turned(2.0, rng, d=2),
        lambda rng: inputs(np.array([3, 4]), np.array([4, 3])),
        lambda rng: _turned(1.7e-5, rng, d=7),
        lambda rng: _turned(3.3e-3, rng, d=3),
        lambda rng: inputs(np.array([1, 0, 0]), np.array([0, 2, 0])),
        lambda rng: _turned(3.0, rng, d=5),
    ),
    accept=_keeps_its_digits,
    mistakes=(
        Mistake(
            "Near 0 the cosine is 1 minus half the square of the angle; for 1e-9 that is 1 minus "
            "5e-19, and float64 rounds it to 1. No arccos can bring the angle back.",
            lambda a, b: np.arccos(np.clip(plain_cosine(a, b), -1, 1)),
        ),
        Mistake(
            "That is the length of the chord between the two directions. It is close to a small "
            "angle and too short for a large one.",
            lambda a, b: np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b)),
        ),
        Mistake(
            "This is half of the angle: the chord and the diagonal of the two directions meet at "
            "half of it. Double it.",
            lambda a, b: small_angle(a, b) / 2,
        ),
        Mistake(
            "arctan2 of the entries measures in the plane of the first two axes only, and counts "
            "turns to the right as negative. Vectors may lie in any plane.",
            lambda a, b: np.arctan2(b[1], b[0]) - np.arctan2(a[1], a[0]),
        ),
        Mistake(
            "The lengths of a and b still count. Bring both to length 1 before you subtract.",
            lambda a, b: 2 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b)),
        ),
        Mistake(
            DIGITS,
            lambda a, b: 2 * np.arctan(np.tan(small_angle(a, b) / 2) / (1 + 1e-4)),
            also=(
                lambda a, b: 2 * np.arctan(np.tan(small_angle(a, b) / 2) / (1 + 1e-6)),
                lambda a, b: small_angle(a, b) + 1e-13,
            ),
        ),
        Mistake(
            "That is what is missing to pi: the two diagonals have changed places. arctan2(y, x) "
            "is small where y is; u - v is the short one for a small angle.",
            lambda a, b: np.pi - small_angle(a, b),
            also=(_diagonals_exchanged,),
        ),
        Mistake(
            "You took the arcsine of the whole distance |u - v|. Half of it lies opposite to half "
            "of the angle.",
            lambda a, b: 2 * np.arcsin(_apart(a, b)),
        ),
        Mistake(
            "You took arctan2 entry by entry. It needs the lengths of the two diagonals.",
            lambda a, b: 2 * np.arctan2(*_diagonals(a, b)),
        ),
        Mistake(
            "That is twice the ratio of the diagonals, the tangent of half the angle. np.arctan2 "
            "makes an angle of it.",
            lambda a, b: 2 * np.tan(small_angle(a, b) / 2),
        ),
        Mistake(
            "np.tan makes a ratio of an angle. You have the ratio: the way back is np.arctan2.",
            lambda a, b: 2 * np.tan(np.tan(small_angle(a, b) / 2)),
        ),
        Mistake(
            "Where the angle is above 90 degrees, yours is pi minus it: a sine cannot tell the two "
            "apart.",
            lambda a, b: np.arcsin(np.sin(small_angle(a, b))),
        ),
        Mistake(
            "You returned degrees; here an angle is in radians, from 0 to pi.",
            lambda a, b: np.degrees(small_angle(a, b)),
        ),
        Mistake(
            "That is the ratio of the diagonals, the tangent of half the angle. Make an angle of "
            "it, and double it.",
            lambda a, b: np.tan(small_angle(a, b) / 2),
        ),
        Mistake(
            "You took 2 for the length of u + v. It is nearly 2 for small angles only.",
            lambda a, b: 2 * np.arctan2(_apart(a, b), 2),
        ),
        Mistake(
            "That is twice the angle.",
            lambda a, b: 2 * small_angle(a, b),
        ),
        Mistake(
            "You compared lengths, and u and v have the same. The diagonals are the lengths of u "
            "- v and u + v.",
            lambda a, b: 0.0,
        ),
    ),
    alternatives=(
        lambda a, b: vectors.angle(a, b),
        lambda a, b: (
            2 * np.arcsin(np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b)) / 2)
        ),
        _by_the_two_parts,
    ),
    refused=(  # in the plane of the first two axes, without the sign
        Refused(lambda a, b: abs(np.arctan2(b[1], b[0]) - np.arctan2(a[1], a[0]))),
    ),
    hints=(
        "Two unit vectors u and v: how long is u - v if the angle between them is tiny?",
        "Draw the rhombus of u and v. Its diagonals u - v and u + v are perpendicular, and the "
        "tangent of half the angle is the ratio of their lengths.",
        "return 2 * np.arctan2(np.linalg.norm(u - v), ...)",
    ),
    minutes=10,
    stars=3,
    depth=True,
)
