"""Reading what a learner typed in a handed-in notebook."""

import ast
import json
import os
import re
import stat
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LARGEST = 20_000_000  # bytes; a chapter with its pictures has .2 million
EXERCISE = re.compile(
    r"^@(?:\w+\.)?exercise\b[^\n]*\n(?:[ \t]*(?:[#@][^\n]*)?\n)*"
    r"(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)",
    re.M,
)
# Notebooks of the first edition import course_lib.exercises.NAME.
CHAPTER = re.compile(
    r"^[ \t]*(?:from|import)[ \t][^#\n]*?\bcourse_lib\.(?:chapters|exercises)"
    r"(?:\.| +import +)(\w+)",
    re.M,
)
# Calls that show something and bind nothing. Bets and sliders are not judged.
SHOWS = re.compile(r"(explore|show)_\w+|bet|settle|hint|reveal|progress")
CHAPTERS = Path(__file__).resolve().parents[1] / "chapters"


class Unreadable(Exception):
    """A file that cannot be judged; the message is the reason, in one sentence."""


@dataclass(frozen=True)
class HandedIn:
    """What a learner typed in one chapter.

    chapter: its name, as in "01_dot_product".   cells: the text of the code cells, in order.
    """

    chapter: str
    cells: tuple[str, ...]

    def exercises(self) -> dict[str, list[int]]:
        """The exercises that have a cell: name and the numbers of these cells, from 0."""
        found: dict[str, list[int]] = {}
        for place, cell in enumerate(self.cells):
            for name in EXERCISE.findall(cell):
                found.setdefault(name, []).append(place)
        return found


@cache
def exercise_names() -> dict[str, frozenset[str]]:
    """The names of each chapter's exercises, by its stem; an exercise is a file of its name."""
    return {
        folder.parent.name: frozenset(
            path.stem for path in folder.glob("*.py") if path.stem != "__init__"
        )
        for folder in sorted(CHAPTERS.glob("*/exercises"))
    }


def read(path: Path) -> HandedIn:
    """What was typed in the notebook at `path`.

    Raises: Unreadable, for a file that is no notebook of a chapter of this course.
    """
    try:
        notebook = json.loads(_text(_content(path)))
    except OSError as error:
        raise Unreadable(f"The file cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise Unreadable("The file is not a notebook: it is damaged or was cut off.") from None
    try:
        cells = tuple(
            _lines("".join(cell["source"]))
            for cell in notebook["cells"]
            if cell["cell_type"] == "code"
        )
    except (KeyError, TypeError):
        raise Unreadable("The file is not a notebook: it has no list of cells.") from None
    return HandedIn(_chapter(cells), cells)


def _content(path: Path) -> bytes:
    """The bytes of an ordinary file; a pipe or a device is not waited for."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise Unreadable("The file cannot be read: it is no ordinary file.")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Unreadable(f"The file is larger than {LARGEST // 1_000_000} MB.")
    return content


def _text(content: bytes) -> str:
    """The text of a JSON file: in UTF-8, 16 or 32, with a mark at its start or without."""
    encoding = json.detect_encoding(content)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8":
            raise
        return content.decode("cp1252", "replace")  # an old editor on Windows


def _lines(text: str) -> str:
    """The text with line ends of one kind, and nothing in it that no file could hold."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _chapter(cells: tuple[str, ...]) -> str:
    """The chapter most of whose exercises have a cell; of equal ones, that which is imported."""
    chapters = exercise_names()
    defined = {name for cell in cells for name in EXERCISE.findall(cell)}
    imported = [name for cell in cells for name in CHAPTER.findall(cell) if name in chapters]
    counts = {stem: len(names & defined) for stem, names in chapters.items()}
    best = max(counts.values(), default=0)
    likely = [stem for stem, count in counts.items() if count == best]
    chosen = [stem for stem in imported if stem in likely or best == 0] or (likely if best else [])
    if not chosen:
        raise Unreadable("The notebook has the exercises of no chapter of this course.")
    return _numbered(chosen[0])


def _numbered(stem: str) -> str:
    """A chapter's full name, read from its module and not imported."""
    text = (CHAPTERS / stem / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r"Handout\(\s*\"(\d+_\w+)\"", text)
    return found[1] if found else stem


def only_shows(cell: str) -> bool:
    """Whether a cell does nothing but show something, so that judging can do without it."""
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(body) and all(map(_shows, body))


def _shows(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = statement.value.func
    return isinstance(called, ast.Name) and SHOWS.fullmatch(called.id) is not None


def without_cell_magic(cell: str) -> str:
    """A cell that begins with `%%time` or another `%%` and holds an exercise, without that line."""
    first, _, rest = cell.lstrip("\n").partition("\n")
    if first.startswith("%%") and EXERCISE.search(rest):
        return "\n" + rest
    return cell
