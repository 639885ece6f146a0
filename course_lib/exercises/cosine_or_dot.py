"""The exercises and bets of chapter 2, cosine or dot."""

import numpy as np

from course_lib.exercises.engine.accept import close
from course_lib.exercises.engine.bet import Bet, Choice, Number
from course_lib.exercises.engine.chapter import Chapter
from course_lib.exercises.engine.exercise import Exercise, Mistake, Property, inputs
from course_lib.kernels import scores, vectors

# Only the direction


def unit_rows(x):
    lengths = np.sqrt((x**2).sum(axis=1, keepdims=True))
    return x / np.where(lengths == 0, 1, lengths)


ZERO_ROW = (
    "A row of zeros has length 0, and 0 divided by 0 is not a number. It has no direction: "
    "let it stay zero."
)
SHRUNK = (
    "The number that saves the zero row is felt by short rows too: theirs are no longer of length "
    "1. Let it act only where the length is 0."
)


def _lengths(x) -> np.ndarray:
    return np.sqrt((np.asarray(x, dtype=float) ** 2).sum(axis=-1))


def _are_unit_rows(got, want, case) -> bool | str:
    """Accepts 1e-4; tells the zero row and the short row apart from the rest."""
    if close(1e-4)(got, want, case):
        return True
    x, came = case.args[0], np.asarray(got["output"], dtype=float)
    if came.shape != x.shape:
        return False
    bad = ~np.isclose(came, want["output"], atol=1e-4).all(axis=1)
    lengths = _lengths(x)
    if bad[lengths == 0].any() and not bad[lengths > 0].any() and not np.isfinite(came).all():
        return ZERO_ROW
    order = np.argsort(lengths[lengths > 0])
    came_lengths = _lengths(came)[lengths > 0][order]
    turned = ~np.isclose(came, _lengths(came)[:, None] * want["output"], atol=1e-6).all()
    grow = (np.diff(came_lengths) >= 0).all() and 0.99 < came_lengths[-1] < 1 + 1e-6
    return SHRUNK if grow and not turned else False


UNIT_ROWS = Exercise(
    reference=unit_rows,
    cases=(
        lambda rng: inputs(np.array([[3.0, 4.0, 0.0], [0.0, 5.0, 12.0]])),
        lambda rng: inputs(rng.normal(size=(3, 3)).round(1) * np.array([[1.0], [2.0], [5.0]])),
        lambda rng: inputs(np.array([[3.0, 4.0], [0.0, 0.0], [-6.0, 8.0]])),
        lambda rng: inputs(np.array([[0.6, 0.8], [3e-5, -4e-5], [5.0, 0.0]])),
        lambda rng: inputs(rng.normal(size=(5, 7))),
    ),
    accept=_are_unit_rows,
    properties=(
        Property(
            "Every row that is not zero has length 1.",
            lambda got, case: bool(
                np.allclose(_lengths(got["output"])[_lengths(case.args[0]) > 0], 1, atol=1e-3)
            ),
        ),
    ),
    mistakes=(
        Mistake(ZERO_ROW, lambda x: x / np.sqrt((x**2).sum(axis=1, keepdims=True))),
        Mistake(SHRUNK, lambda x: x / (np.sqrt((x**2).sum(axis=1, keepdims=True)) + 1e-6)),
        Mistake(
            "You divided each column by its length. A vector stands in a row: add up along axis 1.",
            lambda x: x / np.where(_lengths(x.T) == 0, 1, _lengths(x.T)),
        ),
        Mistake(
            "You divided the whole table by one number, the length of all its entries together. "
            "Each row has a length of its own.",
            lambda x: x / np.linalg.norm(x),
        ),
        Mistake(
            "The root is missing: you divided by the squared length.",
            lambda x: x / np.where(_lengths(x) == 0, 1, _lengths(x) ** 2)[:, None],
        ),
        Mistake(
            "You divided by the sum of the entries' sizes. The rows then add up to 1; their length "
            "is the root of the sum of squares.",
            lambda x: x / np.where(_lengths(x) == 0, 1, np.abs(x).sum(axis=1))[:, None],
        ),
        Mistake(
            "You returned the lengths. Divide each row by its own.",
            lambda x: _lengths(x),
        ),
        Mistake(
            "You left the zero row out. As many rows should come out as went in.",
            lambda x: (x / np.where(_lengths(x) == 0, 1, _lengths(x))[:, None])[_lengths(x) > 0],
        ),
    ),
    alternatives=(
        lambda x: [row / (np.linalg.norm(row) or 1) for row in x],
        lambda x: x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12),
        lambda x: np.nan_to_num(x / np.linalg.norm(x, axis=1)[:, None]),
        lambda x: (x.T / np.where(_lengths(x) == 0, 1, _lengths(x))).T,
        lambda x: (x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)).astype(
            np.float32
        ),
    ),
    hints=(
        "What do you divide a vector by to make it 1 long? And what if that is 0?",
        "(x**2).sum(axis=1, keepdims=True) has shape (n, 1), so it divides row by row. "
        "np.where(lengths == 0, 1, lengths) puts a 1 where the length is 0.",
        "lengths = np.sqrt(...); return x / np.where(lengths == 0, ..., lengths)",
    ),
    minutes=4,
    stars=1,
)


