"""What keeps a learner's code, run by a check or a slider, from reaching out of it."""

import builtins
import sys
from contextlib import ExitStack, contextmanager
from unittest import mock

from course_lib.showing import running_shell


class AsksForInput(Exception):
    """The learner's code calls input(), which would wait for somebody who does not know."""


@contextmanager
def contained():
    """While it lasts, input() raises AsksForInput, and exit() raises SystemExit.

    IPython's own exit() raises nothing: it tells the kernel to end, and every variable is lost.
    """
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(builtins, "input", _no_input))
        shell = running_shell()
        if shell is not None:
            stack.enter_context(mock.patch.object(shell, "ask_exit", _no_exit, create=True))
        yield


def _no_input(*args):
    raise AsksForInput


def _no_exit():
    raise SystemExit


@contextmanager
def bound_to_its_name(name: str, candidate):
    """While an answer runs, its name means the answer itself.

    Else a function that calls itself would meet what the cell bound the last time: the course's.
    """
    module = sys.modules.get(getattr(candidate, "__module__", None))
    space = getattr(candidate, "__globals__", None) or getattr(module, "__dict__", {})
    missing = object()
    before = space.get(name, missing)
    if before is not missing and not hasattr(before, "yours"):
        yield  # the name means something else there, such as the reference beside its alternatives
        return
    space[name] = candidate
    try:
        yield
    finally:
        if before is missing:
            space.pop(name, None)
        else:
            space[name] = before
