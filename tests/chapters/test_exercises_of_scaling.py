"""Chapter 3's checks on answers that learners really give, right and wrong."""

import math

import numpy as np
import pytest

from course_lib.judging import judge
from course_lib.kernels.softmax import softmax


def verdict(name, answer):
    return judge(f"03_scaling/{name}", answer)


def scores_of(d_k, pairs, rng):
    return (rng.normal(size=(pairs, d_k)) * rng.normal(size=(pairs, d_k))).sum(axis=1)


def one_by_one(d_k, pairs, rng):
    return np.var([rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(pairs)])


@pytest.mark.parametrize(
    "answer",
    [
        one_by_one,
        lambda d, n, rng: (scores_of(d, n, rng) ** 2).mean(),
        lambda d, n, rng: (rng.normal(size=(d, n)) * rng.normal(size=(d, n))).sum(axis=0).var(),
        lambda d, n, rng: np.diag(rng.normal(size=(n, d)) @ rng.normal(size=(n, d)).T).var(),
        lambda d, n, rng: np.array([scores_of(d, n, rng).var()]),
        lambda d, n, rng: scores_of(d, n, np.random.default_rng(99)).var(),
        lambda d, n, rng: rng.choice([-1, 1], size=(2, n, d)).prod(axis=0).sum(axis=1).var(),
    ],
)
def test_every_way_to_simulate_the_variance_is_right(answer):
    assert verdict("score_variance", answer).state == "right"