def cosine_matrix(q, k):
    return unit_rows(q) @ unit_rows(k).T


def _cosines_with_loops(q, k):
    return [
        [(a @ b) / (np.sqrt(a @ a) * np.sqrt(b @ b)) for b in k]
        for a in q
    ]  # fmt: skip


COSINE_MATRIX = Exercise(
    reference=cosine_matrix,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([[2.0, 4.0], [5.0, 0.0], [3.0, -4.0]])
        ),
        lambda rng: inputs(2 * rng.normal(size=(3, 3)).round(1), rng.normal(size=(3, 3)).round(1)),
        lambda rng: inputs(rng.normal(size=(2, 5)), 3 * rng.normal(size=(7, 5))),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), len(case.args[1])),
        ),
        Property(
            "A cosine lies between -1 and 1.",
            lambda got, case: bool((np.abs(np.asarray(got["output"])) <= 1 + 1e-5).all()),
        ),
    ),
    mistakes=(
        Mistake(
            "These are the dot products: the lengths are still in them. Bring the rows to length 1 "
            "first.",
            lambda q, k: q @ k.T,
        ),
        Mistake(
            "Only the keys are brought to length 1. The query's length still multiplies its row.",
            lambda q, k: q @ unit_rows(k).T,
        ),
        Mistake(
            "Only the queries are brought to length 1. A long key still shouts.",
            lambda q, k: unit_rows(q) @ k.T,
        ),
        Mistake(
            "You normalised the rows of the finished table. It is the vectors that should have "
            "length 1.",
            lambda q, k: unit_rows(q @ k.T),
        ),
        Mistake(
            "Your table lies on its side: rows are keys and columns are queries. A row should "
            "belong to a query.",
            lambda q, k: unit_rows(k) @ unit_rows(q).T,
        ),
        Mistake(
            "You divided by the squared lengths: the roots are missing.",
            lambda q, k: (q @ k.T) / np.outer((q**2).sum(axis=1), (k**2).sum(axis=1)),
        ),
        Mistake(
            "You divided by the lengths of the whole tables. Each row has a length of its own.",
            lambda q, k: (q @ k.T) / (np.linalg.norm(q) * np.linalg.norm(k)),
        ),
        Mistake(
            "The transpose is missing, so rows of q met columns of k.",
            lambda q, k: unit_rows(q) @ unit_rows(k),
        ),
        Mistake(
            "That is the cosine distance, 1 minus the cosine. Asked for is the cosine itself.",
            lambda q, k: 1 - unit_rows(q) @ unit_rows(k).T,
        ),
    ),
    alternatives=(
        _cosines_with_loops,
        lambda q, k: (q @ k.T) / np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=1)),
        lambda q, k: np.einsum("td,sd->ts", unit_rows(q), unit_rows(k)),
        lambda q, k: vectors.cosine(q[:, None, :], k[None, :, :]),
        lambda q, k: unit_rows(q).astype(np.float32) @ unit_rows(k).astype(np.float32).T,
    ),
    hints=(
        "If all rows had length 1, what would the dot product of two of them be?",
        "Bring the rows of q and of k to length 1 with unit_rows. Then one matrix product, as in "
        "chapter 1.",
        "return unit_rows(q) @ ...",
    ),
    minutes=3,
    stars=1,
)

# The loud key

LOUD_KEY = Bet(
    "loud_key",
    question="1000 keys with 64 entries, all of length 1, in random directions, and 5000 random "
    "queries. Each query picks the key with the largest dot product. Now you make one of the keys "
    "100 times longer. Which share of the queries picks it?",
    answer=Number(0, 100, unit="percent", near=5, format="{:.1f}"),
    why="For the half of the queries that point its way, however slightly, 100 times a small "
    "cosine beats every other key; for the other half its score is hugely negative.",
    model_answer="Length multiplies the score, with its sign. A key of length 100 has the best "
    "score for nearly every query within 90 degrees, and the worst for every query beyond. So the "
    "share climbs towards one half, and no length wins the other half: among queries that point in "
    "all directions a vector cannot be loud for everybody.",
)


def overtaking_length(q, near, loud):
    for_each_unit = q @ loud / np.sqrt(loud @ loud)
    return q @ near / for_each_unit if for_each_unit > 0 else np.inf


