"""A learner's progress on disk: one small JSON file per exercise and bet, replaced atomically.

The folder is the user's state folder, or COURSE_STATE where it is set. The solutions' edition says
what it is in COURSE_EDITION, and keeps its progress in a folder of its own in there, so that a look
at the answers is no progress. Nothing leaves the computer.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from course_lib import files
from course_lib.learner import sentences as s
from course_lib.words import say

FOLDER = "attention-dot-by-dot"
SOLUTIONS = "solutions"  # what COURSE_EDITION says in their first cell, and their folder

KINDS = {"hints": int, "state": str, "run": str, "confidence": str}  # other types are ignored

_told_unwritable = False


def folder() -> Path:
    """Where progress is kept."""
    apart = SOLUTIONS if os.environ.get("COURSE_EDITION") == SOLUTIONS else ""
    chosen = os.environ.get("COURSE_STATE")
    if chosen:
        return Path(chosen, apart)
    from platformdirs import user_state_path

    return Path(user_state_path(FOLDER, appauthor=False), apart)


class SavedFacts:
    """The saved facts of one chapter, and a copy of them for when nothing can be saved.

    tell: shows one sentence.
    """

    def __init__(self, chapter: str, tell: Callable[[str], object] = print):
        self.chapter = chapter
        self.tell = tell
        self.kept: dict[str, dict] = {}
        self.unsaved: set[str] = set()  # of these, the file is missing or holds what was before

    def read(self, kind: str, name: str) -> dict:
        """What is known about one exercise or bet; {} where nothing is."""
        path = self._path(kind, name)
        if path.name in self.unsaved:
            return dict(self.kept[path.name])
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(facts, dict):
                raise ValueError("not an object")
        except FileNotFoundError:
            return dict(self.kept.get(path.name, {})) if _told_unwritable else {}
        except OSError:
            return dict(self.kept.get(path.name, {}))
        except ValueError:  # not JSON, or not text
            self._set_aside(path, name)
            return {}
        return {k: v for k, v in facts.items() if isinstance(v, KINDS.get(k, object))}

    def forget(self, kind: str, name: str) -> None:
        """Know nothing of one exercise or bet any more."""
        path = self._path(kind, name)
        self.kept.pop(path.name, None)
        self.unsaved.discard(path.name)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            self._tell_unwritable(error)

    def write(self, kind: str, name: str, **facts: object) -> None:
        """Keep these facts beside what is already known."""
        path = self._path(kind, name)
        whole = {**self.read(kind, name), **facts}
        self.kept[path.name] = whole
        try:
            files.replace({path: json.dumps(whole, ensure_ascii=False, indent=1)})
            self.unsaved.discard(path.name)
        except OSError as error:
            self.unsaved.add(path.name)
            self._tell_unwritable(error)

    def _path(self, kind: str, name: str) -> Path:
        return folder() / self.chapter / f"{kind}-{name}.json"

    def _set_aside(self, path: Path, name: str) -> None:
        aside = path.with_suffix(".damaged")
        with suppress(OSError):
            os.replace(path, aside)
        self.tell(say(s.DAMAGED, name=name, file=aside.name))

    def _tell_unwritable(self, error: OSError) -> None:
        global _told_unwritable
        if not _told_unwritable:
            _told_unwritable = True
            self.tell(say(s.UNWRITABLE, error=error.strerror or type(error).__name__))
