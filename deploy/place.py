"""Start one learner's server: what the spawner runs in place of jupyterhub-singleuser.

    python -m deploy.place ARGUMENTS OF JUPYTERHUB-SINGLEUSER

In HOME, the learner's own folder: course/ with the copies, state/ with the progress, .jupyter and
the like. It lays the copies, limits memory, and becomes jupyterhub-singleuser: in bubblewrap where
CLASS_APART is "bubble", which shows it the course and Python read-only, its own folder, and nothing
of the others.
"""

import os
import resource
import shutil
import sys
from pathlib import Path

from course_lib.grade.sandbox import LOOKED_UP, SYSTEM
from course_lib.words import say
from deploy import sentences as s
from deploy.laying import lay_for
from deploy.settings import ROOT, Settings, read

MIB = 2**20
SCRATCH = 256 * MIB  # bytes of the /tmp that goes with the server
ETC = ("passwd", "group", "hosts", "nsswitch.conf", "resolv.conf", "ssl", "ca-certificates")
NOBODY = "65534"


def main(arguments: list[str]) -> int:
    """Become the learner's server; returns only where that cannot be."""
    if not os.environ.get("HOME"):
        print(say(s.NO_FOLDER))
        return 1
    home, settings = Path(os.environ["HOME"]).resolve(), read(os.environ)
    os.umask(0o077)
    for line in lay_for(home / "course", ROOT / "notebooks"):
        print(line, flush=True)
    shared_fonts(home, settings.folder)
    limit_memory(settings.memory)
    command = [sys.executable, "-m", "jupyterhub.singleuser", *arguments]
    if os.environ.get("CLASS_APART") == "bubble":
        command = [*bubble(home, settings), *command]
    elif os.geteuid() == 0:
        command.append("--allow-root")
    os.chdir(home)
    os.execvpe(command[0], command, os.environ | environment(home))
    return 1


def environment(home: Path) -> dict[str, str]:
    """What the server and its kernels are told: a state of their own, the shared course."""
    return {
        "COURSE_STATE": str(home / "state"),
        "COURSE_PYTHON": sys.executable,
        "IPYTHONDIR": str(home / ".ipython"),
        "JUPYTER_PATH": str(ROOT / "deploy"),  # its kernel comes before the environment's
        "MPLCONFIGDIR": str(home / ".matplotlib"),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",  # one learner does not take all cores
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(ROOT / "deploy" / "hooks"),
        "GIT_CONFIG_KEY_1": "safe.directory",  # the edition belongs to the teacher
        "GIT_CONFIG_VALUE_1": "*",
    }


def shared_fonts(home: Path, folder: Path) -> None:
    """Copy matplotlib's list of fonts: each learner's first picture would else look for them."""
    (home / ".matplotlib").mkdir(exist_ok=True)
    for fonts in (folder / "fonts").glob("fontlist-*.json"):
        if not (home / ".matplotlib" / fonts.name).exists():
            shutil.copy(fonts, home / ".matplotlib")


def limit_memory(mib: int) -> None:
    """Let no process from here on hold more data than that; who asks for more gets MemoryError."""
    resource.setrlimit(resource.RLIMIT_DATA, (mib * MIB, mib * MIB))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def bubble(home: Path, settings: Settings) -> list[str]:
    """The words before a command that give it a machine where only `home` can be written."""
    words = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"]
    words += ["--uid", NOBODY, "--gid", NOBODY, "--cap-drop", "ALL"]
    for path in SYSTEM:
        if os.path.islink(path):
            words += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            words += ["--ro-bind", path, path]
    for path in [*LOOKED_UP, *(f"/etc/{name}" for name in ETC)]:
        words += ["--ro-bind-try", path, path]
    words += ["--proc", "/proc", "--dev", "/dev", "--size", str(SCRATCH), "--tmpfs", "/tmp"]
    words += ["--size", str(SCRATCH), "--tmpfs", "/dev/shm"]
    for path in sorted({os.path.realpath(sys.base_prefix), os.path.realpath(sys.prefix)}):
        if not path.startswith("/usr/"):
            words += ["--ro-bind", path, path]
    words += ["--ro-bind", str(ROOT), str(ROOT)]
    if settings.folder.is_relative_to(ROOT):
        words += ["--tmpfs", str(settings.folder)]  # the others, and the hub's own secrets
    edition = str(settings.folder / "course")
    words += ["--ro-bind", edition, edition, "--bind", str(home), str(home)]
    return [*words, "--chdir", str(home)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
