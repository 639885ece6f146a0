"""The words and the HTML of a verdict, and of an exercise's hints."""

from collections.abc import Sequence

from course_lib.judging import sentences as s
from course_lib.judging.exercise import Exercise
from course_lib.judging.side_by_side import html_table, plain_lines
from course_lib.judging.verdict import Verdict
from course_lib.markup import COLOURS, MONO, code, code_block, escaped, folded, framed, marked_up
from course_lib.words import say

LONGEST_LABEL = 12  # characters up to which the values are aligned


def header(verdict: Verdict) -> str:
    """The mark and the word of a verdict."""
    if verdict.half_done:
        return say(s.HALF_WAY)
    by_cause = {"interrupted": s.INTERRUPTED, "defect": s.BROKEN_CHECK, "ended": s.NOT_RUN}
    by_state = {"right": s.RIGHT, "wrong": s.WRONG, "todo": s.TODO}
    return say(by_cause.get(verdict.cause, by_state[verdict.state]))


def effort(exercise: Exercise) -> str:
    """Stars, minutes, and after how many of them without an idea a hint is due: half, or two."""
    template = {1: s.EFFORT_OF_ONE, 2: s.EFFORT_OF_TWO}.get(exercise.minutes, s.EFFORT)
    stars = "★" * exercise.stars + "☆" * (3 - exercise.stars)
    stuck = max(2, round(exercise.minutes / 2))
    return f"{stars} {say(template, minutes=exercise.minutes, stuck=stuck)}"


def plain_report(exercise: Exercise, verdict: Verdict, again: bool = False) -> str:
    """The whole report in words; what it may be stands last.

    again: so that what the cells below use, which was said before, is left out.
    """
    head = f"{header(verdict)}: {exercise.name}"
    if verdict.state == "right":
        told = [f"{head}. {verdict.symptom}", *(f"  {note.text}" for note in verdict.notes)]
        return "\n".join(told)
    lines = [f"{head} {effort(exercise)}", verdict.symptom, *_evidence_lines(verdict)]
    if verdict.comparison is not None:
        lines += plain_lines(verdict.comparison)
    lines += [note.text for note in verdict.notes]
    if verdict.printed.lines:
        lines += [say(s.PRINTED) + ":", *(f"  {line}" for line in _printed(verdict))]
    if verdict.cause != "defect":
        if exercise.used and not again:
            lines.append(say(s.COURSE_IS_USED, name=exercise.name))
        if exercise.hints:
            lines.append(say(s.STUCK, name=_quoted(exercise.name)))
    if verdict.mistake is not None:
        lines.append(f"{say(s.MAY_BE)} {verdict.diagnosis}")
    return "\n".join([lines[0], *(f"  {line}" for line in lines[1:])])


def html_report(
    exercise: Exercise, verdict: Verdict, opened: bool = False, again: bool = False
) -> str:
    """The same as HTML, with the hints folded.

    opened: so that the diagnosis is not folded, either; some exercises open it always.
    """
    effort_part = "" if verdict.state == "right" else f" {_small(effort(exercise))}"
    head = f"<b>{escaped(header(verdict))}: {code(exercise.name)}</b>{effort_part}"
    parts = [f"<div>{head}</div>", f"<div>{marked_up(verdict.symptom)}</div>"]
    if verdict.evidence:
        parts.append(_evidence_table(verdict))
    if verdict.comparison is not None:
        parts.append(html_table(verdict.comparison))
    parts += [f"<div>{marked_up(note.text)}</div>" for note in verdict.notes]
    told = again or verdict.state == "right" or verdict.cause == "defect"
    if exercise.used and not told:
        parts.append(f"<div>{escaped(say(s.COURSE_IS_USED, name=exercise.name))}</div>")
    if verdict.printed.lines:
        parts.append(folded(say(s.PRINTED), code_block("\n".join(_printed(verdict)))))
    if verdict.mistake is not None:
        is_open = opened or exercise.unfolded
        parts.append(folded(say(s.MAY_BE), marked_up(verdict.diagnosis), is_open))
    if verdict.state != "right" and verdict.cause != "defect":
        parts.append(folded_hints(exercise.hints))
    return framed("".join(parts), COLOURS[verdict.state])


def folded_hints(hints: Sequence[str]) -> str:
    """The hints, each inside the one before it."""
    inside = ""
    for place in range(len(hints), 0, -1):
        title = say(s.HINT, place=place, count=len(hints))
        inside = folded(title, marked_up(say(hints[place - 1])) + inside)
    return inside


def _evidence(verdict: Verdict) -> list[tuple[str, str]]:
    """The labelled lines; without those that the comparison replaces."""
    whole = verdict.comparison is not None and verdict.comparison.replaces
    left_out = (s.EXPECTED, s.YOURS) if whole else ()
    return [(say(one.label), one.shown) for one in verdict.evidence if one.label not in left_out]


def _evidence_lines(verdict: Verdict) -> list[str]:
    found = _evidence(verdict)
    width = min(max((len(label) for label, _ in found), default=0), LONGEST_LABEL) + 1
    indent = "\n" + " " * (width + 3)  # the report itself is indented by two
    return [f"{label + ':':{width}} {indent.join(value.splitlines())}" for label, value in found]


def _evidence_table(verdict: Verdict) -> str:
    rows = "".join(
        '<div style="display: flex; flex-wrap: wrap; gap: 0 8px;">'
        f'<span style="flex: 0 0 auto; min-width: 6em;">{escaped(label)}</span> '
        f'<span style="{MONO} overflow-wrap: anywhere; min-width: 0;">{escaped(value)}</span></div>'
        for label, value in _evidence(verdict)
    )
    return f'<div style="margin: 4px 0;">{rows}</div>'


def _printed(verdict: Verdict) -> list[str]:
    more = verdict.printed.more
    last = [say(s.MORE_LINES, count=more)] if more else []
    return [*verdict.printed.lines, *last]


def _quoted(name: str) -> str:
    return f'"{name}"'


def _small(text: str) -> str:
    return f'<span style="opacity: 0.8; margin-left: 8px;">{escaped(text)}</span>'