NEVER = (
    "loud points across q or away from it. Then a longer loud only loses more: no length is "
    "enough, and the answer is np.inf."
)


def _overtakes(got, want, case) -> bool | str:
    """Accepts one in a thousand; says it where no length is enough."""
    if np.isinf(want["output"]) and np.ndim(got["output"]) == 0 and not np.isposinf(got["output"]):
        return NEVER
    return close(1e-3)(got, want, case)


OVERTAKING_LENGTH = Exercise(
    reference=overtaking_length,
    accept=_overtakes,
    cases=(
        lambda rng: inputs(np.array([2.0, 0.0]), np.array([3.0, 0.0]), np.array([3.0, 4.0])),
        lambda rng: inputs(np.array([3.0, 1.0]), np.array([1.0, 1.0]), np.array([0.5, 1.0])),
        lambda rng: inputs(np.array([1.0, 0.0]), np.array([2.0, 1.0]), np.array([-1.0, 1.0])),
        lambda rng: inputs(np.array([1.0, 2.0]), np.array([2.0, 1.0]), np.array([-2.0, 1.0])),
        lambda rng: inputs(
            np.array([1.0, 2.0, -1.0]), np.array([0.5, 1.5, -1.0]), np.array([2.0, 1.0, 2.0])
        ),
    ),
    mistakes=(
        Mistake(
            NEVER,
            lambda q, near, loud: (
                q @ near / (q @ loud) * np.linalg.norm(loud) if q @ loud else np.inf
            ),
        ),
        Mistake(
            "That is how many times longer loud must become. Multiply by the length that it has.",
            lambda q, near, loud: q @ near / (q @ loud) if q @ loud > 0 else np.inf,
        ),
        Mistake(
            "You took the length of near for 1. Its score counts its length too.",
            lambda q, near, loud: (
                vectors.cosine(q, near) / vectors.cosine(q, loud) if q @ loud > 0 else np.inf
            ),
        ),
        Mistake(
            "You multiplied the length of near by the cosine of loud; divide. The further loud "
            "turns away, the longer it must be.",
            lambda q, near, loud: (
                np.linalg.norm(near) * vectors.cosine(q, loud) / vectors.cosine(q, near)
                if q @ loud > 0
                else np.inf
            ),
        ),
        Mistake(
            "You divided the score of near by the cosine of loud and forgot that the query's "
            "length is in that score as well. It multiplies both and drops out.",
            lambda q, near, loud: q @ near / vectors.cosine(q, loud) if q @ loud > 0 else np.inf,
        ),
        Mistake(
            "You measured the angle between loud and near. What counts is how far each of them "
            "reaches along q.",
            lambda q, near, loud: (
                np.linalg.norm(near) / vectors.cosine(near, loud) if q @ loud > 0 else np.inf
            ),
        ),
        Mistake(
            "You took the cosine of near as 1. It may point beside q too, and then it reaches "
            "less far along q than it is long.",
            lambda q, near, loud: (
                np.linalg.norm(near) / vectors.cosine(q, loud) if q @ loud > 0 else np.inf
            ),
        ),
    ),
    alternatives=(
        lambda q, near, loud: (
            np.linalg.norm(near) * vectors.cosine(q, near) / vectors.cosine(q, loud)
            if vectors.cosine(q, loud) > 1e-12
            else float("inf")
        ),
        lambda q, near, loud: (
            (q @ near) / (q @ loud) * np.linalg.norm(loud) if q @ loud > 0 else np.inf
        ),
        lambda q, near, loud: (
            np.float32(q @ near / (q @ unit_rows(loud[None])[0])) if q @ loud > 0 else np.inf
        ),
    ),
    hints=(
        "How much score does loud earn for each unit of its length? How much does near have?",
        "At length 1, loud scores q @ loud / |loud|. It needs the score of near, q @ near. And if "
        "it earns nothing, or less than nothing?",
        "earns = q @ loud / ...; return q @ near / earns if earns > 0 else ...",
    ),
    minutes=5,
    stars=2,
)

LONGER_QUERY = Bet(
    "longer_query",
    question="One query, three keys of length 1. The query becomes ten times longer and keeps its "
    "direction. What happens to the three weights after the softmax?",
    answer=Choice(
        (
            "all three grow",
            "the largest grows, the others shrink",
            "nothing changes",
            "another key becomes the largest",
        ),
        which=lambda weights: _what_happened(*weights),
    ),
    why="All scores of the row are multiplied by ten, so their order stays and their gaps grow "
    "tenfold; the sum of the weights stays 1.",
    model_answer="A query has a row of weights for itself, and they add up to 1. Its length "
    "multiplies every score of the row, and so it sets how sharply the query chooses, not what it "
    "chooses. The length of a key is another thing: it changes the score of that key alone.",
)


