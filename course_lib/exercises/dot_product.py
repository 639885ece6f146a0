"""The exercises and bets of chapter 1, dot product geometry."""

import numpy as np

from course_lib.exercises.engine.accept import close
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.exercises.engine.observe import usable_array
from course_lib.kernels import vectors
from course_lib.kernels.softmax import softmax

# A number for agreement


def dot(a, b):
    return (a * b).sum()


def _dot_with_a_loop(a, b):
    total = 0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def _dot_in_float32(a, b):
    return np.dot(a.astype(np.float32), b.astype(np.float32))


def _returns_inside_the_loop(a, b):
    for i in range(len(a)):
        return a[i] * b[i]


DOT = Exercise(
    reference=dot,
    cases=(  # three entries at least: with two, first and last answers look alike
        lambda rng: inputs(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])),
        lambda rng: inputs(np.array([3, 4, 1, 2]), np.array([4, -3, 2, 5])),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
    ),
    mistakes=(
        Mistake(
            "You multiplied entry by entry and stopped there. Add the products up: "
            "a dot product is one number.",
            lambda a, b: a * b,
        ),
        Mistake(
            "You added up each vector first and multiplied the two sums. Multiply first, entry "
            "by entry, then add.",
            lambda a, b: a.sum() * b.sum(),
        ),
        Mistake(
            "You added the entries where the dot product multiplies them.",
            lambda a, b: (a + b).sum(),
        ),
        Mistake(
            "The return stands inside the loop, so only the first product is counted. "
            "Return after the loop.",
            _returns_inside_the_loop,
        ),
        Mistake(
            "The first entry is left out: in Python the indices of d entries run from 0 to d - 1.",
            lambda a, b: (a[1:] * b[1:]).sum(),
        ),
        Mistake(
            "The last entry is left out: range(n) stops before n, so it takes range(len(a)).",
            lambda a, b: (a[:-1] * b[:-1]).sum(),
        ),
        Mistake(
            "Only the last product is left: the total is set back to 0, or overwritten, inside the "
            "loop.",
            lambda a, b: a[-1] * b[-1],
        ),
        Mistake(
            "You divided by the two lengths: that is the cosine. The dot product keeps them.",
            lambda a, b: vectors.cosine(a, b),
        ),
    ),
    alternatives=(
        _dot_with_a_loop,
        lambda a, b: a @ b,
        lambda a, b: np.einsum("d,d->", a, b),
        lambda a, b: float(np.inner(a, b)),
        _dot_in_float32,
    ),
    hints=(
        "How many multiplications does [1, 2, 3] with [4, 5, 6] take? How many numbers come out?",
        "numpy multiplies two arrays entry by entry with a * b, and an array adds up its entries "
        "with .sum().",
        "return (a * ...).sum()",
    ),
    minutes=3,
    stars=1,
)


LONGEST_KEY = 5


def near_and_loud(q):
    return np.array([1.0, 0.0]), np.array([3.0, 3.0])


def _near_and_loud(got, want, case) -> bool | str:
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
    if vectors.norm(loud) > LONGEST_KEY:
        return "loud is longer than 5. It can win with less: what can you do about near?"
    wider = vectors.angle(q, loud) - vectors.angle(q, near)
    if abs(wider) < 1e-9:
        return "Both keys make the same angle with q. Turn loud away from q."
    if wider < 0:
        return "loud makes the smaller angle with q. It should point further away from q than near."
    if not vectors.dot(q, loud) > vectors.dot(q, near):
        return "loud points further away, and its dot product with q is not the larger one yet."
    return True


