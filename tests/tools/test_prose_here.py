"""The build refuses a slip, and the project's own pages and sentences have none."""

import re
from pathlib import Path

import pytest

from course_lib.betting.bet import Choice
from course_lib.judging import registry
from tools.chapter import SourceError, read_chapter
from tools.editions import check_chapter
from tools.prose import slips
from tools.syllabus import all_explorers

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ANCHOR = re.compile(r'<a id="[^"]*"></a>')  # pages have them, notebooks link by headings
EMPHASIS = re.compile(r"(?<![\w*])(\*\*?|_)(?=[^\s*])[^*_\n]*(?<=[^\s*])\1(?!\w)|\$|\]\(")
CODE = re.compile(r"`[^`]+`")


def test_the_build_refuses_a_slip_by_file_and_line(course, source, small):
    lines = len(small.splitlines())
    path = source(small + "\n# %% [markdown]\n# Chance is .10, and\n# 1. So.\n")
    with pytest.raises(SourceError, match=rf"{path.name}:{lines + 4}: '1\.' makes a list here"):
        check_chapter(course, read_chapter(path))
    path = source(small + '\n# %% [markdown]\n# a\n\n# %% [markdown] lang="zh"\n# 你\n# - 好\n')
    with pytest.raises(SourceError, match=rf"{path.name}:{lines + 7}: '-' makes a list here"):
        check_chapter(course, read_chapter(path))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_pages_render_as_meant(path):
    text = ANCHOR.sub("", path.read_text(encoding="utf-8"))
    assert [f"{path.name}:{line + 1}: {what}" for line, what in slips(text)] == []


def sentences():
    """(where, text) of the sentences beside a notebook, which know `code` and nothing else."""
    for chapter in registry.chapters():
        for bet in chapter.bets.values():
            for text in (bet.question, bet.why, bet.model_answer):
                yield f"{chapter.name}/{bet.name}", text
        for exercise in chapter.exercises.values():
            said = [one.says for one in exercise.mistakes]
            said += [one.sentence for one in exercise.properties]
            for text in (*exercise.hints, *said):
                yield f"{chapter.name}/{exercise.name}", text


def plain_texts():
    """(where, text) of what a widget shows letter by letter."""
    for chapter in registry.chapters():
        for bet in chapter.bets.values():
            for text in bet.answer.options if isinstance(bet.answer, Choice) else ():
                yield f"{chapter.name}/{bet.name}", text
    for name, explorer in all_explorers().items():
        labels = [slider.label for slider in explorer.sliders.values()]
        goal = [explorer.goal.text] if explorer.goal else []
        for text in (*labels, *goal, explorer.question):
            yield name, text


def test_sentences_of_checks_and_bets_have_no_marker_but_code():
    told = list(sentences())
    assert len(told) > 500
    for where, text in told:
        rest = CODE.sub("", text)
        assert "`" not in rest, (where, text)
        assert not EMPHASIS.search(rest), (where, text)


def test_options_labels_and_goals_have_no_marker():
    told = list(plain_texts())
    assert len(told) > 200
    for where, text in told:
        assert "`" not in text, (where, text)
        assert not EMPHASIS.search(text), (where, text)
