"""The flat index against a sort of every score."""

import doctest

import numpy as np
import pytest

from course_lib.kernels.vectors import pairwise_cosines
from course_lib.models import flat_index
from course_lib.models.flat_index import FlatIndex, rank_by_dot


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def filled(*parts, normalized=False):
    index = FlatIndex(parts[0].shape[1], normalized=normalized)
    for part in parts:
        index.add(part)
    return index


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(flat_index).attempted >= 6
    assert doctest.testmod(flat_index).failed == 0


@pytest.mark.parametrize("normalized", [False, True])
def test_a_search_finds_what_a_sort_of_all_scores_finds(normalized):
    first, second, queries = random(7, 5), 3 * random(11, 5, seed=1), random(3, 5, seed=2)
    index = filled(first, second, normalized=normalized)
    stored = np.concatenate([first, second])
    table = pairwise_cosines(queries, stored) if normalized else queries @ stored.T
    scores, places = index.search(queries, 4)
    for row, found, values in zip(table, places, scores, strict=True):
        best = sorted(range(len(stored)), key=lambda place: -row[place])[:4]
        assert found.tolist() == best
        np.testing.assert_allclose(values, row[best])


def test_lengths_matter_only_in_the_plain_index():
    vectors, queries = random(13, 5), random(3, 5, seed=1)
    stretched = vectors * np.geomspace(0.01, 100, 13)[:, None]
    quiet = [filled(v, normalized=True).search(queries, 3)[1] for v in (vectors, stretched)]
    loud = [filled(v).search(queries, 3)[1] for v in (vectors, stretched)]
    assert (quiet[0] == quiet[1]).all()
    assert (loud[0] != loud[1]).any()


def test_of_equals_the_earlier_comes_first():
    index = filled(np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]))
    assert index.search([[1.0, 0.0]], 3)[1].tolist() == [[1, 2, 0]]


def test_adding_copies_what_is_stored():
    vectors = np.array([[1.0, 0.0]])
    index = filled(vectors)
    vectors[0, 0] = 5
    assert index.search([[1.0, 0.0]], 1)[0][0, 0] == 1
    assert len(index) == 1


def test_a_ranking_by_dot_lists_the_largest_inner_products_with_their_lengths():
    stored, asked = random(20, 4) * np.arange(1, 21)[:, None], 3 * random(5, 4, seed=1)
    by_hand = [sorted(range(20), key=lambda i: -float(row @ stored[i]))[:6] for row in asked]
    np.testing.assert_array_equal(rank_by_dot(stored, asked, 6), by_hand)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: FlatIndex(0), "at least 1"),
        (lambda: rank_by_dot(random(3), random(1, 3), 1), r"stored has shape \(3,\)"),
        (lambda: FlatIndex(3).add(random(2, 5)), r"expected \(n, 3\)"),
        (lambda: filled(random(2, 3)).search(random(1, 5), 1), "queries has shape"),
        (lambda: filled(random(2, 3)).search(random(1, 3), 3), "2 vectors are stored"),
        (lambda: FlatIndex(3).search(random(1, 3), 1), "0 vectors are stored"),
        (lambda: FlatIndex(2, normalized=True).add([[1, 1], [0, 0]]), r"vectors\[1\] is a zero"),
    ],
)
def test_what_cannot_be_searched_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