NEAR_AND_LOUD = Exercise(
    reference=near_and_loud,
    cases=(lambda rng: inputs(np.array([1.0, 0.0])),),
    accept=_near_and_loud,
    open_answer=True,
    mistakes=(
        Mistake(
            "loud makes the smaller angle with q. It should point further away from q than near.",
            lambda q: (np.array([3.0, 3.0]), np.array([1.0, 0.0])),
        ),
        Mistake(
            "Both keys make the same angle with q. Turn loud away from q.",
            lambda q: (np.array([1.0, 0.0]), np.array([5.0, 0.0])),
        ),
        Mistake(
            "loud points further away, and its dot product with q is not the larger one yet.",
            lambda q: (np.array([1.0, 0.0]), np.array([1.0, 3.0])),
        ),
        Mistake(
            "near is a zero vector; it points nowhere, so it has no angle with q.",
            lambda q: (np.array([0.0, 0.0]), np.array([3.0, 3.0])),
        ),
        Mistake(
            "loud is longer than 5. It can win with less: what can you do about near?",
            lambda q: (np.array([1.0, 0.0]), np.array([10.0, 10.0])),
        ),
    ),
    alternatives=(
        lambda q: ([1, 0.5], [3, 3]),
        lambda q: (np.array([0.1, -0.1]), np.array([1, 4])),
        lambda q: (np.array([2, 1], np.float32), np.array([3, -3], np.float32)),
    ),
    hints=(
        "The dot product is |q| |k| cos(angle). Which of the three can you make large without "
        "turning the key towards q?",
        "Let near point exactly along q, and be short. Then point loud 45 degrees away: how long "
        "must it be to win?",
        "return np.array([1.0, 0.0]), np.array([..., ...])",
    ),
    minutes=3,
    stars=1,
)

LOUDER = Bet(
    "louder",
    question="A query q = [1, 0]. Key A = [1, 0] points exactly along q. Key B = [10, 10] points "
    "45 degrees away from q. Which key has the larger dot product with q?",
    answer=Choice(
        ("key A", "key B", "they tie"),
        which=lambda dots: 2 if dots[0] == dots[1] else int(dots[1] > dots[0]),
    ),
    why="The dot product multiplies direction with length: B is 14.1 long, and .71 of that, 10, "
    "points along q.",
    model_answer="A larger dot product means a closer direction only among keys of one length. "
    "dot = |q| |k| cos(angle), so a long key can win from far away. How often that happens "
    "by chance is counted in the depth part of this chapter.",
)

HALF_WAY = Bet(
    "half_way",
    question="Two arrows of fixed length. Pointing the same way, they have their largest dot "
    "product. You turn one of them away: at 45 degrees .71 of it is left, at 90 degrees nothing. "
    "At which angle is it down to half?",
    answer=Number(0, 180, unit="degrees", near=3),
    why="The dot product follows the cosine of the angle, which is flat near 0 and falls to one "
    "half at 60 degrees.",
    model_answer="Half of a right angle leaves more than half. Turning by a small angle hardly "
    "costs anything: at 30 degrees .87 of the largest value is left, at 45 degrees .71, at 60 "
    "degrees .50, at 90 degrees nothing.",
    depth=True,
)

# Every pair at once


def pairwise_dots(q, k):
    return q @ k.T


def _pairwise_with_loops(q, k):
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in k] for a in q]


PAIRWISE_DOTS = Exercise(
    reference=pairwise_dots,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
            np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]),
        ),
        lambda rng: inputs(rng.normal(size=(3, 3)).round(1), rng.normal(size=(3, 3)).round(1)),
        lambda rng: inputs(rng.normal(size=(2, 5)), rng.normal(size=(3, 5))),
        lambda rng: inputs(rng.normal(size=(7, 2)), rng.normal(size=(1, 2))),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), len(case.args[1])),
        ),
        Property(
            "Entry (0, 0) is the first query with the first key.",
            lambda got, case: bool(
                np.ndim(got["output"]) == 2
                and np.isclose(got["output"][0, 0], case.args[0][0] @ case.args[1][0])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The rows of q met the columns of k: the transpose is missing. numpy stops you only "
            "where the shapes clash; with as many keys as entries it gives wrong numbers.",
            lambda q, k: q @ k,
        ),
        Mistake(
            "Your table lies on its side: rows are keys and columns are queries. A row should "
            "belong to a query.",
            lambda q, k: k @ q.T,
        ),
        Mistake(
            "reshape fills the new shape in reading order; it does not turn rows into columns. "
            "Use .T.",
            lambda q, k: q @ k.reshape(k.shape[1], k.shape[0]),
        ),
        Mistake(
            "You multiplied row by row: query i met only key i. Every query should meet every key.",
            lambda q, k: (q * k).sum(axis=-1),
        ),
        Mistake(
            "You divided by the lengths: these are cosines. The table of scores keeps the lengths.",
            lambda q, k: vectors.pairwise_cosines(q, k),
        ),
        Mistake(
            "You compared the queries with themselves; k is not used.",
            lambda q, k: q @ q.T,
        ),
    ),
    alternatives=(
        _pairwise_with_loops,
        lambda q, k: np.einsum("td,sd->ts", q, k),
        lambda q, k: (k @ q.T).T,
        lambda q, k: (q[:, None, :] * k[None, :, :]).sum(axis=-1),
        lambda q, k: q.astype(np.float32) @ k.astype(np.float32).T,
    ),
    hints=(
        "A @ B takes rows of A with columns of B. Where do the keys stand in k: in rows or in "
        "columns?",
        "k.T turns rows into columns. Which shape has q @ k.T if q is (t, d) and k is (s, d)?",
        "return q @ k...",
    ),
    minutes=4,
    stars=1,
)

