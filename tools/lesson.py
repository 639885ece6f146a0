"""Cut the core of a chapter into lessons of two hours: two halves, and the questions around."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.syllabus import Section, Syllabus, flat

OPENING = re.compile(r"\bThree questions before you (start|go on)$", re.I)
ENDING = "What you can now say"
BREAK = "(About half of the way"
NUMBERED = re.compile(r"^\d\. (.*?)(?=^\d\. |\Z)", re.M | re.S)


@dataclass(frozen=True)
class Lesson:
    """One lesson: what opens it, its two halves, and what is asked at the end."""

    opening: tuple[str, ...]
    first: tuple[Section, ...]
    second: tuple[Section, ...]
    vote: str
    transfer: str
    exit: str


def lessons(chapter: Syllabus, plans: Sequence[Mapping[str, str]]) -> list[Lesson]:
    """The lessons of a chapter, one for each plan (vote, transfer, exit).

    Raises: ValueError, if the chapter has another number of openings than there are plans.
    """
    core = [one for one in chapter.sections if not one.depth]
    starts = [place for place, one in enumerate(core) if OPENING.search(one.title)]
    if plans and len(starts) != len(plans):
        raise ValueError(f"{chapter.name} opens {len(starts)} times, and has {len(plans)} plans")
    found = []
    for start, end, plan in zip(starts, [*starts[1:], len(core)], plans, strict=False):
        inside = core[start + 1 : end]
        work = inside[: min(_place(inside, title) for title in (ENDING, plan["exit"]))]
        cut = halfway(work)
        opening = NUMBERED.findall(core[start].text.partition("<details>")[0])
        asked = (question(chapter, plan[key]) for key in ("transfer", "exit"))
        found.append(
            Lesson((*map(flat, opening),), (*work[:cut],), (*work[cut:],), plan["vote"], *asked)
        )
    return found


def _place(sections: Sequence[Section], title: str) -> int:
    """Where the section of that title stands; the end, where there is none."""
    titles = [one.title for one in sections]
    return titles.index(title) if title in titles else len(titles)


def halfway(sections: Sequence[Section]) -> int:
    """How many sections the first half has: up to the break that the chapter names, or else the
    heading of level 2 that is nearest to half of the minutes.
    """
    for place, one in enumerate(sections):
        if BREAK in one.text:
            return place
    cuts = [place for place, one in enumerate(sections) if place and one.level == 2]
    total = sum(one.minutes for one in sections)
    return min(
        cuts,
        key=lambda cut: abs(2 * sum(one.minutes for one in sections[:cut]) - total),
        default=len(sections),
    )


def question(chapter: Syllabus, beginning: str) -> str:
    """The one folded question of the chapter that begins so, or the heading that does.

    Raises: ValueError, if there is none, or several.
    """
    asked = [one for section in chapter.sections for one in section.questions]
    titles = [f"the section *{one.title}*" for one in chapter.sections if one.title == beginning]
    found = [one for one in asked if one.startswith(beginning)] + titles
    if len(found) != 1:
        raise ValueError(f"{chapter.name}: {len(found)} questions begin with {beginning!r}")
    return found[0]
