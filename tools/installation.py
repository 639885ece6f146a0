"""Install the course into .venv, and know the next time that it is there.

What is in place is written to .venv/course.json: a fingerprint (the packages in pyproject.toml, the
pins, JupyterLab's settings, Python's version, this folder) and the extras. A call that asks for no
more than that ends at once. While pip works, the file says that .venv is not whole: a call that
finds it so knows that the last one was interrupted, and makes .venv anew (from pip's cache).
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = Path("tools", "jupyterlab_settings.json")
VERSIONS = ("pinned", "lowest", "newest")
PIP_FAILED = (
    "pip could not install {extras}; its message is above, and nothing else was changed. "
    "Run the same command again when the cause is gone.{advice}"
)
WITHOUT_TORCH = " Without torch, `make lab TORCH=no` serves chapters 0 to 4."
NOTHING = {"fingerprint": "", "extras": [], "whole": True}


class Unusable(Exception):
    """The environment cannot be made; the message is one sentence for the person who asked."""


class Environment:
    """The virtual environment of the course in the folder `root`.

    versions: which versions of the packages: one of VERSIONS.

    Raises: Unusable, if it is none of them.
    """

    def __init__(self, root: Path, versions: str = "pinned"):
        if versions not in VERSIONS:
            raise Unusable(f"VERSIONS is {', '.join(VERSIONS)}; got {versions!r}.")
        self.root, self.versions = root, versions
        self.folder = root / ".venv"
        self.stamp = self.folder / "course.json"
        self.python = self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    def ensure(self, extras: list[str]) -> bool:
        """Make it hold at least `extras`; True where there was something to do."""
        fingerprint, found = self.fingerprint(), self.found()
        missing = set(extras) - set(found["extras"])
        if found["fingerprint"] == fingerprint and not missing and self.version():
            return False
        wanted = sorted({*extras, *found["extras"]})
        print(f"Installing the course with {', '.join(wanted) or 'no extras'} into .venv.")
        if not self.python.exists():
            print("The first time this loads hundreds of megabytes and takes minutes.", flush=True)
        self.stamp.unlink(missing_ok=True)
        self.create(found["whole"])
        self.install(wanted)
        self.settings()
        self.stamp.write_text(json.dumps(NOTHING | {"fingerprint": fingerprint, "extras": wanted}))
        return True

    def fingerprint(self) -> str:
        """Changes where a package, a pin, a setting, Python's version or the place changes."""
        table = tomllib.loads((self.root / "pyproject.toml").read_text())
        parts = [table["build-system"], table["project"], sys.version_info[:2], str(self.root)]
        parts += [self.versions, (self.root / "constraints.txt").read_text()]
        parts += [(self.root / SETTINGS).read_text()]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def found(self) -> dict:
        """What the last call wrote; NOTHING where that is missing or damaged."""
        with suppress(OSError, ValueError, TypeError):
            found = NOTHING | json.loads(self.stamp.read_text())
            if all(isinstance(found[key], type(value)) for key, value in NOTHING.items()):
                return found
        return NOTHING

    def version(self) -> tuple[int, ...] | None:
        """(major, minor) of the Python inside, or None where it does not run."""
        question = "import sys; print(*sys.version_info[:2])"
        with suppress(OSError, ValueError, subprocess.CalledProcessError):
            return tuple(map(int, subprocess.check_output([self.python, "-c", question]).split()))
        return None

    def create(self, whole: bool = True) -> None:
        """Make the virtual environment, or mend it; what cannot be mended is made anew."""
        if os.path.lexists(self.folder):
            why = "" if whole else "The last installation was interrupted"
            if self.version() != sys.version_info[:2]:
                why = "The Python in .venv is another one, or does not run"
            if why:
                print(f"{why}: making .venv anew.", flush=True)
                shutil.rmtree(self.folder)
        base = getattr(sys, "_base_executable", None) or sys.executable
        if subprocess.call([base, "-m", "venv", self.folder]) != 0:
            raise Unusable("Python could not make .venv; its message is above.")

    def install(self, extras: list[str]) -> None:
        """Install the course, editable, with `extras`."""
        # Compiling all of it would take as long as the rest; Python compiles what it imports.
        command = [self.python, "-m", "pip", "install", "--no-compile"]
        command += ["--disable-pip-version-check", *self.limits(extras)]
        command += ["-e", f"{self.root}[{','.join(extras)}]" if extras else str(self.root)]
        command += [] if sys.stdout.isatty() else ["--quiet"]
        index = os.environ.get("TORCH_INDEX", "").strip()
        if index and "torch" in extras:
            command += ["--extra-index-url", index]
        self.stamp.write_text(json.dumps({"whole": False}))
        failed = subprocess.call(command, cwd=self.root)
        self.stamp.unlink()
        if failed:
            advice = WITHOUT_TORCH if "torch" in extras else ""
            raise Unusable(PIP_FAILED.format(extras=" ".join(extras) or "it", advice=advice))

    def limits(self, extras: list[str]) -> list[str]:
        """What tells pip which versions to take."""
        if self.versions == "newest":
            return ["--upgrade", "--upgrade-strategy", "eager"]
        limits = self.root / "constraints.txt"
        if self.versions == "lowest":
            limits = self.folder / "lowest.txt"
            limits.write_text("\n".join(self.lowest(extras)) + "\n")
        return ["-c", str(limits)]

    def lowest(self, extras: list[str]) -> list[str]:
        """The floors of pyproject.toml as lines that pin them, of the base and of `extras`."""
        project = tomllib.loads((self.root / "pyproject.toml").read_text())["project"]
        floors: dict[str, tuple[list[int], str]] = {}
        for group in (project["dependencies"], *map(project["optional-dependencies"].get, extras)):
            for line in group:  # named twice, as ipywidgets: the higher floor holds
                name, version, rest = re.match(r"([\w.-]+)>=([\d.]+)(.*)", line).groups()
                floor = [int(part) for part in version.split(".")], version + rest
                floors[name] = max(floors.get(name, ([], "")), floor)
        return [f"{name}=={floor}" for name, (_, floor) in sorted(floors.items())]

    def settings(self) -> None:
        """Put JupyterLab's settings in place; let matplotlib look for the fonts.

        Matplotlib says in red, once on each machine, that it builds its font cache: better here
        than under a learner's first figure, or in an output that a test compares.
        """
        place = self.folder / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / SETTINGS, place)
        fonts = [self.python, "-c", "import matplotlib.font_manager"]
        if subprocess.call(fonts, cwd=self.root, stderr=subprocess.DEVNULL) != 0:
            raise Unusable("matplotlib is there but does not import: `make clean`, then again.")


@contextmanager
def alone(root: Path):
    """One installation at a time: a second `make` waits until the first has finished."""
    with (root / "pyproject.toml").open() as file:  # any file that stays will do
        with suppress(ImportError, OSError):  # Windows, or a file system without locks
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main(extras: list[str]) -> int:
    """Make the environment hold `extras`; returns the exit status."""
    begun = time.time()
    if os.environ.get("TORCH", "").lower() in ("no", "0", "false"):
        extras = [extra for extra in extras if extra != "torch"]
    versions = os.environ.get("VERSIONS", "") or "pinned"
    what = f"{' '.join(extras) or 'no extras'}, versions: {versions}"
    print(f"== setup: .venv with {what}", flush=True)
    try:
        with alone(ROOT):
            changed = Environment(ROOT, versions).ensure(extras)
    except Unusable as problem:
        print(problem)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the next call makes up for it.")
        return 130
    done = "done" if changed else "already in place"
    print(f"== setup: {done}, {time.time() - begun:.1f} s")
    return 0
