"""A sentence about an apple is ticked or told what it misses, goal by goal (chapter 5)."""

import pytest

from course_lib.chapters.queries_keys_values.apple import (
    KNOWN,
    UNDECIDED,
    apple_in,
    show_apple,
    written_pushes,
)
from course_lib.chapters.queries_keys_values.apple_goals import AGAINST, BEGINS, FAR, Goals
from course_lib.models.words import VOCABULARY
from tests.chapters.samples import FIRM, FRUIT


def one_word_changed():
    """Every sentence that changes one word of the chapter's, and still has an apple."""
    for i in range(1, 6):
        for word in sorted(VOCABULARY):
            changed = BEGINS.split()
            if changed[i] != word:
                changed[i] = word
                yield changed


def test_every_changed_word_that_leads_to_the_fruits_has_a_tick_and_no_other():
    assert BEGINS == FIRM
    ticks = 0
    for words in one_word_changed():
        data = apple_in(" ".join(words))
        after = round(data["after"], 3)
        says = Goals().told(words, after, written_pushes(data))
        assert says.startswith("✓ One word") == (round(after, 2) >= 0.25)
        assert says.startswith("✓ Neither") == (abs(after) < UNDECIDED)
        ticks += says.startswith("✓ One word")
        assert abs(after - 0.245) > 0.002  # no tick hangs on the last bits of a sum
    assert ticks >= 4


@pytest.mark.parametrize(
    ("sentence", "tick"),
    [
        (FIRM, ""),
        (FRUIT, ""),
        ("anna ate the apple", ""),
        ("apple released a new phone yesterday", ""),
        ("apple released a new phone today", "✓ One word is changed"),
        ("apple washed the new phone today", "✓ Neither"),
        ("the the apple", "✓ Neither: your apple ends between −0.1 and 0.1. Can you do it with"),
    ],
)
def test_a_tick_below_the_picture_says_that_a_goal_is_reached(sentence, tick, capsys):
    show_apple(sentence)
    printed = capsys.readouterr().out
    assert tick in printed
    assert ("✓" in printed) == bool(tick)
    assert ("Can you do it" in printed) == ("Can you do it" in tick)


@pytest.mark.parametrize(
    ("sentence", "one_changed", "both"),
    [
        (FIRM, False, False),
        (FRUIT, False, False),
        ("apple released the fast phone today", True, False),
        ("apple ate the new phone today", True, True),
        ("anna ate the apple phone", False, True),
    ],
)
def test_a_sentence_that_misses_a_goal_is_told_where_it_should_end(sentence, one_changed, both):
    data = apple_in(sentence)
    says = Goals().told(data["words"], data["after"], written_pushes(data))
    assert says.startswith("Not yet") == (one_changed or both)
    assert ("0.25" in says) == one_changed
    assert ("Second goal, neither: that is too far to the fruits." in says) == both


@pytest.mark.parametrize(
    ("sentence", "do"),
    [
        ("apple ate the new phone today", "“ate” pushes it there hardest (+0.67): try another word "
         "of the kind “eating”, or add a word of the kind “look”, which pushes the other way."),
        ("apple sliced the smart watch", "“watch” pushes it there hardest (−0.53): try another "
         "word of the kind “product”, or add a word of the kind “taste”, which pushes the other "
         "way."),
        ("anna ate the apple phone", "“ate” pushes it there hardest (+0.92): add a word of the "
         "kind “look”, which pushes the other way."),
        ("apple cooked a new chip", "“a” pushes it there hardest (+1.44): leave it out, or put "
         "another word in its place."),
    ],
)  # fmt: skip
def test_who_misses_neither_is_told_the_side_and_the_word_that_pushes_there(sentence, do):
    data = apple_in(sentence)
    says = Goals().told(data["words"], data["after"], written_pushes(data))
    assert says.endswith(do)
    assert ("too far to the fruits" in says) == (data["after"] > 0)
    assert ("too far to the companies" in says) == (data["after"] < 0)
    assert ("try another" in says) <= (abs(data["after"]) <= FAR)


def test_every_word_of_the_two_kinds_to_be_added_pushes_its_way():
    for kind, sign in zip(AGAINST, (-1, 1), strict=True):
        assert (sign * apple_in(" ".join(["apple", *KNOWN[kind]]))["told"][1:] > 1).all()


def test_who_has_reached_the_first_goal_is_told_of_the_other_alone():
    goals = Goals()

    def told(sentence):
        data = apple_in(sentence)
        return goals.told(data["words"], data["after"], written_pushes(data))

    assert "0.25" in told("apple ate the new phone today")
    assert told("apple released a new phone today").startswith("✓ One word")
    assert "0.25" not in told("apple ate the new phone today")
    assert "0.25" in told("apple released the fast phone today")
