"""Draw the rooms of the library in docs/architecture.md, as text that GitHub shows as a picture.

    python -m tools.house            writes the picture into the page
    python -m tools.house --check    says whether it is stale

What a room is for is written here; its arrows are read from the imports.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools.pages import ROOT, command

LIBRARY = ROOT / "course_lib"
PAGE = ROOT / "docs" / "architecture.md"
FENCE = ("```mermaid\n", "```\n")
ROOMS = {
    "grade": "judges notebooks that are handed in",
    "chapters": "exercises, bets, explorers: what each chapter hands to a learner",
    "notebook": "what a notebook calls",
    "judging": "right, wrong, and which mistake",
    "betting": "questions, and what the run says",
    "sliding": "pictures that move",
    "learner": "a learner's code and what is kept of it",
    "measures": "what was timed and counted",
    "models": "small networks and their weights",
    "figures": "what pictures look like",
    "kernels": "the formulas: numpy or torch alone",
}


def imports(path: Path, for_types: bool = True) -> Iterator[tuple[int, str]]:
    """Yield (line, full name) of everything that the file imports, inside functions too.

    for_types: also what stands below `if TYPE_CHECKING:`, and so is never run.
    """
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            waiting += node.orelse if not for_types else [*node.body, *node.orelse]
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from ((node.lineno, one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{start}.{one.name}") for one in node.names)


def room(path: Path, library: Path = LIBRARY) -> str:
    """The room in which a module of the library lives: a folder, or a module of its own."""
    return path.relative_to(library).parts[0].removesuffix(".py")


def entered(name: str) -> str | None:
    """The room that an import enters; None outside of the library.

    The package `course_lib.chapters` alone is none: an engine looks into it for what is there.
    """
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first == "course_lib" and rest != "chapters" else None


def uses(library: Path = LIBRARY) -> dict[str, set[str]]:
    """What each room, and each module that stands in none, imports from outside of itself."""
    found: dict[str, set[str]] = {}
    for path in library.rglob("*.py"):
        here = room(path, library)
        others = {entered(name) for _, name in imports(path)} - {None, here}
        found.setdefault(here, set()).update(one for one in others if one)
    return found


def arrows(used: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    """(from, to) for each import between rooms, but those that a longer way shows too."""

    def reached(start: str) -> set[str]:
        return set().union({start}, *(reached(one) for one in used[start] if one in ROOMS))

    def shown_by_another(start: str, end: str) -> bool:
        return any(end in reached(one) for one in used[start] - {end} if one in ROOMS)

    pairs = [(one, other) for one in ROOMS for other in ROOMS if other in used[one]]
    return [pair for pair in pairs if not shown_by_another(*pair)]


def picture(used: Mapping[str, set[str]]) -> str:
    """The rooms and their arrows as Mermaid reads them.

    Raises: KeyError, if the library has a room of which nothing is said, or the reverse.
    """
    rooms = {path.parent.name for path in LIBRARY.glob("*/__init__.py")}
    if rooms != set(ROOMS):
        raise KeyError(f"tools/house.py and the library differ in: {sorted(rooms ^ set(ROOMS))}")
    boxes = [f'    {one}["<b>{one}</b><br>{said}"]' for one, said in ROOMS.items()]
    lines = [f"    {one} --> {other}" for one, other in arrows(used)]
    return "\n".join(["flowchart TD", *boxes, *lines]) + "\n"


def page(text: str) -> str:
    """The page with the picture of today in it."""
    before, start, rest = text.partition(FENCE[0])
    _, end, after = rest.partition(FENCE[1])
    return before + start + picture(uses()) + end + after


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or check it."""
    pages = {PAGE: page(PAGE.read_text(encoding="utf-8"))}
    about = __doc__.partition("\n")[0]
    return command("house", about, lambda: pages, "architecture.md", arguments)


if __name__ == "__main__":
    sys.exit(main())
