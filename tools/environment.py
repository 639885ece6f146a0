"""Make .venv and install into it what a `make` target needs; a second call is quick.

    python3 tools/environment.py lab torch            the extras of pyproject.toml to install
    TORCH=no python3 tools/environment.py lab torch   the same without torch
    TORCH_INDEX=ADDRESS python3 tools/environment.py torch
                                                      take torch from this package index too
    VERSIONS=lowest python3 tools/environment.py test lab torch
                                                      the lowest versions that pyproject.toml
                                                      promises; VERSIONS=newest the newest

This file only looks whether the Python that runs it will do. It needs no package, and Python 2.7
can read it: an old Python has to get as far as the sentence that says what is wrong. The rest is in
tools/installation.py.
"""

import os
import subprocess
import sys

OLDEST = (3, 11)
TOO_OLD = "The course needs Python {0}.{1} or newer, and {2} is {3}.{4}: {5}."
NO_VENV = (
    "This Python cannot make a virtual environment ({0} is missing). "
    "On Debian and Ubuntu: sudo apt install python3-venv. Then run the same command again."
)


def newer_python():
    """The name of a Python on PATH that is new enough and runs, or None."""
    with open(os.devnull, "w") as nowhere:
        for minor in range(20, OLDEST[1] - 1, -1):
            name = "python3.{0}".format(minor)
            try:
                if subprocess.call([name, "-c", ""], stdout=nowhere, stderr=nowhere) == 0:
                    return name
            except OSError:
                pass


def problem():
    """Why this Python will not do, in one sentence; None where it will."""
    if sys.version_info[:2] < OLDEST:
        found = newer_python()
        remedy = "say `make lab PYTHON={0}`".format(found) if found else "install one"
        return TOO_OLD.format(*(OLDEST + (sys.executable,) + sys.version_info[:2] + (remedy,)))
    for module in ("venv", "ensurepip"):
        try:
            __import__(module)
        except ImportError:
            return NO_VENV.format(module)


if __name__ == "__main__":
    said = problem()
    if said:
        sys.exit(said)
    from installation import main  # which an old Python could not read

    sys.exit(main(sys.argv[1:]))
