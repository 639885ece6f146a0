"""Chapter 6's `rope_scores`: what is said of turns that are one-sided, late, or undivided."""

import pytest
import torch

from course_lib.chapters.masks import handout
from course_lib.judging import judge
from course_lib.kernels import positions
from course_lib.kernels.positions import frequencies


def test_queries_turned_alone_are_told_by_their_scores_and_not_by_an_error():
    def rope_scores(q, k):
        return positions.rotate(q, torch.arange(len(q))[:, None] * frequencies(q.shape[1])) @ k.T

    assert "dtype" not in judge("06_masks/rope_scores", rope_scores).text


@pytest.mark.parametrize("by", [lambda n, d: d, lambda n, d: n])
@pytest.mark.parametrize("root", [0.5, 0.0])
def test_scores_that_are_turned_are_told_that_a_score_is_no_arrow(by, root):
    def rope_scores(q, k):
        n, d = q.shape
        angles = torch.arange(n)[:, None] * frequencies(by(n, d))
        return positions.rotate(q @ k.T / d**root, angles)

    assert "You turned the scores" in judge("06_masks/rope_scores", rope_scores).diagnosis


def test_the_speeds_that_the_chapter_names_are_those_of_eight_columns():
    assert frequencies(8).tolist() == pytest.approx([1, 0.1, 0.01, 0.001])


def test_words_in_front_change_no_score_of_a_sentence_as_the_learner_may_see():
    x = torch.randn(10, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    rope_scores = handout.exercises["rope_scores"]
    torch.testing.assert_close(rope_scores.answer(x, x)[7:, 7:], rope_scores.answer(x[7:], x[7:]))
    asks = "Do they know the distance alone? Put seven words in front"
    assert rope_scores.reward.startswith(asks)
    assert "[7:, 7:], and torch.allclose with atol=1e-4 says True" in rope_scores.reward


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("turns", "told"),
    [
        ((1, 0), "turned the queries and left the keys"),
        ((0, 1), "turned the keys and left the queries"),
        ((1, -1), "turn in opposite directions"),
    ],
)
def test_one_sided_turns_are_told_wherever_places_are_counted_from(first, turns, told):
    def rope_scores(q, k):
        angles = torch.arange(first, len(q) + first)[:, None] * frequencies(q.shape[1])
        q, k = (positions.rotate(x, by * angles) for x, by in zip((q, k), turns, strict=True))
        return q @ k.T / q.shape[1] ** 0.5

    assert told in judge("06_masks/rope_scores", rope_scores).diagnosis


def test_undivided_scores_are_told_that_counting_from_1_changes_nothing():
    def rope_scores(q, k):
        angles = torch.arange(1, len(q) + 1)[:, None] * frequencies(q.shape[1])
        return positions.rotate(q, angles) @ positions.rotate(k, angles).T

    found = judge("06_masks/rope_scores", rope_scores).diagnosis
    assert "counting places from 1 would change nothing. But the scores are not divided" in found