def _what_happened(before, after) -> int:
    before, after = np.asarray(before), np.asarray(after)
    if np.allclose(before, after):
        return 2
    if before.argmax() != after.argmax():
        return 3
    return 0 if (after > before).all() else 1


# Opposites

ANTONYMS = Bet(
    "antonyms",
    question="20,000 short sentences are counted: which words stand beside which? Each word gets a "
    "vector of its counts, weighted by PPMI. What is the cosine of hot and cold?",
    answer=Number(-1, 1, near=0.15, format="{:.2f}"),
    why="hot and cold stand beside the same words, and a vector made of neighbours knows nothing "
    "else.",
    model_answer="Words of opposite meaning are about the same thing: the tea is hot, the tea is "
    "cold. To a method that looks at neighbours they are almost interchangeable, so they come out "
    "close. A cosine near -1 would need neighbours that are opposite too, and a word can be absent "
    "from a place but not less than absent.",
)

# Search


def search(stored, questions, count):
    cosines = cosine_matrix(questions, stored)
    return np.argsort(-cosines, axis=1)[:, :count]


def _search_with_loops(stored, questions, count):
    found = []
    for question in questions:
        cosines = [float(vectors.cosine(question, one)) for one in stored]
        found.append(sorted(range(len(stored)), key=lambda i: -cosines[i])[:count])
    return found


def _search_by_partition(stored, questions, count):
    cosines = cosine_matrix(questions, stored)
    some = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    order = np.argsort(-np.take_along_axis(cosines, some, axis=1), axis=1)
    return np.take_along_axis(some, order, axis=1)


def _fan(rng, n):
    """Rows in clearly different directions, shuffled; so many that no partial sort orders them."""
    angles = rng.permutation(np.linspace(0.2, 2.9, n))[:, None]
    return np.hstack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.2, 5, size=(n, 1))


SEARCH = Exercise(
    reference=search,
    cases=(
        lambda rng: inputs(
            np.array([[9.0, -8.0], [0.2, 1.0], [4.0, 4.0], [-3.0, 1.0], [1.0, 0.1]]),
            np.array([[2.0, 0.0], [1.0, 3.0]]),
            2,
        ),
        lambda rng: inputs(
            rng.normal(size=(11, 5)) * rng.uniform(0.2, 5, size=(11, 1)), rng.normal(size=(3, 5)), 4
        ),
        lambda rng: inputs(
            rng.normal(size=(7, 3)) * rng.uniform(0.2, 5, size=(7, 1)), rng.normal(size=(7, 3)), 1
        ),
        lambda rng: inputs(_fan(rng, 1009), np.array([[1.0, 0.0], [-3.0, 0.2]]), 300),
    ),
    properties=(
        Property(
            "One row for each question, `count` places in it.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[1]), case.args[2]),
        ),
    ),
    mistakes=(
        Mistake(
            "You ranked by dot product: long passages win from further away. Rank by cosine.",
            lambda stored, questions, count: np.argsort(-questions @ stored.T, axis=1)[:, :count],
        ),
        Mistake(
            "These are the worst ones: argsort puts the smallest number first. Sort the negative "
            "scores.",
            lambda stored, questions, count: np.argsort(cosine_matrix(questions, stored), axis=1)[
                :, :count
            ],
        ),
        Mistake(
            "You found the right ones and listed the best last. The best should stand first.",
            lambda stored, questions, count: np.argsort(cosine_matrix(questions, stored), axis=1)[
                :, -count:
            ],
        ),
        Mistake(
            "You returned the scores. Asked for is where the passages stand: np.argsort gives "
            "places.",
            lambda stored, questions, count: (
                -np.sort(-cosine_matrix(questions, stored), axis=1)[:, :count]
            ),
        ),
        Mistake(
            "You sorted down the columns, so each passage ranks the questions. A row should belong "
            "to a question.",
            lambda stored, questions, count: np.argsort(-cosine_matrix(questions, stored), axis=0)[
                :, :count
            ],
        ),
        Mistake(
            "You ranked by distance: of two passages in the same direction the one of the "
            "question's length wins. Rank by cosine.",
            lambda stored, questions, count: np.argsort(
                ((questions[:, None] - stored) ** 2).sum(axis=-1), axis=1
            )[:, :count],
        ),
        Mistake(
            "You found the right ones and listed them in the order in which they are stored. The "
            "best should stand first.",
            lambda stored, questions, count: np.sort(search(stored, questions, count), axis=1),
        ),
        Mistake(
            "You cut the table before you sorted it, so only the first `count` passages were "
            "searched. Sort first, then keep the first `count` places of each row.",
            lambda stored, questions, count: np.argsort(
                -cosine_matrix(questions, stored)[:, :count], axis=1
            ),
        ),
        Mistake(
            "[:count] keeps the first questions. [:, :count] keeps the first places of each.",
            lambda stored, questions, count: np.argsort(-cosine_matrix(questions, stored), axis=1)[
                :count
            ],
        ),
        Mistake(
            "You returned all the places. Keep the first `count` of each row.",
            lambda stored, questions, count: np.argsort(-cosine_matrix(questions, stored), axis=1),
        ),
        Mistake(
            "The places count from 1. In Python the first passage is number 0.",
            lambda stored, questions, count: search(stored, questions, count) + 1,
        ),
        Mistake(
            "You searched the questions with the passages; stored and questions have changed "
            "places.",
            lambda stored, questions, count: search(questions, stored, count),
        ),
    ),
    alternatives=(
        _search_with_loops,
        _search_by_partition,
        lambda stored, questions, count: np.argsort(cosine_matrix(questions, stored), axis=1)[
            :, ::-1
        ][:, :count],
        lambda stored, questions, count: np.argsort(-(questions @ unit_rows(stored).T), axis=1)[
            :, :count
        ],
    ),
    hints=(
        "Which table do you need first? What does one of its rows say?",
        "cosine_matrix(questions, stored) has a row for each question. np.argsort(-scores, axis=1) "
        "lists the places from the best to the worst.",
        "return np.argsort(-cosine_matrix(...), axis=1)[:, :...]",
    ),
    minutes=5,
    stars=2,
)

