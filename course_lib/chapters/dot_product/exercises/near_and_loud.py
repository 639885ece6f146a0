"""Exercise `near_and_loud`: a key that wins against a closer one, because it is longer."""

import math

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels import vectors


def near_and_loud(q):
    """Two keys: near points closer to q, and loud has the larger dot product with q.

    loud is at most 5 long, and points at least 60 degrees away from q.

    q: (2,), [1, 0], for which you choose the keys   returns: near (2,), loud (2,)
    """
    near = [1, 0]
    # SOLUTION
    return near, [2, 4]
    # STUB
    # return ...  # your code here; for example: return near, [3, 2] (too close)
    # END SOLUTION


SHORTEST_NEAR, LONGEST_LOUD, LEAST_ANGLE = 1, 5, 60
SLACK, SLACK_IN_DEGREES = 0.01, 0.05  # on a border, two decimals will do

ONE_KEY = "That is one key, and two are asked for. Return both: return near, [{x:g}, {y:g}]."

TWO_NUMBERS = "Each key needs two numbers: how far it goes to the right, and how far up."

LENGTH_AND_ANGLE = (
    "loud is longer than 5. Did you mean {length:g} as its length and {degrees:g} as its angle? "
    "The two numbers of a key say how far it goes to the right, and how far up."
)

TOO_LONG = (
    "loud is longer than 5. By Pythagoras, the squares of its two numbers may add up to 25 at most."
)

TOO_LONG_AND_CLOSE = (
    "loud is longer than 5, and it stands less than 60 degrees away from q. Make it "
    "shorter, and turn it further away."
)

TOO_SHORT = (
    "near is shorter than 1. Anybody is louder than a whisper, so let near be at least 1 long."
)

TOO_CLOSE = (
    "loud has the larger dot product and is less than 60 degrees away from q. Turn it further: at "
    "60 degrees half of its length still points along q."
)

SAME_ANGLE = "Both keys make the same angle with q. Turn loud away from q."

SMALLER_ANGLE = (
    "loud makes the smaller angle with q. It should point further away from q than near."
)

NOT_LOUD_YET = "loud points further away, and its dot product with q is not the larger one yet."

RADIANS = (
    "np.cos and np.sin took your {degrees:d} for radians, not for degrees. Write "
    "np.radians({degrees:d}) in its place."
)

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
    """Accepts any two keys that hold the claim, or says what of it fails."""
    q = case.args[0]
    alone = _one_key(got["output"])
    if alone is not None:
        return sentence(ONE_KEY, x=alone[0], y=alone[1])
    try:
        near, loud = (np.asarray(key, dtype=float) for key in got["output"])
    except (TypeError, ValueError):
        return "Return two keys: return near, loud."
    if near.shape != (2,) or loud.shape != (2,):
        return TWO_NUMBERS
    for name, key in (("near", near), ("loud", loud)):
        if not np.isfinite(key).all():
            return f"{name} holds a number that is not finite."
        if not key.any():
            return f"{name} is a zero vector; it points nowhere, so it has no angle with q."
    said = _what_fails(q, near, loud)
    if not said:
        return True
    if said == TOO_LONG and LEAST_ANGLE <= loud[1] <= 90 and 0 < loud[0] <= LONGEST_LOUD:
        return sentence(LENGTH_AND_ANGLE, length=loud[0], degrees=loud[1])
    degrees = _taken_for_radians(loud)
    if degrees is not None:
        return sentence(RADIANS, degrees=degrees)
    return _with_numbers(said, q, near, loud)


def _one_key(output) -> np.ndarray | None:
    """The key of an answer that is two numbers in place of two keys."""
    try:
        key = np.asarray(output, dtype=float)
    except (TypeError, ValueError):
        return None
    return key if key.shape == (2,) else None


