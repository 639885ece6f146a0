"""What is bound to the name after judging: the learner's own where it is right, else the course's.

It carries a record of whose code it is (bound.py).
"""

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np

from course_lib.learner import sentences as s
from course_lib.learner.arrays import (
    NUMBERS,
    NotNumbers,
    as_array,
    is_generator_of_numbers,
    is_tensor,
    kind_of,
)
from course_lib.learner.bound import Bound
from course_lib.learner.calls import Result, wrapped
from course_lib.learner.errors import shown_error
from course_lib.words import say


class Task(Protocol):
    """What is asked for: an exercise, as far as this room needs to know it."""

    @property
    def name(self) -> str:
        """The name that the learner defines."""

    @property
    def answer(self) -> Callable:
        """The course's answer."""

    @property
    def is_class(self) -> bool:
        """Whether the learner writes a class."""


class Judged(Protocol):
    """What the judge found: a verdict, as far as this room needs to know it."""

    @property
    def state(self) -> str:
        """One of: todo, right, wrong."""

    @property
    def cause(self) -> str:
        """Why there is nothing to judge, where something was written; else empty."""

    @property
    def slow(self) -> bool:
        """Whether it is right, but too slow for the cells below."""

    @property
    def plain_results(self) -> bool:
        """Whether every result had the type and dtype of the course's."""


Tell = Callable[[str], object]


def adapt(exercise: Task, attempt: Callable, verdict: Judged, tell: Tell = print) -> Callable:
    """The function or class to bind.

    tell: shows one sentence where the learner's function fails later.
    """
    source: Literal["yours", "course"] = (
        "yours" if verdict.state == "right" and not verdict.slow else "course"
    )
    tried = verdict.state != "todo" or verdict.cause not in ("", "ended")
    record = Bound(attempt if tried else None, source)
    chosen = attempt if record.judged_right else exercise.answer
    if isinstance(chosen, type) and exercise.is_class:
        return _subclass(chosen, record)
    if record.judged_right:
        bound = _with_rescue(exercise, attempt, verdict.plain_results, tell)
    else:
        bound = _same(exercise.answer)
    vars(bound).update(record.attributes())
    bound.__doc__ = getattr(attempt, "__doc__", None) or exercise.answer.__doc__
    return bound


def _subclass(chosen: type, record: Bound) -> type:
    about: dict[str, object] = {"__module__": chosen.__module__, "__doc__": chosen.__doc__}
    about |= {"__qualname__": chosen.__qualname__, **record.attributes()}
    return type(chosen)(chosen.__name__, (chosen,), about)


def _same(answer: Callable) -> Callable:
    """A function of its own that does the same, since it carries a record of its own."""

    @functools.wraps(answer)
    def bound(*args, **kwargs):
        return answer(*args, **kwargs)

    return bound


def _with_rescue(exercise: Task, attempt: Callable, plain_results: bool, tell: Tell) -> Callable:
    told = False

    def rescue(args, kwargs, template, error=None):
        nonlocal told
        try:
            result = exercise.answer(*args, **kwargs)
        except Exception as refusal:
            raise (error or refusal) from None  # the course refuses these inputs as well
        if not told:
            told = True
            said = shown_error(error) if error else ""
            given = _shapes(args) if template is s.FAILED_LATER else ""
            template = s.FAILED_ON_SHAPE if given else template
            tell(say(template, name=exercise.name, error=said, given=given))
        return result

    def usable(result: Result, args, kwargs):
        if isinstance(result.error, Exception | SystemExit):
            return rescue(args, kwargs, s.FAILED_LATER, result.error)
        value = result.unwrap()
        if plain_results and _is_plain(value):
            return value
        if kind_of(value) == "nothing":
            return rescue(args, kwargs, s.NO_RESULT_LATER)
        return _converted(exercise, value, args, kwargs)

    return wrapped(attempt, usable)


def _shapes(args) -> str:
    """The shapes of the arrays that a function was called with; "" where there are none."""
    arrays = (one for one in args if is_tensor(one) or isinstance(one, np.ndarray))
    return ", ".join(str(tuple(one.shape)) for one in arrays)


def _is_plain(result) -> bool:
    if isinstance(result, tuple):
        return all(map(_is_plain, result))
    return isinstance(result, NUMBERS) or is_tensor(result)


def _converted(exercise, result, args, kwargs):
    try:
        want = exercise.answer(*map(_throwaway, args), **_throwaways(kwargs))
    except Exception:  # the course refuses these inputs; the learner's function did not
        return result
    return like(result, want)


def _throwaways(kwargs):
    return {name: _throwaway(value) for name, value in kwargs.items()}


def _throwaway(value):
    """The reference shows only its type here, so it must not use up the learner's random draws."""
    if not is_generator_of_numbers(value):
        return value
    if isinstance(value, np.random.Generator):
        return np.random.default_rng(0)
    if isinstance(value, np.random.RandomState):
        return np.random.RandomState(0)
    return type(value)(device=value.device)


def like(result: Any, want: Any) -> Any:
    """The result with the type and dtype of what the reference gives; itself where that fails."""
    if isinstance(want, tuple) and isinstance(result, list | tuple) and len(result) == len(want):
        return tuple(map(like, result, want))
    if is_tensor(want):
        return _as_tensor(result, want)
    try:
        if isinstance(want, np.ndarray):
            return as_array(result).astype(want.dtype, copy=False)
        if isinstance(want, np.generic | bool | int | float | complex):
            return type(want)(as_array(result).reshape(())[()])
    except (NotNumbers, ValueError, TypeError):
        return result
    return result


def _as_tensor(result, want):
    torch = sys.modules["torch"]
    try:
        if isinstance(result, list | tuple):
            result = torch.stack([_as_tensor(one, want) for one in result])
        return torch.as_tensor(result).to(dtype=want.dtype, device=want.device)
    except (ValueError, TypeError, RuntimeError):
        return result


def code_of(attempt: Any) -> str:
    """The text of the learner's code, or "" where Python cannot find it."""
    try:
        return inspect.getsource(attempt)
    except (OSError, TypeError, IndexError, SyntaxError):
        return ""
