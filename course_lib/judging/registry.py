"""All exercises of all chapters, each chapter imported only when it is asked for."""

import importlib
import pkgutil
from typing import Any

from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise
from course_lib.judging.verdict import Verdict

CHAPTERS = "course_lib.chapters"


def names(chapter: str | None = None) -> list[str]:
    """The full names of all exercises, such as "01_dot_product/dot", or of one chapter's.

    Raises: KeyError, if there is no such chapter.
    """
    return [f"{one.name}/{name}" for one in chapters(chapter) for name in one.exercises]


def find(name: str) -> Exercise:
    """The exercise of a full name, or of a short one that only one chapter has.

    Raises: KeyError, if there is none, or several.
    """
    stem, _, short = name.rpartition("/")
    found = [one for one in chapters(stem or None) if short in one.exercises]
    if len(found) != 1:
        listed = ", ".join(f"{one.name}/{short}" for one in found) or ", ".join(names(stem or None))
        raise KeyError(f"name must be one exercise; got {name!r}, there is {listed}")
    return found[0].exercises[short]


def judge(name: str, function: Any) -> Verdict:
    """The verdict on an answer to the exercise `name`; prints and saves nothing.

    function: what a learner wrote, a function or a class; it runs here, in limited time.

    Raises: KeyError, if there is no such exercise; nothing else, whatever the function does.
    """
    return verdict_on(find(name), function)


def chapters(chapter: str | None = None) -> list:
    """What the chapters hand out, in order; only the one asked for is imported.

    chapter: its name, with or without its number.

    Raises: KeyError, if there is no such chapter.
    """
    room = importlib.import_module(CHAPTERS)
    modules = [one.name for one in pkgutil.iter_modules(room.__path__)]
    numbered = chapter is not None and chapter[:1].isdigit()
    if chapter is not None:
        stem = chapter.partition("_")[2] if numbered else chapter
        if stem not in modules:
            raise KeyError(f"chapter must be one of {', '.join(modules)}; got {chapter!r}")
        modules = [stem]
    found = [importlib.import_module(f"{CHAPTERS}.{one}").handout for one in modules]
    if numbered and found[0].name != chapter:
        raise KeyError(f"chapter must be {found[0].name}; got {chapter!r}")
    return sorted(found, key=lambda one: one.name)
