"""A check that takes its kernel with it: what the next one says, and what it does not run again.

Some code no Python can stop from inside: one operation in C that never comes back, a crash, a call
that ends the process. Before a check its code is noted on disk, and the note goes when the check is
over. A note whose kernel is gone is what stopped it.
"""

import faulthandler
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from course_lib.judging.exercise import Exercise
from course_lib.judging.verdict import Verdict
from course_lib.learner.state import SavedFacts, folder
from course_lib.notebook import sentences as s
from course_lib.showing import running_shell
from course_lib.words import say

EXERCISE = "exercise"
PATIENCE = 60.0  # seconds after an exercise's own limit: then nothing inside can stop it any more


class UnfinishedChecks:
    """The checks of one chapter that are under way, here or in a kernel that is gone.

    tell: shows one sentence.
    """

    def __init__(self, memory: SavedFacts, tell: Callable[[str], object] = print):
        self.memory, self.tell = memory, tell
        self._looked = False

    def tell_once(self, names: Iterable[str]) -> None:
        """Say, the first time, which checks took a kernel with them."""
        if self._looked:
            return
        self._looked = True
        for name in names:
            if self._code(name) is not None:
                self.tell(say(s.KERNEL_STOPPED, name=name))

    def refused(self, exercise: Exercise, code: str) -> Verdict | None:
        """The verdict on code that stopped the last kernel: it is not run, this once."""
        before = self._code(exercise.name)
        if before is None:
            return None
        self._note(exercise.name, None)
        if not code or before != code:
            return None
        return Verdict("todo", s.NOT_RUN_AGAIN, {"name": exercise.name}, cause="ended")

    @contextmanager
    def under_way(self, exercise: Exercise, code: str) -> Iterator[None]:
        """Note a check while it runs; in a kernel, end that when nothing else can."""
        lock = FileLock(self._lock_path(exercise.name))
        with suppress(OSError, NotImplementedError):
            lock.acquire(timeout=0)
        self._note(exercise.name, code)
        try:
            with _ended_after(exercise.seconds + PATIENCE):
                yield
        finally:
            self._note(exercise.name, None)
            lock.release()

    def _note(self, name: str, code: str | None) -> None:
        with suppress(Exception):  # a check goes on without a note
            self.memory.write(EXERCISE, name, running=code)

    def _code(self, name: str) -> str | None:
        """The code whose check stopped a kernel; None where none did, or it is running now."""
        try:
            code = self.memory.read(EXERCISE, name).get("running")
            if not isinstance(code, str):
                return None
            with FileLock(self._lock_path(name), timeout=0):
                return code
        except Timeout:
            return None  # in another kernel, which is alive
        except Exception:
            return None  # without facts or locks nobody knows

    def _lock_path(self, name: str) -> Path:
        return folder() / self.memory.chapter / f".{name}.running"


@contextmanager
def _ended_after(seconds: float) -> Iterator[None]:
    """In a kernel: end this process if the block takes so long; JupyterLab starts another."""
    if getattr(running_shell(), "kernel", None) is None:
        yield
        return
    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
