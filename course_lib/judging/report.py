"""The words and the HTML of a verdict, of hints and of a settled bet."""

import html
import re

from course_lib.judging import sentences as s
from course_lib.words import say

COLOURS = {
    "right": "var(--jp-success-color1, #2e7d32)",
    "wrong": "var(--jp-error-color1, #c62828)",
    "todo": "var(--jp-info-color1, #0277bd)",
    "surprise": "var(--jp-warn-color1, #ef6c00)",  # a lost bet is no error
}
MONO = "font-family: var(--jp-code-font-family, monospace); white-space: pre-wrap;"


def header(verdict) -> str:
    """The mark and the word of a verdict."""
    by_cause = {"interrupted": s.INTERRUPTED, "defect": s.BROKEN_CHECK}
    by_state = {"right": s.RIGHT, "wrong": s.WRONG, "todo": s.TODO}
    return say(by_cause.get(verdict.cause, by_state[verdict.state]))


def effort(exercise) -> str:
    """Stars and minutes."""
    template = s.EFFORT_OF_ONE if exercise.minutes == 1 else s.EFFORT
    stars = "★" * exercise.stars + "☆" * (3 - exercise.stars)
    return f"{stars} {say(template, minutes=exercise.minutes)}"


def plain_report(exercise, verdict) -> str:
    """The whole report in words; what it may be stands last."""
    head = f"{header(verdict)}: {exercise.name}"
    if verdict.state == "right":
        return f"{head}. {verdict.symptom}"
    lines = [f"{head} {effort(exercise)}", verdict.symptom, *_evidence_lines(verdict)]
    lines += [note.text for note in verdict.notes]
    if verdict.printed.lines:
        lines += [say(s.PRINTED) + ":", *(f"  {line}" for line in _printed(verdict))]
    if verdict.cause != "defect":
        lines.append(say(s.COURSE_IS_USED, name=exercise.name))
        if exercise.hints:
            lines.append(say(s.STUCK, name=_quoted(exercise.name)))
    if verdict.diagnosis is not None:
        lines.append(f"{say(s.MAY_BE)} {verdict.diagnosis.text}")
    return "\n".join([lines[0], *(f"  {line}" for line in lines[1:])])


def html_report(exercise, verdict) -> str:
    """The same as HTML, with the diagnosis and the hints folded."""
    effort_part = "" if verdict.state == "right" else f" {_small(effort(exercise))}"
    head = f"<b>{_safe(header(verdict))}: {_code(exercise.name)}</b>{effort_part}"
    parts = [f"<div>{head}</div>", f"<div>{marked_up(verdict.symptom)}</div>"]
    if verdict.evidence:
        parts.append(_evidence_table(verdict))
    parts += [f"<div>{marked_up(note.text)}</div>" for note in verdict.notes]
    if verdict.state != "right" and verdict.cause != "defect":
        parts.append(f"<div>{_safe(say(s.COURSE_IS_USED, name=exercise.name))}</div>")
    if verdict.printed.lines:
        parts.append(folded(say(s.PRINTED), _pre("\n".join(_printed(verdict)))))
    if verdict.diagnosis is not None:
        parts.append(folded(say(s.MAY_BE), marked_up(verdict.diagnosis.text)))
    if verdict.state != "right" and verdict.cause != "defect":
        parts.append(folded_hints(exercise.hints))
    return framed("".join(parts), COLOURS[verdict.state])


def framed(inside: str, colour: str = "var(--jp-border-color1, #888)") -> str:
    """A block with a coloured border on its left; it takes its text colour from the page."""
    return (
        f'<div style="border-left: 4px solid {colour}; padding: 2px 0 2px 12px; '
        f'margin: 4px 0; line-height: 1.6;">{inside}</div>'
    )


def folded(title: str, inside: str) -> str:
    """Something that opens on a click, or with Enter."""
    return (
        f'<details><summary style="cursor: pointer;">{_safe(title)}</summary>'
        f'<div style="margin: 2px 0 4px 16px;">{inside}</div></details>'
    )


def folded_hints(hints) -> str:
    """The hints, each inside the one before it."""
    inside = ""
    for place in range(len(hints), 0, -1):
        title = say(s.HINT, place=place, count=len(hints))
        inside = folded(title, marked_up(say(hints[place - 1])) + inside)
    return inside


def marked_up(text: str) -> str:
    """Text as HTML: `code` in backticks, several lines as they stand."""
    if "\n" in text:
        return _pre(text)
    return re.sub(r"`([^`]+)`", lambda found: _raw_code(found[1]), _safe(text))


def _evidence_lines(verdict) -> list[str]:
    labels = [say(one.label) for one in verdict.evidence]
    width = max(map(len, labels), default=0) + 1
    return [
        f"{label + ':':{width}} {one.value}"
        for label, one in zip(labels, verdict.evidence, strict=True)
    ]


def _evidence_table(verdict) -> str:
    rows = "".join(
        '<div style="display: flex; gap: 8px;">'
        f'<span style="flex: 0 0 6em;">{_safe(say(one.label))}</span> '
        f'<span style="{MONO} overflow-wrap: anywhere;">{_safe(one.value)}</span></div>'
        for one in verdict.evidence
    )
    return f'<div style="margin: 4px 0;">{rows}</div>'


def _printed(verdict) -> list[str]:
    more = verdict.printed.more
    last = [say(s.MORE_LINES, count=more)] if more else []
    return [*verdict.printed.lines, *last]


def _quoted(name: str) -> str:
    return f'"{name}"'


def _safe(text) -> str:
    return html.escape(str(text))


def _raw_code(safe_text: str) -> str:
    return f'<code style="{MONO}">{safe_text}</code>'


def _code(text: str) -> str:
    return _raw_code(_safe(text))


def _pre(text: str) -> str:
    return f'<pre style="{MONO} margin: 2px 0;">{_safe(text)}</pre>'


def _small(text: str) -> str:
    return f'<span style="opacity: 0.8; margin-left: 8px;">{_safe(text)}</span>'


def code_block(code: str) -> str:
    """Python code as HTML; "" for none."""
    return _pre(code) if code else ""
