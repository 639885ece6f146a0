"""Write pages that are made from the course, or say which are stale."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from course_lib.files import replace

ROOT = Path(__file__).resolve().parent.parent


def stale(pages: dict[Path, str]) -> list[Path]:
    """The pages whose file is absent or says something else."""
    return [
        path
        for path, text in pages.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


def superfluous(pages: dict[Path, str], pattern: str) -> list[Path]:
    """Files beside the pages that look like one (pattern) and are none."""
    folders = {path.parent for path in pages}
    return sorted({path for one in folders for path in one.glob(pattern)} - set(pages))


def command(
    name: str, about: str, make: Callable[[], dict[Path, str]], pattern: str, arguments=None
) -> int:
    """The command line `python -m tools.name [--check]`; returns the exit status.

    make: gives the text of each page by its path.   pattern: how their files are named.
    """
    parser = argparse.ArgumentParser(prog=f"python -m tools.{name}", description=about)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    check = parser.parse_args(arguments).check
    pages = make()
    old, odd = stale(pages), superfluous(pages, pattern)
    for path in old:
        shown = path.relative_to(ROOT)
        if check:
            print(f"{shown} is stale: run python -m tools.{name}", file=sys.stderr)
        else:
            replace({path: pages[path]})
            print(f"{shown}: {len(pages[path].split())} words")
    for path in odd:
        print(f"{path.relative_to(ROOT)} belongs to nothing: remove it", file=sys.stderr)
    return 1 if odd or (check and old) else 0
