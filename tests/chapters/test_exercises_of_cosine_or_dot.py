"""Chapter 2's checks on answers that learners really give, right and wrong."""

import numpy as np
import pytest

from course_lib.betting.bet import Number
from course_lib.chapters.cosine_or_dot import handout
from course_lib.chapters.cosine_or_dot.exercises.overtaking_length import NEVER
from course_lib.chapters.cosine_or_dot.exercises.unit_rows import SHRUNK, ZERO_ROW
from course_lib.judging import judge
from course_lib.kernels import vectors


def verdict(name, answer):
    return judge(f"02_cosine_or_dot/{name}", answer)


def lengths(x):
    return np.linalg.norm(x, axis=1, keepdims=True)


def unit(x):
    return x / np.maximum(lengths(x), 1e-12)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: x / (lengths(x) + 1e-12),
        lambda x: x / np.maximum(lengths(x), 1e-8),
        lambda x: [vectors.normalize(row) if row.any() else row for row in x],
        lambda x: np.divide(x, lengths(x), out=np.zeros_like(x), where=lengths(x) > 0),
        lambda x: unit(x).tolist(),
    ],
)
def test_every_safe_way_to_length_1_is_right(answer):
    assert verdict("unit_rows", answer).state == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda x: x / (lengths(x) + 1e-8), SHRUNK),
        (lambda x: x / (lengths(x) + 1e-3), SHRUNK),
        (lambda x: x / np.sqrt((x**2).sum(axis=1, keepdims=True) + 1e-8), SHRUNK),
        (lambda x: x / np.maximum(lengths(x), 1e-3), SHRUNK),
        (lambda x: x / np.maximum(lengths(x), 1), SHRUNK),
        (lambda x: [row / np.linalg.norm(row) for row in x], ZERO_ROW),
        (lambda x: x / lengths(x), ZERO_ROW),
        (lambda x: x / np.linalg.norm(x), "the whole table by one number"),
    ],
)
def test_what_is_not_length_1_is_told_why(answer, said):
    found = verdict("unit_rows", answer)
    assert found.state == "wrong"
    assert said in found.text


@pytest.mark.parametrize(
    "answer",
    [
        vectors.pairwise_cosines,
        lambda q, k: np.clip(unit(q) @ unit(k).T, -1, 1),
        lambda q, k: (q @ k.T) / lengths(q) / lengths(k).T,
        lambda q, k: (unit(q)[:, None] * unit(k)).sum(-1),
    ],
)
def test_every_way_to_the_table_of_cosines_is_right(answer):
    assert verdict("cosine_matrix", answer).state == "right"


@pytest.mark.parametrize("instead", [None, -1.0, np.nan, 0.0, -np.inf, 1e9])
def test_no_length_but_infinity_is_enough_for_a_key_that_points_away(instead):
    def answer(q, near, loud):
        return q @ near / (q @ loud) * np.linalg.norm(loud) if q @ loud > 0 else instead

    found = verdict("overtaking_length", answer)
    assert found.state == "wrong"
    assert (NEVER if instead is not None else "returns nothing here") in found.text


