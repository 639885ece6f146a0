"""Whoever reaches a goal is asked something more, and can find its answer."""

import re
from pathlib import Path

from course_lib.sliding.registry import explorers

CHAPTERS = Path(__file__).parents[2] / "chapters"


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def questions_of_folds() -> set[str]:
    """What stands on the folds of all chapters, each in one line."""
    texts = [re.sub(r"^# ?", "", p.read_text("utf-8"), flags=re.M) for p in CHAPTERS.glob("*.py")]
    found = re.findall(r"<summary>(.*?)</summary>", "\n".join(texts), flags=re.S)
    return set(map(in_one_line, found))


def test_folds_are_found():
    assert len(questions_of_folds()) > 100


def test_each_question_at_a_goal_has_an_answer_of_its_own_or_a_fold_with_its_words():
    folds = questions_of_folds()
    asked = {name: one for name, one in explorers().items() if one.question}
    assert asked
    assert [
        name
        for name, one in asked.items()
        if not one.answer and in_one_line(one.question) not in folds
    ] == []


def test_no_question_is_answered_twice():
    folds = questions_of_folds()
    both = [
        n for n, one in explorers().items() if one.answer and in_one_line(one.question) in folds
    ]
    assert both == []
