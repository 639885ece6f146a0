"""The learner's functions inside an explorer: run isolated, on copies, for a picture in any case.

A notebook passes what an exercise bound to its name, or a plain function, which counts as the
learner's own, not yet judged.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from course_lib.learner.arrays import NotNumbers, as_array, kind_of
from course_lib.learner.bound import bound_of, bound_to_its_name
from course_lib.learner.calls import Result, isolated, wrapped
from course_lib.learner.containment import AsksForInput
from course_lib.learner.time_limit import TimeUp
from course_lib.words import say


class Stopped(Exception):
    """The learner's function did not give a result; `reason` says so in words."""

    def __init__(self, name: str, reason: str):
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason


@dataclass(frozen=True)
class OwnFunction:
    """What the learner has of one function.

    function: None where nothing is written yet.   judged: whether an exercise bound it.
    """

    name: str
    function: Callable | None
    judged: bool = False
    judged_right: bool = False


def own_function(name: str, given: Callable | None, course: Callable) -> OwnFunction:
    """The learner's part of what a notebook passed; what the course has is not theirs."""
    if given is course or given is None:
        return OwnFunction(name, None)
    record = bound_of(given)
    if record is None:
        return OwnFunction(name, safely(name, given))
    if record.yours is None:
        return OwnFunction(name, None, judged=True)
    yours = safely(name, record.yours)
    return OwnFunction(name, yours, judged=True, judged_right=record.judged_right)


def safely(name: str, function: Callable) -> Callable:
    """`function` isolated, on copies of its arguments; whatever goes wrong in it is Stopped.

    Also endless recursion, sys.exit and an interrupt: a picture must come in any case.
    """

    @contextmanager
    def around() -> Iterator[None]:
        with undisturbed(), bound_to_its_name(name, function):
            yield

    def usable(result: Result, args: tuple, kwargs: dict) -> Any:
        error, value = result.error, result.value
        if isinstance(error, Stopped | TimeUp):
            raise error
        if error is not None:
            raise Stopped(name, what_happened(error)) from None
        if value is None or value is ...:
            raise Stopped(name, say("it returns nothing"))
        return _list_as_array(name, value)

    return wrapped(function, usable, around=around, copies=True)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Isolated, and numpy overflows in silence: no step of a slider writes to the page."""
    with isolated(), np.errstate(all="ignore"):
        yield


def _list_as_array(name: str, value: Any) -> Any:
    """Lists of numbers, arrays or tensors as one array; anything else itself."""
    if not isinstance(value, list | tuple):
        return value
    try:
        return as_array(value)
    except NotNumbers:
        if kind_of(value) == "ragged":
            raise Stopped(name, say("it gives rows of different lengths")) from None
        return value


def what_happened(error: BaseException) -> str:
    """An exception in words."""
    if isinstance(error, RecursionError):
        return say("it calls itself without end")
    if isinstance(error, MemoryError):
        return say("it asks for too much memory")
    if isinstance(error, KeyboardInterrupt):
        return say("it was interrupted")
    if isinstance(error, NotImplementedError):
        return say("it is not written yet")
    if isinstance(error, SystemExit):
        return say("it tries to end Python")
    if isinstance(error, AsksForInput):
        return say("it asks for input")
    text = " ".join(str(error).split())[:160]
    kind = type(error).__name__
    if not text:
        return say("it stops with {kind}", kind=kind)
    return say("it stops with {kind}: {text}", kind=kind, text=text)
