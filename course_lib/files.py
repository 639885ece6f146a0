"""Replace files whole: who reads one finds the old text or the new, never a part of it."""

import os
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

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
