"""The table of what is done in a chapter, and how often the bets came true."""

import html
from collections.abc import Mapping

from course_lib.betting.bet import CONFIDENCES, LATER, Bet, confidence_shown
from course_lib.betting.form import facts_of
from course_lib.judging.exercise import Exercise
from course_lib.learner.state import SavedFacts
from course_lib.markup import framed
from course_lib.notebook import sentences as s
from course_lib.words import say

STATES = {"right": s.STATE_RIGHT, "wrong": s.STATE_WRONG, "todo": s.STATE_TODO}


def exercise_table(exercises: Mapping[str, Exercise], memory: SavedFacts) -> list[list[str]]:
    """A row of headings, then a row for each exercise."""
    heads = [s.COLUMN_EXERCISE, s.COLUMN_STATE, s.COLUMN_HINTS, s.COLUMN_MINUTES, s.COLUMN_STARS]
    rows = [[say(one) for one in heads]]
    for name, exercise in exercises.items():
        facts = memory.read("exercise", name)
        state = say(STATES.get(facts.get("state", ""), s.STATE_TODO))
        hints = len(exercise.hints)
        used = f"{min(max(facts.get('hints', 0), 0), hints)}/{hints}"
        rows.append(
            [_named(name, exercise), state, used, str(exercise.minutes), "★" * exercise.stars]
        )
    return rows


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
        rows.append([_named(name, bet), you, facts.get("run", ""), say(_verdict(facts))])
    return rows


def _named(name: str, item: Exercise | Bet) -> str:
    """The name of an exercise or bet; what may be left out says so, and looks like no debt."""
    return say(s.IN_DEPTH, name=name) if item.depth else name


def _verdict(facts: Mapping) -> str:
    if "answer" not in facts:
        return s.BET_MISSING
    if facts.get("right") is None:
        return s.BET_WAITS
    return s.BET_WAS_RIGHT if facts["right"] else s.BET_WAS_WRONG


def calibration(bets: Mapping[str, Bet], memory: SavedFacts) -> str:
    """One sentence: how often the bets came true, by how sure the learner was."""
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
    return say(s.CALIBRATION, parts=", ".join(parts)) if parts else say(s.NO_CALIBRATION)


def plain_progress(
    exercises: Mapping[str, Exercise], bets: Mapping[str, Bet], memory: SavedFacts
) -> str:
    """Both tables and the calibration in words."""
    parts = [say(s.PROGRESS, chapter=memory.chapter), _aligned(exercise_table(exercises, memory))]
    if bets:
        parts += [_aligned(bet_table(bets, memory)), calibration(bets, memory)]
    return "\n\n".join(parts)


def html_progress(
    exercises: Mapping[str, Exercise], bets: Mapping[str, Bet], memory: SavedFacts
) -> str:
    """The same as HTML."""
    title = html.escape(say(s.PROGRESS, chapter=memory.chapter))
    inside = f"<b>{title}</b>{_html_table(exercise_table(exercises, memory))}"
    if bets:
        told = html.escape(calibration(bets, memory))
        inside += f"{_html_table(bet_table(bets, memory))}<div>{told}</div>"
    return framed(inside)


def _aligned(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _html_table(rows: list[list[str]]) -> str:
    style = "text-align:left"  # a notebook stores it for each cell, and must stay small

    def line(row: list[str], tag: str) -> str:
        cells = "".join(f'<{tag} style="{style}">{html.escape(one)}</{tag}>' for one in row)
        return f"<tr>{cells}</tr>"

    body = "".join(line(row, "td") for row in rows[1:])
    return f'<table style="margin: 4px 0; color: inherit;">{line(rows[0], "th")}{body}</table>'
