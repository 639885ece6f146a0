"""Draw the house: the rooms of the library, and the arrows that the imports really are.

    python -m tools.house            writes docs/house.svg
    python -m tools.house --check    says whether it is stale

Where a room stands is settled here; which arrows there are is read from the code, so that the
picture cannot say what is not so.
"""

import ast
import sys
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

from course_lib.figures.theme import INK
from tools.pages import ROOT, command

LIBRARY = ROOT / "course_lib"
CHAPTER_FILES = ROOT / "chapters"
PICTURE = ROOT / "docs" / "house.svg"
WIDTH, HEIGHT = 860, 746
ROOMS = {  # name: left, top, width, height, what it is for
    "grade": (20, 200, 180, 92, ("judges notebooks", "that are handed in")),
    "exercises": (240, 200, 190, 92, ("what you write,", "and how it is judged")),
    "explorers": (470, 200, 370, 92, ("what you slide: compute, draw,", "describe, goal")),
    "models": (530, 346, 130, 92, ("networks and", "their weights")),
    "figures": (690, 346, 150, 92, ("what pictures", "look like")),
    "kernels": (240, 492, 420, 70, ("the formulas: numpy or torch, nothing else",)),
}
CHAPTERS = (20, 48, 410, 92)
NOTEBOOKS = (610, 48, 230, 92)
GROUND = (20, 590, 820, 140)
LEAVES_AT = {("explorers", "kernels"): 500}  # where an arrow down would cross another room
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
TIP = (
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="8" '
    'markerHeight="8" orient="auto"><path d="M0 0L10 5L0 10z"/></marker></defs>'
)


@cache
def imported_by(path: Path) -> frozenset[str]:
    """The rooms and ground modules of the library that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{one.name}" for one in node.names]
        parts = [name.split(".") for name in names]
        found |= {part[1] for part in parts if part[0] == "course_lib" and len(part) > 1}
    return frozenset(found)


def imported(paths: Iterable[Path]) -> set[str]:
    """What these files import, together."""
    return set().union(*map(imported_by, paths))


def ground() -> list[str]:
    """The modules that stand in no room."""
    return sorted(path.stem for path in LIBRARY.glob("*.py") if path.stem != "__init__")


def uses() -> dict[str, set[str]]:
    """What each room imports from outside of itself.

    Raises: KeyError, if the library has a room that has no place in the picture.
    """
    rooms = {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
    if rooms != set(ROOMS):
        raise KeyError(f"a room without a place, or a place without a room: {rooms ^ set(ROOMS)}")
    return {room: imported((LIBRARY / room).rglob("*.py")) - {room} for room in ROOMS}


def arrows() -> list[tuple[str, str]]:
    """(from, to): a room that imports another."""
    used = uses()
    return [(room, other) for room in ROOMS for other in ROOMS if other in used[room]]


def users() -> dict[str, list[str]]:
    """Who imports each module of the ground: rooms, other modules of the ground, chapters."""
    found = uses() | {one: imported([LIBRARY / f"{one}.py"]) for one in ground()}
    found["chapters"] = imported(CHAPTER_FILES.glob("[0-9][0-9]_*.py"))
    return {one: [name for name, used in found.items() if one in used] for one in ground()}


def described() -> str:
    """The picture in words: its alt text."""
    leads = {room: [other for one, other in arrows() if one == room] for room in ROOMS}
    lines = [f"{room} leads to {' and '.join(to) or 'no other room'}" for room, to in leads.items()]
    return (
        "The house: tools/build.py makes notebooks of the chapters, which stand on these rooms. "
        f"By their imports, {'; '.join(lines)}. At the bottom are single modules that rooms share: "
        f"{', '.join(ground())}."
    )


def drawing() -> str:
    """The picture as SVG."""
    parts = [*_above()]
    for room, (left, top, width, height, lines) in ROOMS.items():
        parts.append(_box(left, top, width, height))
        parts += _lines(left + 14, top + 27, [room, *lines])
    parts += _ground()
    parts += [_arrow(*pair) for pair in arrows()]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" font-family="{FONT}" fill="{INK}">\n{TIP}\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


def _above() -> list[str]:
    """The chapters, what they import, and the notebooks that are built from them."""
    rooms = [one for one in ROOMS if one in imported(CHAPTER_FILES.glob("[0-9][0-9]_*.py"))]
    left, top, width, height = CHAPTERS
    far, _, _, _ = NOTEBOOKS
    middle = top + height // 2
    return [
        _text(20, 28, "An arrow is an import, read from the code.", 14),
        _box(*CHAPTERS),
        *_lines(left + 14, top + 27, ["chapters", "the text; they import", ", ".join(rooms)]),
        _box(*NOTEBOOKS),
        *_lines(
            far + 14,
            top + 27,
            ["notebooks", "built, never edited:", "for learners, with solutions"],
        ),
        _line(left + width, middle, far, middle, 'stroke-dasharray="6 5"'),
        _text(left + width + 22, middle - 10, "tools/build.py", 15),
    ]


def _ground() -> list[str]:
    """What all may stand on, and who does."""
    left, top, width, _ = GROUND
    title = "the ground: single modules, and who imports each"
    parts, known = [_box(*GROUND), _text(left + 14, top + 24, title, 15)], users()
    for place, (name, by) in enumerate(known.items()):
        across = left + 14 + place * (width - 14) // len(known)
        parts += [_text(across, top + 50, name, 14, bold=True)]
        parts += [_text(across, top + 68 + 16 * i, one, 13) for i, one in enumerate(by)]
    return parts


def _box(left, top, width, height) -> str:
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="8" fill="#ffffff" '
        f'stroke="{INK}" stroke-width="2.5"/>'
    )


def _lines(left, top, lines) -> list[str]:
    """A name and what is said of it, below each other."""
    first, *others = lines
    said = [_text(left, top + 22 + 20 * i, one, 15) for i, one in enumerate(others)]
    return [_text(left, top, first, 18, bold=True), *said]


def _text(left, top, text, size, bold=False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{left}" y="{top}" font-size="{size}"{weight}>{escape(text)}</text>'


def _line(x1, y1, x2, y2, more="") -> str:
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{INK}" stroke-width="2" '
        f'marker-end="url(#tip)" {more}/>'
    )


def _arrow(start: str, end: str) -> str:
    """Straight down where one room stands over the other, else from side to side."""
    left, top, width, height, *_ = ROOMS[start]
    other_left, other_top, other_width, *_ = ROOMS[end]
    named = f'data-from="{start}" data-to="{end}"'
    low, high = max(left, other_left), min(left + width, other_left + other_width)
    if low < high:
        at = LEAVES_AT.get((start, end), (low + high) // 2)
        return _line(at, top + height, at, other_top, named)
    if left < other_left:
        return _line(left + width, top + height // 2, other_left, other_top + height // 2, named)
    return _line(left, top + height // 2, other_left + other_width, other_top + height // 2, named)


def main(arguments: list[str] | None = None) -> int:
    """Write the picture, or check it."""
    about = __doc__.partition("\n")[0]
    return command("house", about, lambda: {PICTURE: drawing()}, "*.svg", arguments)


if __name__ == "__main__":
    sys.exit(main())