HOW_MANY = Bet(
    "how_many",
    question="32 queries and 100 keys, all of width 768. One matrix product compares every query "
    "with every key. How many scores come out?",
    answer=Number(0, 100_000, unit="scores", near=0, format="{:.0f}"),
    why="One score for each pair, 32 times 100; the width disappears in the sum.",
    model_answer="Each of the 32 queries meets each of the 100 keys: 3200 scores. Each score adds "
    "768 products into one number, so the width 768 costs work and leaves no trace in the shape.",
    depth=True,
)

NO_TRANSPOSE = Bet(
    "no_transpose",
    question="q and k are both 3 by 3. You forget the transpose and write q @ k. What happens?",
    answer=Choice(
        (
            "numpy raises an error",
            "the same table as with the transpose",
            "another table, without any error",
        ),
        which=lambda outcome: {"error": 0, "same": 1, "different": 2}[outcome],
    ),
    why="The shapes fit, so numpy multiplies. But a key is a row of k, and the rows of q met its "
    "columns.",
    model_answer="q @ k is refused only where the width and the number of keys differ. Where both "
    "are 3, the product runs and every number is wrong. That is why the checks of this course, and "
    "yours, should use sizes that all differ.",
)

# No room for strangers

STRANGERS = Bet(
    "strangers",
    question="5120 random directions in 512 dimensions: ten times more than can be "
    "perpendicular to each other. Of their 13 million pairs, take the one furthest from 90 "
    "degrees. How far from 90 degrees is it?",
    answer=Number(0, 90, unit="degrees", near=4),
    why="The typical cosine of two directions in d dimensions is only 1/sqrt(d), here .044; even "
    "the worst of 13 million stays within about six times that.",
    model_answer="In a plane there is room for two perpendicular directions, and a third must "
    "come close to one of them. In 512 dimensions thousands of directions stay almost "
    "perpendicular without anyone arranging them. That is how a space holds more meanings than "
    "it has dimensions, and why a cosine of .2 can be remarkable there.",
)

# Attention in three lines


def attention(q, k, v):
    scores = q @ k.T
    weights = softmax(scores)
    return weights @ v


def _attention_with_loops(q, k, v):
    output = []
    for query in q:
        weights = softmax(np.array([dot(query, key) for key in k]))
        output.append(sum(w * value for w, value in zip(weights, v, strict=True)))
    return output


