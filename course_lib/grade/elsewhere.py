"""A learner's function as the judge holds it: its code runs in another process.

What the judge asks of a function is answered here: its parameters and its compiled code are made
from the text of its cell, which is compiled and never run; a call goes over the pipe. With tensors
whose gradients are asked for, the other process keeps the call and answers for the way back.
Where somebody watches the calls to PyTorch, what was seen there is played back here, in sizes.
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
from course_lib.grade.wire import set_state, state_of
from course_lib.learner.arrays import is_generator_of_numbers, is_tensor
from course_lib.learner.time_limit import TimeUp

GRACE = 3.0  # seconds that the other process has to stop by itself
ENDED = "the call ended Python"
MANY = 10_000  # lines that were printed beyond those that are shown
LARGEST = 1 << 40  # numbers of a tensor


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
            return self._called(args, kwargs, watched=False)[0]
        play = torch.overrides.handle_torch_function
        # Called by the one who watches, who does not see how values are packed.
        value, seen = play(_call_unseen, (self,), self, args, kwargs)
        for name, made, first in seen:
            play(_named(name), (self,), _size(first), made)
        return value

    def _called(self, args, kwargs, watched) -> tuple[Any, list]:
        answer = self._asked("call", {"args": args, "kwargs": kwargs, "watched": watched})
        given = [*args, *kwargs.values()]
        changed = answer.get("changed")
        for place, value in changed.items() if isinstance(changed, dict) else ():
            if isinstance(place, int) and 0 <= place < len(given):
                _change(given[place], value)
        value = answer.get("value")
        if is_tensor(value) and answer.get("kept") is not None:
            value = self._with_slopes(value, answer["kept"], given)
        return value, _sizes(answer.get("seen"))

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


def _call_unseen(function: There, args, kwargs):
    return function._called(args, kwargs, watched=True)


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


def _sizes(seen: object) -> list[tuple[str, list, int]]:
    """What was seen of calls to PyTorch: a name, the numbers of each result, those of the first."""
    found = []
    for one in seen if isinstance(seen, list) else ():
        name, made, first = one if isinstance(one, list) and len(one) == 3 else ("", [], 0)
        found.append((str(name), [_size(size) for size in made], first))
    return found


def _size(count: object) -> Any:
    """A tensor of so many numbers that holds none of them."""
    import torch

    number = count if isinstance(count, int) else 0
    return torch.empty(max(0, min(number, LARGEST)), device="meta")


def _named(name: str) -> Callable:
    def played(first, made):
        return made

    played.__name__ = name
    return played


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
