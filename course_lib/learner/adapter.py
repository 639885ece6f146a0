"""What is bound to the name after judging: the learner's own where it is right, else the course's.

It has `.yours`, the learner's attempt (None where nothing was attempted), and `.source`, "yours"
or "course".
"""

import functools
import inspect
import sys

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
from course_lib.learner.errors import shown_error
from course_lib.words import say


def adapt(exercise, attempt, verdict, tell=print):
    """The function or class to bind.

    tell: shows one sentence where the learner's function fails later.
    """
    source = "yours" if verdict.state == "right" and not verdict.slow else "course"
    yours = attempt if verdict.state != "todo" or verdict.cause else None
    if exercise.is_class:
        return _adapt_class(attempt if source == "yours" else exercise.answer, yours, source)
    if source == "yours":
        bound = _with_rescue(exercise, attempt, verdict.plain_results, tell)
    else:
        bound = _course(exercise)
    bound.yours, bound.source = yours, source
    bound.__doc__ = getattr(attempt, "__doc__", None) or exercise.answer.__doc__
    return bound


def _adapt_class(chosen: type, yours, source: str) -> type:
    about = {"__module__": chosen.__module__, "__doc__": chosen.__doc__}
    about |= {"__qualname__": chosen.__qualname__, "yours": yours, "source": source}
    return type(chosen)(chosen.__name__, (chosen,), about)


def _course(exercise):
    @functools.wraps(exercise.answer)
    def bound(*args, **kwargs):
        return exercise.answer(*args, **kwargs)

    return bound


def _with_rescue(exercise, attempt, plain_results, tell):
    told = []

    def rescue(args, kwargs, template, error=None):
        try:
            result = exercise.answer(*args, **kwargs)
        except Exception as refusal:
            raise (error or refusal) from None  # the course refuses these inputs as well
        if not told:
            told.append(True)
            said = shown_error(error) if error else ""
            tell(say(template, name=exercise.name, error=said))
        return result

    @functools.wraps(attempt, updated=())
    def bound(*args, **kwargs):
        try:
            result = attempt(*args, **kwargs)
        except (Exception, SystemExit) as error:
            return rescue(args, kwargs, s.FAILED_LATER, error)
        if plain_results and _is_plain(result):
            return result
        return _converted(exercise, result, args, kwargs, rescue)

    return bound


def _is_plain(result) -> bool:
    if isinstance(result, tuple):
        return all(map(_is_plain, result))
    return isinstance(result, NUMBERS) or is_tensor(result)


def _converted(exercise, result, args, kwargs, rescue):
    if kind_of(result) == "nothing":
        return rescue(args, kwargs, s.NO_RESULT_LATER)
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


def like(result, want):
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


def source_of(attempt) -> str:
    """The text of the learner's code, or "" where Python cannot find it."""
    try:
        return inspect.getsource(attempt)
    except (OSError, TypeError, IndexError, SyntaxError):
        return ""
