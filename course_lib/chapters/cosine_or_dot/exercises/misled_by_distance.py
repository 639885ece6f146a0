"""Exercise `misled_by_distance`: two vectors that distance and cosine rank differently."""

import numpy as np

from course_lib.judging.exercise import Caused, Exercise, Mistake, Refused, inputs
from course_lib.judging.verdict import Sentence, sentence
from course_lib.kernels import vectors


def misled_by_distance(a):
    """Two vectors that distance and cosine rank differently.

    a: (2,)   returns: b (2,), c (2,)
    """
    # SOLUTION
    return 3 * a, 0.5 * np.array([-a[1], a[0]])
    # STUB
    # return ..., ...  # your code here
    # END SOLUTION


LONGEST = 3  # times the length of a

NOT_ALONG = "b should point exactly where a points: make it a number above 0 times a."

NOT_ACROSS = "c should be perpendicular to a."

TOO_LONG = "b is more than three times as long as a. It can be misjudged with less."

STILL_NEARER = "By distance, b is still the nearer one. Make it longer, or c shorter."

WITH_NUMBERS = (
    "{said} From a, b stands at {b:.1f} degrees and c at {c:.1f}; b lies {far_b:.2f} away and c "
    "{far_c:.2f}; b is {times:.2f} times as long as a."
)


def _with_numbers(said, a, b, c) -> Sentence:
    """The sentence, and what the two vectors make."""
    angles = {name: float(np.degrees(vectors.angle(a, one))) for name, one in (("b", b), ("c", c))}
    far = {f"far_{name}": vectors.norm(one - a) for name, one in (("b", b), ("c", c))}
    times = vectors.norm(b) / vectors.norm(a)
    return sentence(WITH_NUMBERS, said=Sentence(said), times=times, **angles, **far)


def _misled(got, want, case) -> bool | str | Sentence:
    """Accepts any two vectors that hold the claim, or says which part of it fails."""
    a = case.args[0]
    try:
        b, c = (np.asarray(one, dtype=float) for one in got["output"])
    except (TypeError, ValueError):
        return "Return two vectors: return b, c."
    if b.shape != (2,) or c.shape != (2,):
        return "Each vector needs two numbers."
    for name, one in (("b", b), ("c", c)):
        if not np.isfinite(one).all():
            return f"{name} holds a number that is not finite."
        if not one.any():
            return f"{name} is a zero vector; it has no direction."
    said = _what_fails(a, b, c)
    return _with_numbers(said, a, b, c) if said else True


def _what_fails(a, b, c) -> str:
    """The part of the claim that does not hold; empty where all do."""
    if vectors.angle(a, b) > 1e-6:
        return NOT_ALONG
    if abs(vectors.cosine(a, c)) > 1e-6:
        return NOT_ACROSS
    if vectors.norm(b) > LONGEST * vectors.norm(a) * (1 + 1e-9):
        return TOO_LONG
    return "" if vectors.norm(c - a) < vectors.norm(b - a) else STILL_NEARER


def _distances_and_angles(got, case):
    """By what each of the two vectors is ranked."""
    a, both = case.args[0], [np.asarray(one, dtype=float) for one in got["output"]]
    angles = [np.degrees(vectors.angle(a, one)) for one in both]
    distances = [vectors.norm(one - a) for one in both]
    times = vectors.norm(both[0]) / vectors.norm(a)
    return (
        Caused("Angles of b and c with a, in degrees", np.array(angles), "0 and 90"),
        Caused("Distances of b and c from a", np.array(distances), "the second smaller"),
        Caused("Length of b, in lengths of a", times, "3 at most"),
    )


MISLED_BY_DISTANCE = Exercise(
    answer=misled_by_distance,
    cases=(
        lambda rng: inputs(np.array([1.0, 0.0])),
        lambda rng: inputs(np.array([1.0, 2.0])),
        lambda rng: inputs(np.array([-3.0, 0.5])),
    ),
    accept=_misled,
    open_answer=True,
    effect=_distances_and_angles,
    mistakes=(
        Mistake(STILL_NEARER, lambda a: (1.9 * a, np.array([-a[1], a[0]]))),
        Mistake(
            TOO_LONG,
            lambda a: (9.9 * a, np.array([-a[1], a[0]])),
            also=(lambda a: (4 * a, np.array([-a[1], a[0]])),),
        ),
        Mistake(
            NOT_ALONG,
            lambda a: (-a, np.array([-a[1], a[0]]) / 10),
            also=(lambda a: (np.array([3.0, 0.0]), np.array([0.0, 1.0])),),
        ),
        Mistake(NOT_ACROSS, lambda a: (3 * a, a + 0.1), also=(lambda a: (3 * a, -a),)),
        Mistake("c is a zero vector; it has no direction.", lambda a: (3 * a, 0 * a)),
    ),
    alternatives=(
        lambda a: (2.5 * a, np.array([-a[1], a[0]])),
        lambda a: (2.0001 * a, 1e-3 * np.array([-a[1], a[0]])),  # two lengths are enough
        lambda a: ([2.1 * x for x in a], [a[1] / 100, -a[0] / 100]),
        lambda a: (np.float32(2.9) * a.astype(np.float32), np.array([a[1], -a[0]], np.float32)),
    ),
    refused=(
        Refused(lambda a: (3 * a, ...), "still returns `...` in one place"),
        Refused(lambda a: 2.5 * a, "Each vector needs two numbers"),
        Refused(lambda a: (3 * a, np.full(2, np.nan)), "not finite"),
    ),
    hints=(
        "How far is b from a if b is twice, or three times, as long? How far is a perpendicular c?",
        "b = x · a lies (x - 1) · |a| from a. A perpendicular c lies sqrt(|a|² + |c|²) from it. "
        "[-a[1], a[0]] is perpendicular to a.",
        "return ... * a, ... * np.array([-a[1], a[0]])",
    ),
    reward=("So a search by distance would show c first, though b points exactly as a does."),
    minutes=5,
    stars=2,
    depth=True,
)
