"""What a process that runs a learner's cells may use: time, memory, and nothing outside.

`confine` keeps accidents away wherever the grader runs. Against intent it takes `sandbox.py`,
with bubblewrap, or a container.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LARGEST_FILE = 200_000_000  # bytes
NEW_USER_AND_NETWORK = 0x10000000 | 0x40000000  # CLONE_NEWUSER | CLONE_NEWNET of Linux
END_WITH_PARENT, ADOPT = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER of Linux
REFUSED = {
    **dict.fromkeys(
        ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
         "socket.gethostbyname"),
        "the network",
    ),
    **dict.fromkeys(
        ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn",
         "os.spawn", "os.startfile", "pty.spawn", "os.kill", "os.killpg"),
        "other programs",
    ),
}  # fmt: skip
WRITES = (
    "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "os.utime", "shutil.rmtree", "shutil.move",
)  # fmt: skip
READS = ("os.listdir", "os.scandir")


@dataclass(frozen=True)
class Limits:
    """seconds: of the whole notebook, by the clock.   memory: bytes that it may write to.

    cell: seconds of one cell.
    """

    seconds: float = 300
    memory: int = 4_000_000_000
    cell: float = 30


def confine(memory: int, closed: Sequence[str] = ()) -> None:
    """From here on, this process has no network, starts no program, and has so much memory.

    closed: files and folders that it may not open; it writes below the temporary folder alone.
    The network is cut off by the system where it lets an ordinary user do so (Linux), and in any
    case for what Python does. The memory's limit holds on Linux.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
            ctypes.CDLL(None).unshare(NEW_USER_AND_NETWORK)
    limit_memory(memory)
    own = os.path.realpath(os.environ.get("TMPDIR", os.getcwd()))
    sys.addaudithook(_Hook(own, tuple(map(os.path.realpath, closed))))


def limit_memory(memory: int) -> None:
    """From here on, this process has so many bytes, and writes no file that is larger than some."""
    import resource

    for name, value in (("DATA", memory), ("FSIZE", LARGEST_FILE), ("CORE", 0)):
        with suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


class _Hook:
    """Refuses what Python tells of before it does it."""

    def __init__(self, own: str, closed: tuple[str, ...]):
        self.own, self.closed = own, closed

    def __call__(self, event: str, arguments: tuple) -> None:
        if event in REFUSED:
            why = f"a notebook that is judged may not use {REFUSED[event]} ({event})"
            raise PermissionError(why)
        if event == "open":
            path, mode, flags = arguments
            self._look(path, any(one in (mode or "") for one in "wax+") or _writes(flags))
        elif event in READS or event in WRITES:
            self._look(arguments[0], event in WRITES)

    def _look(self, path: Any, writes: bool) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        real = os.path.realpath(os.fsdecode(path))
        if any(_inside(real, one) for one in self.closed):
            raise PermissionError(f"a notebook that is judged may not open {path!r}")
        if writes and real != os.devnull and not _inside(real, self.own):
            raise PermissionError(f"a notebook that is judged may not write {path!r}")


def _writes(flags: object) -> bool:
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


def adopt_orphans() -> None:
    """What a child of this process leaves behind becomes its own, so that it can be ended."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(ADOPT, 1)


def end_children(kept: Sequence[int] = ()) -> None:
    """End every process that this one or its children started; on Linux, where /proc tells."""
    for _ in range(20):
        left = [one for one in _children(os.getpid()) if one not in kept]
        for one in left:
            with suppress(OSError):
                os.kill(one, signal.SIGKILL)
        for one in left:
            with suppress(OSError):
                os.waitpid(one, 0)
        if not left:
            return


def _children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            after = path.read_text(errors="replace").rpartition(")")[2].split()
            if int(after[1]) == parent:
                found.append(int(path.parent.name))
    return found
