"""An error told in plain values, and raised again where the judge looks for it.

The judge names the line of a learner's cell that an error passed. It gets an error that has passed
such a line: one of the cell's own file name and number, which does nothing but raise.
"""

import builtins
import traceback
from types import CodeType
from typing import Any

import numpy as np

from course_lib.learner.containment import AsksForInput
from course_lib.learner.time_limit import TimeUp

CELL = "<code cell {}>"  # the name of a cell's file
LONGEST = 2000  # characters of a message
KNOWN: dict[str, type] = {
    name: one
    for name, one in vars(builtins).items()
    if isinstance(one, type) and issubclass(one, BaseException)
} | {"LinAlgError": np.linalg.LinAlgError, "AxisError": np.exceptions.AxisError,
     "AsksForInput": AsksForInput}  # fmt: skip


class CoursesOwn(RuntimeError):
    """An answer calls the course's function of its own exercise, or of a later one."""


def told(error: BaseException, files: set[str] | frozenset[str] = frozenset()) -> dict[str, Any]:
    """What an error is: its type's name, its message, and the last line of `files` it passed."""
    file, line = "", 0
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename in files:
            file, line = frame.f_code.co_filename, number
    return {
        "type": type(error).__name__, "message": _message(error), "file": file, "line": line,
        "late": isinstance(error, TimeUp),
    }  # fmt: skip


def _message(error: BaseException) -> str:
    try:
        alone = error.args[0] if len(error.args) == 1 else None
        return (alone if isinstance(alone, str) else str(error))[:LONGEST]
    except Exception:  # a learner's exception may fail to show itself
        return ""


def made_again(about: Any) -> BaseException:
    """The error that was told; of a type that is not known here, one of the same name."""
    if not isinstance(about, dict):
        return RuntimeError("an error that cannot be told")
    if about.get("late") is True:
        return TimeUp()
    name, message = str(about.get("type", ""))[:80], str(about.get("message", ""))[:LONGEST]
    kind = KNOWN.get(name)
    try:
        if kind is not None:
            return kind(message) if message else kind()
    except TypeError:  # one that takes more than a message
        pass
    return type(name if name.isidentifier() else "Exception", (Exception,), {})(message)


def raise_at(error: BaseException, file: object, line: object, lines: int) -> None:
    """Raise an error as if from that line of a file, which has so many; from here, if it has not.

    Raises: the error.
    """
    if isinstance(file, str) and isinstance(line, int) and 0 < line <= lines:
        code: CodeType = compile("\n" * (line - 1) + "raise error", file, "exec")
        exec(code, {"error": error})
    raise error
