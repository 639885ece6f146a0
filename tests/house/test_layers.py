"""The arrows between the rooms of course_lib, read from the imports."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "course_lib"
MODULES = sorted(LIBRARY.rglob("*.py"))
CODE = sorted([*MODULES, *(ROOT / "tools").glob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
GROUND = {"words", "showing", "time_limit", "containment"}
MAY_IMPORT = {  # beside itself
    "words": set(),
    "showing": set(),
    "time_limit": set(),
    "containment": set(),
    "environment": {"words"},  # what is installed: it imports none of it
    "progress_bar": {"containment", "showing"},  # for notebooks; models take an iterable of steps
    "kernels": set(),
    "models": {"kernels"},
    "figures": {"kernels"} | GROUND,
    "exercises": {"kernels", "models", "figures"} | GROUND,
    "explorers": {"kernels", "models", "figures"} | GROUND,
    "grade": {"exercises", "progress_bar"} | GROUND,
}
NUMERICAL = {"numpy", "torch", "triton"}
LIGHT_CHAPTERS = sorted((ROOT / "chapters").glob("0[0-4]_*.py"))
LONGEST_MODULE, LONGEST_FUNCTION = 300, 40
VAGUE = ("util", "helper", "misc", "common")


def each(paths):
    """Run a test for each of `paths`."""
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(ROOT)))


def imports(path):
    """Yield (line, full name) of everything that the file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written in full"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def room(path):
    """The room in which a module of the library lives: a folder, or a module of its own."""
    return path.relative_to(LIBRARY).parts[0].removesuffix(".py")


def target(name):
    """The room that an import enters; None outside of the library."""
    first, _, rest = name.partition(".")
    return rest.partition(".")[0] if first == "course_lib" else None


def test_every_room_has_its_arrows():
    rooms = {room(path) for path in MODULES} - {"__init__"}
    assert rooms == set(MAY_IMPORT), "a new room needs its arrows here and in CONTRIBUTING"


@each(MODULES)
def test_imports_follow_the_arrows(path):
    here = room(path)
    allowed = MAY_IMPORT.get(here, set()) | {here}
    for line, name in imports(path):
        entered = target(name)
        assert entered is None or entered in allowed, f"{path}:{line}: {here} imports {name}"


@each(sorted((LIBRARY / "kernels").glob("*.py")))
def test_kernels_need_numpy_or_torch_and_nothing_else(path):
    for line, name in imports(path):
        package = name.partition(".")[0]
        known = package in NUMERICAL | {"course_lib"} or package in sys.stdlib_module_names
        assert known, f"{path}:{line}: a kernel imports {name}"


@each(sorted(LIBRARY.glob("*/engine/*.py")))
def test_an_engine_knows_no_chapter(path):
    own = f"course_lib.{room(path)}"
    for line, name in imports(path):
        if name.startswith(f"{own}."):
            assert name.startswith(f"{own}.engine."), f"{path}:{line}: an engine imports {name}"


@each(MODULES)
def test_nothing_in_the_library_imports_pyplot(path):
    found = [(line, name) for line, name in imports(path) if "pyplot" in name]
    assert not found, f"{path}: figures are made without pyplot: {found}"


@each(sorted(LIBRARY.rglob("__init__.py")))
def test_an_init_holds_a_docstring_only(path):
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert len(body) == 1, f"{path}: a name exported here can hide a module"
    assert isinstance(body[0], ast.Expr)
    assert isinstance(body[0].value.value, str)


def test_there_are_chapters_that_need_no_torch():
    assert LIGHT_CHAPTERS


@each(LIGHT_CHAPTERS)
def test_what_chapters_0_to_4_import_loads_neither_torch_nor_pyplot(path):
    lines = [
        ast.unparse(node)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert lines
    ask = "import sys; print([n for n in ('torch', 'matplotlib.pyplot') if n in sys.modules])"
    script = "\n".join([*lines, ask])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


# A chapter's exercises are data, its explorers a list of pictures that do not know each other.
LISTS = (LIBRARY / "exercises", LIBRARY / "explorers")


@each([path for path in CODE if path.parent not in LISTS])
def test_no_module_is_longer_than_300_lines(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_MODULE, f"{path} has {lines} lines: it is two things"


@each(CODE)
def test_no_function_is_longer_than_40_lines(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            length = node.end_lineno - node.lineno + 1
            where = f"{path}:{node.lineno}: {node.name}"
            assert length <= LONGEST_FUNCTION, f"{where} has {length} lines: it is two things"


@each(CODE)
def test_file_names_say_a_concept(path):
    assert not any(word in path.stem for word in VAGUE), f"{path}: name what it is about"
