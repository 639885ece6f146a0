"""The table of what is done in a chapter, and how often the bets came true."""

from collections.abc import Mapping
from typing import TypeVar

from course_lib.betting.bet import CONFIDENCES, LATER, Bet, confidence_shown
from course_lib.betting.form import facts_of
from course_lib.judging.exercise import Exercise
from course_lib.learner.state import SavedFacts
from course_lib.markup import escaped, folded, framed
from course_lib.notebook import sentences as s
from course_lib.notebook.tries import half_done, tries_of
from course_lib.words import say

Item = TypeVar("Item", Exercise, Bet)
STATES = {
    "right": s.STATE_RIGHT,
    "wrong": s.STATE_WRONG,
    "half": s.STATE_HALF,
    "todo": s.STATE_TODO,
}


def exercise_table(exercises: Mapping[str, Exercise], memory: SavedFacts) -> list[list[str]]:
    """A row of headings, then a row for each exercise."""
    heads = [s.COLUMN_EXERCISE, s.COLUMN_STATE, s.COLUMN_HINTS, s.COLUMN_MINUTES, s.COLUMN_STARS]
    rows = [[say(one) for one in heads]]
    for name, exercise in exercises.items():
        facts = memory.read("exercise", name)
        state = _state(facts)
        hints = len(exercise.hints)
        asked = min(max(facts.get("hints", 0), 0), hints)  # by hint(...): folds are not counted
        used = f"{asked}/{hints}" if asked else ""
        rows.append([name, state, used, str(exercise.minutes), "★" * exercise.stars])
    return rows


def _state(facts: Mapping) -> str:
    """Where an exercise stands: once right it stays so, whatever is tried afterwards."""
    tries, state = tries_of(facts), facts.get("state", "")
    if tries.solved and state == "wrong":
        return say(s.STATE_HALF_AGAIN if half_done(facts) else s.STATE_TRIED_ON)
    state = "half" if half_done(facts) else state
    mark = say(STATES.get("right" if tries.solved else state, s.STATE_TODO))
    return say(s.STATE_AND_TRY, state=mark, count=tries.count) if tries.count > 1 else mark


def bet_table(bets: Mapping[str, Bet], memory: SavedFacts) -> list[list[str]]:
    """A row of headings, then a row for each bet."""
    heads = [s.COLUMN_BET, s.COLUMN_YOU, s.COLUMN_RUN, s.COLUMN_VERDICT]
    rows = [[say(one) for one in heads]]
    for name, bet in bets.items():
        facts = facts_of(bet, memory)
        you = ""
        if "answer" in facts:
            sure = confidence_shown(facts.get("confidence"))
            you = f"{bet.answer.bet_shown(facts['answer'])} ({sure})"
        elif LATER in facts:
            you = say(s.AFTER_THE_RUN, bet=bet.answer.bet_shown(facts[LATER]["answer"]))
        rows.append([name, you, facts.get("run", ""), say(_verdict(facts))])
    return rows


def _verdict(facts: Mapping) -> str:
    if "answer" not in facts:
        return s.BET_MISSING
    if facts.get("right") is None:
        return s.BET_WAITS
    missed = s.BET_WAS_CLOSE if facts.get("close") is True else s.BET_WAS_WRONG
    return s.BET_WAS_RIGHT if facts["right"] else missed


def calibration(bets: Mapping[str, Bet], memory: SavedFacts) -> str:
    """How often the bets came true, by how sure the learner was, and how many came close."""
    facts = [facts_of(bet, memory) for bet in bets.values()]
    parts = []
    for confidence in CONFIDENCES:
        settled = [
            one["right"]
            for one in facts
            if one.get("right") is not None and one.get("confidence") == confidence
        ]
        if settled:
            words = confidence_shown(confidence)
            counts = {"right": sum(settled), "count": len(settled)}
            parts.append(say(s.CALIBRATION_PART, confidence=words, **counts))
    if not parts:
        return say(s.NO_CALIBRATION)
    close = sum(_verdict(one) == s.BET_WAS_CLOSE for one in facts)
    told = say(s.CALIBRATION, parts=", ".join(parts))
    more = any(one.get("right") for one in facts)  # more than none would read oddly
    near = say(s.MORE_WERE_CLOSE if more else s.OF_THEM_WERE_CLOSE, count=close)
    return f"{told} {near}" if close else told


def plain_progress(
    exercises: Mapping[str, Exercise], bets: Mapping[str, Bet], memory: SavedFacts
) -> str:
    """The core's two tables, how the bets came true, and what stands behind the core, in words."""
    core, depth = _halves(exercises, bets, memory)
    parts = [say(s.PROGRESS, chapter=memory.chapter), *map(_aligned, core)]
    if bets:
        parts.append(calibration(bets, memory))
    if depth:
        parts += [_of_depth(exercises, memory), *map(_aligned, depth)]
    return "\n\n".join(parts)


def html_progress(
    exercises: Mapping[str, Exercise], bets: Mapping[str, Bet], memory: SavedFacts
) -> str:
    """The same as HTML; what stands behind the core is folded."""
    core, depth = _halves(exercises, bets, memory)
    inside = f"<b>{escaped(say(s.PROGRESS, chapter=memory.chapter))}</b>"
    inside += "".join(map(_html_table, core))
    if bets:
        inside += f"<div>{escaped(calibration(bets, memory))}</div>"
    if depth:
        inside += folded(_of_depth(exercises, memory), "".join(map(_html_table, depth)))
    return framed(inside)


def _halves(
    exercises: Mapping[str, Exercise], bets: Mapping[str, Bet], memory: SavedFacts
) -> tuple[list[list[list[str]]], list[list[list[str]]]]:
    """The tables of the core and those of depth, without the empty ones."""
    halves = []
    for depth in (False, True):
        tasks, asked = _that_are(exercises, depth), _that_are(bets, depth)
        tables = [exercise_table(tasks, memory)] if tasks else []
        halves.append(tables + ([bet_table(asked, memory)] if asked else []))
    return halves[0], halves[1]


def _that_are(items: Mapping[str, Item], depth: bool) -> dict[str, Item]:
    return {name: item for name, item in items.items() if item.depth == depth}


def _of_depth(exercises: Mapping[str, Exercise], memory: SavedFacts) -> str:
    """The heading of what may be left out: how many of its exercises are right."""
    tasks = _that_are(exercises, True)
    if not tasks:
        return say(s.DEPTH)
    solved = sum(tries_of(memory.read("exercise", name)).solved for name in tasks)
    return say(s.DEPTH_EXERCISES, right=solved, count=len(tasks))


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _html_table(rows: list[list[str]]) -> str:
    style = "text-align:left"  # a notebook stores it for each cell, and must stay small

    def line(row: list[str], tag: str) -> str:
        cells = "".join(f'<{tag} style="{style}">{escaped(one)}</{tag}>' for one in row)
        return f"<tr>{cells}</tr>"

    body = "".join(line(row, "td") for row in rows[1:])
    return f'<table style="margin: 4px 0; color: inherit;">{line(rows[0], "th")}{body}</table>'
