"""Starts the process of the cells: in bubblewrap where it works, else as an ordinary process.

bubblewrap (`bwrap`, Debian's and Fedora's package bubblewrap) gives it a machine of its own: the
course and Python's libraries to read, a /tmp that is thrown away, no other process, no network.
The answers, the hand-ins and whatever else the teacher has are not there at all.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from course_lib.grade.standins import answer_files

COURSE = Path(__file__).resolve().parents[2]
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
LOOKED_UP = ("/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/alternatives")
ROOM = 300_000_000  # bytes of the /tmp that is thrown away
KEPT = ("LANG", "LC_ALL", "COURSE_LANG", "LD_LIBRARY_PATH", "PATH")


@cache
def why_not() -> str:
    """Why bubblewrap cannot be used here, in one sentence; "" where it can."""
    if os.environ.get("COURSE_BWRAP") == "no":
        return "COURSE_BWRAP=no says so."
    if shutil.which("bwrap") is None:
        return "bwrap is not installed (Debian, Ubuntu: apt-get install bubblewrap)."
    command = [*_bubble(()), sys.executable, "-I", "-c", "import encodings"]
    try:
        tried = subprocess.run(command, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not work here ({type(error).__name__})."
    said = tried.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
    return f"bwrap does not work here ({said[:200]})." if tried.returncode else ""


class Sandbox:
    """A running process of the cells, its pipes, and its folder, which goes with it.

    about: what the worker is told, as JSON.   ask, hear: file descriptors of its standard input
    and output.
    """

    def __init__(self, about: str):
        self._folder = tempfile.TemporaryDirectory(
            prefix="course-grade-", ignore_cleanup_errors=True
        )
        place = Path(self._folder.name)
        _copy_font_cache(place / "matplotlib")
        confined = why_not() == ""
        inside = Path("/tmp/own") if confined else place
        command = [sys.executable, "-m", "course_lib.grade.worker", about]
        if confined:
            command = [*_bubble(tuple(_environment(inside).items()), place), *command]
        self.process = subprocess.Popen(
            command, cwd=place, env=_environment(inside), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.ask, self.hear = self.process.stdin.fileno(), self.process.stdout.fileno()

    def status(self) -> int | None:
        """The exit status, negative for a signal; None where it does not end within a second."""
        try:
            found = self.process.wait(1)
        except subprocess.TimeoutExpired:
            return None
        return 128 - found if found > 128 else found

    def end(self) -> None:
        """End it and all that it started and did not hide."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for one in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                one.close()  # type: ignore[union-attr]
        self._folder.cleanup()


def _bubble(environment: tuple[tuple[str, str], ...], place: Path | None = None) -> list[str]:
    """The command that starts another one in a machine of its own.

    place: a folder whose content is put into the home there.
    """
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if os.getuid() == 0:
        command += ["--uid", "65534", "--gid", "65534"]
    for path in SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for path in LOOKED_UP:
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", *_scratch("/dev/shm"), *_scratch("/tmp")]
    command += ["--dir", "/tmp/own"]
    for path in _python():
        command += ["--ro-bind", path, path]
    library = COURSE / "course_lib"
    command += ["--ro-bind", str(library), str(library)]
    for path in answer_files():
        closed = ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", os.devnull, str(path)]
        command += closed
    for fonts in (place / "matplotlib").iterdir() if place is not None else ():
        command += ["--ro-bind", str(fonts), f"/tmp/own/matplotlib/{fonts.name}"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp/own", "--clearenv"]
    for name, value in environment:
        command += ["--setenv", name, value]
    return command


def _scratch(path: str) -> list[str]:
    """A folder in memory, with a limit where this bwrap knows one."""
    return [*(["--size", str(ROOM)] if _knows_sizes() else []), "--tmpfs", path]


@cache
def _knows_sizes() -> bool:
    said = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False)
    return "--size" in said.stdout + said.stderr


def _python() -> list[str]:
    """Where Python and its packages lie, as far as it is not below /usr; no home as a whole."""
    found = {os.path.realpath(one) for one in (sys.base_prefix, sys.prefix)} | {sys.prefix}
    return sorted(one for one in found if not one.startswith("/usr/"))


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the teacher's: a home and a learner's state of its own, no tokens, no display."""
    return {name: os.environ[name] for name in KEPT if name in os.environ} | {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "COURSE_STATE": str(folder / "state"),
        "IPYTHONDIR": str(folder / "ipython"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "MPLBACKEND": "agg",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(COURSE),
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