ATTENTION = Exercise(
    reference=attention,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0]]),
            np.array([[1.0, 0.0], [0.0, 1.0]]),
            np.array([[10.0, 0.0, 0.0], [0.0, 10.0, 0.0]]),
        ),
        lambda rng: inputs(
            rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
        ),
        lambda rng: inputs(
            rng.normal(size=(2, 5)), rng.normal(size=(3, 5)), rng.normal(size=(3, 7))
        ),
    ),
    properties=(
        Property(
            "One row for each query, as wide as a value.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), case.args[2].shape[1]),
        ),
        Property(
            "Each entry of the output lies between the smallest and the largest value of its "
            "column: an average cannot leave what it averages.",
            lambda got, case: bool(
                (np.asarray(got["output"]) <= case.args[2].max(axis=0) + 1e-5).all()
                and (np.asarray(got["output"]) >= case.args[2].min(axis=0) - 1e-5).all()
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "You averaged with the raw scores: the softmax is missing.",
            lambda q, k, v: (q @ k.T) @ v,
        ),
        Mistake(
            "You returned the weights. The output is their weighted sum of the values, one more "
            "product with v.",
            lambda q, k, v: softmax(q @ k.T),
        ),
        Mistake(
            "The softmax ran down the columns, so each key shares out its attention. Each row "
            "belongs to a query and should add up to 1.",
            lambda q, k, v: softmax(q @ k.T, axis=0) @ v,
        ),
        Mistake(
            "The transpose of k is missing: rows of q met columns of k.",
            lambda q, k, v: softmax(q @ k) @ v,
        ),
        Mistake(
            "You took the softmax of the output. It belongs between the scores and the values.",
            lambda q, k, v: softmax((q @ k.T) @ v),
        ),
        Mistake(
            "You divided the scores by the square root of d. A real model does, and chapter 3 "
            "shows why; here the three lines stand without it.",
            lambda q, k, v: softmax(q @ k.T / np.sqrt(q.shape[1])) @ v,
        ),
        Mistake(
            "You divided the scores by their sum. Negative scores then give negative weights; the "
            "softmax makes them positive first.",
            lambda q, k, v: (q @ k.T / (q @ k.T).sum(axis=1, keepdims=True)) @ v,
        ),
        Mistake(
            "You averaged the keys. The keys decide the weights; what is averaged are the values.",
            lambda q, k, v: softmax(q @ k.T) @ k,
        ),
    ),
    alternatives=(
        _attention_with_loops,
        lambda q, k, v: np.einsum("ts,se->te", softmax(np.einsum("td,sd->ts", q, k)), v),
        lambda q, k, v: (v.T @ softmax(q @ k.T).T).T,
        lambda q, k, v: (
            softmax(q.astype(np.float32) @ k.astype(np.float32).T) @ v.astype(np.float32)
        ),
    ),
    hints=(
        "Three questions, a line each. How well does each query agree with each key? Which shares "
        "does that make? What do the values add up to, taken in these shares?",
        "You have written the first line: pairwise_dots. The second is softmax(scores). In the "
        "third, each row of weights meets the columns of v.",
        "scores = pairwise_dots(..., ...); weights = softmax(...); return weights @ ...",
    ),
    minutes=4,
    stars=2,
)

# Depth: the angle


def angle(a, b):
    cosine = dot(a, b) / np.sqrt(dot(a, a) * dot(b, b))
    return np.arccos(np.clip(cosine, -1, 1))


def _cosine(a, b):
    return (a @ b) / (np.linalg.norm(a) * np.linalg.norm(b))


# What learners write for the cosine. Each rounds in its own way, so each is lifted above 1 by
# other pairs; a check with one pair would let the others pass without a clip.
COSINES = (
    _cosine,
    lambda a, b: (a @ b) / np.sqrt((a @ a) * (b @ b)),
    lambda a, b: (a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b)),
    lambda a, b: (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()),
    lambda a, b: (a / np.linalg.norm(a)) @ (b / np.linalg.norm(b)),
    lambda a, b: _dot_with_a_loop(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)),
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


def _is_the_angle(got, want, case) -> bool | str:
    """Accepts 1e-6 radians; says what made the NaN where there is one."""
    a, b = case.args
    if np.shape(got["output"]) == () and np.isnan(got["output"]) and abs(_cosine(a, b)) > 1 - 1e-9:
        return (
            "Rounding lifted the cosine of parallel vectors a hair above 1 (or below -1), and "
            "arccos has no answer there. Clip the cosine to [-1, 1] first."
        )
    return close(absolute=1e-6)(got, want, case)