def test_a_search_in_small_steps_is_near_enough():
    def answer(q, near, loud):
        unit_loud = loud / np.linalg.norm(loud)
        reached = (step for step in np.arange(0, 50, 0.001) if step * (q @ unit_loud) >= q @ near)
        return next(reached, np.inf)

    assert verdict("overtaking_length", answer).state == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            lambda stored, questions, count: np.argsort(-(unit(questions) @ stored.T))[:, :count],
            "ranked by dot product",
        ),
        (
            lambda stored, questions, count: np.argsort(unit(questions) @ unit(stored).T)[
                :, -count:
            ],
            "listed the best last",
        ),
        (
            lambda stored, questions, count: np.argmax(unit(questions) @ unit(stored).T, axis=1),
            "`count` places in it",
        ),
        (
            lambda stored, questions, count: (
                np.argsort(-unit(questions) @ unit(stored).T)[:, :count].T
            ),
            "transpose",
        ),
        (
            lambda stored, questions, count: np.argpartition(
                -unit(questions) @ unit(stored).T, count - 1, axis=1
            )[:, :count],
            "gives another result",
        ),
        (
            lambda stored, questions, count: np.argsort(-unit(questions) @ unit(stored).T)[:count],
            "keeps the first questions",
        ),
        (
            lambda stored, questions, count: np.argsort(-unit(questions) @ unit(stored)[:count].T),
            "cut the table before you sorted",
        ),
    ],
)
def test_a_search_that_finds_others_is_told_why(answer, said):
    found = verdict("search", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_on_directions_the_nearest_are_the_most_similar():
    def answer(stored, questions, count):
        distances = ((unit(questions)[:, None] - unit(stored)) ** 2).sum(axis=-1)
        return np.argsort(distances, axis=1)[:, :count]

    assert verdict("search", answer).state == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda a: (4 * a, np.array([-a[1], a[0]])), "more than three times"),
        (lambda a: (2 * a, np.array([-a[1], a[0]])), "still the nearer one"),
        (lambda a: (np.array([3.0, 0.0]), np.array([0.0, 1.0])), "exactly where a points"),
        (lambda a: (3 * a, -a), "perpendicular to a"),
        (lambda a: (3 * a, ...), "still returns `...` in one place"),
        (lambda a: 2.5 * a, "Each vector needs two numbers"),
        (lambda a: (3 * a, np.full(2, np.nan)), "not finite"),
    ],
)
def test_a_pair_that_distance_ranks_rightly_is_told_why(answer, said):
    found = verdict("misled_by_distance", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_two_lengths_are_enough_to_mislead():
    def answer(a):
        return 2.0001 * a, 1e-3 * np.array([-a[1], a[0]])

    assert verdict("misled_by_distance", answer).state == "right"


@pytest.mark.parametrize(
    "gradient",
    [
        lambda q, k: [
            (vectors.cosine(q, k + e) - vectors.cosine(q, k)) / 1e-7 for e in 1e-7 * np.eye(len(k))
        ],
        lambda q, k: (
            q / (vectors.norm(q) * vectors.norm(k))
            - vectors.cosine(q, k) * k / vectors.norm(k) ** 2
        ),
    ],
)
def test_a_gradient_by_difference_or_by_the_quotient_rule_is_right(gradient):
    assert verdict("cosine_gradient", gradient).state == "right"


def test_an_additive_score_pair_by_pair_is_right_and_its_transpose_named():
    def table(q, k, w_q, w_k, v):
        return np.array([[v @ np.tanh(a @ w_q + b @ w_k) for b in k] for a in q])

    assert verdict("additive_scores", table).state == "right"
    turned = verdict("additive_scores", lambda q, k, w_q, w_k, v: table(q, k, w_q, w_k, v).T)
    assert "a row should belong to a query" in turned.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda: (True,) * 6, "count again"),
        (lambda: (False,) * 6, "look at the table of costs"),
        (lambda: (False,) * 5, "Return all six"),
        (lambda: (False, False, ..., True, False, True), "still returns `...` in one place"),
        (lambda: (False, False, False, True, True, True), "the softmax behind it does"),
    ],
)
def test_a_wrongly_judged_reason_is_sent_back_to_its_numbers(answer, said):
    found = verdict("surviving_reasons", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_about_half_of_the_bets_ask_for_a_number():
    numbers = [one for one in handout.bets.values() if isinstance(one.answer, Number)]
    assert 0.4 < len(numbers) / len(handout.bets) < 0.7


def test_the_core_is_what_is_not_marked_as_depth():
    core = [name for name, exercise in handout.exercises.items() if not exercise.depth]
    assert core == ["unit_rows", "cosine_matrix", "overtaking_length", "search"]
