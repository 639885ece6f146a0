"""An explorer on the page: what is seen before its table arrives, and without JavaScript.

It is drawn as explorer.js draws it, part by part, so that nothing moves when that takes its place.
"""

import html
import json

from course_lib.words import say
from tools.page.html import Files, decoded, picture
from tools.page.tables import Table


def explorer(files: Files, name: str, made: Table, stored: dict) -> str:
    """The place of an explorer.

    name: of its files.   stored: the notebook's output, with the picture.
    """
    start, data = made.data["start"], made.data
    first = data["first"]
    alt = _text(data, "alt", first)
    below = files.add("tables", name, made.below, "png")
    source = files.add("tables", name, made.text.encode(), "json")
    image = picture(files, decoded(stored["data"]["image/png"]), alt, name)
    wide = f"width: 100%; max-width: {start['width']}px"
    pane = f'<div class="explorer-pane" style="{wide}">{image}</div>'
    inside = [
        _goal(start),
        '<div class="explorer-controls" inert>' + "".join(map(_row, *_values(data))) + "</div>",
        f'<div class="explorer-panes">{pane}</div>',
        '<p class="explorer-said" hidden></p>',
        f'<div class="explorer-words"><p>{html.escape(_text(data, "words", first))}</p></div>',
        _numbers(data, start["texts"]["numbers"]),
    ]
    return (
        f'<div class="explorer-place" data-table="{source}" data-below="{below}">'
        f'<div class="explorer">{"".join(inside)}</div></div>'
    )


def _text(data: dict, column: str, frame: int) -> str:
    numbers = data[column]
    return data["strings"][numbers if isinstance(numbers, int) else numbers[frame]]


def _goal(start: dict) -> str:
    if not start["goal"]:
        return '<p class="explorer-goal" hidden></p>'
    texts = start["texts"]
    return (
        f'<p class="explorer-goal"><b>{html.escape(texts["goal"])}</b> '
        f"{html.escape(start['goal'])} <b>{html.escape(texts['open'])}.</b></p>"
    )


def _values(data: dict) -> tuple[list[dict], list]:
    """The controls that have a row, and the value of each at the start."""
    start = {
        axis["name"]: axis["stops"][axis["start"]] for axis in data["axes"] if "index" not in axis
    }
    shown = [one for one in data["start"]["controls"] if one["kind"] != "held"]
    return shown, [start[one["name"]] for one in shown]


def _row(control: dict, value) -> str:
    label = f"<label>{html.escape(control['label'])}</label>"
    if control["kind"] == "range":
        stops = control["stops"]
        return (
            f'{label}<input type="range" max="{len(stops) - 1}" value="{stops.index(value)}" '
            f'disabled><input inputmode="decimal" value="{html.escape(_number(value))}" disabled>'
            '<p class="explorer-said" hidden></p>'
        )
    if control["kind"] == "toggle":
        checked = " checked" if value else ""
        return f'{label}<input type="checkbox" class="explorer-wide"{checked} disabled>'
    options = "".join(
        f"<option{' selected' if i == value else ''}>{html.escape(name)}</option>"
        for i, name in enumerate(control["names"])
    )
    return f'{label}<select class="explorer-wide" disabled>{options}</select>'


def _number(value: float) -> str:
    """A number as JavaScript writes it."""
    return json.dumps(int(value) if float(value).is_integer() else value)


def _numbers(data: dict, summary: str) -> str:
    rows = [json.loads(data["strings"][one]) for one in data["numbers"][data["first"]]]
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    hidden = "" if rows else " hidden"
    return (
        f"<details{hidden}><summary>{html.escape(say(summary))}</summary>"
        f"<table>{body}</table></details>"
    )
