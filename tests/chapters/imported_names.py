"""What `from course_lib.chapters.name import *` brings into a notebook, name by name."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STAR = re.compile(r"^from (course_lib\.chapters\.\w+) import \*(?:  # .*)?$", re.M)


def names_of(module: str) -> list[str]:
    """The `__all__` of a module of this repository, read without importing it."""
    path = ROOT.joinpath(*module.split("."), "__init__.py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    raise AssertionError(f"{path} has no __all__")


def by_name(code: str) -> str:
    """The code with every such import written out, on the one line where it stands."""
    return STAR.sub(lambda m: f"from {m[1]} import {', '.join(names_of(m[1]))}", code)
