"""Pieces of HTML that verdicts, bets and tables of progress are put together from.

They have no ids, scripts or style sheets, take their colours from the page, and read well where no
kernel runs.
"""

import html
import re

COLOURS = {
    "right": "var(--jp-success-color1, #2e7d32)",
    "wrong": "var(--jp-error-color1, #c62828)",
    "todo": "var(--jp-info-color1, #0277bd)",
    "surprise": "var(--jp-warn-color1, #ef6c00)",  # a lost bet is no error
}
MONO = "font-family: var(--jp-code-font-family, monospace); white-space: pre-wrap;"


def framed(inside: str, colour: str = "var(--jp-border-color1, #888)") -> str:
    """A block with a coloured border on its left; it takes its text colour from the page."""
    return (
        f'<div style="border-left: 4px solid {colour}; padding: 2px 0 2px 12px; '
        f'margin: 4px 0; line-height: 1.6;">{inside}</div>'
    )


def folded(title: str, inside: str, is_open: bool = False) -> str:
    """Something that opens on a click, or with Enter, or stands open and closes so."""
    return (
        f'<details{" open" * is_open}><summary style="cursor: pointer;">{escaped(title)}</summary>'
        f'<div style="margin: 2px 0 4px 16px;">{inside}</div></details>'
    )


def marked_up(text: str) -> str:
    """Text as HTML: `code` in backticks, several lines as they stand."""
    if "\n" in text:
        return code_block(text)
    return re.sub(r"`([^`]+)`", lambda found: _as_code(found[1]), escaped(text))


def code(text: str) -> str:
    """A name or a piece of code inside a line."""
    return _as_code(escaped(text))


def code_block(text: str) -> str:
    """Lines as they stand, such as Python code."""
    return f'<pre style="{MONO} margin: 2px 0;">{escaped(text)}</pre>'


def escaped(text: object) -> str:
    """Text that no browser reads as HTML."""
    return html.escape(str(text))


def _as_code(safe_text: str) -> str:
    return f'<code style="{MONO}">{safe_text}</code>'
