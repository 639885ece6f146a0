"""What takes long to make is kept, by the text of all that it is made from."""

import functools
import hashlib
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from course_lib.files import replace
from tools.pages import ROOT

UNREAD = {"__pycache__", "front"}  # no drawing comes from these
FOLDER = ROOT / ".page" / "kept"
ROOMS = ("kernels", "figures", "models", "measures", "learner", "judging", "sliding", "words.py")
MAKERS = ("stops.py", "tables.py", "quiz.py")


def kept(name: str, chapter: str, make: Callable[[], Any], folder: Path = FOLDER) -> Any:
    """What `make` returns, plain data; made anew where the course has changed.

    chapter: its folder in course_lib/chapters.
    """
    path = folder / f"{name}-{_mark(chapter)}.json"
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))
    made = make()
    folder.mkdir(parents=True, exist_ok=True)
    replace({path: json.dumps(made, ensure_ascii=False)})
    for old in folder.glob(f"{name}-*.json"):
        if old != path:
            old.unlink(missing_ok=True)
    return made


@functools.cache
def _mark(chapter: str) -> str:
    library = ROOT / "course_lib"
    parts = [library / room for room in ROOMS]
    parts += [library / "chapters" / chapter, *(Path(__file__).with_name(one) for one in MAKERS)]
    files = [file for one in parts for file in (one.rglob("*") if one.is_dir() else [one])]
    found = hashlib.sha256(version("matplotlib").encode())
    for file in sorted(files):
        if file.is_file() and not UNREAD & set(file.parts):
            found.update(file.relative_to(ROOT).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:16]
