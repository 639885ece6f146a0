"""Chapter 3: chance refuses no right simulation, and the right divisors do what they promise."""

import numpy as np
import pytest

from course_lib.chapters.scaling.averages import NO_AVERAGE, TOO_EVEN, TOO_SURE
from course_lib.chapters.scaling.exercises.attention import ATTENTION, attention
from course_lib.chapters.scaling.exercises.choose_divisors import SITUATIONS, choose_divisors
from course_lib.chapters.scaling.exercises.query_factors import query_factors
from course_lib.chapters.scaling.exercises.scale import scale
from course_lib.chapters.scaling.situations import PAIRS, situations, try_divisors, try_in_copying
from course_lib.judging import judge
from course_lib.kernels.softmax import softmax
from course_lib.learner.bound import Bound


@pytest.mark.parametrize("seed", range(20))
def test_the_band_refuses_no_right_answer(seed):
    def with_other_numbers(d_k, pairs, rng):
        own = np.random.default_rng([seed, d_k])
        return (own.normal(size=(pairs, d_k)) * own.normal(size=(pairs, d_k))).sum(axis=1).var()

    assert judge("03_scaling/score_variance", with_other_numbers).state == "right"


@pytest.mark.parametrize("d", [6, 64, 256])
def test_divided_as_the_answer_says_scores_spread_by_one_and_twins_are_about_one(d):
    scores = situations(d, np.random.default_rng(d))
    assert tuple(scores) == SITUATIONS
    for (name, one), divisor in zip(scores.items(), choose_divisors(d), strict=True):
        assert one.shape == (PAIRS,)
        if name == "twins":
            assert (one / divisor).mean() == pytest.approx(1, abs=0.05)
        else:
            assert (one / divisor).std() == pytest.approx(1, abs=0.08)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda scores, d_k: scores / d_k**1 / 2, "twice the width"),  # scores / d_k ** 1/2
        (lambda scores, d_k: scores / (d_k**1 / 2), "half of the width"),  # in brackets
    ],
)
def test_one_half_without_brackets_is_told_as_python_reads_it(wrong, words):
    diagnosis = judge("03_scaling/scale", wrong).diagnosis
    assert f"You divided by {words}" in diagnosis
    assert ("d_k ** 1 first, and what comes out by 2" in diagnosis) is (words[0] == "t")
    assert ("reads (d_k ** 1) / 2" in diagnosis) is (words[0] == "h")


def test_the_spread_of_the_twins_scores_is_told_from_their_mean():
    def wrong(d):
        return 9 * np.sqrt(d), np.sqrt(d / 2), np.sqrt(2 * d)

    assert "root of 2d is how far their scores spread" in (
        judge("03_scaling/choose_divisors", wrong).diagnosis
    )
    twins = situations(64, np.random.default_rng(0))["twins"]
    assert twins.std() == pytest.approx(np.sqrt(2 * 64), rel=0.05)


def test_a_learner_sees_which_of_the_three_are_not_one_yet(capsys):
    try_divisors(lambda d: (np.sqrt(d),) * 3)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(SITUATIONS)
    assert "spread 9" in lines[0]
    assert "spread 0.7 at width 16, 0.7 at width 256" in lines[1]
    assert "mean   4.0 at width 16, 16.0 at width 256" in lines[2]


def test_the_course_s_divisors_stay_unsaid_until_the_learner_s_own_are_there(capsys):
    for source, said in (("course", False), ("yours", True)):

        def bound(d):
            return choose_divisors(d)

        vars(bound).update(Bound(None, source).attributes())
        try_divisors(bound)
        told = capsys.readouterr().out
        assert "spread 1.0" in told
        assert ("36.00" in told) is said


@pytest.mark.parametrize("d", [7, 16])
def test_queries_by_one_factor_undo_the_root_and_by_the_other_divide_twice(d):
    rng = np.random.default_rng(d)
    q, k, v = rng.normal(size=(2, d)), rng.normal(size=(3, d)), rng.normal(size=(3, 5))
    undone, twice = query_factors(d)
    assert attention(undone * q, k, v) == pytest.approx(softmax(q @ k.T) @ v)
    assert attention(twice * q, k, v) == pytest.approx(softmax(q @ k.T / d) @ v)


