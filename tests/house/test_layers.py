"""The arrows between the rooms of course_lib, read from the imports; how long a module may be."""

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

from tools.house import LIBRARY, entered, imports, room

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(LIBRARY.rglob("*.py"))
CODE = sorted([*MODULES, *(ROOT / "tools").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")])
TESTS = sorted((ROOT / "tests").rglob("*.py"))
FRONT_ENDS = sorted([*LIBRARY.rglob("*.js"), *(ROOT / "page").rglob("*.js")])
WORDS = {"words", "showing", "markup"}  # what is said and shown
NUMBERS = {"kernels", "measures", "models", "figures"}
MAY_IMPORT = {  # beside itself
    "words": set(),
    "showing": set(),
    "files": set(),
    "markup": {"words"},
    "environment": {"words"},  # what is installed: it imports none of it
    "progress_bar": {"showing"},  # for notebooks; models take an iterable of steps
    "kernels": set(),
    "models": {"kernels"},
    "measures": {"kernels", "models"},
    "figures": {"kernels"} | WORDS,
    "learner": {"kernels", "files"} | WORDS,  # the kernels' switch between Triton and numpy
    "judging": {"learner"} | WORDS,
    "betting": {"learner"} | WORDS,
    "sliding": {"learner", "figures"} | WORDS,
    "notebook": {"learner", "judging", "betting"} | WORDS,
    "chapters": {"learner", "judging", "betting", "sliding", "notebook", "progress_bar"}
    | NUMBERS
    | WORDS,
    "grade": {"learner", "judging", "notebook", "progress_bar"} | WORDS,
}
ONLY_BY = {("learner", "kernels"): "triton_language.py", ("betting", "learner"): "form.py"}
ENGINES = ("learner", "judging", "betting", "sliding", "notebook")
NUMERICAL = {"numpy", "torch", "triton"}
LIGHT_CHAPTERS = sorted((ROOT / "chapters").glob("0[0-4]_*.py"))
HANDS_OUT = {LIBRARY / "judging" / "__init__.py", *LIBRARY.glob("chapters/*/__init__.py")}
LONGEST_MODULE, LONGEST_FUNCTION = 300, 40
VAGUE = ("util", "helper", "misc", "common")


def each(paths):
    """Run a test for each of `paths`."""
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(ROOT)))


imported = functools.cache(lambda path: tuple(imports(path)))


def test_every_room_has_its_arrows():
    rooms = {room(path) for path in MODULES} - {"__init__"}
    assert rooms == set(MAY_IMPORT), "a new room needs its arrows here and in CONTRIBUTING"


def test_imports_follow_the_arrows():
    wrong = []
    for path in MODULES:
        here = room(path)
        allowed = {None, here} | MAY_IMPORT.get(here, set())
        for line, name in imported(path):
            there = entered(name)
            file = ONLY_BY.get((here, there), path.name)
            if there not in allowed:
                wrong.append(f"{path}:{line}: {here} imports {name}")
            elif file != path.name:
                wrong.append(f"{path}:{line}: only {file} of {here} imports {there}")
    assert wrong == []


@each(sorted((LIBRARY / "kernels").glob("*.py")))
def test_kernels_need_numpy_or_torch_and_nothing_else(path):
    for line, name in imports(path):
        package = name.partition(".")[0]
        known = package in NUMERICAL | {"course_lib"} or package in sys.stdlib_module_names
        assert known, f"{path}:{line}: a kernel imports {name}"


@each([path for path in MODULES if room(path) in ENGINES])
def test_an_engine_names_no_chapter(path):
    stems = {one.name for one in (LIBRARY / "chapters").iterdir() if one.is_dir()}
    for line, name in imports(path):
        there = set(name.split(".")) if entered(name) == "chapters" else set()
        assert not there & stems, f"{path}:{line}: an engine imports {name}"


def test_nothing_in_the_library_imports_pyplot():
    found = [(path, *one) for path in MODULES for one in imported(path) if "pyplot" in one[1]]
    assert found == [], "figures are made without pyplot"


@each(sorted(set(LIBRARY.rglob("__init__.py")) - HANDS_OUT))
def test_an_init_holds_a_docstring_only(path):
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert len(body) == 1, f"{path}: a name exported here can hide a module"
    assert isinstance(body[0], ast.Expr)
    assert isinstance(body[0].value.value, str)


@each(sorted(HANDS_OUT))
def test_an_init_that_hands_out_names_lists_them(path):
    body = ast.parse(path.read_text(encoding="utf-8")).body
    assert ast.get_docstring(ast.Module(body, []))
    lists = [one for one in body if ast.unparse(one).startswith("__all__ = ")]
    assert len(lists) == 1
    assert not [one for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)]


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


def test_no_module_is_longer_than_300_lines():
    every = [*CODE, *FRONT_ENDS, *TESTS]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in every}
    longer = [f"{path} has {count}" for path, count in lines.items() if count > LONGEST_MODULE]
    assert longer == [], "these are two things each"


def test_no_function_is_longer_than_40_lines():
    longer = [
        f"{path}:{node.lineno}: {node.name} has {node.end_lineno - node.lineno + 1}"
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    ]
    assert longer == [], "these are two things each"


def test_file_names_say_a_concept():
    vague = [str(path) for path in CODE if any(word in path.stem for word in VAGUE)]
    assert vague == [], "name what they are about"
