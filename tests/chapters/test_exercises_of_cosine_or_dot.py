"""What chapter 2 says of answers that its readers gave."""

import numpy as np
import pytest

from course_lib.chapters.cosine_or_dot.exercises.cosine_weights import (
    COSINE_WEIGHTS,
    cosine_weights,
)
from course_lib.chapters.cosine_or_dot.exercises.search import SEARCH, search
from course_lib.chapters.cosine_or_dot.exercises.unit_rows import SHRUNK, UNIT_ROWS, ZERO_ROW
from course_lib.chapters.cosine_or_dot.exercises.which_metric import WHICH_METRIC, which_metric
from course_lib.chapters.cosine_or_dot.stores import STORES, first_hit
from course_lib.judging.answer import verdict_on
from course_lib.judging.report import plain_report
from course_lib.kernels.softmax import softmax


def test_whoever_divides_only_the_questions_is_told_that_the_stored_rows_keep_their_lengths():
    def divided(x):
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    for asked in (divided, np.array):  # both rank alike, so one sentence has to be true of both
        verdict = verdict_on(
            SEARCH,
            lambda stored, questions, how_many, asked=asked: np.argsort(
                -asked(questions) @ stored.T, axis=1
            )[:, :how_many],
        )
        assert verdict.exactly
        assert "The stored rows keep their lengths here" in verdict.diagnosis


def test_a_right_search_is_not_told_that_every_flat_index_divides():
    assert "flat index" not in plain_report(SEARCH, verdict_on(SEARCH, search))


def test_what_the_acceptance_of_unit_rows_says_stands_once_in_its_verdict():
    answers = {
        ZERO_ROW: lambda x: x / np.sqrt((x**2).sum(axis=1, keepdims=True)),
        SHRUNK: lambda x: x / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-8),
    }
    for said, answer in answers.items():
        verdict = verdict_on(UNIT_ROWS, answer)
        assert verdict.diagnosis.endswith(said)
        assert plain_report(UNIT_ROWS, verdict).count(said) == 1


def test_whoever_divides_by_one_number_of_the_whole_table_is_told_so():
    for one in (np.sum, np.mean, np.max):
        verdict = verdict_on(UNIT_ROWS, lambda x, one=one: x / one(np.linalg.norm(x, axis=1)))
        assert "the whole table by one number" in verdict.diagnosis


@pytest.mark.parametrize("store", range(5))
def test_one_wrong_metric_is_told_once_with_how_many_are_right(store):
    wrong = ("distance", "any", "cosine", "distance", "any")
    chosen = [*which_metric()]
    chosen[store] = wrong[store]
    told = plain_report(WHICH_METRIC, verdict_on(WHICH_METRIC, lambda: tuple(chosen)))
    assert told.count("Named right so far: 4 of five metrics") == 1
    assert told.count(f", by {wrong[store]}: ") == 1


def test_of_several_wrong_metrics_none_is_named_and_what_all_stores_find_is_told():
    chosen = ("inner product", "inner product", "cosine", "distance", "cosine")
    told = plain_report(WHICH_METRIC, verdict_on(WHICH_METRIC, lambda: chosen))
    assert "Named right so far: 2 of five metrics." in told
    for store, metric in zip(STORES, chosen, strict=True):
        assert f"{first_hit(STORES[store], metric)} in {store}" in told
        assert f"{store}, by {metric}" not in told


def test_one_division_is_not_enough_for_weights_and_each_is_told_whose_length_is_left():
    def divided(x):
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    for answer, left in (
        (lambda q, k: softmax(q @ divided(k).T), "a longer query still pulls"),
        (lambda q, k: softmax(divided(q) @ k.T), "A long key still shouts"),
    ):
        verdict = verdict_on(COSINE_WEIGHTS, answer)
        assert (verdict.state, verdict.exactly) == ("wrong", True)
        assert left in verdict.diagnosis


def test_weights_by_dot_product_break_what_cosines_allow():
    told = plain_report(COSINE_WEIGHTS, verdict_on(COSINE_WEIGHTS, lambda q, k: softmax(q @ k.T)))
    assert "no key gets more than 2.72 · 2.72 = 7.4 times" in told


def test_the_best_of_1000_keys_gets_less_than_a_hundredth_by_cosine():
    keys = np.vstack([[1.0, 0.0], np.tile([-1.0, 0.0], (999, 1))])
    assert 0.007 < cosine_weights(keys[:1], keys)[0, 0] < 0.008