@pytest.mark.parametrize("seed", range(20))
def test_the_band_refuses_no_right_answer(seed):
    def with_other_numbers(d_k, pairs, rng):
        return scores_of(d_k, pairs, np.random.default_rng([seed, d_k])).var()

    assert verdict("score_variance", with_other_numbers).state == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda d, n, rng: scores_of(d, n, rng).std(), "That is the standard deviation"),
        (lambda d, n, rng: (rng.normal(size=(n, d)) * rng.normal(size=(n, d))).var(), "about 1"),
        (lambda d, n, rng: scores_of(d, n, rng).var() / d, "divided already"),
        (lambda d, n, rng: scores_of(d, n, rng).mean(), "Is this the mean of the scores?"),
        (lambda d, n, rng: scores_of(d, n, rng).sum().var(), "one number has no spread"),
        (lambda d, n, rng: (scores_of(d, n, rng) / d).var(), "the mean of the products"),
        (lambda d, n, rng: d, "to the last digit"),
        (lambda d, n, rng: scores_of(n, d, rng).var(), "added up across the pairs"),
        (lambda d, n, rng: (rng.normal(size=(n, d)) ** 2).sum(axis=1).var(), "meets itself"),
        (lambda d, n, rng: rng.normal(size=(2, n, d)).sum(axis=(0, 2)).var(), "multiply them"),
        (lambda d, n, rng: one_by_one(d, 15, rng), "further from d_k than chance allows"),
        (lambda d, n, rng: scores_of(d, n, rng), "not one number"),
        (lambda d, n, rng: float("nan"), "finite"),
    ],
)
def test_other_numbers_than_the_variance_are_told_what_they_are(answer, said):
    found = verdict("score_variance", answer)
    assert found.state == "wrong"
    assert said in found.text


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda s, d: s / d**1 / 2, "d_k ** 1/2 is read as"),
        (lambda s, d: s / np.sqrt(d) / np.sqrt(d), "or by its root twice"),
        (lambda s, d: s / np.sqrt(s.size), "how many scores stand in a row"),
        (lambda s, d: s.__itruediv__(math.sqrt(d)), "changes its input scores in place"),
        (lambda s, d: np.sqrt(s / d), "NaN"),
        (lambda s, d: s / d**0.25, "another result"),
        (lambda s, d: s / int(np.sqrt(d)), "another result"),
    ],
)
def test_other_divisions_are_told_apart(answer, said):
    found = verdict("scale", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_a_division_of_each_score_in_a_loop_is_right():
    def scale(scores, d_k):
        flat = [score / math.sqrt(d_k) for score in scores.ravel()]
        return np.array(flat).reshape(scores.shape)

    assert verdict("scale", scale).state == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda q, k, v: softmax(q @ k.T) @ (v / np.sqrt(q.shape[1])), "You divided the weights"),
        (
            lambda q, k, v: softmax((q / np.sqrt(q.shape[1])) @ (k / np.sqrt(k.shape[1])).T) @ v,
            "once for q and once for k",
        ),
        (lambda q, k, v: softmax(q @ k.T / len(q) ** 0.5) @ v, "the number of queries"),
        (lambda q, k, v: softmax(q @ k / q.shape[1] ** 0.5) @ v, "ValueError"),
        (lambda q, k, v: v @ softmax(q @ k.T / q.shape[1] ** 0.5), "ValueError"),
    ],
)
def test_lines_of_attention_in_another_order_are_told_apart(answer, said):
    found = verdict("attention", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_the_fourth_root_of_both_sides_is_right_too():
    def attention(q, k, v):
        root = q.shape[1] ** 0.25
        return softmax((q / root) @ (k / root).T) @ v

    assert verdict("attention", attention).state == "right"


def drawn(d_k, rng):
    return rng.normal(size=d_k)


def shared(part):
    def grown_together(d_k, rng):
        q = drawn(d_k, rng)
        return q, part * q + math.sqrt(1 - part**2) * drawn(d_k, rng)

    return grown_together


@pytest.mark.parametrize("part", [1.0, 0.5, 0.2, -0.7])
def test_any_share_that_stays_the_same_grows_in_step_with_the_width(part):
    assert verdict("grown_together", shared(part)).state == "right"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda d, rng: (drawn(d, rng), drawn(d, rng)), "q and k are strangers"),
        (lambda d, rng: (drawn(d, rng), np.roll(drawn(d, rng), 1)), "q and k are strangers"),
        (lambda d, rng: [3 * drawn(d, rng)] * 2, "the variance 1"),
        (lambda d, rng: [drawn(d, rng) + 1] * 2, "the mean 0"),
        (lambda d, rng: (drawn(d, rng) * d, drawn(d, rng)), "the variance 1"),
        (lambda d, rng: drawn(d, rng), "Return two arrays"),
        (lambda d, rng: drawn(d, rng) @ drawn(d, rng), "That is one number"),
        (lambda d, rng: 1.0, "That is one number"),
        (lambda d, rng: [drawn(d, rng)] * 3, "Return two arrays"),
        (lambda d, rng: [drawn(5, rng)] * 2, "Return two arrays"),
        (lambda d, rng: (drawn(d, rng), ...), "still returns `...` in one place"),
    ],
)
def test_a_pair_that_does_not_grow_in_step_is_told_why(answer, said):
    found = verdict("grown_together", answer)
    assert found.state == "wrong"
    assert said in found.text


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (lambda w, s: np.polyfit(np.log10(w), np.log10(s), 1)[0], True),
        (lambda w, s: min(np.linspace(0, 2, 2001), key=lambda a: np.ptp(np.log(s / w**a))), True),
        (lambda w, s: 0.5, False),
        (lambda w, s: np.polyfit(np.log(w), s, 1)[0], False),
        (lambda w, s: np.polyfit(np.log2(w), np.log(s), 1)[0], False),
        (lambda w, s: np.log(s) / np.log(w), False),
    ],
)
def test_the_exponent_may_be_read_off_in_any_way(answer, right):
    assert verdict("flat_exponent", answer).state == ("right" if right else "wrong")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda d, s: np.sqrt(d * s**2), "sigma counts twice"),
        (lambda d, s: np.sqrt(d) * 2 * s, "another result"),
        (lambda d, s: s * s * d**1 / 2, "d_k ** 1/2 is read as"),
        (lambda d, s: np.array([s * s * np.sqrt(d)]), "The numbers are right"),
    ],
)
def test_other_deviations_are_told_apart(answer, said):
    found = verdict("score_deviation", answer)
    assert found.state == "wrong"
    assert said in found.text


def test_heads_may_be_taken_one_at_a_time_and_not_as_one_table_nor_by_a_fixed_number():
    def one_at_a_time(q, k):
        return [softmax(a @ b.T / math.sqrt(len(a[0]))) for a, b in zip(q, k, strict=True)]

    def as_one_table(q, k):
        rows, columns = q.reshape(-1, q.shape[-1]), k.reshape(-1, k.shape[-1])
        return softmax(rows @ columns.T / math.sqrt(q.shape[-1]))

    def for_the_text(q, k):
        return softmax(q @ k.swapaxes(-1, -2) / math.sqrt(768 / 12))

    assert "whatever the width" in verdict("head_weights", for_the_text).text
    assert verdict("head_weights", one_at_a_time).state == "right"
    assert verdict("head_weights", as_one_table).state == "wrong"
