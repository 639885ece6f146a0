"""No two files of the library need each other, not even by way of others."""

from pathlib import Path

import pytest

from tools.house import LIBRARY, imports


def file_of(name: str, root: Path) -> Path | None:
    """The file that an import of `name` reads: a module's, or the one that defines the name."""
    for parts in (name.split("."), name.split(".")[:-1]):
        place = root.joinpath(*parts)
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if parts and path.is_file():
                return path
    return None


def needs(library: Path) -> dict[Path, set[Path]]:
    """Each file of the library, and the files that it imports when it runs."""
    found = {}
    for path in library.rglob("*.py"):
        named = {file_of(name, library.parent) for _, name in imports(path, for_types=False)}
        found[path] = {one for one in named if one and one != path and library in one.parents}
    return found


def circles(needed: dict[Path, set[Path]]) -> list[list[str]]:
    """The groups of files that all lead to each other (Tarjan, 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(one):
        number[one] = low[one] = len(number)
        stack.append(one)
        for other in needed[one]:
            if other not in number:
                visit(other)
            if other in stack:
                low[one] = min(low[one], low[other])
        if low[one] == number[one]:
            group = stack[stack.index(one) :]
            del stack[stack.index(one) :]
            if len(group) > 1:
                found.append(sorted(path.name for path in group))

    for one in sorted(needed):
        if one not in number:
            visit(one)
    return found


def test_no_files_of_the_library_import_each_other():
    assert circles(needs(LIBRARY)) == []


@pytest.fixture
def library(tmp_path):
    """A library of files that import each other."""

    def write(**texts):
        folder = tmp_path / "course_lib" / "room"
        folder.mkdir(parents=True)
        for name, text in texts.items():
            (folder / f"{name}.py").write_text(text)
        return folder.parent

    return write


def test_a_circle_is_found_also_by_way_of_others_and_inside_functions(library):
    made = library(
        a="from course_lib.room.b import x",
        b="from course_lib.room import c",
        c="def late():\n    import course_lib.room.a",
        d="import course_lib.room.a",
    )
    assert circles(needs(made)) == [["a.py", "b.py", "c.py"]]


def test_an_import_for_types_only_makes_no_circle(library):
    made = library(
        a="from course_lib.room.b import x",
        b="import typing\nif typing.TYPE_CHECKING:\n    from course_lib.room.a import y",
    )
    assert len(needs(made)) == 2
    assert circles(needs(made)) == []
