"""Exercise `near_and_loud`: two keys that dot product and angle rank differently."""

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels import vectors


def near_and_loud(q):
    """Two keys that dot product and angle rank differently.

    q: (2,)   returns: near (2,), loud (2,)
    """
    # SOLUTION
    return np.array([1.0, 0.0]), np.array([3.0, 3.0])
    # STUB
    # return ..., ...  # your code here
    # END SOLUTION


LONGEST_KEY = 5

TOO_LONG = "loud is longer than 5. It can win with less: what can you do about near?"

SAME_ANGLE = "Both keys make the same angle with q. Turn loud away from q."

SMALLER_ANGLE = (
    "loud makes the smaller angle with q. It should point further away from q than near."
)

NOT_LOUD_YET = "loud points further away, and its dot product with q is not the larger one yet."

WITH_NUMBERS = (
    "{said} From q, near stands at {near:.1f} degrees and loud at {loud:.1f}; the dot products are "
    "{dot_near:.2f} and {dot_loud:.2f}, the lengths {length_near:.2f} and {length_loud:.2f}."
)


def _with_numbers(said, q, near, loud) -> Sentence:
    """The sentence, and what the two keys make."""
    angles = (float(np.degrees(vectors.angle(q, key))) for key in (near, loud))
    dots = (float(vectors.dot(q, key)) for key in (near, loud))
    lengths = (float(vectors.norm(key)) for key in (near, loud))
    names = ("near", "loud", "dot_near", "dot_loud", "length_near", "length_loud")
    values = dict(zip(names, (*angles, *dots, *lengths), strict=True))
    return sentence(WITH_NUMBERS, said=Sentence(said), **values)


def _near_and_loud(got, want, case) -> bool | str | Sentence:
    """Accepts any two keys that hold the claim, or says which half of it fails."""
    q = case.args[0]
    try:
        near, loud = (np.asarray(key, dtype=float) for key in got["output"])
    except (TypeError, ValueError):
        return "Return two keys: return near, loud."
    if near.shape != (2,) or loud.shape != (2,):
        return "Each key needs two numbers, as in np.array([1.0, 0.0])."
    for name, key in (("near", near), ("loud", loud)):
        if not np.isfinite(key).all():
            return f"{name} holds a number that is not finite."
        if not key.any():
            return f"{name} is a zero vector; it points nowhere, so it has no angle with q."
    said = _what_fails(q, near, loud)
    return _with_numbers(said, q, near, loud) if said else True


def _what_fails(q, near, loud) -> str:
    """The half of the claim that does not hold; empty where both do."""
    if vectors.norm(loud) > LONGEST_KEY:
        return TOO_LONG
    wider = vectors.angle(q, loud) - vectors.angle(q, near)
    if abs(wider) < 1e-9:
        return SAME_ANGLE
    if wider < 0:
        return SMALLER_ANGLE
    return "" if vectors.dot(q, loud) > vectors.dot(q, near) else NOT_LOUD_YET


def _products_and_angles(got, case):
    """The two measures by which the keys are ranked."""
    q, (near, loud) = case.args[0], (np.asarray(key, dtype=float) for key in got["output"])
    products = [vectors.dot(q, key) for key in (near, loud)]
    angles = [np.degrees(vectors.angle(q, key)) for key in (near, loud)]
    return (
        Caused("Dot products of near and loud", np.array(products), "the second larger"),
        Caused("Their angles with q, in degrees", np.array(angles), "the second larger"),
        Caused("Length of loud", vectors.norm(loud), "5 at most"),
    )


NEAR_AND_LOUD = Exercise(
    answer=near_and_loud,
    cases=(lambda rng: inputs(np.array([1.0, 0.0])),),
    accept=_near_and_loud,
    open_answer=True,
    effect=_products_and_angles,
    mistakes=(
        Mistake(SMALLER_ANGLE, lambda q: (np.array([3.0, 2.9]), np.array([1.0, 0.1]))),
        Mistake(SAME_ANGLE, lambda q: (np.array([1.1, 0.0]), np.array([4.9, 0.0]))),
        Mistake(NOT_LOUD_YET, lambda q: (np.array([1.1, 0.0]), np.array([0.9, 3.1]))),
        Mistake(
            "near is a zero vector; it points nowhere, so it has no angle with q.",
            lambda q: (np.array([0.0, 0.0]), np.array([3.0, 3.0])),
        ),
        Mistake(TOO_LONG, lambda q: (np.array([1.1, 0.0]), np.array([9.9, 9.9]))),
    ),
    alternatives=(
        lambda q: ([1, 0.5], [3, 3]),
        lambda q: (np.array([0.1, -0.1]), np.array([1, 4])),
        lambda q: (np.array([2, 1], np.float32), np.array([3, -3], np.float32)),
    ),
    refused=(
        Refused(lambda q: (np.array([1.0, 0.0]), ...), "still returns `...` in one place"),
        Refused(lambda q: np.array([1.0, 0.0]), "Each key needs two numbers"),
        Refused(lambda q: (1.0, 2.0), "Each key needs two numbers"),
        Refused(lambda q: np.array([1.0, 0.0, 2.0]), "Return two keys"),
        Refused(lambda q: (np.array([1.0, 0.0]), np.array([np.inf, 1.0])), "not finite"),
    ),
    hints=(
        "The dot product is |q| |k| cos(angle). Which of the three can you make large without "
        "turning the key towards q?",
        "Let near point exactly along q, and be short. Then point loud 45 degrees away: how long "
        "must it be to win?",
        "return np.array([1.0, 0.0]), np.array([..., ...])",
    ),
    minutes=4,
    stars=1,
)
