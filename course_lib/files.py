"""Replace files whole: who reads one finds the old text or the new, never a part of it."""

import glob
import os
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

ABANDONED = 60.0  # seconds after which a draft belongs to a process that was killed
TRIES = 5  # Windows refuses to replace a file while another process reads it


class Changed(Exception):
    """A file was changed by somebody else while its new text was written."""


def replace(texts: Mapping[Path, str], still: Callable[[Path], bool] = lambda path: True) -> None:
    """Give each file its text. None is touched before all texts are complete on the disk.

    Folders that are missing are made.   still: asked at the last moment before each file is
    replaced, whether it may be.

    Raises: OSError, where one cannot be written, and Changed, where one may no longer be replaced;
    that file and those after it are as they were.
    """
    drafts = {path: path.with_name(f".{path.name}.{uuid.uuid4().hex}.draft") for path in texts}
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            drafts[path].write_text(text, encoding="utf-8")
        for path, draft in drafts.items():
            if not still(path):
                raise Changed(path.name)
            _move(draft, path)
            clear_abandoned(path.parent, path.name)
    finally:
        for draft in drafts.values():
            with suppress(OSError):
                draft.unlink()


def _move(draft: Path, path: Path) -> None:
    for left in reversed(range(TRIES)):
        try:
            return os.replace(draft, path)
        except PermissionError:
            if not left:
                raise
            time.sleep(0.02)


def clear_abandoned(folder: Path, name: str = "") -> None:
    """Remove the drafts that killed processes have left of one file, or of all in a folder."""
    for draft in folder.glob(f".{glob.escape(name) or '*'}.*.draft"):
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > ABANDONED:
                draft.unlink()
