"""Loaded in each kernel of a class: what goes past a limit becomes a sentence.

Memory is limited by the system (RLIMIT_DATA, set in place.py): what asks for more gets a
MemoryError and nothing dies. The processor's time of one cell is limited here, by RLIMIT_CPU: the
system sends SIGXCPU each second from then on, so that a loop that catches it once ends too. Between
cells there is no such limit: sliders have their own.
"""

import os
import resource
import signal
from types import TracebackType

from course_lib.words import say
from deploy import sentences as s

MIB = 2**20
ALLOCATOR = "can't allocate memory"  # what PyTorch's RuntimeError says


class TookTooLong(BaseException):
    """A cell has used its time; not an Exception, so that `except Exception` does not hide it."""


def load_ipython_extension(shell) -> None:
    """What `--ext=deploy.limits` calls in a kernel."""
    seconds = int(os.environ.get("CLASS_SECONDS", "600"))
    signal.signal(signal.SIGXCPU, _late)
    shell.events.register("pre_run_cell", lambda info: _allow(_used() + seconds))
    shell.events.register("post_run_cell", lambda result: _allow(None))
    shell.set_custom_exc((MemoryError, TookTooLong, RuntimeError), _told)


def sentence(error: BaseException) -> str | None:
    """What is said of an error; None where it is none of the limits."""
    if isinstance(error, TookTooLong):
        return say(s.TIME, seconds=os.environ.get("CLASS_SECONDS", "600"))
    if isinstance(error, MemoryError) or ALLOCATOR in str(error):
        return say(s.MEMORY, limit=resource.getrlimit(resource.RLIMIT_DATA)[0] // MIB)
    return None


def _told(
    shell, kind: type, error: BaseException, trace: TracebackType, tb_offset: int | None = None
) -> list[str]:
    said = sentence(error)
    lines = [said] if said else shell.InteractiveTB.structured_traceback(kind, error, trace)
    shell._showtraceback(kind, error, lines)
    return lines


def _late(number: int, frame: object) -> None:
    raise TookTooLong


def _used() -> int:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return int(own.ru_utime + own.ru_stime) + 1


def _allow(until: int | None) -> None:
    """Let this process use the processor up to `until` seconds since its start."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (hard if until is None else until, hard))
