"""Lay the learner's copies of the notebooks into work/ and open JupyterLab on the first.

    python -m tools.lab [--port 8888] [--no-browser] [--no-start]

Copies have no outputs: else the answer to every bet would stand below it. The badge and the cell
for Colab are left out, and so are the solutions. **Nothing that a learner typed is ever
overwritten**, by this rule:

* What counts as typed is the text of the cells, of any kind, in order (empty cells aside).
  Outputs, metadata and formatting do not: JupyterLab rewrites them at each save, and running
  again brings them back.
* work/.laid.json keeps, for each copy, a hash of the text that was laid. A copy with that text
  is untouched; when the course has a newer version, it is replaced.
* Any other file is kept: edited, unreadable, or unknown to the manifest. The newer version is
  then laid beside it, once, as 01_name.new.ipynb (or .new.2, .new.3 if those are edited too).
* To start a chapter over, delete or rename the copy; the next call lays a fresh one.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

from course_lib.files import Changed, clear_abandoned, replace

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = ".laid.json"
KEPT = "{kept}: kept, as you changed it; the newer one is beside it: {name}"
MAY_BE_YOURS = "{kept}: kept, as it may be yours; the newer one is beside it: {name}"
DAMAGED = (
    "{name}: not laid, the course's own copy of it cannot be read; "
    "`git checkout {folder}` brings it back"
)
CANNOT_LAY = (
    "The copies cannot be laid into {work}: {error}. Nothing of yours was changed; "
    "free it, or move it away, and run the same command again."
)
ONLY_FOR_COLAB = ("badge", "bootstrap")  # ids that tools/editions.py gives


def lay(notebooks: Path, work: Path) -> list[str]:
    """Copy the learner's edition of each chapter in `notebooks` into `work`.

    A chapter of the course that cannot be read is left out, with a line.

    Returns: one line for each thing that a learner should know.
    Raises: OSError, if `work` cannot be written.
    """
    work.mkdir(parents=True, exist_ok=True)
    clear_abandoned(work)
    laid, said = _read_manifest(work / MANIFEST)
    for source in sorted(notebooks.glob("*.ipynb")):
        try:
            notebook = as_laid(json.loads(source.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError, OSError):
            said.append(DAMAGED.format(name=source.name, folder=notebooks.name))
            continue
        said += _lay_one(notebook, work / source.name, laid)
        replace({work / MANIFEST: json.dumps(laid, indent=1, sort_keys=True) + "\n"})
    return said


def _lay_one(notebook: dict, target: Path, laid: dict[str, str]) -> list[str]:
    """Lay `notebook` as `target`, or beside it; note in `laid` what was laid."""
    text, new = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", typed(notebook)

    def put(place: Path) -> None:
        replace({place: text}, still=lambda path: not path.exists() or untouched(path, laid))
        laid[place.name] = new

    if not target.exists():
        put(target)
        return [f"{target.name}: laid"]
    present = typed_in(target)
    if present == new:
        laid[target.name] = new
        return []
    if untouched(target, laid):
        with suppress(Changed):  # saved from JupyterLab in this very moment
            put(target)
            return [f"{target.name}: renewed; you had changed nothing in it"]
    if laid.get(target.name) == new:
        return []  # edited since, and still the newest
    return _lay_beside(target, new, laid, put)


def _lay_beside(target: Path, new: str, laid: dict[str, str], put) -> list[str]:
    line = KEPT if target.name in laid else MAY_BE_YOURS
    for name, hash_ in laid.items():
        if hash_ == new and name.startswith(f"{target.stem}.new."):  # laid by an earlier call
            there = target.with_name(name).exists()
            return [line.format(kept=target.name, name=name)] if there else []
    for name in _names_beside(target):
        place = target.with_name(name)
        if not place.exists() or untouched(place, laid):
            with suppress(Changed):
                put(place)
                break
        if typed_in(place) == new:
            laid[name] = new
            break
    return [line.format(kept=target.name, name=name)]


def untouched(path: Path, laid: dict[str, str]) -> bool:
    """Whether the file at `path` has the text that was laid there; never for an unreadable one."""
    present = typed_in(path)
    return present is not None and present == laid.get(path.name)


def _names_beside(target: Path):
    """Yield 01_name.new.ipynb, 01_name.new.2.ipynb, ..."""
    for number in count(1):
        yield f"{target.stem}.new.ipynb" if number == 1 else f"{target.stem}.new.{number}.ipynb"


def as_laid(notebook: dict) -> dict:
    """The notebook as a learner gets it: as if it had never run, without the cells for Colab."""
    cells = []
    for cell in notebook["cells"]:
        if cell.get("id") in ONLY_FOR_COLAB:
            continue
        if cell["cell_type"] == "code":
            cell = {**cell, "outputs": [], "execution_count": None}
        cells.append(cell)
    return {**notebook, "cells": cells}


def typed(notebook: dict) -> str:
    """A hash of what is typed in `notebook`: the kind and the text of its cells.

    Cells without text do not count: Shift+Enter in the last cell adds one.
    """
    cells = []
    for cell in notebook["cells"]:
        text, pasted = "".join(cell["source"]), cell.get("attachments") or None
        if text.strip() or pasted:
            cells.append([cell["cell_type"], text, pasted])
    return hashlib.sha256(json.dumps(cells, sort_keys=True).encode()).hexdigest()


def typed_in(path: Path) -> str | None:
    """The hash for the notebook at `path`; None where it is no notebook that can be read."""
    try:
        return typed(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _read_manifest(path: Path) -> tuple[dict[str, str], list[str]]:
    """The manifest and what there is to say about it; a damaged one is set aside."""
    try:
        laid = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(laid, dict) and all(isinstance(hash_, str) for hash_ in laid.values()):
            return laid, []
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError):
        pass
    aside = path.with_name(".laid.damaged.json")
    os.replace(path, aside)
    return {}, [f"{path.name} could not be read and is now {aside.name}; your files are all kept"]


def _reason(error: Exception, work: Path) -> str:
    if work.is_symlink() and not work.exists():
        return "it is a link to a folder that is not there"
    if work.exists() and not work.is_dir():
        return "it is a file, and should be a folder"
    return getattr(error, "strerror", None) or f"{type(error).__name__} ({error})"


def command(first: str, port: int, browser: bool) -> list[str]:
    """The command that starts JupyterLab on the notebook `first`."""
    words = [sys.executable, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1"]
    words += [f"--ServerApp.port={port}", f"--LabApp.default_url=/lab/tree/{first}"]
    if not browser:
        words.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--allow-root")  # in a container; JupyterLab refuses otherwise
    return words


def main(arguments: list[str], notebooks: Path, work: Path) -> int:
    """Lay the copies and, unless told not to, run JupyterLab; returns the exit status."""
    parser = argparse.ArgumentParser(prog="lab", description=__doc__.partition("\n")[0])
    parser.add_argument("--port", type=int, default=8888, help="where JupyterLab listens")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")
    parser.add_argument("--no-start", action="store_true", help="only lay the copies")
    options = parser.parse_args(arguments)
    chapters = sorted(notebooks.glob("*.ipynb"))
    if not chapters:
        print(f"There is no notebook in {notebooks}: `make notebooks` builds them.")
        return 1
    try:
        said = lay(notebooks, work)
    except (OSError, Changed) as error:
        print(CANNOT_LAY.format(work=work.name, error=_reason(error, work)))
        return 1
    print("== notebooks: your copies are in work/")
    for line in said:
        print(f"   {line}")
    if options.no_start:
        return 0
    print(f"== JupyterLab: opening {chapters[0].name}; stop it with Ctrl+C, twice", flush=True)
    # The kernel of this very Python, before one of the same name in the user's folders. Threads of
    # torch that wait for each other sleep: awake they take the cores that a busy machine needs.
    env = {"OMP_WAIT_POLICY": "PASSIVE"} | os.environ | {"JUPYTER_PREFER_ENV_PATH": "1"}
    start = command(chapters[0].name, options.port, not options.no_browser)
    if os.name == "nt":  # where exec starts a second program and ends the first
        return subprocess.call(start, cwd=work, env=env)
    os.chdir(work)
    os.execve(start[0], start, env)  # so that Ctrl+C is JupyterLab's own


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], ROOT / "notebooks", ROOT / "work"))
