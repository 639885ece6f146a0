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
        lambda rng: inputs(np.array([2, -1, 3, 5]), np.array([1, 2, -2, 4])),
        lambda rng: inputs(np.array([2.0, 0.0, 1.0]), np.array([0.0, 3.0, 0.0])),
        lambda rng: inputs(rng.normal(size=5), 10 * rng.normal(size=5)),
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
        Mistake(
            "You divided by both lengths: that is the cosine. The reach keeps the length of b.",
            lambda b, onto: b @ onto / (np.linalg.norm(b) * np.linalg.norm(onto)),
        ),
        Mistake(
            "You multiplied by the length of onto. Divide: a longer onto must not lengthen the "
            "reach.",
            lambda b, onto: b @ onto * np.linalg.norm(onto),
        ),
        Mistake(
            "That is the length of b itself. Turned away from onto, b reaches less far along it.",
            lambda b, onto: np.linalg.norm(b),
        ),
        Mistake(
            "You divided by the sum of onto's entries. Its length is the root of the sum of "
            "squares.",
            lambda b, onto: b @ onto / onto.sum(),
        ),
        Mistake(
            "You divided by the sum of the sizes in onto. Its length is the root of the sum of "
            "squares.",
            lambda b, onto: b @ onto / np.abs(onto).sum(),
        ),
        Mistake(
            "You divided by how many entries onto has. Its length is meant: the root of the sum of "
            "squares.",
            lambda b, onto: b @ onto / len(onto),
        ),
        Mistake(
            "The two lengths alone say nothing of the angle between the two vectors.",
            lambda b, onto: np.linalg.norm(b) * np.linalg.norm(onto),
        ),
        Mistake(
            "// drops what is behind the point.",
            lambda b, onto: b @ onto // np.linalg.norm(onto),
        ),
        Mistake(
            "The products are not added up: there is one number for each entry.",
            lambda b, onto: b * onto / np.linalg.norm(onto),
        ),
        Mistake(
            "That is how far b reaches beside onto, across it. Asked for is how far it reaches "
            "along it.",
            lambda b, onto: np.linalg.norm(b - (b @ onto) / (onto @ onto) * onto),
        ),
        Mistake(
            "What points against onto became 0. Its reach is negative.",
            lambda b, onto: max(0.0, b @ onto / np.linalg.norm(onto)),
        ),
        Mistake(
            "You divided by the largest entry of onto. Its length is the root of the sum of "
            "squares.",
            lambda b, onto: b @ onto / onto.max(),
        ),
        Mistake(
            "The dot product is no angle. |b| cos(angle) is the dot product divided by the length "
            "of onto.",
            lambda b, onto: np.linalg.norm(b) * np.cos(b @ onto),
        ),
        Mistake(
            "The root is missing twice: you divided by the length to the fourth power.",
            lambda b, onto: b @ onto / (onto @ onto) ** 2,
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
