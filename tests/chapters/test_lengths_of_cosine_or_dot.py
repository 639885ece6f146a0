"""The lengths that chapter 2 shows are those of the models of chapters 4 and 5."""

import numpy as np
import pytest
import torch

from course_lib.chapters.cosine_or_dot import learned_lengths, room, short_query
from course_lib.chapters.softmax import learned_sink
from course_lib.kernels.attention import attention_weights
from course_lib.kernels.softmax import softmax
from course_lib.kernels.vectors import cosine, norm
from course_lib.models.words import HIDDEN, VOCABULARY, load_words
from tests.chapters.caught import caught, drawn


def test_the_keys_are_those_of_the_model_that_chapter_4_trains():
    model = learned_sink.second_model()
    np.testing.assert_allclose(learned_lengths.trained_keys(), model["x"] @ model["W_k"])


def test_key_0_gets_most_as_often_as_chapter_4_says_and_less_often_if_it_is_shorter():
    keys = learned_lengths.trained_keys()
    as_trained = learned_lengths.share_of_key_0(keys)
    assert as_trained == learned_sink.learned()["most"]
    shorter = keys.copy()
    shorter[0] *= norm(keys[1:]).mean() / norm(keys[0])
    assert learned_lengths.share_of_key_0(shorter) < 0.6 * as_trained


def test_the_share_that_a_long_key_wins_is_counted_query_by_query():
    draw = np.random.default_rng(0)
    keys, queries = draw.normal(size=(7, 3)), draw.normal(size=(50, 3))
    longer = np.vstack([5 * keys[:1], keys[1:]])
    by_hand = [max(range(7), key=lambda i: query @ longer[i]) == 0 for query in queries]
    assert room.share_won_by_key_0(keys, queries, 5) == np.mean(by_hand)


def test_key_0_is_the_longest_of_all_and_most_queries_that_need_it_lie_on_its_side():
    keys, queries = learned_lengths.trained_keys(), learned_lengths.missing_queries()
    assert norm(keys).argmax() == 0
    assert queries.shape == (200, keys.shape[1])
    assert (queries @ keys[0] > 0).mean() > 0.8


def test_the_queries_are_those_of_chapter_5_and_that_of_the_hidden_word_is_the_shortest():
    _, queries, _, _ = load_words().projected(torch.arange(len(VOCABULARY)))
    found = learned_lengths.trained_queries()
    np.testing.assert_allclose(found, queries.numpy(), atol=1e-4)
    assert norm(found).argmin() == VOCABULARY.index(HIDDEN) == 0


def test_each_query_is_a_dot_near_its_length_and_only_that_of_the_hidden_word_is_filled(
    monkeypatch,
):
    shown = caught(monkeypatch, short_query)
    lengths = norm(learned_lengths.trained_queries())
    short_query.show_query_lengths(lengths)
    figure, words = drawn(shown)
    others, hidden = figure.axes[0].lines
    assert len(set(map(tuple, others.get_xydata()))) == len(lengths) - 1
    far = np.abs(others.get_xdata() - np.sort(lengths[1:]))
    assert far.max() <= short_query.WIDE / 2 + 1e-9
    np.testing.assert_allclose(hidden.get_xydata(), [[lengths[0], 0]])
    assert others.get_markerfacecolor() == "white" != hidden.get_markerfacecolor()
    assert "shortest of all" in figure.get_suptitle()
    assert f"{lengths[0]:.1f} long, those of the 50 words" in words


def test_the_weights_of_a_query_are_the_models_at_its_own_length_and_at_another():
    _, queries, keys, _ = load_words().projected(torch.arange(len(VOCABULARY)))
    np.testing.assert_allclose(learned_lengths.word_keys(), keys[1:].numpy(), atol=1e-4)
    for query, times in ((queries[0], 1), (queries[0], 4), (queries[1], 0.2)):
        wanted = attention_weights(times * query[None], keys[1:])[0]
        length = times * norm(query.numpy())
        found = learned_lengths.word_weights(query.numpy(), length)
        np.testing.assert_allclose(found, wanted.numpy(), atol=1e-5)


def test_at_the_mean_length_of_the_others_the_hidden_word_would_choose_as_the_text_says():
    hidden, others = np.split(learned_lengths.trained_queries(), [1])
    lengths = norm(hidden[0]), norm(others).mean()
    assert 3.9 < lengths[1] / lengths[0] < 4.1
    own, lengthened = (learned_lengths.word_weights(hidden[0], one).max() for one in lengths)
    assert (own, lengthened) == (pytest.approx(0.038, abs=5e-4), pytest.approx(0.181, abs=5e-4))


def test_a_is_the_surest_of_all_and_the_hidden_word_would_be_as_sure_if_it_were_as_long():
    queries, keys = learned_lengths.trained_queries(), learned_lengths.word_keys()
    most = [learned_lengths.word_weights(query, norm(query)).max() for query in queries]
    hidden, a = queries[:2]
    assert VOCABULARY[int(np.argmax(most))] == "a"
    picked = learned_lengths.word_weights(a, norm(a)).argmax()
    assert VOCABULARY[1 + picked] == "released"
    assert most[0] < 2 / 50 < 0.2 < most[1] < learned_lengths.word_weights(hidden, norm(a)).max()
    assert learned_lengths.word_weights(a, norm(hidden)).max() < 2 / 50
    for factor, sure in ((1, False), (10, True)):  # plain cosines, and with a common factor
        scores = factor * cosine(queries[:2, None], keys)
        assert ((softmax(scores).max(axis=1) > 0.2) == sure).all()


def test_no_dot_would_stand_elsewhere_if_the_last_bits_of_a_length_differed():
    steps = norm(learned_lengths.trained_queries()) / short_query.WIDE
    assert np.abs(steps - np.round(steps)).min() > 1e-4


def test_the_headline_calls_no_query_the_shortest_that_is_not(monkeypatch):
    shown = caught(monkeypatch, short_query)
    short_query.show_query_lengths(np.array([3.0, 2.0, 5.0]))
    assert "shortest" not in drawn(shown)[0].get_suptitle()