ANGLE = Exercise(
    reference=angle,
    cases=(
        lambda rng: inputs(np.array([3.0, 4.0]), np.array([4.0, 3.0])),
        lambda rng: inputs(np.array([1.0, 0.0]), np.array([-1.0, 2.0])),
        lambda rng: inputs(rng.normal(size=7), rng.normal(size=7)),
        *(_parallel(cosine) for cosine in COSINES),
        _parallel(_cosine, sign=-1),
    ),
    accept=_is_the_angle,
    mistakes=(
        Mistake(
            "Rounding lifted the cosine of parallel vectors a hair above 1 (or below -1), and "
            "arccos has no answer there. Clip the cosine to [-1, 1] first.",
            lambda a, b: np.arccos(_cosine(a, b)),
        ),
        Mistake(
            "You returned degrees; here an angle is in radians, from 0 to pi.",
            lambda a, b: np.degrees(np.arccos(np.clip(_cosine(a, b), -1, 1))),
        ),
        Mistake(
            "You returned the cosine. One step is left: np.arccos turns it into an angle.",
            lambda a, b: np.clip(_cosine(a, b), -1, 1),
        ),
        Mistake(
            "You clipped to [0, 1], so every angle above 90 degrees comes out as 90 degrees.",
            lambda a, b: np.arccos(np.clip(_cosine(a, b), 0, 1)),
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
        lambda a, b: np.arccos(min(1.0, max(-1.0, _cosine(a, b)))),
        lambda a, b: vectors.angle(a, b),
        lambda a, b: np.arccos(np.clip(vectors.cosine(a, b), -1, 1)),
        lambda a, b: np.arccos(np.clip(COSINES[5](a, b), -1, 1)),
        lambda a, b: float(np.arccos(np.clip(_cosine(a, b), -1.0, 1.0))),
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


def small_angle(a, b):
    u, v = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return 2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))


def _turned(turn, rng, d):
    """A vector, and the same turned by a known angle in a random plane."""
    along = vectors.normalize(rng.normal(size=d))
    across = rng.normal(size=d)
    across = vectors.normalize(across - vectors.projection(across, along))
    a, b = rng.uniform(1, 2), rng.uniform(1, 2)
    return inputs(a * along, b * (np.cos(turn) * along + np.sin(turn) * across))


SMALL_ANGLE = Exercise(
    reference=small_angle,
    cases=(
        lambda rng: _turned(1.0, rng, d=2),
        lambda rng: _turned(1e-9, rng, d=3),
        lambda rng: _turned(1e-8, rng, d=5),
        lambda rng: _turned(2.5, rng, d=3),
        lambda rng: _turned(2.0, rng, d=2),
    ),
    accept=close(1e-3),
    mistakes=(
        Mistake(
            "Near 0 the cosine is 1 minus half the square of the angle; for 1e-9 that is 1 minus "
            "5e-19, and float64 rounds it to 1. No arccos can bring the angle back.",
            lambda a, b: np.arccos(np.clip(_cosine(a, b), -1, 1)),
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
    ),
    alternatives=(
        lambda a, b: vectors.angle(a, b),
        lambda a, b: (
            2 * np.arcsin(np.linalg.norm(a / np.linalg.norm(a) - b / np.linalg.norm(b)) / 2)
        ),
        lambda a, b: np.arctan2(np.linalg.norm(b - (a @ b) / (a @ a) * a), _along(a, b)),
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


def _along(a, b):
    return (a @ b) / np.linalg.norm(a)


ABOVE_ONE = Bet(
    "above_one",
    question="10,000 pairs of parallel vectors (up to rounding) with 50 entries. On paper each has "
    "cosine 1. "
    "For how many does the computed cosine come out above 1?",
    answer=Number(0, 10_000, unit="pairs", near=700, format="{:.0f}"),
    why="Products, sums, roots and the quotient each round the last digit, as often up as down.",
    model_answer="More than a third lands above 1, at most by some units in the sixteenth digit. "
    "It looks harmless, and arccos of 1.0000000000000002 is NaN, not a number; whatever you "
    "compute with it from there is NaN too.",
    depth=True,
)

# Depth: the projection


def projection_length(b, onto):
    return dot(b, onto) / np.sqrt(dot(onto, onto))


PROJECTION_LENGTH = Exercise(
    reference=projection_length,
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

# Depth: perpendicular is not independent


def perpendicular_to(x):
    return x**2


def _order(x) -> np.ndarray:
    return np.random.default_rng(0).permutation(len(x))


def _plain_and_shuffled(candidate, case) -> dict:
    """y for x, and y for the same numbers in another order."""
    x = case.args[0]
    shuffled = x[_order(x)]
    return {
        "output": usable_array(candidate(x)).copy(),
        "y of x shuffled": usable_array(candidate(shuffled)),
    }


def _decided_by_x(got, want, case) -> bool | str:
    """Accepts any y that is perpendicular to x, varies, and is decided by x alone."""
    x, y = case.args[0], np.asarray(got["output"], dtype=float)
    if y.shape != x.shape:
        return "y should have one number for each number of x."
    if not np.isfinite(y).all():
        return "y is not finite everywhere: look at the x that is 0."
    if np.ptp(y) < 1e-9:
        return "Every y is the same number, so x decides nothing about it. Let y vary with x."
    if not np.allclose(got["y of x shuffled"], y[_order(x)], atol=1e-6):
        return "y depends on the places of the numbers in x, or on chance. Let x[i] decide y[i]."
    if abs(vectors.cosine(x, y)) > 1e-6:
        return "The dot product of x and y is not 0 yet."
    return True


PERPENDICULAR_TO = Exercise(
    reference=perpendicular_to,
    cases=(
        lambda rng: inputs(np.linspace(-1, 1, 11)),
        lambda rng: inputs(np.linspace(-3, 3, 101)),
    ),
    observe=_plain_and_shuffled,
    accept=_decided_by_x,
    open_answer=True,
    mistakes=(
        Mistake("The dot product of x and y is not 0 yet.", lambda x: 2 * x + 1),
        Mistake(
            "Every y is the same number, so x decides nothing about it. Let y vary with x.",
            lambda x: np.ones(len(x)),
        ),
        Mistake(
            "y depends on the places of the numbers in x, or on chance. Let x[i] decide y[i].",
            lambda x: np.cos(np.pi * np.arange(len(x))),
        ),
        Mistake("y is not finite everywhere: look at the x that is 0.", lambda x: np.log(x**2)),
        Mistake("y should have one number for each number of x.", lambda x: np.array([0.0, 1.0])),
    ),
    alternatives=(
        lambda x: np.abs(x),
        lambda x: [value**2 for value in x],
        lambda x: np.cos(3 * x).astype(np.float32),
        lambda x: (np.abs(x) < 0.5).astype(float),
    ),
    hints=(
        "x runs from -1 to 1. Each positive x has a negative partner. What must y do at both for "
        "their two products to cancel?",
        "y should be the same at x and at -x. Which functions do you know that do that?",
        "return x ** ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

SAME_RANKING = Bet(
    "same_ranking",
    question="By dot product, invited ranks shen before xiao before yang. The three have unequal "
    "lengths. Does the cosine rank them in the same order?",
    answer=Choice(("the same order", "another order"), which=lambda same: 0 if same else 1),
    why="yang is 8 percent longer than shen, and its cosine is 44 percent smaller.",
    model_answer="To overtake, a key must be longer by more than its cosine is smaller. Three keys "
    "of almost equal length give it no chance. Many keys of unequal lengths do: the next cell "
    "counts how often the winner changes.",
    depth=True,
)

# Depth: two other scores

FOUR_TIMES = Bet(
    "four_times",
    question="The query xiao asks all four words, by each of the three scores. Now every entry of "
    "the query is made four times as large. By which of the scores does another word win than "
    "before?",
    answer=Choice(
        (
            "by none of them",
            "by the distance alone",
            "by the overlap alone",
            "by distance and overlap",
            "by all three",
        ),
        which=lambda changed: [(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)].index(
            tuple(changed)
        ),
    ),
    why="Four times the query makes each dot product four times as large, which changes no order. "
    "The other two scores do not grow in step.",
    model_answer="The query still points the same way, but only the dot product treats it as the "
    "same question. For the distance, a long query lies far out, and another key is nearest to "
    "it. For the overlap, what is larger than the key's entry does not count, so a loud query "
    "finds every key fully covered.",
    depth=True,
)


def distance_scores(q, k):
    return 2 * (q @ k.T) - _squared(q)[:, None] - _squared(k)


def _squared(rows):
    """The squared length of each row."""
    return (rows * rows).sum(axis=1)


def _distances_with_loops(q, k):
    return [[-sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) for b in k] for a in q]


def _distances_by_broadcasting(q, k):
    return -((q[:, None, :] - k[None, :, :]) ** 2).sum(axis=-1)


DISTANCE_SCORES = Exercise(
    reference=distance_scores,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]),
            np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]),
        ),
        lambda rng: inputs(rng.normal(size=(2, 5)), rng.normal(size=(3, 5))),
        lambda rng: inputs(rng.normal(size=(7, 2)), rng.normal(size=(1, 2))),
    ),
    mistakes=(
        Mistake(
            "The sign is turned: the largest number stands at the key that is furthest away. A "
            "score should be high for a near key.",
            lambda q, k: -distance_scores(q, k),
        ),
        Mistake(
            "The 2 is missing. The square of x - y has 2xy in its middle.",
            lambda q, k: q @ k.T - _squared(q)[:, None] - _squared(k),
        ),
        Mistake(
            "The squared lengths of the queries lie along the columns, as those of the keys do. "
            "[:, None] stands them upright, one number for each row.",
            lambda q, k: 2 * (q @ k.T) - _squared(q) - _squared(k),
        ),
        Mistake(
            "Rows and columns are swapped: the squared lengths of the queries belong to the rows, "
            "those of the keys to the columns.",
            lambda q, k: 2 * (q @ k.T) - _squared(q) - _squared(k)[:, None],
        ),
        Mistake(
            "You added up the squares of all rows. With axis=1 each row keeps its own sum.",
            lambda q, k: 2 * (q @ k.T) - _squared(q).sum() - _squared(k).sum(),
        ),
        Mistake(
            "You subtracted the lengths. The formula takes their squares.",
            lambda q, k: 2 * (q @ k.T) - np.sqrt(_squared(q))[:, None] - np.sqrt(_squared(k)),
        ),
        Mistake(
            "The squared lengths of the queries are missing. Each row has the right order without "
            "them; its numbers are not the distances yet.",
            lambda q, k: 2 * (q @ k.T) - _squared(k),
        ),
        Mistake(
            "The squared lengths of the keys are missing, so a long key wins as by dot product.",
            lambda q, k: 2 * (q @ k.T) - _squared(q)[:, None],
        ),
        Mistake(
            "You took the root: that is minus the distance. Asked for is minus its square.",
            lambda q, k: -np.sqrt(-_distances_by_broadcasting(q, k)),
        ),
        Mistake(
            "You compared row by row: query i met only key i. Every query should meet every key.",
            lambda q, k: -((q - k) ** 2).sum(axis=-1),
        ),
    ),
    alternatives=(
        _distances_with_loops,
        _distances_by_broadcasting,
        lambda q, k: np.array([-(np.linalg.norm(query - k, axis=1) ** 2) for query in q]),
        lambda q, k: _distances_by_broadcasting(q.astype(np.float32), k.astype(np.float32)),
    ),
    hints=(
        "The formula has three parts. Which part is a number for each pair, which for each query, "
        "which for each key?",
        "(q * q).sum(axis=1) is one number for each query. It belongs to whole rows of the table: "
        "with [:, None] behind it, it stands upright, of shape (t, 1).",
        "return 2 * pairwise_dots(q, k) - (q * q).sum(axis=1)[:, None] - ...",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

chapter = Chapter(
    "01_dot_product",
    exercises=(
        DOT,
        NEAR_AND_LOUD,
        PAIRWISE_DOTS,
        ATTENTION,
        ANGLE,
        SMALL_ANGLE,
        PROJECTION_LENGTH,
        PERPENDICULAR_TO,
        DISTANCE_SCORES,
    ),
    bets=(LOUDER, NO_TRANSPOSE, STRANGERS, HALF_WAY, SAME_RANKING, HOW_MANY, ABOVE_ONE, FOUR_TIMES),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