# Depth: lengths and frequencies, LayerNorm

LENGTH_IS_FREQUENCY = Bet(
    "length_is_frequency",
    question="In these sentences cat stands about nine times as often as kitten, in the same "
    "places. Its row of counts is therefore about nine times as long. How many times as long is "
    "its PPMI vector?",
    answer=Number(0, 20, unit="times", near=0.3, format="{:.2f}"),
    why="PPMI divides each count by what the word's own frequency would give by chance, so the "
    "frequency drops out.",
    model_answer="Length is frequency where vectors are raw counts. Weighting takes the frequency "
    "out, and in vectors that a network learns the relation is weak: there length also depends on "
    "how special a word's neighbours are (Schakel and Wilson, 2015).",
    depth=True,
)

LAYER_NORM = Bet(
    "layer_norm",
    question="Every token is brought to the same length by LayerNorm. A learned matrix makes "
    "queries of them and another makes keys; both stretch some directions more than others. Each "
    "query picks its best of 50 keys. For which share do dot product and cosine pick the same one?",
    answer=Number(0, 100, unit="percent", near=10, format="{:.0f}"),
    why="LayerNorm sets the length of the token, not of the key that the matrix makes of it: "
    "tokens along a stretched direction become long keys.",
    model_answer="After LayerNorm all tokens have one length. A matrix that stretches all "
    "directions alike would nearly keep it, and then the dot product nearly ranks like the cosine. "
    "One that stretches a few directions far more than the others makes loud keys of some tokens. "
    "How much it stretches is learned: a freedom the model can use.",
    depth=True,
)

# Depth: distance

LONGEST = 3


def misled_by_distance(a):
    return LONGEST * a, 0.5 * np.array([-a[1], a[0]])


def _misled(got, want, case) -> bool | str:
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
    if vectors.angle(a, b) > 1e-6:
        return "b should point exactly where a points: make it a number above 0 times a."
    if abs(vectors.cosine(a, c)) > 1e-6:
        return "c should be perpendicular to a."
    if vectors.norm(b) > LONGEST * vectors.norm(a) * (1 + 1e-9):
        return "b is more than three times as long as a. It can be misjudged with less."
    if not vectors.norm(c - a) < vectors.norm(b - a):
        return "By distance, b is still the nearer one. Make it longer, or c shorter."
    return True


MISLED_BY_DISTANCE = Exercise(
    reference=misled_by_distance,
    cases=(
        lambda rng: inputs(np.array([1.0, 0.0])),
        lambda rng: inputs(np.array([1.0, 2.0])),
        lambda rng: inputs(np.array([-3.0, 0.5])),
    ),
    accept=_misled,
    open_answer=True,
    mistakes=(
        Mistake(
            "By distance, b is still the nearer one. Make it longer, or c shorter.",
            lambda a: (2 * a, np.array([-a[1], a[0]])),
        ),
        Mistake(
            "b is more than three times as long as a. It can be misjudged with less.",
            lambda a: (10 * a, np.array([-a[1], a[0]])),
        ),
        Mistake(
            "b should point exactly where a points: make it a number above 0 times a.",
            lambda a: (-a, np.array([-a[1], a[0]]) / 10),
        ),
        Mistake("c should be perpendicular to a.", lambda a: (3 * a, a + 0.1)),
        Mistake("c is a zero vector; it has no direction.", lambda a: (3 * a, 0 * a)),
    ),
    alternatives=(
        lambda a: (2.5 * a, np.array([-a[1], a[0]])),
        lambda a: ([2.1 * x for x in a], [a[1] / 100, -a[0] / 100]),
        lambda a: (np.float32(2.9) * a.astype(np.float32), np.array([a[1], -a[0]], np.float32)),
    ),
    hints=(
        "How far is b from a if b is twice, or three times, as long? How far is a perpendicular c?",
        "b = x · a lies (x - 1) · |a| from a. A perpendicular c lies sqrt(|a|² + |c|²) from it. "
        "[-a[1], a[0]] is perpendicular to a.",
        "return ... * a, ... * np.array([-a[1], a[0]])",
    ),
    minutes=5,
    stars=2,
    depth=True,
)

