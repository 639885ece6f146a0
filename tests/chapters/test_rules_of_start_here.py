"""What chapter 0 says of its rules and of where they and the model err."""

import numpy as np
import pytest

from course_lib.chapters.start_here.exercises.by_longest import by_longest
from course_lib.models.copying_numpy import (
    FRESH,
    fresh_strings,
    load_copying,
    share_right,
    without,
)
from course_lib.models.copying_text import decode

STRINGS = 400


@pytest.fixture(scope="module")
def wrong() -> dict[str, np.ndarray]:
    """For the rule and the model, and for each letter: how many of its round were read, or 0."""
    ids, known = fresh_strings(STRINGS, np.random.default_rng(FRESH))
    read = np.cumsum(known, axis=1) * known  # 1: only the first letter of the second round
    said = load_copying().scores(ids[:, :-1]).argmax(axis=-1)
    rule = np.zeros_like(known)
    for row, places in enumerate(known):
        text = decode(ids[row])
        for place in np.flatnonzero(places):
            rule[row, place] = by_longest(text[: place + 1]) != text[place + 1]
    return {"rule": read * rule, "model": read * (said != ids[:, 1:]), "read": read}


def test_the_rule_errs_nearly_always_right_behind_the_first_letter_of_the_second_round(wrong):
    errors = wrong["rule"][wrong["rule"] > 0]

    assert (errors == 1).mean() > 0.9


def test_the_model_is_hardly_ever_wrong_there_and_errs_elsewhere_where_the_rule_is_right(wrong):
    first = (wrong["read"] == 1).sum()

    assert (wrong["model"] == 1).sum() < 0.1 * first
    assert (wrong["rule"] == 1).sum() > 0.25 * first
    assert (wrong["model"] > 3).sum() > 5 * (wrong["rule"] > 3).sum()


def test_of_what_the_model_misses_most_could_be_known(wrong):
    """Behind two letters of a round or more, the rule has nearly nothing left to miss."""
    errors = wrong["model"][wrong["model"] > 0]

    assert (errors > 1).mean() > 0.7


def test_without_head_3_the_model_beats_a_coin_that_is_tossed_among_the_places_that_fit():
    ids, known = fresh_strings(STRINGS, np.random.default_rng(FRESH))
    tossed = []
    for row, places in zip(ids, known, strict=True):
        text = decode(row)
        for place in np.flatnonzero(places):
            followers = [text[i + 1] for i in range(place) if text[i] == text[place]]
            tossed.append(followers.count(text[place + 1]) / len(followers))

    assert round(100 * np.mean(tossed)) == 78
    assert share_right(load_copying(), STRINGS, loudness=without(3)) > 0.85
