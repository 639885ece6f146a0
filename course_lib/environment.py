"""Whether everything is here that the course needs, and what to do where it is not.

check_environment()                  # sentences; nothing fails, nothing is imported
check_environment(versions=True)     # and which versions are here
"""

from __future__ import annotations  # an older Python must get as far as the check

import sys
from importlib.metadata import PackageNotFoundError, version

from course_lib.words import say

PYTHON = (3, 11)
NEEDED = {  # by all chapters; the names and least versions of pyproject.toml
    "numpy": "2.0", "matplotlib": "3.9", "pillow": "10.0", "ipython": "7.34", "ipywidgets": "7.7",
    "anywidget": "0.9.13", "platformdirs": "4.0", "filelock": "3.12", "safetensors": "0.4.1",
    "threadpoolctl": "3.5", "tqdm": "4.66",
}  # fmt: skip
LATER = {"torch": "2.7"}  # from chapter 5 on


def check_environment(versions: bool = False) -> None:
    """Print what is here and what is missing.

    versions: print the version of each package too.
    """
    for line in findings(versions=versions):
        print(line)


def findings(found=None, python: tuple = sys.version_info, versions: bool = False) -> list[str]:
    """The sentences that `check_environment` prints.

    found: the name of a package -> its version, None where it is not installed.
    """
    found = found or installed
    return [
        _python(tuple(python[:2])),
        *_all_of(NEEDED, found),
        *_torch(found),
        *([f"{name} {found(name) or '-'}" for name in (*NEEDED, *LATER)] if versions else ()),
    ]


def installed(name: str) -> str | None:
    """The version of a package, without importing it; None where it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _python(now: tuple[int, int]) -> str:
    if now >= PYTHON:
        return say("Python: new enough.")
    return say(
        "Python is {now}, the course needs {least} or newer: install one, then say its name, as in "
        "`make setup PYTHON=python{least}`.",
        now=".".join(map(str, now)), least=".".join(map(str, PYTHON)),
    )  # fmt: skip


def _all_of(needed: dict[str, str], found) -> list[str]:
    missing = [name for name in needed if found(name) is None]
    old = [name for name, least in needed.items() if name not in missing
           and _numbers(found(name)) < _numbers(least)]  # fmt: skip
    if not missing and not old:
        return [say("What chapters 0 to 4 need: all here.")]
    lines = [say("Missing: {names}.", names=", ".join(missing))] if missing else []
    lines += [
        say("{name} is {now}, the course needs {least} or newer.", name=name, now=found(name),
            least=needed[name])
        for name in old
    ]  # fmt: skip
    return [*lines, say("`make setup` in the course's folder mends it. Then restart the kernel.")]


def _torch(found) -> list[str]:
    if found("torch") is None:
        return [
            say("PyTorch is not here: chapters 0 to 4 need none. For the others: `make setup`.")
        ]
    if _numbers(found("torch")) < _numbers(LATER["torch"]):
        return [say("PyTorch is old: for chapter 5 run `make setup`.")]
    return [say("PyTorch, for chapters 5 to 8: here.")]


def _numbers(text: str) -> tuple[int, ...]:
    """The first two numbers of a version, as in 2.4.0+cpu."""
    numbers = []
    for part in text.split(".")[:2]:
        digits = "".join(c for c in part if c.isdigit())
        numbers.append(int(digits or 0))
    return tuple(numbers)
