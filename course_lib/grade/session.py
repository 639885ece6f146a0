"""One notebook, run and judged: its cells in another process, its answers judged in this one.

A cell that ends its process takes no other with it: the cells run again in a new one, without it,
and what was judged is not judged again.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from course_lib.grade.confinement import Limits, end_children
from course_lib.grade.elsewhere import GRACE
from course_lib.grade.errors import made_again
from course_lib.grade.handed_in import CHAPTERS, HandedIn, only_shows, without_cell_magic
from course_lib.grade.hearing import Hearing, Tried
from course_lib.grade.peer import Ended, Late, Peer
from course_lib.grade.sandbox import COURSE, Sandbox
from course_lib.grade.standins import answer_files, answer_modules
from course_lib.judging.registry import chapters
from course_lib.learner.errors import shown_error

START_SECONDS = 90  # until the first cell runs
RESTARTS = 4


@dataclass
class Found:
    """What came out: the answers that were judged, the cells that failed, why it ended early."""

    tried: list[Tried] = field(default_factory=list)
    failed: dict[int, str] = field(default_factory=dict)
    ended: str = ""


def run(handed_in: HandedIn, limits: Limits, closed: Sequence[str] = ()) -> Found:
    """Run the cells and judge the answers.

    closed: files and folders that the cells must not open, beside the course's answers.
    """
    until = time.monotonic() + limits.seconds
    known: dict[tuple, Tried] = {}
    found = _Passes(handed_in, limits, closed, until).run(known, frozenset())
    doubtful = frozenset(
        one.exercise for one in found.tried if one.state == "right" and not one.alone
    )
    if doubtful:
        kept = {key: one for key, one in known.items() if one.exercise not in doubtful}
        again = _Passes(handed_in, limits, closed, until).run(kept, doubtful)
        again.failed = found.failed | again.failed
        return again
    return found


class _Passes:
    """The cells from the first to the last, over again where one ends their process."""

    def __init__(self, handed_in: HandedIn, limits: Limits, closed: Sequence[str], until: float):
        self.chapter, self.limits, self.until = handed_in.chapter, limits, until
        self.cells = ["" if only_shows(c) else without_cell_magic(c) for c in handed_in.cells]
        self.exercises = chapters(handed_in.chapter)[0].exercises
        self.about = json.dumps(self._about(closed))
        self.found, self.skipped = Found(), set[int]()

    def run(self, known: dict[tuple, Tried], refused: frozenset[str]) -> Found:
        """What was found. known: what is judged already; it grows."""
        for _ in range(RESTARTS + 1):
            hearing = Hearing(self.exercises, self.cells, known, refused, self.until)
            self.found.ended = self._once(hearing)
            if not self.found.ended or time.monotonic() >= self.until:
                break
        self.found.tried = list(known.values())
        return self.found

    def _once(self, hearing: Hearing) -> str:
        """Run all cells in a new process; "", or how it ended before its end."""
        sandbox = Sandbox(self.about)
        try:
            peer = Peer(sandbox.hear, sandbox.ask, hearing.serve)
            peer.until, peer.resolve = self.until, lambda about: hearing.function(peer, about)
            peer.ask({"do": "start"}, START_SECONDS)
            for place, text in enumerate(self.cells):
                if place not in self.skipped and text.strip():
                    hearing.begin(place)
                    self._cell(peer, place, text)
            hearing.begin(-1)
            peer.ask({"do": "rest"}, self.limits.seconds)
            return ""
        except (Ended, Late) as gone:
            return self._ended(gone, sandbox, hearing)
        finally:
            sandbox.end()
            end_children()

    def _about(self, closed: Sequence[str]) -> dict[str, Any]:
        stem = self.chapter.partition("_")[2]
        torch = any("torch" in cell for cell in self.cells) or _needs_torch(stem)
        closed = [*map(str, answer_files()), str(COURSE / "notebooks"), *closed]
        return {
            "chapter": self.chapter, "names": list(self.exercises), "torch": torch,
            "memory": self.limits.memory, "closed": closed, "answers": answer_modules(),
        }  # fmt: skip

    def _cell(self, peer: Peer, place: int, text: str) -> None:
        seconds = self.limits.cell
        question = {"do": "cell", "place": place, "text": text, "seconds": seconds}
        answer = peer.ask(question, seconds + GRACE)
        about = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(about, dict):
            late = f"stopped after {seconds:g} s"
            said = late if about.get("late") is True else shown_error(made_again(about))
            self.found.failed.setdefault(place, said)

    def _ended(self, gone: BaseException, sandbox: Sandbox, hearing: Hearing) -> str:
        """How the process ended; a cell to blame for it is left out the next time."""
        place = hearing.place
        where = f"in code cell {place + 1}" if place >= 0 else "after the last cell"
        if time.monotonic() >= self.until:
            return f"The notebook was stopped after {self.limits.seconds:g} s, {where}."
        how = "could not be stopped" if isinstance(gone, Late) else _left(sandbox.status())
        if hearing.gone is None and place >= 0:
            self.skipped.add(place)
            self.found.failed[place] = f"the cell {how}"
        return f"The notebook {how} {where}."


def _left(status: int | None) -> str:
    if status is None:
        return "said what its judge cannot understand"
    how = f"exit status {status}" if status >= 0 else f"signal {-status}"
    return f"ended Python ({how})"


@cache
def _needs_torch(stem: str) -> bool:
    files = (CHAPTERS / stem).rglob("*.py")
    return any("import torch" in one.read_text("utf-8") for one in files)
