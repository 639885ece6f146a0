"""What keeps a learner's code, run by a check or a slider, from reaching out of it."""

import builtins
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

from course_lib.learner.memory_limit import memory_limited
from course_lib.showing import running_shell

DEEPEST = 3000  # calls inside of calls; further down Python itself breaks, and the kernel with it


class AsksForInput(Exception):
    """The learner's code calls input(), which would wait for somebody who does not know."""


@contextmanager
def contained() -> Iterator[None]:
    """While it lasts, code neither waits for input, nor ends the kernel, nor takes all its memory.

    input() raises AsksForInput; exit() and os._exit() raise SystemExit. IPython's own exit()
    raises nothing: it tells the kernel to end, and every variable is lost. Recursion is limited
    even where the learner has set the limit higher.
    """
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(builtins, "input", _no_input))
        for name in ("_exit", "abort"):
            stack.enter_context(mock.patch.object(os, name, _no_end_by(getattr(os, name))))
        shell = running_shell()
        if shell is not None:
            stack.enter_context(mock.patch.object(shell, "ask_exit", _no_exit, create=True))
        deepest = sys.getrecursionlimit()
        stack.callback(sys.setrecursionlimit, deepest)
        sys.setrecursionlimit(min(deepest, DEEPEST))
        stack.enter_context(mock.patch.object(sys, "setrecursionlimit", _set_recursion_limit()))
        stack.enter_context(memory_limited())
        yield


def _no_input(*args):
    raise AsksForInput


def _no_exit():
    raise SystemExit


def _no_end_by(really: Callable[..., object]) -> Callable[..., None]:
    here = os.getpid()

    def end(*status):
        if os.getpid() != here:  # a process that the code has started must be able to end
            really(*status)
        raise SystemExit(*status)

    return end


def _set_recursion_limit() -> Callable[[int], None]:
    really = sys.setrecursionlimit

    def set_limit(limit: int) -> None:
        really(min(limit, DEEPEST))

    return set_limit
