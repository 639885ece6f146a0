"""The repository that links pull from: one commit for each edition of the notebooks.

python -m deploy.edition         after `git pull`: what a running class gets from now on
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

from course_lib.files import replace
from deploy import settings
from deploy.laying import EDITION
from tools.lab import as_laid

BRANCH = "main"
NAME = "course"


def publish(notebooks: Path, folder: Path) -> Path:
    """Commit the learner's edition of `notebooks` in folder/course, if it is a new one.

    Returns: the repository.
    Raises: OSError; subprocess.CalledProcessError, where git does not run.
    """
    place = folder / NAME
    place.mkdir(parents=True, exist_ok=True)
    if not (place / ".git").exists():
        _git(place, "init", "--quiet", f"--initial-branch={BRANCH}")
    wanted = {}
    for source in sorted(notebooks.glob("*.ipynb")):
        notebook = as_laid(json.loads(source.read_text(encoding="utf-8")))
        wanted[place / source.name] = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    for old in set(place.glob("*.ipynb")) - set(wanted):
        old.unlink()
    replace(wanted)
    _git(place, "add", "--all")
    if _git(place, "status", "--porcelain"):
        _git(place, "commit", "--quiet", "--message", "A new edition")
    return place


def link(address: str, repository: Path, chapter: str) -> str:
    """The address that pulls the newest edition and opens a chapter, after login."""
    asked = {
        "repo": str(repository), "branch": BRANCH, "targetpath": EDITION,
        "urlpath": f"lab/tree/{chapter}.ipynb",
    }  # fmt: skip
    return f"{address}/hub/user-redirect/git-pull?{urlencode(asked)}"


def _git(place: Path, *words: str) -> str:
    who = {"GIT_AUTHOR_NAME": "class", "GIT_AUTHOR_EMAIL": "class@localhost"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    done = subprocess.run(
        ["git", *words], cwd=place, env=os.environ | who, capture_output=True, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    try:
        publish(settings.ROOT / "notebooks", settings.read(os.environ).folder)
    except (OSError, ValueError, subprocess.CalledProcessError) as problem:
        sys.exit(f"No new edition: {problem}")