UNITS_AGREE = Bet(
    "units_agree",
    question="1000 stored vectors, all brought to length 1, and a question of length 1. You rank "
    "them once by cosine, the largest first, and once by distance, the smallest first. Do you get "
    "the same order?",
    answer=Choice(("the same order", "another order"), which=lambda same: 0 if same else 1),
    why="Between vectors of length 1 the squared distance is 2 minus twice the cosine, so one "
    "falls exactly when the other rises.",
    model_answer="|a - b|² = |a|² + |b|² - 2 a·b. With both lengths 1 that is 2 - 2 cos. Ranking "
    "by distance, by dot product and by cosine is then one and the same; only for free lengths do "
    "the three part.",
    depth=True,
)

# Depth: cost

SURCHARGE = Bet(
    "surcharge",
    question="1000 queries, 1000 keys, width 64. The dot products take 128 million multiplications "
    "and additions. How many percent more does it take to bring all queries and keys to length 1 "
    "first?",
    answer=Number(0, 300, unit="percent", factor=2, format="{:.1f}"),
    why="2000 rows have to be normalised, and a million pairs to be scored: the rows hardly count.",
    model_answer="Normalising costs about 3 d operations a row, and there are 2000 rows. Scoring "
    "costs 2 d a pair, and there are a million pairs. The two to three times that one reads counts "
    "the lengths anew for every pair, which nobody has to do. The more keys, the smaller the "
    "share.",
    depth=True,
)

SLOWEST = Bet(
    "slowest",
    question="Against the plain dot product, in the recorded measurement at width 64: which of "
    "these is the slowest?",
    answer=Choice(
        ("cosine, rows brought to length 1", "bilinear, with q W computed once", "additive"),
        which=lambda ratios: int(np.argmax(ratios)),
    ),
    why="Each pair needs a tanh for every hidden number, and there is no matrix product that does "
    "it.",
    model_answer="Cosine and bilinear score are a matrix product with some preparation of the "
    "rows. The additive score has to bend d numbers for each of a million pairs before it may add "
    "them up, and those numbers have to pass through memory.",
    depth=True,
)


def additive_scores(q, k, w_q, w_k, v):
    hidden = np.tanh((q @ w_q)[:, None, :] + (k @ w_k)[None, :, :])
    return hidden @ v


def _additive_with_loops(q, k, w_q, w_k, v):
    return [[float(np.tanh(a @ w_q + b @ w_k) @ v) for b in k] for a in q]


