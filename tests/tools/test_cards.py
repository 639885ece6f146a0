"""tools/cards.py: a learner's cards are written once, folded into chapters and open on one page."""

import re

import pytest

from tools import cards, pages, prose
from tools.chapter import SourceError, read_chapter

WORDS = re.compile(r"^\| (.+?) \| .+ \| (\d) \|$", re.M)


@pytest.mark.parametrize("name", cards.names())
def test_a_card_renders_as_it_is_meant(name):
    assert prose.slips(cards.folded_card(name, 8)) == []


def test_the_page_holds_every_card_and_is_not_stale():
    assert pages.stale({cards.PAGE: cards.page()}) == []
    for name in cards.names():
        assert cards.inside(name) in cards.page()


def test_a_chapter_is_told_the_words_that_it_has_met():
    early, late = (WORDS.findall(cards.folded_card("words", number)) for number in (1, 4))
    assert {int(number) for _, number in early} == {0, 1}
    assert {int(number) for _, number in late} == {0, 1, 2, 3, 4}
    assert {"query", "score", "weight", "width", "direction"} <= {word for word, _ in early}
    assert [word for word, _ in late] == sorted((word for word, _ in late), key=str.lower)


def test_a_word_is_told_in_fewer_words_as_long_as_others_are_ahead():
    first, second = (cards.inside("words", number) for number in (0, 1))
    for word in ("query", "key", "value"):
        assert f"| {word} |" in first
        assert first.count(f"| {word} |") == second.count(f"| {word} |") == 1
    assert "vector" not in first
    assert "| value | what a place hands over when it is looked at: a vector | 0 |" in second
    assert cards.inside("words").count("| query |") == 1


def test_one_line_of_a_chapter_is_a_card(source, small):
    cell = read_chapter(source(small + '\n# %% [markdown] card="shapes"\n')).cells[-1]
    assert cell.text == cards.folded_card("shapes", 1)
    assert cell.kind == "markdown"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            '# %% [markdown] card="shape"',
            "no card 'shape'; there are shapes, arrays, tables, rows, numpy, torch, words",
        ),
        ('# %% card="shapes"', "a card is one line"),
        ('# %% [markdown] card="shapes"\n# more', "a card is one line"),
    ],
)
def test_a_card_that_is_not_one_is_refused(source, small, text, what):
    with pytest.raises(SourceError, match=re.escape(what)):
        read_chapter(source(small + f"\n{text}\n"))


def test_a_word_of_a_chapters_depth_is_still_ahead_where_its_card_is():
    for word in ("residual", "key-value cache"):
        assert f"| {word} |" not in cards.folded_card("words", 7)
        assert f"| {word} |" in cards.folded_card("words", 8)
