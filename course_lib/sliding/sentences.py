"""What an explorer says around its picture, in the learner's language."""

from string import Formatter

from course_lib.words import say

TEXTS = {
    "goal": "Goal:",
    "reached": "Reached ✓",
    "before": "Reached before; not at this setting",
    "open": "Not reached yet",
    "answer": "The answer, once you have one",
    "numbers": "Show the numbers",
    "noNumber": "{text} is no number; it stays {now}.",
    "outside": "{label} goes from {low} to {high}: {text} became {now}.",
    "silent": "No answer from the kernel yet: it is at work, or it was restarted. In that case run "
    "this cell again.",
    "handle": "handle",
}


def texts() -> dict[str, str]:
    """The sentences by their short name; what stands in braces is filled by the front end."""
    return {name: say(text, **_open(text)) for name, text in TEXTS.items()}


def _open(template: str) -> dict[str, str]:
    """The fields of a template, each filled with itself."""
    fields = (field for _, field, _, _ in Formatter().parse(template) if field)
    return {field: f"{{{field}}}" for field in fields}
