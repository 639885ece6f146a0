"""Which chapters `make test` opens in the browser: found, not listed, so that it stays true.

Each kind of chapter is opened once, with torch in its kernel and without. Of each kind it is the
shortest, since opening and running takes the time; `make walk` takes all.
"""

import json
import re
from pathlib import Path

RULE = "the shortest chapter with PyTorch and the shortest without"  # as the documents say it
IMPORTS_TORCH = re.compile(r"^\s*(?:import|from) torch\b", re.MULTILINE)


def shortest_of_each_kind(notebooks: list[Path]) -> list[str]:
    """The names, in order, of the notebooks with the fewest cells, one with torch, one without.

    Of two that are equally short it is the first.
    """
    shortest: dict[bool, tuple[int, str]] = {}
    for path in sorted(notebooks):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        kind, length = bool(IMPORTS_TORCH.search(code)), len(cells)
        if kind not in shortest or length < shortest[kind][0]:
            shortest[kind] = length, path.name
    return sorted(name for _, name in shortest.values())
