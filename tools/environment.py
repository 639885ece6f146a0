"""Make .venv and install into it what a `make` target needs; a second call is quick.

    python3 tools/environment.py lab torch        the extras of pyproject.toml to install
    TORCH=no python3 tools/environment.py lab torch   the same without torch
    TORCH_INDEX=ADDRESS python3 tools/environment.py torch
                                                  take torch from this package index too
    VERSIONS=lowest python3 tools/environment.py test lab torch
                                                  the lowest versions that pyproject.toml promises;
                                                  VERSIONS=newest the newest that there are

What is in place is written to .venv/course.json: a fingerprint (the packages in pyproject.toml,
the pins, JupyterLab's settings, Python's version, this folder) and the extras. A call that asks
for no more than that ends at once. While pip works, .venv/course.unfinished exists: a call that
finds it knows that the last one was interrupted, and makes .venv anew (from pip's cache).

Standard library only, and written so that Python 2.7 can still read it: an old Python has to
get as far as the sentence that says what is wrong.
"""

from __future__ import print_function

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SETTINGS = os.path.join("tools", "jupyterlab_settings.json")
MISSING_VENV = (
    "This Python cannot make a virtual environment ({module} is missing). "
    "On Debian and Ubuntu: sudo apt install python3-venv. Then run the same command again."
)
PIP_FAILED = (
    "pip could not install {extras}; its message is above, and nothing else was changed. "
    "Run the same command again when the cause is gone.{advice}"
)
VERSIONS = ("pinned", "lowest", "newest")
WITHOUT_TORCH = " Without torch, `make lab TORCH=no` serves chapters 0 to 4."


class Unusable(Exception):
    """The environment cannot be made; the message is one sentence for the person who asked."""


def say(line):
    """Print `line` at once, also where the output goes into a file."""
    print(line)
    sys.stdout.flush()


def other_python():
    """The name of a Python on PATH that is new enough, or None."""
    for minor in range(20, OLDEST[1] - 1, -1):
        name = "python3.{0}".format(minor)
        for folder in os.environ.get("PATH", "").split(os.pathsep):
            program = os.path.join(folder, name)
            try:
                with open(os.devnull, "w") as nowhere:
                    works = subprocess.call([program, "-c", ""], stdout=nowhere, stderr=nowhere)
            except OSError:
                continue
            if works == 0:
                return name
    return None


def check_python():
    """Raise Unusable if this Python is too old or cannot make a virtual environment."""
    if sys.version_info[:2] < OLDEST:
        found = other_python()
        remedy = "install one" if found is None else "say `make lab PYTHON={0}`".format(found)
        raise Unusable(
            "The course needs Python {0}.{1} or newer, and {2} is {3}.{4}: {5}.".format(
                *(OLDEST + (sys.executable,) + sys.version_info[:2] + (remedy,))
            )
        )
    for module in ("venv", "ensurepip"):
        try:
            __import__(module)
        except ImportError:
            raise Unusable(MISSING_VENV.format(module=module))


def check_versions(versions):
    """Raise Unusable if `versions` is none of VERSIONS."""
    if versions not in VERSIONS:
        raise Unusable("VERSIONS is {0}; got {1!r}.".format(", ".join(VERSIONS), versions))


