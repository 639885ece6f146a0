"""Exercise `projection_length`: how far one vector reaches along another, with its sign."""

import numpy as np

from course_lib.chapters.dot_product.exercises.dot import dot
from course_lib.judging.exercise import Exercise, Mistake, inputs
from course_lib.kernels import vectors


def projection_length(b, onto):
    """How far b reaches along the direction of onto; negative when it points against it.

    b: (d,)   onto: (d,)   returns: one number
    """
    # SOLUTION
    return dot(b, onto) / np.sqrt(dot(onto, onto))
    # END SOLUTION


PROJECTION_LENGTH = Exercise(
    answer=projection_length,
    cases=(
        lambda rng: inputs(np.array([3.0, 3.0]), np.array([4.0, 0.0])),
        lambda rng: inputs(np.array([-1.0, 2.0]), np.array([3.0, 0.0])),
        lambda rng: inputs(rng.normal(size=5), rng.normal(size=5)),
        lambda rng: inputs(rng.normal(size=3), rng.normal(size=3)),
    ),
    mistakes=(
        Mistake(
            "You returned the dot product. Divide it by the length of onto, and the reach of b "
            "is left.",
            lambda b, onto: b @ onto,
        ),
        Mistake(
            "You divided by the length of b. The reach of b keeps b's length; it is onto whose "
            "length must not count.",
            lambda b, onto: b @ onto / np.linalg.norm(b),
        ),
        Mistake(
            "The sign is lost. A vector that points against onto has a negative reach.",
            lambda b, onto: abs(b @ onto) / np.linalg.norm(onto),
        ),
        Mistake(
            "You divided by the squared length: that is how many times onto fits, not how far b "
            "reaches.",
            lambda b, onto: b @ onto / (onto @ onto),
        ),
        Mistake(
            "You returned the projected vector; asked for is its signed length, one number.",
            lambda b, onto: vectors.projection(b, onto),
        ),
    ),
    alternatives=(
        lambda b, onto: b @ (onto / np.linalg.norm(onto)),
        lambda b, onto: np.linalg.norm(b) * vectors.cosine(b, onto),
        lambda b, onto: sum(x * y for x, y in zip(b, onto, strict=True)) / sum(onto**2) ** 0.5,
        lambda b, onto: np.float32(b @ onto / np.linalg.norm(onto)),
    ),
    hints=(
        "The reach of b along onto is |b| cos(angle). Which part of |b| |onto| cos(angle) is too "
        "much?",
        "Divide the dot product by the length of onto; the length is the root of dot(onto, onto).",
        "return dot(b, onto) / ...",
    ),
    minutes=4,
    stars=1,
    depth=True,
)
