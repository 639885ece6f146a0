"""One letter, one meaning: the shapes that exercises name keep to the table of CONTRIBUTING.md."""

import ast
import re
from pathlib import Path

import pytest

from tools.chapter import read_chapter

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9][0-9]_*.py"))
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SHAPE = re.compile(r"(\w+): \(([^()]*,[^()]*)\)")
# The last two axes of what attention takes, as the table says; n stands where t = s.
AXES = {"q": ({"t", "n"}, "d"), "k": ({"s", "n"}, "d"), "v": ({"s", "n"}, "e")}


def letters_of(page: str) -> set[str]:
    """The letters of the page's table."""
    rows = re.findall(r"^\| `(\w)` \|[^|]*\| `(\w)` \|", page, re.MULTILINE)
    return {letter for row in rows for letter in row}


def shapes(code: str) -> list[tuple[str, str, list[str]]]:
    """Of each function's docstring: the function, what has the shape, and its axes."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef):
            for name, inside in SHAPE.findall(ast.get_docstring(node) or ""):
                axes = [axis.strip() for axis in inside.split(",") if axis.strip()]
                found.append((node.name, name, axes))
    return found


def strangers(code: str, letters: set[str]) -> list[str]:
    """The shapes that use a letter which the table has not, or one of it for something else."""
    found = []
    for function, name, axes in shapes(code):
        unknown = {one for axis in axes for one in re.findall(r"\b[a-z]\b", axis)} - letters
        if unknown:
            found.append(f"{function}: {name} has {', '.join(sorted(unknown))}, not in the table")
        if name in AXES and len(axes) > 1 and all(axis in letters for axis in axes[-2:]):
            places, width = AXES[name]
            if axes[-1] != width or axes[-2] not in places:
                found.append(f"{function}: {name} has the axes {', '.join(axes)}")
    return found


def test_the_table_has_the_letters_of_attention():
    assert {"b", "h", "g", "t", "s", "n", "d", "e", "m"} <= letters_of(PAGE)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_shapes_in_a_chapter_use_the_letters_of_the_table(path):
    cells = [cell for cell in read_chapter(path).english if cell.kind == "code"]
    found = [one for cell in cells for one in strangers(cell.text, letters_of(PAGE))]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("v: (s, m)", "v has the axes s, m"),
        ("q: (s, d)", "q has the axes s, d"),
        ("w: (d, y)", "w has y, not in the table"),
    ],
)
def test_a_letter_that_means_something_else_is_found(says, why):
    code = f'def attention(q, k, v):\n    """Averages.\n\n    {says}\n    """'
    assert strangers(code, letters_of(PAGE)) == [f"attention: {why}"]


def test_shapes_as_the_table_has_them_pass():
    says = "q: (b, h, t, d)   k: (b, g, s, d)   v: (s, e)   near: (2,)   returns: (t, h e)"
    code = f'def attention(q, k, v):\n    """Averages.\n\n    {says}\n    """'
    assert len(shapes(code)) == 5
    assert not strangers(code, letters_of(PAGE))