ADDITIVE_SCORES = Exercise(
    reference=additive_scores,
    cases=(
        lambda rng: inputs(
            np.array([[1.0, 0.0]]),
            np.array([[0.0, 1.0], [1.0, 1.0]]),
            np.array([[0.5, -1.0], [1.0, 0.0]]),
            np.array([[1.0, 0.0], [0.0, 0.5]]),
            np.array([2.0, -1.0]),
        ),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((3, 3), (3, 3), (3, 3), (3, 3), 3))),
        lambda rng: inputs(*(rng.normal(size=n) for n in ((2, 5), (3, 5), (5, 7), (5, 7), 7))),
    ),
    properties=(
        Property(
            "One row for each query, one column for each key.",
            lambda got, case: np.shape(got["output"]) == (len(case.args[0]), len(case.args[1])),
        ),
        Property(
            "No score is larger than the sum of the sizes in v: tanh stays between -1 and 1.",
            lambda got, case: bool(
                (np.abs(np.asarray(got["output"])) <= np.abs(case.args[4]).sum() + 1e-5).all()
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "The tanh is missing. Without it the score splits into a part of the query and a part "
            "of the key, and every query ranks the keys alike.",
            lambda q, k, w_q, w_k, v: (q @ w_q @ v)[:, None] + (k @ w_k @ v)[None],
        ),
        Mistake(
            "You bent query and key each by itself. Add them first, then the tanh: otherwise they "
            "never meet.",
            lambda q, k, w_q, w_k, v: (np.tanh(q @ w_q) @ v)[:, None] + np.tanh(k @ w_k) @ v,
        ),
        Mistake(
            "The tanh came last, over the finished score. It belongs around the sum of the two "
            "projections.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q @ v)[:, None] + k @ w_k @ v),
        ),
        Mistake(
            "You multiplied the two projections. This score adds them.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] * (k @ w_k)[None]) @ v,
        ),
        Mistake(
            "Query i met only key i. Give each of the two an axis of its own, so that every query "
            "meets every key: [:, None, :] and [None, :, :].",
            lambda q, k, w_q, w_k, v: np.tanh(q @ w_q + k @ w_k) @ v,
        ),
        Mistake(
            "v is not used: you added the hidden numbers up as they are.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]).sum(axis=-1),
        ),
        Mistake(
            "Your table lies on its side: a row should belong to a query.",
            lambda q, k, w_q, w_k, v: additive_scores(q, k, w_q, w_k, v).T,
        ),
        Mistake(
            "You stopped before v: there are still as many numbers a pair as v has entries.",
            lambda q, k, w_q, w_k, v: np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]),
        ),
    ),
    alternatives=(
        _additive_with_loops,
        scores.additive_scores,
        lambda q, k, w_q, w_k, v: np.einsum(
            "tsf,f->ts", np.tanh((q @ w_q)[:, None] + (k @ w_k)[None]), v
        ),
        lambda q, k, w_q, w_k, v: np.stack([np.tanh(a + k @ w_k) @ v for a in q @ w_q]),
        lambda q, k, w_q, w_k, v: scores.additive_scores(
            *(one.astype(np.float32) for one in (q, k, w_q, w_k, v))
        ),
    ),
    hints=(
        "q @ w_q has a row for each query, k @ w_k one for each key. How can every row of the one "
        "meet every row of the other?",
        "(q @ w_q)[:, None, :] has shape (t, 1, f), (k @ w_k)[None, :, :] has (1, s, f); their sum "
        "has (t, s, f).",
        "hidden = np.tanh((q @ w_q)[:, None, :] + ...); return hidden @ ...",
    ),
    minutes=8,
    stars=2,
    depth=True,
)

# Depth: gradients


def cosine_gradient(q, k):
    u_q, u_k = q / np.sqrt(q @ q), k / np.sqrt(k @ k)
    return (u_q - (u_q @ u_k) * u_k) / np.sqrt(k @ k)


def _by_differences(q, k, step=1e-5):
    def cosine_of(key):
        return q @ key / np.sqrt((q @ q) * (key @ key))

    steps = step * np.eye(len(k))
    return [(cosine_of(k + one) - cosine_of(k - one)) / (2 * step) for one in steps]