class Environment(object):
    """The virtual environment of the course in the folder `root`.

    versions: which versions of the packages: one of VERSIONS.
    """

    def __init__(self, root, versions="pinned"):
        self.root = root
        self.versions = versions
        self.folder = os.path.join(root, ".venv")
        self.stamp = os.path.join(self.folder, "course.json")
        self.unfinished = os.path.join(self.folder, "course.unfinished")
        programs, suffix = ("Scripts", ".exe") if os.name == "nt" else ("bin", "")
        self.python = os.path.join(self.folder, programs, "python" + suffix)

    def project(self):
        """pyproject.toml as a dictionary."""
        import tomllib

        with open(os.path.join(self.root, "pyproject.toml"), "rb") as file:
            return tomllib.load(file)

    def lowest(self, extras):
        """The floors of pyproject.toml as lines that pin them, of the base and of `extras`."""
        project = self.project()["project"]
        wanted = list(project["dependencies"])
        for extra in extras:
            wanted += project["optional-dependencies"][extra]
        floors = {}
        for line in wanted:  # named twice, as ipywidgets: the higher floor holds
            name, version, rest = re.match(r"([\w.-]+)>=([\d.]+)(.*)", line).groups()
            number = [int(part) for part in version.split(".")]
            floors[name] = max(floors.get(name, ([], "")), (number, version + rest))
        return ["{0}=={1}".format(name, floor) for name, (_, floor) in sorted(floors.items())]

    def fingerprint(self):
        """Changes where a package, a pin, a setting, Python's version or the place changes."""
        table = self.project()
        parts = [table["build-system"], table["project"], sys.version_info[:2], self.root]
        parts += [self.versions] if self.versions != "pinned" else []
        for name in ("constraints.txt", SETTINGS):
            with open(os.path.join(self.root, name), "rb") as file:
                parts.append(file.read().decode())
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def installed(self):
        """The stamp as (fingerprint, set of extras); ("", set()) where it is missing or damaged."""
        try:
            with open(self.stamp) as file:
                written = json.load(file)
            return written["fingerprint"], set(written["extras"])
        except (OSError, ValueError, KeyError, TypeError):
            return "", set()

    def version(self):
        """(major, minor) of the Python inside, or None where it does not run."""
        question = "import sys; print(sys.version_info[0], sys.version_info[1])"
        try:
            answer = subprocess.check_output([self.python, "-c", question], cwd=self.root)
            major, minor = answer.split()
            return int(major), int(minor)
        except (OSError, ValueError, subprocess.CalledProcessError):
            return None

    def create(self):
        """Make the virtual environment, or mend it; what cannot be mended is made anew."""
        old = self.version()
        if os.path.exists(self.unfinished):
            say("The last installation was interrupted: making .venv anew.")
            shutil.rmtree(self.folder)
        elif old is not None and old != sys.version_info[:2]:
            versions = old + tuple(sys.version_info[:2])
            say(".venv has Python {0}.{1}, asked for is {2}.{3}: making it anew.".format(*versions))
            shutil.rmtree(self.folder)
        elif old is None and os.path.lexists(self.folder):
            say("The Python in .venv does not run: making .venv anew.")
            shutil.rmtree(self.folder)
        base = getattr(sys, "_base_executable", None) or sys.executable
        if subprocess.call([base, "-m", "venv", self.folder]) != 0:
            raise Unusable("Python could not make .venv; its message is above.")

    def install(self, extras):
        """Install the course, editable, with `extras`, at the pinned versions."""
        with open(self.unfinished, "w") as file:
            file.write("pip is at work, or was interrupted\n")
        target = "{0}[{1}]".format(self.root, ",".join(extras)) if extras else self.root
        # Compiling all of it would take as long as the rest; Python compiles what it imports.
        command = [self.python, "-m", "pip", "install", "--no-compile"]
        command += ["--disable-pip-version-check"]
        command += self.limits(extras) + ["-e", target]
        if not sys.stdout.isatty():
            command.append("--quiet")
        index = os.environ.get("TORCH_INDEX", "").strip()
        if index and "torch" in extras:
            command += ["--extra-index-url", index]
        failed = subprocess.call(command, cwd=self.root)
        os.remove(self.unfinished)
        if failed:
            advice = WITHOUT_TORCH if "torch" in extras else ""
            raise Unusable(PIP_FAILED.format(extras=" ".join(extras) or "it", advice=advice))

    def limits(self, extras):
        """What tells pip which versions to take."""
        if self.versions == "newest":
            return ["--upgrade", "--upgrade-strategy", "eager"]
        if self.versions == "pinned":
            return ["-c", os.path.join(self.root, "constraints.txt")]
        floors = os.path.join(self.folder, "lowest.txt")
        with open(floors, "w") as file:
            file.write("\n".join(self.lowest(extras)) + "\n")
        return ["-c", floors]

    def settle(self):
        """Put JupyterLab's settings in place; let matplotlib look for the fonts.

        Matplotlib says in red, once on each machine, that it builds its font cache: better here
        than under a learner's first figure, or in an output that a test compares.
        """
        settings = os.path.join(self.folder, "share", "jupyter", "lab", "settings")
        if not os.path.isdir(settings):
            os.makedirs(settings)
        source = os.path.join(self.root, SETTINGS)
        shutil.copyfile(source, os.path.join(settings, "overrides.json"))
        fonts = [self.python, "-c", "import matplotlib.font_manager"]
        if subprocess.call(fonts, cwd=self.root, stderr=subprocess.DEVNULL) != 0:
            raise Unusable("matplotlib is there but does not import: `make clean`, then again.")

    def ensure(self, extras):
        """Make the environment hold at least `extras`; True where there was something to do."""
        fingerprint = self.fingerprint()
        written, present = self.installed()
        if written == fingerprint and set(extras) <= present and self.version() is not None:
            return False
        before = present if os.path.exists(self.python) else set()
        if os.path.exists(self.stamp):
            os.remove(self.stamp)
        wanted = sorted(set(extras) | before)
        say("Installing the course with {0} into .venv.".format(", ".join(wanted) or "no extras"))
        if not os.path.exists(self.python):
            say("The first time this loads hundreds of megabytes and takes minutes.")
        self.create()
        self.install(wanted)
        self.settle()
        half = self.stamp + ".new"
        with open(half, "w") as file:
            json.dump({"fingerprint": fingerprint, "extras": wanted}, file)
        os.rename(half, self.stamp)
        return True


class Turn(object):
    """One installation at a time: a second `make` waits until the first has finished."""

    def __init__(self, root):
        self.path = os.path.join(root, "pyproject.toml")  # any file that stays will do

    def __enter__(self):
        self.file = open(self.path, "rb")
        try:
            import fcntl

            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                say("Waiting for another installation to finish.")
                fcntl.flock(self.file, fcntl.LOCK_EX)
        except (ImportError, OSError):  # Windows, or a file system without locks
            pass

    def __exit__(self, *problem):
        self.file.close()


def main(extras):
    """Make the environment hold `extras`; returns the exit status."""
    begun = time.time()
    if os.environ.get("TORCH", "").lower() in ("no", "0", "false"):
        extras = [extra for extra in extras if extra != "torch"]
    versions = os.environ.get("VERSIONS", "") or "pinned"
    with_what = "{0}, versions: {1}".format(" ".join(extras) or "no extras", versions)
    say("== setup: .venv with {0}".format(with_what))
    try:
        check_python()
        check_versions(versions)
        with Turn(ROOT):
            changed = Environment(ROOT, versions).ensure(extras)
    except Unusable as problem:
        say(str(problem))
        return 1
    except KeyboardInterrupt:
        say("Interrupted; the next call makes up for it.")
        return 130
    done = "done" if changed else "already in place"
    say("== setup: {0}, {1:.1f} s".format(done, time.time() - begun))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
