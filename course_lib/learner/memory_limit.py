"""A limit on the memory that the learner's code may take, where the system gives one (Linux)."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOM = 2 * 2**30  # bytes; what the exercises ask for takes megabytes
TAKEN = Path("/proc/self/statm")
DATA = 5  # the place in it of the pages of data and stacks
DRIVER = Path("/dev/nvidiactl")  # a GPU's driver takes memory as it likes: no limit beside one


@contextmanager
def memory_limited(room: int = ROOM) -> Iterator[None]:
    """While it lasts, this process gets at most `room` more bytes; then Python raises MemoryError.

    A limit that is lower already stays. Without one the system ends the whole kernel when the
    memory of the machine is used up. macOS accepts a limit and does not keep it; Windows has none.
    """
    allowed = _taken() + room if sys.platform.startswith("linux") and not DRIVER.exists() else 0
    if not allowed:
        yield
        return
    import resource

    before = soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    lower = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    with suppress(ValueError, OSError):  # where a container forbids it there is no limit
        resource.setrlimit(resource.RLIMIT_DATA, (min([allowed, *lower]), hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, before)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is not enough memory; torch has no type of its own for it
    where there is no GPU.
    """
    if isinstance(error, RuntimeError):
        return "allocate memory" in str(error).lower()
    return isinstance(error, MemoryError)


def _taken() -> int:
    """The bytes of data that this process has now; where that is unknown, so many that any fit."""
    import resource

    try:
        with open(TAKEN, "rb", buffering=0) as file:  # before each call: the quickest way
            return int(file.read().split()[DATA]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return sys.maxsize // 2
