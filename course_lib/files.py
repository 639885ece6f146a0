"""Replace files whole: who reads one finds the old text or the new, never a part of it."""

import glob
import os
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

ABANDONED = 60.0  # seconds after which a draft belongs to a process that was killed
TRIES = 5  # Windows refuses to replace a file while another process reads it


def replace(texts: Mapping[Path, str]) -> None:
    """Give each file its text. None is touched before all texts are complete on the disk.

    Folders that are missing are made.

    Raises: OSError, where one cannot be written; the files are as they were.
    """
    drafts = {path: path.with_name(f".{path.name}.{uuid.uuid4().hex}.draft") for path in texts}
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            drafts[path].write_text(text, encoding="utf-8")
        for path, draft in drafts.items():
            _move(draft, path)
            _clear_abandoned(path)
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


def _clear_abandoned(path: Path) -> None:
    """Remove the drafts of a file that killed processes have left."""
    for draft in path.parent.glob(f".{glob.escape(path.name)}.*.draft"):
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > ABANDONED:
                draft.unlink()
