"""Make the page of each chapter for those who teach it.

    python -m tools.teaching            writes docs/teaching/NN_name.md
    python -m tools.teaching --check    says which page is stale

A page is put together from the chapter's source, its exercises, bets and explorers, and what its
stored notebook says; tools/teaching.toml adds which bet to vote on and which answers tempt.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from course_lib.betting.bet import Bet, Choice
from course_lib.judging.exercise import Exercise
from course_lib.sliding.held import Cells, Slider
from course_lib.words import say
from tools.lesson import Lesson, lessons
from tools.pages import ROOT, command
from tools.syllabus import Section, Syllabus, all_explorers, course

FOLDER = ROOT / "docs" / "teaching"
ABOUT = Path(__file__).with_suffix(".toml")
SHOWN = 3  # mistakes that stand open; the others are folded
MARKER, BACKSLASH = re.compile(r"^(?=[*+-] )"), r"\\"  # a sentence on the operator * is no list
TOP = """\
*For teachers: this page gives away how every bet ends. It is made by `python -m tools.teaching`
from the [notebook](../../notebooks/{name}.ipynb), its stored run and its
[folder](../../course_lib/chapters/{stem}), and not edited by hand.
[How a lab goes](README.md) · [answers](../../notebooks/solutions/{name}.ipynb)*
"""
TEMPTS = """\
*Tempts* is what the author expects many to say. No class has been measured yet; your own vote is
better than this guess."""
MISTAKES = """\
The check knows each mistake by what it does; its sentence is folded below the symptom at a
learner's first wrong try, and open from the second. An answer that computes the right thing
passes, however it is written: how many other right answers the check is tested with is given. Of
the mistakes below, the first {shown} stand open; unfold the others, also before printing."""


@dataclass(frozen=True)
class Advice:
    """What tools/teaching.toml says of one chapter."""

    lessons: tuple[dict[str, str], ...]
    tempts: dict[str, tuple[str, str]]
    stop: str = ""  # without lessons: the heading before which the first of two sittings ends
    board: str = ""  # and the one that may be told at the board
    text_only: str = ""  # and what a class does that writes no code


@lru_cache(maxsize=1)
def advice() -> dict[str, Advice]:
    """The advice on each chapter, by its name."""
    table = tomllib.loads(ABOUT.read_text(encoding="utf-8"))
    return {
        name: Advice(
            tuple(one["lessons"]),
            {bet: (answer, why) for bet, (answer, why) in one["tempts"].items()},
            one.get("stop", ""),
            one.get("board", ""),
            one.get("text_only", ""),
        )
        for name, one in table.items()
    }


def page(chapter: Syllabus) -> str:
    """The page of a chapter."""
    stem = chapter.name.partition("_")[2]
    core = [one for one in chapter.sections if not one.depth]
    depth = [one for one in chapter.sections if one.depth]
    parts = [f"# Teaching chapter {chapter.title}", TOP.format(name=chapter.name, stem=stem)]
    labs = lessons(chapter, advice()[chapter.name].lessons)
    for number, lab in enumerate(labs, start=1):
        ending = f", sitting {number} of {len(labs)}" if len(labs) > 1 else ""
        parts += [f"## The lab of two hours{ending}", _lab(chapter, lab)]
    if not labs:
        minutes = chapter.source.minutes()
        parts += [f"## The first {minutes} minutes", _beginning(chapter, core)]
    parts += ["## Bets", TEMPTS, *_bets(chapter, core)]
    parts += ["## Exercises", MISTAKES.format(shown=SHOWN), *_exercises(chapter, core)]
    parts += ["## Sliders", *_sliders(chapter, core)]
    further = [*_bets(chapter, depth), *_sliders(chapter, depth), *_exercises(chapter, depth)]
    if further:
        parts += ["## Depth, for who is done early or comes back", *further]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _lab(chapter: Syllabus, lab: Lesson) -> str:
    """The table of a lab."""
    voted = chapter.holding("bets", lab.vote)
    half = "A" if voted in lab.first else "B"
    rows = [
        (10, "opening questions", " ".join(f"({i}) {q}" for i, q in enumerate(lab.opening, 1))),
        (
            5,
            "vote",
            f"the bet `{lab.vote}`, below: everybody says a number or an option and how sure, by "
            f"hand or on paper, and nobody runs it yet. It is settled in core {half}, in "
            f"{_linked(chapter, voted)}.",
        ),
        (30, "core A, in pairs", _contents(chapter, lab.first)),
        (10, "the commonest mistake", _discussed(chapter, lab)),
        (5, "break", ""),
        (30, "core B, in pairs", _contents(chapter, lab.second)),
        (10, "transfer", lab.transfer),
        (10, "exit question, on paper", lab.exit),
        (10, "slack", _slack(chapter)),
    ]
    lines = ["| {} | {} | {} |".format(*(str(x).replace("|", "\\|") for x in row)) for row in rows]
    return "\n".join(["| minutes | what | with this chapter |", "|---|---|---|", *lines])


def _beginning(chapter: Syllabus, core: list[Section]) -> str:
    titled, ours = {one.title: one for one in core}, advice()[chapter.name]
    return (
        f"No lab of its own: open it at the beginning of the first one, or give it as homework. "
        f"Everybody types words of their own, bets on what one head is worth, and moves a slider. "
        f"In this order: {_contents(chapter, core)}\n\n"
        f"A class that has never programmed needs two sittings of forty minutes, in pairs: stop "
        f"before {_linked(chapter, titled[ours.stop])}. If time is short, tell "
        f"{_linked(chapter, titled[ours.board])} at the board, and give what follows it as "
        f"homework.\n\n{ours.text_only}"
    )


def _linked(chapter: Syllabus, section: Section) -> str:
    return f"[{section.title}]({chapter.link(section, '../..')})"


def _contents(chapter: Syllabus, sections: list[Section]) -> str:
    """What a part of the core holds, heading by heading, with its minutes."""
    total = sum(one.minutes for one in sections)
    items = []
    for one in sections:
        bets = [f"bet `{name}`" for name in one.bets]
        inside = f" ({', '.join([*bets, f'{one.minutes} min'])})" if one.minutes else ""
        if one.level > 1 and (one.minutes or one.bets or one.exercises):
            items.append(f"{_linked(chapter, one)}{inside}")
    return f"{' · '.join(items)}. Planned: {total} minutes."


def _discussed(chapter: Syllabus, lab: Lesson) -> str:
    """Whose mistakes to talk about: the hardest exercises of the first half."""
    names = [name for one in lab.first for name in one.exercises]
    if not names:
        return "which bet was lost with the most certainty, and why it tempted."
    known = chapter.data.exercises
    order = [(known[name].stars, known[name].minutes, place) for place, name in enumerate(names)]
    hardest = names[max(order)[2]]
    return (
        f"`{hardest}`: which sentence did the check show? Show hands for those below; write the "
        "code of the commonest on the board and let the room predict its symptom. (After a "
        "hand-in the grader counts them.)"
    )


def _slack(chapter: Syllabus) -> str:
    names = [e.name for e in chapter.data.exercises.values() if e.depth]
    first = f", or the depth exercise `{names[0]}`" if names else ""
    return f"unfinished exercises{first}."


def _bets(chapter: Syllabus, sections: list[Section]) -> list[str]:
    return [_bet(chapter, one, name) for one in sections for name in one.bets]


def _bet(chapter: Syllabus, section: Section, name: str) -> str:
    """A bet: question, answers, run, why (in the core), what tempts."""
    bet, run = chapter.data.bets[name], chapter.runs[name]
    tempting = advice()[chapter.name].tempts.get(name)
    why = "" if section.depth else f" {say(bet.why)}"
    facts = [f"The run says **{run}**.{why}"]
    if tempting:
        answer, why = tempting
        shown = answer if isinstance(bet.answer, Choice) else bet.answer.with_unit(answer)
        right = " Intuition is right here." if is_right(bet, answer, run) else ""
        facts.append(f"*Tempts*: {shown} ({why}).{right}")
    asked = f"**`{name}`**, in {_linked(chapter, section)}. {say(bet.question)} ({answers(bet)})"
    return _told(section, asked, facts)


def _told(section: Section, first: str, facts: list[str]) -> str:
    """A paragraph with a list below it; in the depth, where paper is short, all in one."""
    if section.depth or not facts:
        return " ".join([first, *facts])
    return "\n".join([first, "", *(f"- {fact}" for fact in facts)])


def answers(bet: Bet) -> str:
    """What may be bet, in words."""
    if isinstance(bet.answer, Choice):
        return " / ".join(say(option) for option in bet.answer.options)
    kind = bet.answer
    if kind.factor:
        near = f"right within a factor of {kind.factor:g}"
    else:
        near = f"right within {kind.near:g}" if kind.near else "right if exact"
    between = f"a number from {kind.low:.10g} to {kind.high:.10g}"
    return f"{kind.with_unit(between)}, {near}"


def is_right(bet: Bet, answer: str, run: str) -> bool:
    """Whether an answer would have won against what the run says."""
    if isinstance(bet.answer, Choice):
        return answer == run
    return bet.answer.is_right(float(answer), float(run.removesuffix(bet.answer.unit)))


def _exercises(chapter: Syllabus, sections: list[Section]) -> list[str]:
    return [
        _exercise(chapter, section, chapter.data.exercises[name])
        for section in sections
        for name in section.exercises
    ]


def _exercise(chapter: Syllabus, section: Section, exercise: Exercise) -> str:
    """An exercise and the sentences of its mistakes, of which the core's first stand open."""
    stars = "★" * exercise.stars + "☆" * (3 - exercise.stars)
    sentences = list(dict.fromkeys(say(one.says) for one in exercise.mistakes))
    link = f"[`{exercise.name}`]({chapter.link(section, '../..')})"
    facts = (
        f"{stars}, {exercise.minutes} minutes; tested with {len(exercise.alternatives)} other "
        f"right answers and {len(sentences)} mistakes"
    )
    listed = [f"- {MARKER.sub(BACKSLASH, text)}" for text in sentences]
    if section.depth:
        return _folded(f"<b>{exercise.name}</b> {facts}", [f"- in {link}", *listed])
    parts = [f"**{link}** {facts}:", "\n".join(listed[:SHOWN])]
    if rest := listed[SHOWN:]:
        parts.append(_folded(f"{len(rest)} more", rest))
    return "\n\n".join(parts)


