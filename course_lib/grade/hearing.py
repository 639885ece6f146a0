"""What the process of the cells asks of its judge: to try an answer, or for the course's result.

This side holds the cases, the course's answers and the comparison. What the other side says of
itself counts for nothing: an answer is right if the right numbers came.

Where a stub stands, a name means a function that asks here for the course's result, so that the
cells below run. It helps nobody to a mark: an answer that calls the course's function of its own
exercise, or of a later one, gets an error; and what was right after that function had answered
must be right once more in a process to which it never answers (`refused`).
"""

import linecache
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from course_lib.grade.elsewhere import Allowance, There, code_in
from course_lib.grade.errors import CELL, CoursesOwn, told
from course_lib.grade.peer import Ended, Late, Peer
from course_lib.judging.answer import verdict_on
from course_lib.judging.exercise import Exercise
from course_lib.judging.verdict import Verdict
from course_lib.learner.time_limit import limited

COURSE_SECONDS = 10  # of one call of the course's function
SLACK = 2  # times an exercise's own limit: other notebooks run beside this one
NOWHERE = "<no code cell>"


@dataclass(frozen=True)
class Tried:
    """One answer to an exercise, and what became of it.

    cell: its number, from 0; -1: none has it.   helpers: exercises whose course's function it
    called.   alone: the course's function of its own exercise had not answered before.
    """

    exercise: str
    cell: int
    state: str
    symptom: str = ""
    mistake: str = ""
    defect: bool = False
    plain: bool = False
    slow: bool = False
    helpers: tuple[str, ...] = ()
    alone: bool = True


class Hearing:
    """The questions of one process of the cells, from its start to its end.

    cells: their texts.   known: what is judged already, and is not judged again.
    refused: exercises whose course's function never answers.   until: when the time is up.
    """

    def __init__(
        self,
        exercises: Mapping[str, Exercise],
        cells: list[str],
        known: dict[tuple, Tried],
        refused: frozenset[str],
        until: float,
    ):
        self.exercises, self.cells, self.known = exercises, cells, known
        self.refused, self.until = refused, until
        self.place, self.count = 0, 0
        self.gone: BaseException | None = None
        self._judging: str | None = None
        self._answered: set[str] = set()
        self._helpers: set[str] = set()

    def begin(self, place: int) -> None:
        """From here on, cell `place` runs."""
        self.place, self.count = place, 0

    def serve(self, question: dict, peer: Peer) -> dict:
        """The answer to a question; whatever it is, there is one.

        Raises: Ended, Late, where the other process has to be given up.
        """
        try:
            what = question.get("do")
            if what == "define":
                return self._define(question)
            if what == "course":
                return {"value": self._course(question)}
            if what == "function":
                return {"value": _called(peer.functions[question["key"]], question)}
            raise ValueError("nothing that is known here")
        except (Ended, Late):
            raise
        except BaseException as error:
            return {"error": told(error)}

    def function(self, peer: Peer, reference: dict) -> There:
        """A function of the other process that came with a question."""
        name = str(reference.get("name"))
        name = name if name.isidentifier() else "function"
        return There(peer, int(reference["key"]), name, Allowance(COURSE_SECONDS, self._give_up))

    def _give_up(self, gone: BaseException) -> None:
        self.gone = gone

    def _course(self, question: dict) -> Any:
        """What the course's function gives: to cells, and to answers of later exercises."""
        name, order = question["name"], list(self.exercises)
        if name not in order:
            raise CoursesOwn("there is no such function of the course")
        mine = self._judging
        if name in self.refused or (mine is not None and order.index(name) >= order.index(mine)):
            raise CoursesOwn(f"{name} is the course's own here, and no answer")
        if mine is not None:
            self._helpers.add(name)
        self._answered.add(name)
        return _called(self.exercises[name].answer, question)

    def _define(self, question: dict) -> dict:
        """Judge an answer, once; say what decides what is bound to its name."""
        name = question["name"]
        exercise = self.exercises[name]
        if self._judging is not None:
            raise CoursesOwn("no answer is judged while another one is")
        key = self.place, self.count, name
        self.count += 1
        if key not in self.known:
            one = self._judged(exercise, question)
            if time.monotonic() >= self.until:
                raise Late
            self.known[key] = one
            if self.gone is not None:
                raise self.gone
        one = self.known[key]
        return {"state": one.state, "slow": one.slow, "plain": one.plain}

    def _judged(self, exercise: Exercise, question: dict) -> Tried:
        self._judging, self._helpers = exercise.name, set()
        seconds = exercise.seconds * SLACK
        allowance = Allowance(seconds, self._give_up)
        try:
            verdict = verdict_on(_patient(exercise), self._candidate(exercise, question, allowance))
        finally:
            self._judging = None
        if verdict.cause == "time":
            verdict = replace(verdict, values={**verdict.values, "seconds": f"{seconds:g}"})
        return self._tried(exercise.name, verdict)

    def _tried(self, name: str, verdict: Verdict) -> Tried:
        right = verdict.state == "right"
        return Tried(
            name,
            self.place,
            "wrong" if right and self.gone is not None else verdict.state,
            symptom="" if right else verdict.symptom,
            mistake="" if verdict.mistake is None else verdict.mistake.text,
            defect=verdict.cause == "defect",
            plain=verdict.plain_results,
            slow=verdict.slow,
            helpers=tuple(sorted(self._helpers)),
            alone=name not in self._answered,
        )

    def _candidate(self, exercise: Exercise, question: dict, allowance: Allowance) -> Any:
        """What the judge tries: the function over there, with what is known of it here."""
        there = question["function"]
        if question.get("class") is True:
            return type(exercise.name, (), {})
        if not isinstance(there, There):
            return there
        there.allowance, there.__name__ = allowance, exercise.name
        there.__qualname__ = exercise.name
        found = re.fullmatch(CELL.format(r"(\d{1,6})"), str(question.get("file")))
        if found and 0 < int(found[1]) <= len(self.cells):
            file, text = found[0], _as_python(self.cells[int(found[1]) - 1])
        else:
            file, text = NOWHERE, ""
        lines = text.split("\n")
        linecache.cache[file] = len(text), None, [f"{line}\n" for line in lines], file
        there.lines = len(lines)
        code = code_in(text, file, exercise.name, question.get("line"))
        there.describe(question.get("parameters"), code)
        return there


@cache
def _patient(exercise: Exercise) -> Exercise:
    """The exercise without a limit of time of its own: the calls to the other process have one."""
    return replace(exercise, seconds=1e6)


def _called(function: Callable, question: dict) -> Any:
    args, kwargs = question["args"], question["kwargs"]
    return limited(lambda: function(*args, **kwargs), COURSE_SECONDS)


def _as_python(text: str) -> str:
    """A cell with its magics written as Python."""
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return TransformerManager().transform_cell(text)
    except Exception:  # whatever it makes of a text that is no code
        return text