def _taken_for_radians(key) -> int | None:
    """The whole degrees, 60 to 90 to either side, that stand here as so many radians."""
    turn = np.arctan2(key[1], key[0])
    for degrees in range(LEAST_ANGLE, 91):
        for turned in (degrees, -degrees):
            if abs(np.exp(1j * turned) - np.exp(1j * turn)) < 1e-6:
                return turned
    return None


def _what_fails(q, near, loud) -> str:
    """What of the claim does not hold; empty where all does."""
    if vectors.norm(loud) > LONGEST_LOUD + SLACK:
        close = np.degrees(vectors.angle(q, loud)) < LEAST_ANGLE - SLACK_IN_DEGREES
        return TOO_LONG_AND_CLOSE if close else TOO_LONG
    if vectors.norm(near) < SHORTEST_NEAR - SLACK:
        return TOO_SHORT
    away = vectors.angle(q, loud)
    wider = away - vectors.angle(q, near)
    if abs(wider) < 1e-9:
        return SAME_ANGLE
    if wider < 0:
        return SMALLER_ANGLE
    if vectors.dot(q, loud) <= vectors.dot(q, near):
        return NOT_LOUD_YET
    return TOO_CLOSE if np.degrees(away) < LEAST_ANGLE - SLACK_IN_DEGREES else ""


FURTHEST = LONGEST_LOUD / 2  # at 60 degrees, the cosine of which is a half

TRICKED = (
    "Your loud reaches {reach:.2f} along q, from {away:.0f} degrees away. (None may reach further "
    "than 5 · cos 60°. How much is that, and which key does?) In chapter 2, one long key wins half "
    "of all queries."
)

BEST = (
    "Your loud reaches {reach:.2f} along q, from {away:.0f} degrees away. That is 5 · cos 60°, and "
    "none may reach further. In chapter 2, one long key wins half of all queries."
)


def _told(got, case) -> Sentence:
    """How far loud reaches, and whether another one may reach further."""
    q, (_, loud) = case.args[0], (np.asarray(key, dtype=float) for key in got["output"])
    reach, away = float(vectors.dot(q, loud)), float(np.degrees(vectors.angle(q, loud)))
    template = BEST if reach > FURTHEST - 5e-3 else TRICKED
    return sentence(template, reach=reach, away=away)


def _products_and_angles(got, case):
    """The two measures by which the keys are ranked."""
    q, (near, loud) = case.args[0], (np.asarray(key, dtype=float) for key in got["output"])
    products = [vectors.dot(q, key) for key in (near, loud)]
    angles = [np.degrees(vectors.angle(q, key)) for key in (near, loud)]
    short = vectors.norm(near) < SHORTEST_NEAR - SLACK  # the stub's near is not, and needs no word
    return (
        Caused("Dot products of near and loud", np.array(products), "loud's larger than near's"),
        Caused("Their angles with q, in degrees", np.array(angles), "loud's 60 or more"),
        *((Caused("Length of near", vectors.norm(near), "1 at least"),) if short else ()),
        Caused("Length of loud", vectors.norm(loud), "5 at most"),
    )


def _without_a_comma(q):
    near = [1, 0]
    return near[2, 4]


