"""Runs one answer on one case, with its prints caught, its time limited, its errors kept."""

import functools
import inspect
import io
import linecache
import traceback
import warnings
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace

import numpy as np

from course_lib.judging.observe import Unusable
from course_lib.judging.verdict import NOTHING_PRINTED, Printed
from course_lib.learner.arrays import kind_of, same_content
from course_lib.learner.containment import contained, running_shell
from course_lib.learner.time_limit import Budget, TimeUp

PRINTED_LINES = 20
PRINTED_WIDTH = 160


@dataclass
class Outcome:
    """What one answer did on one case.

    kind: "observed", "nothing", "raised", "unusable", "time".
    observed: by name.   value: what cannot be used.   error: what was raised.
    line: the learner's own line that raised, as text; line_number in its cell or file.
    changed: the names of inputs that were changed in place.   inside: raised in learner's code.
    """

    kind: str
    observed: dict = field(default_factory=dict)
    value: object = None
    error: BaseException | None = None
    line: str = ""
    line_number: int = 0
    changed: tuple[str, ...] = ()
    printed: Printed = NOTHING_PRINTED
    inside: bool = True


def case_inputs(exercise, place: int):
    """Fresh inputs of one case; the same at every call."""
    made = exercise.cases[place](np.random.default_rng(place))
    return replace(made, names=exercise.parameters)


def attempt(exercise, candidate, place: int, budget: Budget | None = None) -> Outcome:
    """Try one answer on one case.

    Raises: KeyboardInterrupt, and what a case factory raises.
    """
    given, untouched = case_inputs(exercise, place), case_inputs(exercise, place)
    printed = _PrintedLines()
    watched = _watched(candidate)
    with _quiet(printed):
        outcome = _run(exercise, watched, given, budget)
    outcome.printed = printed.seen()
    outcome.changed = tuple(
        name
        for (name, after), before in zip(
            given.named().items(), untouched.named().values(), strict=True
        )
        if not same_content(before, after)
    )
    if outcome.error is not None:
        outcome.line_number, outcome.line = own_line(outcome.error, candidate)
    return outcome


def _run(exercise, watched, given, budget) -> Outcome:
    try:
        observed = _observe(exercise, watched, given, budget)
    except KeyboardInterrupt:
        raise
    except TimeUp as error:
        return Outcome("time", error=error)
    except Unusable as error:
        return _without_use(error.value)
    except NotImplementedError as error:
        return Outcome("nothing", error=error)
    except BaseException as error:  # SystemExit too: it must not end the learner's kernel
        return _after_error(error, watched)
    values = list(observed.values())
    _close_coroutines(values)
    if any(kind_of(one) == "nothing" for one in values[:1]):
        return Outcome("nothing", observed=observed, value=values[0])
    return Outcome("observed", observed=observed)


def _after_error(error, watched) -> Outcome:
    """Whether the learner's code failed, or the observer on what it had returned."""
    last = getattr(watched, "last", {"raised": True})
    if last["raised"]:
        return Outcome("raised", error=error)
    if "value" in last and kind_of(last["value"]) == "nothing":
        return Outcome("nothing", value=last["value"])
    return Outcome("raised", error=error, inside=False)


def _observe(exercise, watched, given, budget) -> dict:
    if budget is None:
        return exercise.observe(watched, given)
    return budget.run(lambda: exercise.observe(watched, given))


def _close_coroutines(values) -> None:
    """Else Python warns at some later time that they were never awaited."""
    for one in filter(inspect.iscoroutine, values):
        one.close()


def _without_use(value) -> Outcome:
    _close_coroutines([value])
    if kind_of(value) == "nothing":
        return Outcome("nothing", value=value)
    return Outcome("unusable", value=value)


def _watched(candidate):
    """The same function, remembering what its last call did; classes are left as they are."""
    if inspect.isclass(candidate):
        return candidate
    last = {"raised": False}

    @functools.wraps(candidate, updated=())
    def watched(*args, **kwargs):
        last["raised"] = True
        last["value"] = candidate(*args, **kwargs)
        last["raised"] = False
        return last["value"]

    watched.last = last
    return watched


def files_of(candidate) -> set[str]:
    """The files (or cells) in which an answer's code stands."""
    candidate = inspect.unwrap(candidate) if not inspect.isclass(candidate) else candidate
    parts = vars(candidate).values() if inspect.isclass(candidate) else (candidate,)
    functions = (getattr(one, "__func__", one) for one in parts)
    codes = (getattr(one, "__code__", None) for one in functions)
    return {code.co_filename for code in codes if code is not None}


def own_line(error: BaseException, candidate) -> tuple[int, str]:
    """The number and text of the last line of the answer's own code that an error passed."""
    files = files_of(candidate)
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = frame.f_code.co_filename
        if name in files:
            return number, linecache.getline(name, number, frame.f_globals).strip()
    return 0, ""


class _PrintedLines(io.TextIOBase):
    """Keeps the first lines of what is printed and counts the others."""

    def __init__(self):
        self.lines, self.more, self.rest = [], 0, ""

    def writable(self):
        return True

    def write(self, text):
        if len(self.lines) == PRINTED_LINES:
            self.more += text.count("\n")
            # of a line that is cut anyway, no more than whether it has begun
            self.rest = (self.rest + text).rpartition("\n")[2][:1]
            return len(text)
        whole = self.rest + text
        *lines, self.rest = whole.split("\n")
        self.rest = self.rest[:PRINTED_WIDTH]
        room = PRINTED_LINES - len(self.lines)
        self.lines += [line[:PRINTED_WIDTH] for line in lines[:room]]
        self.more += len(lines[room:]) if room < len(lines) else 0
        return len(text)

    def seen(self) -> Printed:
        """What was printed."""
        if not self.rest:
            return Printed(tuple(self.lines), self.more)
        if len(self.lines) < PRINTED_LINES:
            return Printed((*self.lines, self.rest), self.more)
        return Printed(tuple(self.lines), self.more + 1)


@contextmanager
def _quiet(printed):
    """No print, warning or displayed thing of the code inside reaches the learner's output."""
    with ExitStack() as stack:
        stack.enter_context(contained())
        stack.enter_context(redirect_stdout(printed))
        stack.enter_context(redirect_stderr(printed))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        shell = running_shell()
        if shell is not None:
            from IPython.utils.capture import capture_output

            stack.enter_context(capture_output(stdout=False, stderr=False, display=True))
        yield
