"""The process in which one notebook's cells run; started by `session.py` only.

    python -m course_lib.grade.worker ABOUT

ABOUT is JSON: the chapter, the names of its exercises, limits. The judge, at the other end of
standard input and output, says which cell is to run and which function is to be called with what.
It believes nothing of what happens here but the results. The course's answers are not here: where
a stub stands, the judge is asked.
"""

import builtins
import contextlib
import json
import os
import sys
from typing import Any

from course_lib.grade.answering import Answering
from course_lib.grade.confinement import confine
from course_lib.grade.errors import CELL, made_again, told
from course_lib.grade.handed_in import EXERCISE
from course_lib.grade.peer import Ended, Peer
from course_lib.grade.shell import new_shell, run_cell
from course_lib.grade.standins import bind_chapters
from course_lib.learner.adapter import adapt
from course_lib.learner.bound import Bound
from course_lib.learner.time_limit import TimeUp, limited


class Task:
    """An exercise as far as it is known here."""

    is_class = False

    def __init__(self, name: str, answer: Any):
        self.name, self.answer = name, answer


class Decided:
    """What the judge said of an answer, as far as it decides what is bound to the name."""

    cause = ""

    def __init__(self, said: dict):
        self.state = str(said.get("state", "todo"))
        self.slow, self.plain_results = bool(said.get("slow")), bool(said.get("plain"))


class Notebook:
    """The shell in which the cells run, and the exercises of their chapter."""

    def __init__(self, about: dict, peer: Peer):
        self.peer, self.names = peer, about["names"]
        self.place = 0
        self.defined: set[str] = set()
        self.answering = Answering(peer)
        self.shell = new_shell(lambda: self.place)
        module = bind_chapters(about["chapter"], about["answers"], self.course, self.exercise)
        space = self.shell.user_ns
        space.update({name: self.course(name) for name in self.names})
        space.update({name: getattr(module, name) for name in module.__all__})

    def course(self, name: str) -> Any:
        """The course's function `name`, which the judge calls."""

        def function(*args, **kwargs):
            answer = self.peer.ask({"do": "course", "name": name, "args": args, "kwargs": kwargs})
            if not isinstance(answer, dict) or "error" in answer:
                raise made_again((answer or {}).get("error"))
            return answer.get("value")

        function.__name__ = function.__qualname__ = name
        function.__module__ = "course_lib.chapters"
        vars(function).update(Bound(None, "course").attributes())
        return function

    def exercise(self, attempt: Any) -> Any:
        """The decorator of the cells: the judge is told, and what works is bound."""
        name = getattr(attempt, "__name__", "")
        return self.define(name, attempt) if name in self.names else attempt

    def define(self, name: str, attempt: Any) -> Any:
        """What is bound to a name after the judge has tried what the learner wrote."""
        self.defined.add(name)
        said = self.peer.ask({"do": "define", "name": name, **self.answering.described(attempt)})
        task = Task(name, self.course(name))
        return adapt(task, attempt, Decided(said or {}), tell=lambda line: None)

    def serve(self, question: dict, peer: Peer) -> dict:
        """What the judge asks for."""
        if question["do"] == "start":
            return {}
        if question["do"] == "cell":
            return self.cell(question["place"], question["text"], question["seconds"])
        if question["do"] == "rest":
            return self.rest()
        return self.answering.serve(question)

    def cell(self, place: int, text: str, seconds: float) -> dict:
        """Run a cell, to its end or its error; say the error, and the line in the cell."""
        self.place = place
        error = self._error(text, seconds)
        if error is None:
            return {}
        for name in set(EXERCISE.findall(text)) & set(self.names) - self.defined:
            self.shell.user_ns[name] = self.course(name)
        about = told(error, {CELL.format(place + 1)})
        if isinstance(error, SyntaxError):  # str() would name a file that nobody has
            about["message"] = f"{error.msg}, line {error.lineno}"
        return {"error": about}

    def _error(self, text: str, seconds: float) -> BaseException | None:
        try:
            return limited(lambda: run_cell(self.shell, text), seconds)
        except Ended:
            raise
        except BaseException as error:
            return error

    def rest(self) -> dict:
        """Have judged what was defined without the decorator."""
        for name in self.names:
            attempt = self.shell.user_ns.get(name)
            if name not in self.defined and getattr(attempt, "__module__", None) == "__main__":
                self.define(name, attempt)
        return {}


def main(about: str) -> None:
    """Serve the judge until it has gone."""
    known = json.loads(about)
    read, write = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for one in (0, 1, 2):
        os.dup2(nowhere, one)
    notebook: list[Notebook] = []
    peer = Peer(read, write, lambda question, peer: notebook[0].serve(question, peer))
    peer.resolve = lambda reference: notebook[0].answering.function(reference)
    _import_what_is_needed(known["torch"])
    confine(known["memory"], tuple(known["closed"]))
    builtins.exit = builtins.quit = _leave  # type: ignore[assignment]
    notebook.append(Notebook(known, peer))
    with contextlib.suppress(Ended, TimeUp):
        peer.serve()
    os._exit(0)


def _leave(*args: object) -> None:
    raise SystemExit


def _import_what_is_needed(torch: bool) -> None:
    """Before the limits: the libraries, which start threads and look for programs."""
    import matplotlib.font_manager  # noqa: F401

    with contextlib.suppress(ImportError):
        if torch:
            import torch


if __name__ == "__main__":
    main(*sys.argv[1:])
