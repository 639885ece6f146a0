"""A learner's function as the judge holds it: its code runs in another process.

What the judge asks of a function is answered here: its parameters and its compiled code are made
from the text of its cell, which is compiled and never run; a call goes over the pipe. With tensors
whose gradients are asked for, the other process keeps the call and answers for the way back.
Who watches the calls to PyTorch watches over there, and what is noted comes back.
"""

import ast
import inspect
import sys
import time
import warnings
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np

from course_lib.grade.errors import made_again, raise_at
from course_lib.grade.peer import Ended, Late, Peer
from course_lib.grade.watchers import as_sent, take
from course_lib.grade.wire import set_state, state_of
from course_lib.learner.arrays import is_generator_of_numbers, is_tensor
from course_lib.learner.time_limit import TimeUp

GRACE = 3.0  # seconds that the other process has to stop by itself
ENDED = "the call ended Python"
MANY = 10_000  # lines that were printed beyond those that are shown


class Allowance:
    """Seconds that the calls of one answer may take together, and what became of the process.

    over: called when the other process has to be given up.
    """

    def __init__(self, seconds: float, over: Callable[[BaseException], None]):
        self.left, self.over = seconds, over
        self.dead: BaseException | None = None


class There:
    """A function of the other process."""

    elsewhere = True

    def __init__(self, peer: Peer, key: int, name: str, allowance: Allowance, lines: int = 0):
        self.peer, self.key, self.allowance, self.lines = peer, key, allowance, lines
        self.__name__ = self.__qualname__ = name

    def describe(self, parameters: object, code: CodeType | None) -> None:
        """Give it what the judge reads of a function."""
        signature = _signature(parameters)
        if signature is not None:
            self.__signature__ = signature
        if code is not None:
            self.__code__ = code

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args and type(args[0]).__name__ == "Launch":
            from course_lib.grade.launches import launched

            return launched(args[0], lambda sent: self._asked("launch", sent)["value"])
        torch = sys.modules.get("torch")
        if torch is None or not torch.overrides.has_torch_function((self,)):
            return self._called(args, kwargs)
        # The one who watches the calls to PyTorch does it over there, and not how values travel.
        with torch.overrides._pop_mode_temporarily() as watcher:
            return self._called(args, kwargs, watcher)

    def _called(self, args, kwargs, watcher=None) -> Any:
        given = [*args, *kwargs.values()]
        sent = None if watcher is None else as_sent(watcher, given)
        answer = self._asked("call", {"args": args, "kwargs": kwargs, "watcher": sent})
        if watcher is not None:
            take(watcher, answer.get("noted"))
        changed = answer.get("changed")
        for place, value in changed.items() if isinstance(changed, dict) else ():
            if isinstance(place, int) and 0 <= place < len(given):
                _change(given[place], value)
        value = answer.get("value")
        if is_tensor(value) and answer.get("kept") is not None:
            value = self._with_slopes(value, answer["kept"], given)
        return value

    def _asked(self, what: str, question: dict) -> dict:
        mine = self.allowance
        if mine.dead is not None:
            raise mine.dead
        seconds = max(mine.left, 0.01)
        question |= {"do": what, "key": self.key, "name": self.__name__, "seconds": seconds}
        begun = time.monotonic()
        try:
            answer = self.peer.ask(question, seconds + GRACE)
        except (Ended, Late) as gone:
            mine.dead = TimeUp() if isinstance(gone, Late) else EndedPython(ENDED)
            mine.over(gone)
            raise mine.dead from None
        finally:
            mine.left -= time.monotonic() - begun
        if not isinstance(answer, dict):
            answer = {"error": None}
        _print(answer.get("printed"))
        if "error" in answer:
            error, about = made_again(answer["error"]), answer["error"] or {}
            raise_at(error, about.get("file"), about.get("line"), self.lines)
        return answer

    def _with_slopes(self, value, kept, given) -> Any:
        """The tensor, as if it had been computed here from the tensors that were given."""
        leaves = [one for one in given if is_tensor(one) and one.requires_grad]

        def back(slope) -> list:
            came = self._asked("back", {"kept": kept, "slope": slope})["value"]
            found = came if isinstance(came, list) and len(came) == len(leaves) else []
            pairs = zip(found or [None] * len(leaves), leaves, strict=True)
            return [one if is_tensor(one) and one.shape == of.shape else None for one, of in pairs]

        return _attached(value.detach(), back, leaves)


class EndedPython(Exception):
    """The answer ended the process in which it ran."""


def _attached(value, back, leaves):
    import torch

    class Attached(torch.autograd.Function):
        @staticmethod
        def forward(ctx, result, *given):
            return result

        @staticmethod
        def backward(ctx, slope):
            return None, *back(slope)

    return Attached.apply(value, *leaves)


def _change(given: object, value: object) -> None:
    """What the other process has made of an input, made of ours."""
    if isinstance(given, np.ndarray) and isinstance(value, np.ndarray):
        if given.shape == value.shape and given.dtype == value.dtype:
            given[...] = value
    elif is_tensor(given) and is_tensor(value):
        if given.shape == value.shape:
            given.data.copy_(value.detach())
    elif is_generator_of_numbers(given) and type(given) is type(value):
        set_state(given, state_of(value))


def _print(printed: object) -> None:
    if isinstance(printed, list) and len(printed) == 2 and isinstance(printed[0], list):
        lines, more = printed
        print("\n".join(map(str, lines)))
        print("\n" * min(more if isinstance(more, int) else 0, MANY), end="")


def _signature(parameters: Any) -> inspect.Signature | None:
    """The signature of which were told names, kinds, and whether there is a default."""
    try:
        return inspect.Signature([_parameter(*one) for one in parameters])
    except (TypeError, ValueError):
        return None


def _parameter(name: str, kind: int, has_default: bool) -> inspect.Parameter:
    default = None if has_default else inspect.Parameter.empty
    return inspect.Parameter(name, tuple(inspect._ParameterKind)[kind], default=default)


def code_in(text: str, file: str, name: str, line: object) -> CodeType | None:
    """The code of the function `name` in the text of a cell, which is compiled and never run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = compile(text, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = [one for one in whole.co_consts if isinstance(one, CodeType) and one.co_name == name]
    there = [one for one in found if one.co_firstlineno == line]
    return (there or found or [None])[-1]
