"""The corpus and its word vectors: the grammar is kept, the counts agree with a slow count."""

import doctest
import itertools
import math
from collections import Counter

import numpy as np
import pytest

from course_lib.kernels.vectors import cosine
from course_lib.models import corpus
from course_lib.models.corpus import SLOTS, TEMPLATES, neighbours, ppmi, sentences, svd_vectors


@pytest.fixture(scope="module")
def text():
    return sentences(5000, np.random.default_rng(0))


def test_the_examples_in_the_docstrings_run():
    assert doctest.testmod(corpus).attempted >= 1
    assert doctest.testmod(corpus).failed == 0


def test_every_sentence_comes_from_a_template_and_every_template_occurs(text):
    possible = {
        tuple(words): template
        for template in TEMPLATES
        for words in itertools.product(
            *[SLOTS.get(word.strip("{}"), [word]) for word in template.split()]
        )
    }
    seen = Counter(possible[tuple(sentence)] for sentence in text)
    total = sum(TEMPLATES.values())
    for template, weight in TEMPLATES.items():
        share = weight / total
        spread = math.sqrt(len(text) * share * (1 - share))
        assert abs(seen[template] - len(text) * share) < 5 * spread, template


def test_a_seed_gives_one_text():
    first, second, other = (sentences(50, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == second != other


def test_neighbours_agree_with_a_count_of_all_pairs(text):
    some = text[:200]
    for window in (1, 2, 5):
        slow, often = Counter(), Counter()
        for sentence in some:
            often.update(sentence)
            for i, j in itertools.permutations(range(len(sentence)), 2):
                if abs(i - j) <= window:
                    slow[sentence[i], sentence[j]] += 1
        words, frequencies, counts = neighbours(some, window)
        assert words == sorted(often)
        assert frequencies.tolist() == [often[word] for word in words]
        assert counts.tolist() == [[slow[a, b] for b in words] for a in words]
        assert (counts == counts.T).all()


def test_ppmi_agrees_with_its_formula_and_forgets_frequency():
    counts = np.random.default_rng(0).integers(0, 9, size=(5, 7)).astype(float)
    total = counts.sum()
    slow = [
        [
            max(0.0, math.log(n * total / (counts[i].sum() * counts[:, j].sum()))) if n else 0.0
            for j, n in enumerate(row)
        ]
        for i, row in enumerate(counts)
    ]
    np.testing.assert_allclose(ppmi(counts), slow, atol=1e-12)
    assert ppmi(np.outer([1, 5, 7], [2, 3])).max() < 1e-12  # chance alone leaves nothing


def test_svd_vectors_of_full_width_keep_every_dot_product():
    table = np.random.default_rng(0).normal(size=(5, 7))
    full = svd_vectors(table, 5)
    np.testing.assert_allclose(full @ full.T, table @ table.T, atol=1e-12)
    narrow = svd_vectors(table, 2)
    np.testing.assert_array_equal(narrow, full[:, :2])
    largest = np.take_along_axis(full, np.abs(full).argmax(axis=0)[None], axis=0)
    assert (largest > 0).all()


def test_what_the_chapter_says_of_the_words_holds_for_other_seeds():
    for seed in (11, 12, 13):
        words, frequencies, counts = neighbours(sentences(20_000, np.random.default_rng(seed)))
        weighted = ppmi(counts)
        cat, kitten, hot, cold = map(words.index, ("cat", "kitten", "hot", "cold"))
        assert 8 < frequencies[cat] / frequencies[kitten] < 10
        assert cosine(weighted[cat], weighted[kitten]) > 0.98
        assert cosine(weighted[hot], weighted[cold]) > 0.7
        vectors = svd_vectors(weighted, 8)
        assert cosine(vectors[hot], vectors[cold]) > 0.98


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sentences(0, np.random.default_rng(0)), "at least 1"),
        (lambda: neighbours([["a"]], 0), "window is 0"),
        (lambda: neighbours([]), "no word"),
        (lambda: ppmi([[0, 0]]), "not all of them 0"),
        (lambda: ppmi([[1, -1]]), "from 0 up"),
        (lambda: svd_vectors(np.ones((2, 3)), 3), "width is 3"),
    ],
)
def test_what_cannot_be_counted_is_named(call, said):
    with pytest.raises(ValueError, match=said):
        call()
