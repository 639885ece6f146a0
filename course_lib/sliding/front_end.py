"""The front end of an explorer as one module: a notebook and a page are each sent one text.

Its parts in `front` are modules that import each other, as an editor and a reader want them.
"""

import re
from pathlib import Path

FRONT = Path(__file__).parent / "front"
PARTS = ("elements", "numbers", "asking", "rows", "handles", "explorer")  # each after what it needs
IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


def front_end() -> str:
    """The parts one after another, without the lines that import one from another."""
    texts = [(FRONT / f"{name}.js").read_text(encoding="utf-8") for name in PARTS]
    return "\n".join(IMPORT.sub("", text) for text in texts)
