"""Finding and reading the small files of a checkpoint, and how what is wrong with them is said.

Whatever stands in a folder that somebody else made can be wrong. All of it ends as one short
sentence, a FileNotFoundError or a CheckpointError: a name of 5,000 letters, brackets in brackets
without end, a folder where a file should be.
"""

import json
import reprlib
from collections import Counter
from pathlib import Path

LARGEST = 100_000_000  # bytes of a file of JSON that is read; GPT-2's have less than 2 MB

_short_repr = reprlib.Repr()
_short_repr.maxstring = _short_repr.maxother = _short_repr.maxlong = 60


class CheckpointError(ValueError):
    """A checkpoint that cannot be fetched, or is none that this course computes."""


def found_file(folder: Path, name: str) -> Path:
    """The path of a file that is there.

    Raises: FileNotFoundError, which says what the folder has instead; CheckpointError for a name
        that no file can have, and a folder that may not be looked into.
    """
    path = folder / name
    if is_file(path):
        return path
    try:
        there = ", ".join(sorted(said(other.name) for other in folder.iterdir())[:8]) or "nothing"
    except OSError as error:
        raise CheckpointError(f"{said(folder)} cannot be looked into: {short(error)}") from error
    if path.is_dir():
        instead = f"{said(name)} is a folder there"
    elif path.is_symlink():
        instead = f"{said(name)} is a link that leads to no file"
    else:
        instead = f"it has: {there}"
    raise FileNotFoundError(f"{said(folder)} has no {said(name)}; {cut(instead, 160)}")


def is_file(path: Path) -> bool:
    """Whether there is a file. Raises: CheckpointError for a path that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{said(path.name)} is no name of a file: {short(error)}") from error


def read_object(path: Path) -> dict:
    """The object in a file of JSON.

    Raises: CheckpointError for anything else, and for an object that says one thing twice.
    """
    try:
        if (size := path.stat().st_size) > LARGEST:
            raise CheckpointError(f"has {size} bytes; expected {LARGEST} at most")
        found = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once_each)
    except CheckpointError as error:
        raise CheckpointError(f"{path.name} {error}") from None
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path.name} is no JSON: {short(error)}") from error
    except OSError as error:
        raise CheckpointError(f"{path.name} cannot be read: {short(error)}") from error
    if not isinstance(found, dict):
        raise CheckpointError(f"{path.name} holds a {type(found).__name__}; expected an object")
    return found


def _once_each(pairs: list[tuple]) -> dict:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise CheckpointError(f"says {said(twice)} twice: which counts?")
    return found


def shown(value: object) -> str:
    """A value as Python writes it, shortened; also one with brackets in brackets without end."""
    return cut(_short_repr.repr(value), 100)


def said(name: object) -> str:
    """A name of a file or a tensor as it is, if it is fit for a sentence; else as Python does."""
    text = str(name)
    return cut(text if text.isprintable() else ascii(text), 100)


def short(error: Exception) -> str:
    """What an error says, in one line."""
    return cut(ascii_line(f"{type(error).__name__}, {error}"), 160)


def ascii_line(text: str) -> str:
    """A text in one line, with nothing in it that cannot be printed."""
    line = " ".join(text.split())
    return line if line.isprintable() else ascii(line)


def and_more(names: list) -> str:
    """How many stand behind the first."""
    return f" and {len(names) - 1} more" if len(names) > 1 else ""


def cut(text: str, most: int) -> str:
    """A text of `most` letters at most, without its middle where it has more."""
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[:half]}...{text[-half:]}"
