"""A sentence about an apple is ticked or told what it misses, goal by goal (chapter 5)."""

import numpy as np
import pytest

from course_lib.chapters.queries_keys_values.apple import (
    KNOWN,
    UNDECIDED,
    apple_in,
    seen_in,
    show_apple,
)
from course_lib.chapters.queries_keys_values.apple_goals import (
    AGAINST,
    BEGINS,
    FAR,
    PATIENCE,
    Goals,
)
from course_lib.models.words import VOCABULARY
from tests.chapters.samples import FIRM, FRUIT


def end_of(words):
    return seen_in(" ".join(words))["after"]


def told(sentence, goals=None):
    """What is said of a sentence, by default to who has written none before."""
    return (goals or Goals()).told(seen_in(sentence), end_of)


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
        says, after = told(" ".join(words)), end_of(words)
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
    says = told(sentence)
    assert says.startswith("Not yet") == (one_changed or both)
    assert ("0.25" in says) == one_changed
    assert ("Second goal, neither: that is" in says) == both


@pytest.mark.parametrize(
    ("sentence", "do"),
    [
        ("apple ate the new phone today", "“ate” pushes it there hardest (+0.67): try another word "
         "of the kind “eating”, or add a word or two of the kind “look”, which push the other "
         "way."),
        ("apple sliced the smart watch", "“watch” pushes it there hardest (−0.53): try another "
         "word of the kind “product”, or add a word or two of the kind “taste”, which push the "
         "other way."),
        ("anna ate the apple phone", "“ate” pushes it there hardest (+0.92): add a word or two "
         "of the kind “look”, which push the other way."),
        ("apple cooked a new chip", "“a” pushes it there hardest (+1.44): leave it out, or put "
         "another word in its place."),
    ],
)  # fmt: skip
def test_who_misses_neither_is_told_the_side_and_the_word_that_pushes_there(sentence, do):
    says, after = told(sentence), end_of(sentence.split())
    assert says.endswith(do)
    far, side = f"{abs(after) - 0.1:.2f}", "fruits" if after > 0 else "companies"
    assert f"that is {far} too far to the {side}." in says
    assert ("try another" in says) <= (abs(after) <= FAR)


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("apple released the fast phone today", "“fast” pushes hardest to the companies (−"),
        ("apple released the new chip today", "“new” pushes hardest to the companies (−"),
        ("apple ate the new phone today", "“new” pushes hardest to the companies (−"),
    ],
)
def test_who_misses_the_first_goal_is_told_which_word_pushes_to_the_companies(sentence, named):
    assert f"0.25 or above. {named}" in told(sentence)


def test_who_misses_is_told_below_the_picture(capsys):
    show_apple("apple ate the new phone today")
    assert "that is 0.09 too far to the fruits. “ate” pushes it there hardest (+0.67):" in (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("pushes", "named"),
    [
        ([0.0, 0.349, 0.351, -0.2], "“ripe” pushes it there hardest (+0.35)"),  # both +0.35
        ([0.0, 0.351, 0.349, -0.2], "“ate” pushes it there hardest (+0.35)"),
        ([0.5, 0.3, 0.1, -0.2], "“ate” pushes it there hardest (+0.30)"),  # not apple itself
    ],
)
def test_the_word_that_is_named_pushes_hardest_by_its_number_not_as_it_is_written(pushes, named):
    words = ["apple", "ate", "ripe", "phone"]
    after = sum(pushes)
    data = {"words": words, "before": 0.0, "after": after, "pushes": np.array(pushes)}
    assert named in Goals().told(data, end_of)


@pytest.mark.parametrize("push", [0.004, -0.004, 0.0])
def test_no_word_is_named_whose_push_is_written_as_nothing(push):
    words = ["apple", "ate", "phone"]
    pushes = np.array([0.3, push, -0.01])
    data = {"words": words, "before": 0.0, "after": pushes.sum(), "pushes": pushes}
    says = Goals().told(data, end_of)
    assert says.endswith("too far to the fruits.")


def sentences_with_both():
    for eating in KNOWN["eating"]:
        for product in KNOWN["product"]:
            yield f"apple {eating} the new {product} today"
            yield f"anna {eating} the apple {product}"


def test_who_misses_neither_three_times_is_told_a_word_that_does_it():
    helped = missed = 0
    for sentence in sentences_with_both():
        goals = Goals()
        if told(sentence, goals).startswith("✓"):
            continue
        says = [told(sentence, goals) for _ in range(PATIENCE - 1)]
        assert "does it." not in " ".join(says[:-1])
        missed += 1
        if not says[-1].endswith("does it."):
            continue
        helped += 1
        one, *other = says[-1].split("“")[-2:] if "in place of" in says[-1] else [""]
        changed = (
            sentence.replace(other[0].split("”")[0], one.split("”")[0])
            if other
            else f"{sentence} {says[-1].split('“')[-1].split('”')[0]}"
        )
        assert told(changed, goals).startswith("✓ Neither: your apple ends between −0.1 and 0.1.")
    assert helped > 0.8 * missed


def test_every_word_of_the_two_kinds_to_be_added_pushes_its_way():
    for kind, sign in zip(AGAINST, (-1, 1), strict=True):
        assert (sign * apple_in(" ".join(["apple", *KNOWN[kind]]))["told"][1:] > 1).all()


def test_who_has_reached_the_first_goal_is_told_of_the_other_alone():
    goals = Goals()
    assert "0.25" in told("apple ate the new phone today", goals)
    assert told("apple released a new phone today", goals).startswith("✓ One word")
    assert "0.25" not in told("apple ate the new phone today", goals)
    assert "0.25" in told("apple released the fast phone today", goals)
