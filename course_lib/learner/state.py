"""A learner's progress on disk: one small JSON file per exercise and bet, replaced atomically.

The folder is the user's state folder, or COURSE_STATE where it is set. The solutions' edition says
what it is in COURSE_EDITION, and keeps its progress in a folder of its own in there, so that a look
at the answers is no progress. Nothing leaves the computer.

Two kernels may have the same chapter open. Each writes only what it has learned, beside what the
file holds by then, and one at a time: a lock is held from reading to replacing.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import NoneType

from filelock import FileLock

from course_lib import files
from course_lib.learner import sentences as s
from course_lib.words import say

FOLDER = "attention-dot-by-dot"
SOLUTIONS = "solutions"  # what COURSE_EDITION says in their first cell, and their folder

LOCK = ".lock"
PATIENCE = 2.0  # seconds for another kernel's writing, which takes a few milliseconds

KINDS: dict[
    str, type | tuple[type, ...]
] = {  # facts of other types, as another version may keep them, are ignored
    "hints": int,
    "state": str,
    "tries": int,
    "solved": bool,
    "code": str,
    "half_done": str,
    "run": str,
    "confidence": str,
    "right": (bool, NoneType),
}

_told_unwritable = False


def folder() -> Path:
    """Where progress is kept."""
    apart = SOLUTIONS if os.environ.get("COURSE_EDITION") == SOLUTIONS else ""
    chosen = os.environ.get("COURSE_STATE")
    if chosen:
        return Path(
            os.path.expanduser(chosen), apart
        )  # a ~ that the shell has left stands for home
    from platformdirs import user_state_path

    return Path(user_state_path(FOLDER, appauthor=False), apart)


class SavedFacts:
    """The saved facts of one chapter, and those that wait where nothing can be saved.

    tell: shows one sentence.
    """

    def __init__(self, chapter: str, tell: Callable[[str], object] = print):
        self.chapter = chapter
        self.tell = tell
        self.kept: dict[str, dict] = {}  # by file, what it held when it was last read or written
        self.unsaved: dict[str, dict] = {}  # by file, the facts that could not be saved yet
        self._told_damaged: set[str] = set()

    def read(self, kind: str, name: str) -> dict:
        """What is known about one exercise or bet; {} where nothing is."""
        path = self._path(kind, name)
        try:
            saved = self._saved(path, name)
        except OSError:
            saved = self.kept.get(path.name, {})
        known = {**saved, **self.unsaved.get(path.name, {})}
        return {k: v for k, v in known.items() if isinstance(v, KINDS.get(k, object))}

    def forget(self, kind: str, name: str) -> None:
        """Know nothing of one exercise or bet any more."""
        path = self._path(kind, name)
        self.kept.pop(path.name, None)
        self.unsaved.pop(path.name, None)
        try:
            with self._alone():
                path.unlink(missing_ok=True)
        except OSError as error:
            self._tell_unwritable(error)

    def write(self, kind: str, name: str, **facts: object) -> None:
        """Keep these facts beside what is already known."""
        path = self._path(kind, name)
        waiting = self.unsaved.setdefault(path.name, {})
        waiting.update(facts)
        try:
            with self._alone():
                whole = {**self._saved(path, name, alone=True), **waiting}
                files.replace({path: json.dumps(whole, ensure_ascii=False, indent=1)})
        except OSError as error:
            self._tell_unwritable(error)
        else:
            self.kept[path.name] = whole
            del self.unsaved[path.name]

    def _path(self, kind: str, name: str) -> Path:
        return folder() / self.chapter / f"{kind}-{name}.json"

    def _saved(self, path: Path, name: str, alone: bool = False) -> dict:
        """What the file holds, or {} where it is missing or damaged.

        alone: no other kernel writes now, so a damaged file may be set aside.
        Raises: OSError, where it cannot be read.
        """
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(facts, dict):
                raise ValueError("not an object")
        except FileNotFoundError:
            facts = {}
        except (ValueError, RecursionError):  # not JSON, or not text
            if alone:
                self._set_aside(path, name)
                return {}
            with self._alone():  # it may be whole by then
                return self._saved(path, name, alone=True)
        self.kept[path.name] = facts
        return facts

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While it lasts, no other kernel writes facts of this chapter.

        After PATIENCE, or where the disk knows no locks, it goes on all the same: one fact of two
        kernels at the same instant may then be lost, which is better than an exercise that waits.

        Raises: OSError, where the folder cannot be made.
        """
        place = folder() / self.chapter
        place.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            with suppress(OSError, NotImplementedError):  # filelock's Timeout is an OSError
                stack.enter_context(FileLock(place / LOCK, timeout=PATIENCE))
            yield

    def _set_aside(self, path: Path, name: str) -> None:
        aside = path.with_suffix(".damaged")
        try:
            os.replace(path, aside)
        except OSError as error:
            if path.name not in self._told_damaged:
                self._told_damaged.add(path.name)
                self.tell(say(s.DAMAGED_AND_STAYS, name=name, error=_reason(error)))
        else:
            self.tell(say(s.DAMAGED, name=name, file=aside.name))

    def _tell_unwritable(self, error: OSError) -> None:
        global _told_unwritable
        if not _told_unwritable:
            _told_unwritable = True
            self.tell(say(s.UNWRITABLE, error=_reason(error)))


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__
