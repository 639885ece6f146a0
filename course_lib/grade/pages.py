"""The rows as a page for a teacher (HTML)."""

import html
from collections import Counter
from collections.abc import Sequence

from course_lib.grade.judged import MISSING, NOT_JUDGED, RIGHT, TODO, WRONG, Row

MARKS = {RIGHT: "✓", WRONG: "✗", TODO: "○", MISSING: "-", NOT_JUDGED: "?"}
COLOURS = {RIGHT: "#d5ece0", WRONG: "#f6dcd2", TODO: "#f3f3f3", MISSING: "#fff", NOT_JUDGED: "#fff"}
LISTED = 200  # files that were left out
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em;
       color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; display: block; overflow-x: auto }
th, td { border: 1px solid #ccc; padding: .25em .6em; text-align: left; vertical-align: top }
th { background: #f3f3f3 } td.mark { white-space: nowrap } .many { font-weight: 600 }
"""


def as_page(
    rows: Sequence[Row],
    title: str,
    left_out: Sequence[tuple[str, str]] = (),
    warning: str = "",
) -> str:
    """A page that stands alone: per chapter who solved what, and which mistakes are common.

    left_out: files that were not judged, each with the reason.   warning: a sentence at the top.
    """
    chapters = sorted({row.chapter for row in rows} - {""})
    parts = [f"<h1>{_text(title)}</h1>", _summary(rows)]
    if warning:
        parts.insert(1, f"<p><strong>{_text(warning)}</strong></p>")
    for chapter in chapters:
        of_it = [row for row in rows if row.chapter == chapter]
        parts += [f"<h2>{_text(chapter)}</h2>", _who_solved_what(of_it), _common(of_it)]
        parts += [_reasons(of_it)]
    parts += [_broken([row for row in rows if not row.chapter]), _left_out(left_out)]
    body = "\n".join(filter(None, parts))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{_text(title)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _text(value: str) -> str:
    return html.escape(str(value))


def _summary(rows) -> str:
    notebooks = {row.notebook for row in rows}
    counts = Counter(row.result for row in rows if row.chapter)
    told = ", ".join(f"{counts[result]} {result}" for result in MARKS if counts[result])
    legend = " · ".join(f"{mark} {result}" for result, mark in MARKS.items())
    return (
        f"<p>{_count(len(notebooks), 'notebook')}. Exercises: {told or 'none'}.</p>"
        f"<p>{legend}. In a cell: what the check said, when you point at it; below the table in "
        "full.</p>"
    )


def _who_solved_what(rows) -> str:
    exercises = list(dict.fromkeys(row.exercise for row in rows))
    by_place = {(row.notebook, row.exercise): row for row in rows}
    head = "".join(f"<th scope=col><code>{_text(name)}</code></th>" for name in exercises)
    lines = [f"<tr><th scope=col>notebook</th>{head}<th scope=col>right</th></tr>"]
    for notebook in sorted({row.notebook for row in rows}):
        found = [by_place[notebook, name] for name in exercises if (notebook, name) in by_place]
        solved = sum(row.result == RIGHT for row in found)
        cells = "".join(_cell(row) for row in found)
        lines.append(
            f"<tr><th scope=row>{_text(notebook)}</th>{cells}<td>{solved}/{len(found)}</td></tr>"
        )
    return "<table>" + "\n".join(lines) + "</table>"


def _cell(row: Row) -> str:
    said = f' title="{_text(row.mistake or row.reason)}"' if row.mistake or row.reason else ""
    return (
        f'<td class=mark style="background:{COLOURS[row.result]}"{said}>'
        f"{MARKS[row.result]} {row.result}</td>"
    )


def _common(rows) -> str:
    """The named mistakes, the commonest first; what has no name is counted too."""
    wrong = [row for row in rows if row.result == WRONG]
    if not wrong:
        return ""
    items = []
    for (exercise, mistake), count in Counter((r.exercise, r.mistake) for r in wrong).most_common():
        said = _text(mistake) if mistake else "<i>no mistake that the course has a name for</i>"
        items.append(
            f"<li><span class=many>{count}</span> × <code>{_text(exercise)}</code>: {said}</li>"
        )
    return "<h3>Mistakes, the commonest first</h3><ul>" + "\n".join(items) + "</ul>"


def _reasons(rows) -> str:
    told = [row for row in rows if row.reason and row.result != MISSING]
    if not told:
        return ""
    lines = ["<tr><th>notebook</th><th>exercise</th><th>what the check said</th></tr>"]
    lines += [
        f"<tr><td>{_text(row.notebook)}</td><td><code>{_text(row.exercise)}</code></td>"
        f"<td>{_text(row.reason)}</td></tr>"
        for row in told
    ]
    return f"<h3>What the checks said</h3><table>{''.join(lines)}</table>"


def _broken(rows) -> str:
    if not rows:
        return ""
    items = "\n".join(f"<li>{_text(row.notebook)}: {_text(row.reason)}</li>" for row in rows)
    return f"<h2>Notebooks that could not be judged</h2><ul>{items}</ul>"


def _left_out(files) -> str:
    if not files:
        return ""
    items = [f"<li>{_text(name)}: {_text(why)}</li>" for name, why in files[:LISTED]]
    if len(files) > LISTED:
        items.append(f"<li>and {len(files) - LISTED} more</li>")
    return "<h2>What was left out</h2><ul>" + "\n".join(items) + "</ul>"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