def _folded(summary: str, lines: list[str]) -> str:
    return "\n\n".join([f"<details><summary>{summary}</summary>", "\n".join(lines), "</details>"])


def _sliders(chapter: Syllabus, sections: list[Section]) -> list[str]:
    return [_slider(chapter, one, name) for one in sections for name in one.explorers]


def _slider(chapter: Syllabus, section: Section, name: str) -> str:
    """An explorer's goal, a setting that reaches it, and the question after it."""
    explorer, facts = all_explorers()[name], []
    first = f"**{name.partition('.')[2]}**, in {_linked(chapter, section)}."
    if explorer.goal:
        reached = "; ".join(
            f"{explorer.sliders[slider].label}: {_setting(explorer.sliders[slider], value)}"
            for slider, value in explorer.goal.solution.items()
        )
        first += f" Goal: {say(explorer.goal.text)}"
        facts.append(f"Reached, for example, at {reached}.")
    if asked := chapter.after.get(name) or say(explorer.question):
        facts.append(f"Then ask: {asked}")
    return _told(section, first, facts)


def _setting(spec: Slider, value) -> str:
    if isinstance(spec, Cells):  # what a learner turns over
        names, pairs = (
            spec.told()["labels"],
            zip(spec.sent(spec.start), spec.sent(value), strict=True),
        )
        return "; ".join(
            f"{name} turned over" for name, (a, b) in zip(names, pairs, strict=True) if a != b
        )
    if isinstance(value, bool):
        return "ticked" if value else "not ticked"
    return f"{value:g}" if isinstance(value, float) else str(value)


def pages() -> dict[Path, str]:
    """Every chapter's page by its path."""
    return {FOLDER / f"{one.name}.md": page(one) for one in course()}


def main(arguments: list[str] | None = None) -> int:
    """Write the pages, or check them."""
    return command("teaching", __doc__.partition("\n")[0], pages, "[0-9][0-9]_*.md", arguments)


if __name__ == "__main__":
    sys.exit(main())