NEAR_AND_LOUD = Exercise(
    answer=near_and_loud,
    cases=(lambda rng: inputs(np.array([1.0, 0.0])),),
    accept=_near_and_loud,
    open_answer=True,
    effect=_products_and_angles,
    reward=_told,
    mistakes=(
        Mistake(SMALLER_ANGLE, lambda q: (np.array([3.0, 2.9]), np.array([1.0, 0.1]))),
        Mistake(SAME_ANGLE, lambda q: (np.array([1.1, 0.0]), np.array([4.9, 0.0]))),
        Mistake(NOT_LOUD_YET, lambda q: (np.array([1.1, 0.0]), np.array([0.9, 3.1]))),
        Mistake(
            "near is a zero vector; it points nowhere, so it has no angle with q.",
            lambda q: (np.array([0.0, 0.0]), np.array([2.0, 4.0])),
        ),
        Mistake(
            "np.cos and np.sin took your 60 for radians, not for degrees. Write np.radians(60) in "
            "its place.",
            lambda q: ([1, 0], [5 * np.cos(60), 5 * np.sin(60)]),
            also=(lambda q: (q, 4 * np.array([math.cos(60), math.sin(60)])),),
        ),
        Mistake(TOO_LONG, lambda q: (np.array([1.1, 0.0]), np.array([5.1, 9.9]))),
        Mistake(TOO_LONG_AND_CLOSE, lambda q: (np.array([1.1, 0.0]), np.array([3.1, 5.1]))),
        Mistake(TWO_NUMBERS, lambda q: ([1, 0], 60), also=(lambda q: ([1, 0], [5, 60, 0]),)),
        Mistake(
            "A comma is missing between near and your key. Without one, square brackets pick "
            "something out of near.",
            _without_a_comma,
        ),
        Mistake(TOO_SHORT, lambda q: (np.array([0.3, 0.0]), np.array([0.9, 3.1]))),
        Mistake(TOO_CLOSE, lambda q: (np.array([1.1, 0.0]), np.array([3.1, 2.9]))),
    ),
    alternatives=(
        lambda q: ([1, 0.5], [2, 4]),
        lambda q: (np.array([0.9, -0.6]), np.array([1.2, 4.8])),
        lambda q: (np.array([1, 1], np.float32), np.array([2, -4], np.float32)),
        lambda q: ([1, 0], [2.5, 4.33]),  # the best one, rounded: 59.9993 degrees
        lambda q: ([1, 0], [2.5, 4.3302]),
        lambda q: ([1, 0], [2.5, 4.34]),  # 5.0086 long
        lambda q: (np.array([1, 0]), 5 * np.array([np.cos(np.pi / 3), np.sin(np.pi / 3)])),
        lambda q: ([1, 0], [5 * np.cos(64), 5 * np.sin(64)]),  # 64 radians are 67 degrees
    ),
    refused=(
        Refused(lambda q: (np.array([1.0, 0.0]), ...), "still returns `...` in one place"),
        Refused(lambda q: [3, 5], "Return both: return near, [3, 5]."),
        Refused(lambda q: np.array([2.5, 4.33]), "Return both: return near, [2.5, 4.33]."),
        Refused(lambda q: ([1, 0, 0], [2, 4, 0]), "Each key needs two numbers"),
        Refused(lambda q: ([1, 0], [5, 60]), "5 as its length and 60 as its angle"),
        Refused(lambda q: ([1, 0], [2.51, 4.33]), "loud at 59.9"),
        Refused(lambda q: ([1, 0], [2.5, 4.31]), "less than 60 degrees away"),
        Refused(lambda q: ([1, 0], [2.52, 4.36]), "longer than 5"),
        Refused(lambda q: np.array([1.0, 0.0, 2.0]), "Return two keys"),
        Refused(lambda q: ([1, 0], [5 * np.cos(-75), 5 * np.sin(-75)]), "your -75 for radians"),
        Refused(lambda q: ([1, 0], [-4.76, -1.52]), "loud at 162.3"),  # whence, nobody can tell
        Refused(lambda q: ([1, 0], [3, 5]), "loud is longer than 5, and it stands less"),
        Refused(lambda q: (np.array([1.0, 0.0]), np.array([np.inf, 1.0])), "not finite"),
    ),
    hints=(
        "The dot product with [1, 0] is the first entry of the key: its reach along q. What does "
        "the second entry do to the angle, and what to the dot product?",
        "Look at the grey field: it lies to the right of near's tip, above the line that rises at "
        "60 degrees, and within 5 of the origin. Choose a point in it. How far is it to the right, "
        "if q is 1 long? How far up?",
        "loud needs a first entry above 1, and a second one that turns it at least 60 degrees "
        "away. At 60 degrees the second entry is 1.732 times the first (the root of 3, rounded "
        "down, so take a little more).",
    ),
    minutes=2,
    stars=1,
)