def test_scores_divided_by_any_wrong_number_give_a_row_of_their_own_in_the_first_case():
    q, k, v = ATTENTION.cases[0](np.random.default_rng(0)).args
    d = q.shape[1]
    assert len(q) == 1  # so its root divides by nothing
    roots = [len(k) ** 0.5, v.shape[1] ** 0.5, d**0.5, d**0.25]
    tables = [softmax(q @ k.T / by) @ v for by in (*roots, 1, d / 2, d, 2 * d, 1 / d**0.5)]
    for n, table in enumerate(tables):
        assert all(np.abs(table - other).max() > 0.05 for other in tables[:n])


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda q, k, v: softmax(q @ k.T) @ v, TOO_SURE),
        (lambda q, k, v: softmax(q @ k.T / q.shape[1]) @ v, TOO_EVEN),
        (lambda q, k, v: scale(softmax(q @ k.T) @ v, q.shape[1]), NO_AVERAGE),
        (lambda q, k, v: softmax(scale(q @ k.T, q.shape[1]), axis=0) @ v, NO_AVERAGE),
    ],
)
def test_a_wrong_attention_is_told_at_once_how_its_first_average_differs(wrong, told):
    verdict = judge("03_scaling/attention", wrong)
    assert told in [note.text for note in verdict.notes]
    assert verdict.diagnosis


def test_a_whole_shape_in_place_of_the_width_is_named():
    def wrong(q, k, v):
        scores = q @ k.T
        scores = scale(scores, k.shape)
        return softmax(scores) @ v

    assert "got a whole shape" in judge("03_scaling/attention", wrong).diagnosis


def test_a_trained_model_does_without_the_root_and_suffers_from_a_second_one(capsys):
    right = try_in_copying(
        {
            "root undone": lambda q, k, v: attention(4 * q, k, v),
            "divided twice": lambda q, k, v: attention(q / 4, k, v),
        }
    )
    assert right["root undone"] > 0.95
    assert right["divided twice"] < 0.7
    assert "root undone   giraffe po·gir|affe p, share right 0.98" in capsys.readouterr().out


def test_scale_shows_what_a_divisor_leaves_of_the_spread_and_not_the_numbers_that_are_right():
    text = judge("03_scaling/scale", lambda scores, d_k: scores / d_k).text
    assert "Spread of these scores: 4\n" in text
    assert "After yours: 0.25" in text
    assert "Expected" not in text


def test_scores_divided_by_their_own_spread_are_told_which_demand_they_meet():
    text = judge("03_scaling/scale", lambda scores, d_k: scores / scores.std()).text
    assert text.startswith("Demand 1 is met for this table")
    assert "After yours: 1\n" in text
    assert "asked for" not in text


@pytest.mark.parametrize("ddof", [0, 1])
def test_a_divisor_that_is_made_from_the_scores_breaks_the_second_demand(ddof):
    def wrong(scores, d_k):
        return scores / scores.std(axis=-1, ddof=ddof, keepdims=True)

    assert "Demand 2 is not met" in judge("03_scaling/scale", wrong).symptom


def test_scores_that_are_not_all_divided_by_one_number_are_told_so():
    for wrong in (lambda s, d: -s / np.sqrt(d), lambda s, d: (s - s.mean()) / np.sqrt(d)):
        assert "all divided by one number" in judge("03_scaling/scale", wrong).symptom


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda d, s: np.log(s[-1] / s[0]) / (d[-1] - d[0]), "Only the sizes are in logarithms"),
        (lambda d, s: np.log(s[-1] / s[0]) / np.log(d[-1] - d[0]), "logarithm of a difference"),
        (lambda d, s: s[-1] / s[0] / (d[-1] - d[0]), "ratio of the sizes by a difference"),
        (lambda d, s: s[-1] / s[0] / (d[-1] / d[0]), "ratio of the sizes by that of the widths"),
    ],
)
def test_a_difference_of_widths_in_the_wrong_place_is_named(wrong, words):
    assert words in judge("03_scaling/flat_exponent", wrong).diagnosis
