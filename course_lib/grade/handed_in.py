"""Handed-in notebooks: finding them, and reading what a learner typed."""

import ast
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from course_lib.judging import names

LARGEST = 20_000_000  # bytes; a chapter with its pictures has .2 million
EXERCISE = re.compile(r"^@exercise[ \t]*\n(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.M)
# Notebooks of the first edition import course_lib.exercises.NAME.
CHAPTER = re.compile(r"\bcourse_lib\.(?:chapters|exercises)(?:\.| +import +)(\w+)")
# Calls that show something and bind nothing. Bets and sliders are not judged.
SHOWS = re.compile(r"(explore|show)_\w+|bet|settle|hint|reveal|progress")


class Unreadable(Exception):
    """A file that cannot be judged; the message is the reason, in one sentence."""


@dataclass(frozen=True)
class HandedIn:
    """What a learner typed in one chapter.

    chapter: its name, as in "01_dot_product".   cells: the text of the code cells, in order.
    """

    chapter: str
    cells: tuple[str, ...]

    def exercises(self) -> dict[str, int]:
        """The exercises that have a cell: name and the number of the last such cell, from 0."""
        return {
            name: place for place, cell in enumerate(self.cells) for name in EXERCISE.findall(cell)
        }


def find_notebooks(folder: Path) -> list[Path]:
    """Every notebook in the folder and below, sorted; no checkpoints, nothing hidden.

    Raises: NotADirectoryError, if there is no such folder.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"FOLDER must be a folder with notebooks; got {str(folder)!r}")
    found = (path.relative_to(folder) for path in folder.rglob("*.ipynb"))
    return [
        folder / path for path in sorted(found) if not any(p.startswith(".") for p in path.parts)
    ]


def read(path: Path) -> HandedIn:
    """What was typed in the notebook at `path`.

    Raises: Unreadable, for a file that is no notebook of a chapter of this course.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise Unreadable(f"The file is larger than {LARGEST // 1_000_000} MB.")
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(f"The file cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise Unreadable("The file is not a notebook: it is damaged or was cut off.") from None
    try:
        cells = tuple(
            "".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"
        )
    except (KeyError, TypeError):
        raise Unreadable("The file is not a notebook: it has no list of cells.") from None
    return HandedIn(_chapter(cells), cells)


def _chapter(cells: tuple[str, ...]) -> str:
    for name in (name for cell in cells for name in CHAPTER.findall(cell)):
        with suppress(KeyError):
            return names(name)[0].partition("/")[0]
    raise Unreadable("The notebook imports the exercises of no chapter of this course.")


def only_shows(cell: str) -> bool:
    """Whether a cell does nothing but show something, so that judging can do without it."""
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return False
    return bool(body) and all(map(_shows, body))


def _shows(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    return isinstance(called, ast.Name) and SHOWS.fullmatch(called.id) is not None
