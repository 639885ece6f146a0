"""A process that may use so much time and memory, and no network.

This keeps accidents away from the teacher's machine: endless loops, full memory, files written to
wrong places, programs that are started, downloads. It is no prison: whoever expects an attack
runs the grader in a container or on a machine that may be lost.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

LARGEST_FILE = 200_000_000  # bytes
NEW_USER_AND_NETWORK = 0x10000000 | 0x40000000  # CLONE_NEWUSER | CLONE_NEWNET of Linux
REFUSED = {
    **dict.fromkeys(
        ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo",
         "socket.gethostbyname"),
        "the network",
    ),
    **dict.fromkeys(
        ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn",
         "os.spawn", "os.startfile", "pty.spawn"),
        "other programs",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """seconds: of the whole process, by the clock.   memory: bytes that it may write to."""

    seconds: float = 300
    memory: int = 4_000_000_000


def confine(memory: int) -> None:
    """From here on, this process has no network, starts no program, and has so much memory.

    The network is cut off by the system where it lets an ordinary user do so (Linux), and in any
    case for what Python does. The memory's limit holds on Linux.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).unshare(NEW_USER_AND_NETWORK)
    with suppress(ImportError):  # Windows
        import resource

        for name, value in (("DATA", memory), ("FSIZE", LARGEST_FILE), ("CORE", 0)):
            kind = getattr(resource, f"RLIMIT_{name}", None)
            if kind is not None:
                with suppress(OSError, ValueError):
                    resource.setrlimit(kind, (value, value))
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple) -> None:
    if event in REFUSED:
        raise PermissionError(f"a notebook that is judged may not use {REFUSED[event]} ({event})")


def run_limited(command: list[str], folder: Path, limits: Limits) -> tuple[bool, int]:
    """Run a program in `folder`, with all that it starts; nothing of it is left.

    Returns: whether it ended in time, and its exit status.
    """
    process = subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(limits.seconds)
        return True, process.returncode
    except subprocess.TimeoutExpired:
        return False, -1
    finally:
        _end(process)


def _end(process: subprocess.Popen) -> None:
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the teacher's: a home and a learner's state of its own, no tokens, no display."""
    _copy_font_cache(folder / "matplotlib")
    kept = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "COURSE_LANG", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
    course = str(Path(__file__).resolve().parents[2])
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "HOME": str(folder),
        "USERPROFILE": str(folder),
        "TMPDIR": str(folder),
        "COURSE_STATE": str(folder / "state"),
        "IPYTHONDIR": str(folder / "ipython"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "MPLBACKEND": "agg",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": course,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def _copy_font_cache(place: Path) -> None:
    """What fonts there are: else each process would look for all of them.

    A copy: where memory is short, matplotlib would write a list without the fonts it could not
    open, and every other program of the teacher's would lack them.
    """
    import matplotlib

    place.mkdir(exist_ok=True)
    for fonts in Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
        shutil.copy(fonts, place)
