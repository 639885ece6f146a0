"""What keeps a learner's code, run by a check or a slider, from reaching out of it."""

import builtins
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest import mock

from course_lib.showing import running_shell


class AsksForInput(Exception):
    """The learner's code calls input(), which would wait for somebody who does not know."""


@contextmanager
def contained() -> Iterator[None]:
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
