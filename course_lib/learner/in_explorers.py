"""The learner's functions inside an explorer: run safely, and compared with the course's.

An exercise's adapter has `.yours` (the attempt, or None) and `.source` ("yours" or "course"). A
plain function counts as the learner's own, not yet judged.
"""

import contextlib
import functools
import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass

import numpy as np

from course_lib.learner.bound import bound_to_its_name
from course_lib.learner.containment import AsksForInput, contained
from course_lib.learner.time_limit import TimeUp
from course_lib.words import say


class Stopped(Exception):
    """The learner's function did not give a result; `reason` says so in words."""

    def __init__(self, name: str, reason: str):
        super().__init__(f"{name}: {reason}")
        self.name, self.reason = name, reason


@dataclass(frozen=True)
class Attempt:
    """What the learner has of one function: `function` is None where nothing is written yet."""

    name: str
    function: Callable | None
    judged_right: bool = False


def attempt(name: str, given, course) -> Attempt:
    """The learner's attempt in what a notebook passed: an adapter or a plain function."""
    if given is course or given is None:
        return Attempt(name, None)
    if not hasattr(given, "source") or not hasattr(given, "yours"):
        return Attempt(name, safely(name, given))
    if given.yours is None:
        return Attempt(name, None)
    return Attempt(name, safely(name, given.yours), judged_right=given.source == "yours")


def safely(name: str, function: Callable) -> Callable:
    """`function`, silent, on copies of its arguments; whatever goes wrong in it is Stopped.

    Also endless recursion, sys.exit and an interrupt: a picture must come in any case.
    """

    @functools.wraps(function, updated=())
    def run(*args, **kwargs):
        args = [_copy(value) for value in args]
        kwargs = {key: _copy(value) for key, value in kwargs.items()}
        try:
            with silence(), contained(), bound_to_its_name(name, function):
                result = function(*args, **kwargs)
        except (Stopped, TimeUp):
            raise
        except BaseException as error:
            raise Stopped(name, what_happened(error)) from None
        if result is None or result is ...:
            raise Stopped(name, say("it returns nothing"))
        try:
            return np.asarray(_arrays(result)) if isinstance(result, list | tuple) else result
        except ValueError:
            raise Stopped(name, say("it gives rows of different lengths")) from None

    return run


@contextlib.contextmanager
def silence():
    """Neither prints nor warnings of the learner's code reach the page at each slider step."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        yield


def what_happened(error: BaseException) -> str:
    """An exception in words."""
    if isinstance(error, RecursionError):
        return say("it calls itself without end")
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
    return (
        say("it stops with {kind}: {text}", kind=kind, text=text)
        if text
        else say("it stops with {kind}", kind=kind)
    )


def _copy(value):
    if isinstance(value, np.ndarray):
        return value.copy()
    return value.clone() if hasattr(value, "clone") else value


def _arrays(value):
    """Tensors, also inside of lists, as arrays; numpy takes none that has a gradient or 16 bits."""
    if isinstance(value, list | tuple):
        return [_arrays(one) for one in value]
    if not hasattr(value, "detach"):
        return value
    value = value.detach().cpu()
    try:
        return value.numpy()
    except TypeError:  # bfloat16
        return value.float().numpy()


def leaves(data, path: str = "") -> dict:
    """Every number, array and word inside of `data`, by its path."""
    if is_dataclass(data) and not isinstance(data, type):
        data = {field.name: getattr(data, field.name) for field in fields(data)}
    if isinstance(data, list | tuple):
        data = dict(enumerate(data))
    if not isinstance(data, Mapping):
        return {path: data}
    found = {}
    for key, value in data.items():
        found |= leaves(value, f"{path}.{key}" if path else str(key))
    return found


def _numbers(value) -> np.ndarray | None:
    """A leaf as an array of numbers; None where it is something else."""
    try:
        array = np.asarray(_arrays(value))
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "biufc" else None


def misfit(yours, right) -> str:
    """Why the learner's data cannot stand in for the right one; empty where it can."""
    ours, theirs = leaves(right), leaves(yours)
    for path, value in ours.items():
        if path not in theirs:
            return say("it gives no value where one is needed")
        want, got = _numbers(value), _numbers(theirs[path])
        if want is None:
            continue
        if got is None:
            return say("it gives something that is not a number")
        if got.shape != want.shape:
            return say(
                "it gives shape {got} where shape {want} is needed", got=got.shape, want=want.shape
            )
        if np.isfinite(want).all() and not np.isfinite(got).all():
            return say("it gives values that are not finite numbers (NaN or infinity)")
    return ""


def finite(data) -> bool:
    """Whether all numbers inside of `data` are finite."""
    arrays = (_numbers(value) for value in leaves(data).values())
    return all(array is None or bool(np.isfinite(array).all()) for array in arrays)


def agree(yours, right) -> bool:
    """Whether two sets of data that fit each other would make the same picture."""
    ours, theirs = leaves(right), leaves(yours)
    for path, value in ours.items():
        want, got = _numbers(value), _numbers(theirs[path])
        if want is None:
            continue
        scale = float(np.max(np.abs(want), initial=0.0, where=np.isfinite(want)))
        if not np.allclose(got, want, rtol=1e-4, atol=1e-6 * scale + 1e-12, equal_nan=True):
            return False
    return True