COSINE_GRADIENT = Exercise(
    reference=cosine_gradient,
    cases=(
        lambda rng: inputs(np.array([2.0, 0.0]), np.array([3.0, 4.0])),
        lambda rng: inputs(np.array([1.0, 2.0, -1.0]), np.array([2.0, 0.5, 1.0])),
        lambda rng: inputs(rng.normal(size=5), rng.normal(size=5)),
    ),
    accept=close(1e-4),  # a difference quotient is welcome
    properties=(
        Property(
            "It is perpendicular to k: lengthening k changes no cosine.",
            lambda got, case: bool(
                abs(np.asarray(got["output"]) @ case.args[1]) < 1e-3 * vectors.norm(case.args[1])
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "That is q, the gradient of the dot product. The cosine also divides by |k|, which "
            "changes with k.",
            lambda q, k: q,
        ),
        Mistake(
            "You treated the lengths as fixed. |k| changes with k: take away the part of "
            "u_q along u_k, (u_q @ u_k) * u_k.",
            lambda q, k: q / (np.linalg.norm(q) * np.linalg.norm(k)),
        ),
        Mistake(
            "The length of k is missing: the longer k is, the less a step of one unit turns it. "
            "Divide by |k|.",
            lambda q, k: cosine_gradient(q, k) * np.linalg.norm(k),
        ),
        Mistake(
            "That is the gradient with respect to q. Asked for is the one with respect to k.",
            lambda q, k: cosine_gradient(k, q),
        ),
        Mistake(
            "The sign is turned around: this direction lowers the cosine.",
            lambda q, k: -cosine_gradient(q, k),
        ),
        Mistake(
            "The length of q is still in it. The cosine does not see it: use u_q, of length 1.",
            lambda q, k: cosine_gradient(q, k) * np.linalg.norm(q),
        ),
        Mistake(
            "The direction is right and both lengths are missing: divide by |q| and by |k|.",
            lambda q, k: q - (q @ k) / (k @ k) * k,
        ),
        Mistake(
            "You took (u_q @ u_k) times k away. What lies along k is (u_q @ u_k) times u_k, of "
            "length 1.",
            lambda q, k: (q / np.linalg.norm(q) - vectors.cosine(q, k) * k) / np.linalg.norm(k),
        ),
        Mistake(
            "You took away all of u_k; take away as much as u_q has of it, (u_q @ u_k) * u_k.",
            lambda q, k: (q / np.linalg.norm(q) - k / np.linalg.norm(k)) / np.linalg.norm(k),
        ),
    ),
    alternatives=(
        _by_differences,
        lambda q, k: (
            q / (np.linalg.norm(q) * np.linalg.norm(k))
            - (q @ k) * k / (np.linalg.norm(q) * np.linalg.norm(k) ** 3)
        ),
        lambda q, k: (np.eye(len(k)) - np.outer(k, k) / (k @ k)) @ q / np.sqrt((q @ q) * (k @ k)),
        lambda q, k: cosine_gradient(q, k).astype(np.float32),
    ),
    hints=(
        "In which directions can you move k without changing the cosine at all?",
        "Let u_q and u_k be q and k at length 1. Only the part of u_q that is perpendicular to u_k "
        "turns k: u_q - (u_q @ u_k) * u_k. And a long k turns less for the same step.",
        "return (u_q - ... * u_k) / ...",
    ),
    minutes=8,
    stars=3,
    depth=True,
)

# Depth: which reasons survive


def surviving_reasons():
    cosine_would_cost_twice_as_much = False
    bilinear_would_cost_a_hundred_times = False
    additive_cannot_run_in_parallel = False
    dot_needs_no_parameters_and_one_matrix_product = True
    dot_keeps_gradients_from_vanishing = False
    dot_lets_lengths_speak = True
    return (
        cosine_would_cost_twice_as_much,
        bilinear_would_cost_a_hundred_times,
        additive_cannot_run_in_parallel,
        dot_needs_no_parameters_and_one_matrix_product,
        dot_keeps_gradients_from_vanishing,
        dot_lets_lengths_speak,
    )


ABOUT_THE_REASONS = (
    "cosine_would_cost_twice_as_much: count again. 2000 rows are normalised for a million pairs.",
    "bilinear_would_cost_a_hundred_times: only if q W is computed anew for every pair. Look at its "
    "operations, and at the recording.",
    "additive_cannot_run_in_parallel: does any pair wait for another? Your additive_scores did "
    "them all at once.",
    "dot_needs_no_parameters_and_one_matrix_product: look at the table of costs.",
    "dot_keeps_gradients_from_vanishing: the dot product itself never saturates, but the softmax "
    "behind it does. Look at the last numbers of the section on gradients.",
    "dot_lets_lengths_speak: think of the loud key and the sharp query.",
)


def _reasons(got, want, case) -> bool | str:
    """Says the first reason that is judged otherwise than by the runs."""
    came = np.asarray(got["output"])
    if came.shape != (len(ABOUT_THE_REASONS),):
        return "Return all six, each True or False, in the order in which they stand."
    for place, sentence in enumerate(ABOUT_THE_REASONS):
        if bool(came[place]) != bool(want["output"][place]):
            return sentence
    return True


def _one_turned(place):
    def wrong():
        return tuple(bool(one) != (place == i) for i, one in enumerate(surviving_reasons()))

    return wrong


SURVIVING_REASONS = Exercise(
    reference=surviving_reasons,
    cases=(lambda rng: inputs(),),
    accept=_reasons,
    open_answer=True,
    mistakes=tuple(
        Mistake(sentence, _one_turned(place)) for place, sentence in enumerate(ABOUT_THE_REASONS)
    ),
    alternatives=(
        lambda: list(surviving_reasons()),
        lambda: np.array(surviving_reasons()),
    ),
    hints=(
        "Which of the six did a cell of this chapter measure? Go back to its numbers.",
        "Costs: the table of operations and the recording. Gradients: what the softmax does to "
        "them. Lengths: the two sliders of the core.",
        "Two of the six survive.",
    ),
    minutes=5,
    stars=1,
    depth=True,
)

chapter = Chapter(
    "02_cosine_or_dot",
    exercises=(
        UNIT_ROWS,
        COSINE_MATRIX,
        OVERTAKING_LENGTH,
        SEARCH,
        MISLED_BY_DISTANCE,
        ADDITIVE_SCORES,
        COSINE_GRADIENT,
        SURVIVING_REASONS,
    ),
    bets=(
        LOUD_KEY,
        LONGER_QUERY,
        ANTONYMS,
        LENGTH_IS_FREQUENCY,
        LAYER_NORM,
        UNITS_AGREE,
        SURCHARGE,
        SLOWEST,
    ),
)
exercise, bet, settle = chapter.exercise, chapter.bet, chapter.settle
hint, reveal, progress = chapter.hint, chapter.reveal, chapter.progress
