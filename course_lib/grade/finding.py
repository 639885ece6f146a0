"""Finding the notebooks in a folder, and saying what was left out, and why."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

# A download may add an ending: chapter.ipynb.json, chapter.ipynb.txt.
NOTEBOOK = re.compile(r".*\.ipynb(\.json|\.txt)?", re.I | re.S)
DEEPEST = 40  # folders in folders
CHECKPOINTS = ".ipynb_checkpoints"


@dataclass
class Handed:
    """What lies in a folder: the notebooks, and what else, with a reason why it is not judged."""

    notebooks: list[Path] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def find_notebooks(folder: Path) -> Handed:
    """Every notebook in the folder and below, sorted; hidden ones too.

    Raises: NotADirectoryError, if there is no such folder.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"FOLDER must be a folder with notebooks; got {str(folder)!r}")
    found = Handed()
    folders = [(folder, 0)]
    while folders:
        here, depth = folders.pop()
        try:
            with os.scandir(here) as listed:
                entries = sorted(listed, key=lambda one: one.name)
        except OSError as error:
            found.left_out.append((name_of(here, folder), f"cannot be opened: {error.strerror}"))
            continue
        for one in entries:
            _sort(one, folder, depth, found, folders)
    found.notebooks.sort()
    found.left_out.sort()
    return found


def _sort(entry: os.DirEntry, folder: Path, depth: int, found: Handed, folders: list) -> None:
    path, name = Path(entry.path), name_of(Path(entry.path), folder)
    why = ""
    if entry.is_symlink() and not _stays(path, folder):
        why = "a link to something outside of the folder"
    elif entry.is_dir(follow_symlinks=False) and not NOTEBOOK.fullmatch(entry.name):
        why = "a copy that Jupyter keeps" if entry.name == CHECKPOINTS else ""
        if not why and depth < DEEPEST:
            folders.append((path, depth + 1))
            return
        why = why or f"more than {DEEPEST} folders deep"
    elif not NOTEBOOK.fullmatch(entry.name):
        why = "its name does not end in .ipynb"
    elif entry.name.startswith("._"):
        why = "macOS keeps notes in it, no notebook"
    elif not entry.is_file():
        why = "no ordinary file"
    if why:
        found.left_out.append((name, why))
    else:
        found.notebooks.append(path)


def _stays(path: Path, folder: Path) -> bool:
    """Whether a link leads to an ordinary file in the folder."""
    try:
        real = path.resolve(strict=True)
        return real.is_file() and real.is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


def name_of(path: Path, folder: Path) -> str:
    """The name of a file in the report: its path in the folder, without .ipynb.

    What cannot be printed, and bytes that are no UTF-8, are written as escapes.
    """
    inside = path.relative_to(folder)
    if inside.suffix == ".ipynb" and inside.stem:
        inside = inside.with_suffix("")
    return printable(inside.as_posix())


def printable(text: str) -> str:
    """A text that every file and page can hold: escapes in place of what cannot be shown."""
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a name that is no UTF-8
        return f"\\x{number - 0xDC00:02x}"
    return character if character.isprintable() else ascii(character)[1:-1]
