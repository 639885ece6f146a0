"""The masked-word model: what its grammar, its vectors and its training promise."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import torch

from course_lib.kernels.attention import attention
from course_lib.models import words
from course_lib.models.words import (
    HIDDEN,
    SLOTS,
    TEMPLATES,
    VOCABULARY,
    WIDTH,
    load_words,
    save_words,
    sentences,
    surprise,
    train_words,
)

FRUIT = (
    "anna ate the ripe apple today",
    "the sweet apple was sliced yesterday",
    "emil cooked the sour apple yesterday",
)
FIRM = (
    "apple released the new phone today",
    "the thin laptop came from apple",
    "apple built the smart watch yesterday",
)


def vectors_of(model, word, sentence, **options):
    return model.vectors(sentence, **options)[:, sentence.split().index(word)]


def likeness(one, other):
    return torch.cosine_similarity(one, other, dim=-1)


@pytest.fixture(scope="module")
def shipped():
    return load_words()


@pytest.fixture(scope="module")
def trained():
    """The shipped model, and one of another seed."""
    return [load_words(), train_words(seed=1)]


# The grammar


def test_sentences_have_six_words_that_the_model_knows():
    for sentence in sentences(500, np.random.default_rng(0)):
        assert len(sentence.split()) == 6
        assert set(sentence.split()) <= set(VOCABULARY) - {HIDDEN}


def test_sentences_depend_on_the_generator_alone():
    first, same, other = (sentences(7, np.random.default_rng(seed)) for seed in (0, 0, 1))
    assert first == same
    assert first != other


def test_apple_is_a_fruit_as_often_as_a_firm():
    kinds = Counter()
    half = len(TEMPLATES) // 2
    for template in TEMPLATES:
        kinds["fruit" if "{fruit}" in template else "firm" if "{firm}" in template else ""] += 1
    assert kinds == {"fruit": half, "firm": half}
    assert "apple" in SLOTS["fruit"]
    assert "apple" in SLOTS["firm"]
    assert len(SLOTS["fruit"]) == len(SLOTS["firm"])


def test_no_sentences_are_refused():
    with pytest.raises(ValueError, match="count is 0"):
        sentences(0, np.random.default_rng(0))


# One vector before, two after


def test_before_the_layer_a_word_has_one_vector_wherever_it_stands(shipped):
    before = [vectors_of(shipped, "apple", sentence)[0] for sentence in FRUIT + FIRM]
    assert all(torch.equal(one, before[0]) for one in before)


def test_after_the_layer_the_fruit_and_the_firm_have_two(trained):
    for model in trained:
        fruit = [vectors_of(model, "apple", sentence)[-1] for sentence in FRUIT]
        firm = [vectors_of(model, "apple", sentence)[-1] for sentence in FIRM]
        between = [likeness(one, other) for one in fruit for other in firm]
        within = [likeness(*pair) for pair in itertools.pairwise(fruit)]
        within += [likeness(*pair) for pair in itertools.pairwise(firm)]
        assert max(between) < 0.75
        assert sum(within) / len(within) > sum(between) / len(between) + 0.2


def mean_likeness(model, texts, other, others):
    """Of apple in `texts` to another word in the same sentence of `others`, before and after."""
    pairs = zip(texts, others, strict=True)
    return torch.stack(
        [
            likeness(
                vectors_of(model, "apple", text),
                vectors_of(model, other, elsewhere.replace("apple", other)),
            )
            for text, elsewhere in pairs
        ]
    ).mean(0)


def test_the_fruit_comes_nearer_to_another_fruit_and_the_firm_to_another_firm(trained):
    for model in trained:
        for texts, kin, elsewhere, stranger in (
            (FRUIT, "pear", FIRM, "samsung"),
            (FIRM, "samsung", FRUIT, "pear"),
        ):
            to_kin = mean_likeness(model, texts, kin, texts)
            to_stranger = mean_likeness(model, texts, stranger, elsewhere)
            assert to_kin[-1] > to_kin[0] + 0.05
            assert to_stranger[-1] < 0.3
            assert to_kin[-1] > to_stranger[-1] + 0.3


def test_all_that_differs_comes_through_attention(shipped):
    silent = lambda q, k, v: torch.zeros_like(v)  # noqa: E731
    for sentence in FRUIT + FIRM:
        before, after = shipped.vectors(sentence, silent)
        assert torch.equal(after, before)


def test_the_order_of_the_words_changes_nothing(shipped):
    sentence = FRUIT[0].split()
    order = [3, 0, 5, 1, 4, 2]
    turned = shipped.vectors(" ".join(sentence[place] for place in order))
    torch.testing.assert_close(turned, shipped.vectors(FRUIT[0])[:, order], rtol=1e-4, atol=1e-5)


def test_the_attention_that_is_passed_in_is_used_once(shipped):
    seen = []

    def watched(q, k, v):
        seen.append((q.shape, k.shape, v.shape))
        return attention(q, k, v)

    found = shipped.vectors(FRUIT[0], watched)
    assert seen == [((6, WIDTH),) * 3]
    assert found.shape == (2, 6, WIDTH)
    assert torch.equal(found, shipped.vectors(FRUIT[0]))
    assert not torch.equal(
        found, shipped.vectors(FRUIT[0], lambda q, k, v: attention(q, k, v, scale=0))
    )


# What it has learned


def test_the_model_is_much_less_surprised_than_one_that_guesses(trained):
    for model in trained:
        assert surprise(model) < 1.2 < math.log(len(VOCABULARY)) / 3
        assert surprise(model, lambda q, k, v: torch.zeros_like(v)) > surprise(model) + 0.5


def test_a_hidden_word_is_guessed_from_its_kind(trained):
    for model in trained:
        for sentence, kind in (
            ("the [mask] grew on a tree", "fruit"),
            ("apple announced the new [mask] today", "product"),
            ("the new laptop came from [mask]", "firm"),
        ):
            guess = model.guesses(sentence)[sentence.split().index(HIDDEN)]
            assert guess.sum() == pytest.approx(1, abs=1e-5)
            assert sum(guess[VOCABULARY.index(word)] for word in SLOTS[kind]) > 0.7


def test_without_positions_was_and_a_person_are_both_possible(shipped):
    first, second = "[mask] sliced the fresh plum today", "the fresh plum [mask] sliced today"
    guess, same = (shipped.guesses(text)[text.split().index(HIDDEN)] for text in (first, second))
    torch.testing.assert_close(guess, same, rtol=1e-4, atol=1e-5)
    person = sum(guess[VOCABULARY.index(word)] for word in SLOTS["person"])
    assert person > 0.2
    assert guess[VOCABULARY.index("was")] > 0.2


def test_training_depends_on_the_seed_alone():
    first, same, other = (train_words(3, seed=seed) for seed in (0, 0, 1))
    torch.manual_seed(5)
    assert torch.equal(first.embedding, same.embedding)
    assert not torch.equal(first.embedding, other.embedding)


def test_training_leaves_the_global_generator_alone():
    before = torch.get_rng_state()
    train_words(2)
    assert torch.equal(before, torch.get_rng_state())


def test_steps_may_be_anything_to_loop_over():
    done = []
    steps = (done.append(step) or step for step in range(3))
    assert torch.equal(train_words(steps).embedding, train_words(3).embedding)
    assert done == [0, 1, 2]


def test_the_shipped_weights_are_those_that_the_script_makes(shipped, tmp_path):
    made = train_words()
    save_words(made, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").stat().st_size < 100_000
    # Sums in another order change the last digits, and training carries them on: so, by meaning.
    assert abs(surprise(made) - surprise(shipped)) < 0.05
    for sentence in FRUIT + FIRM:
        assert (likeness(made.vectors(sentence), shipped.vectors(sentence)) > 0.95).all()


@pytest.mark.parametrize("sentence", ["the ripe orange was sliced today", "Apple released"])
def test_an_unknown_word_is_named(shipped, sentence):
    with pytest.raises(ValueError, match="is not among the words of the model"):
        shipped.vectors(sentence)


def test_no_words_are_refused(shipped):
    with pytest.raises(ValueError, match="no word"):
        shipped.vectors("  ")


def test_the_vocabulary_has_no_word_twice():
    assert len(set(words.VOCABULARY)) == len(words.VOCABULARY)


def test_training_leaves_the_number_of_threads_alone():
    before = torch.get_num_threads()
    train_words(1)
    assert torch.get_num_threads() == before
