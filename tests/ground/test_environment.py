"""What is missing is said, with what to do; nothing fails and nothing is imported."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from course_lib.environment import LATER, NEEDED, PYTHON, check_environment, findings, installed

PYPROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
EVERYTHING = {**NEEDED, **LATER}


def declared(lines):
    return dict(re.match(r"(\w+)>=([\d.]+)", line).groups() for line in lines)


def test_the_names_and_versions_are_those_of_pyproject():
    assert declared(PYPROJECT["dependencies"]) == NEEDED
    assert LATER.items() <= declared(PYPROJECT["optional-dependencies"]["torch"]).items()
    assert PYPROJECT["requires-python"] == ">=" + ".".join(map(str, PYTHON))


def test_where_all_is_here_it_says_so():
    assert findings(EVERYTHING.get, (3, 12)) == [
        "Python: new enough.",
        "What chapters 0 to 4 need: all here.",
        "PyTorch, for chapters 5 to 8: here.",
    ]


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_missing_is_named_with_what_to_do(name):
    here = {one: v for one, v in EVERYTHING.items() if one != name}
    lines = findings(here.get, (3, 12))
    assert f"Missing: {name}." in lines
    assert any("`make setup`" in line for line in lines)


def test_what_is_missing_stands_in_one_line():
    lines = findings(lambda name: None, (3, 12))
    assert [line for line in lines if line.startswith("Missing")] == [
        "Missing: " + ", ".join(NEEDED) + "."
    ]


def test_what_is_old_is_named_with_both_versions():
    lines = findings({**EVERYTHING, "numpy": "1.26.4"}.get, (3, 12))
    assert "numpy is 1.26.4, the course needs 2.0 or newer." in lines


@pytest.mark.parametrize("version", ["10.0", "3.10.1rc1", "11", "12.dev0"])
def test_versions_are_numbers_not_texts(version):
    lines = findings({**EVERYTHING, "matplotlib": version}.get, (3, 12))
    assert not any("matplotlib" in line for line in lines)


def test_without_torch_it_says_which_chapters_do_without():
    lines = findings(NEEDED.get, (3, 12))
    assert lines[1] == "What chapters 0 to 4 need: all here."
    assert "chapters 0 to 4 need none" in lines[2]
    assert "old" in findings({**EVERYTHING, "torch": "2.0.1+cpu"}.get, (3, 12))[2]


def test_an_old_python_is_named():
    assert "3.10" in findings(EVERYTHING.get, (3, 10))[0]
    assert "make setup" in findings(EVERYTHING.get, (3, 10))[0]


@pytest.mark.parametrize("name", ["environment.py", "words.py", "__init__.py"])
def test_an_old_python_gets_as_far_as_the_sentence(name):
    """It must be able to read the files, and not evaluate what stands in annotations."""
    text = (Path(__file__).parents[2] / "course_lib" / name).read_text()
    tree = ast.parse(text, feature_version=(3, 8))
    annotated = any(
        isinstance(node, ast.AnnAssign) or getattr(node, "returns", None) for node in ast.walk(tree)
    )
    assert not annotated or "from __future__ import annotations" in text


def test_versions_are_printed_only_when_asked_for(capsys):
    check_environment()
    assert not re.search(r"\d\.\d+\.\d", capsys.readouterr().out)
    check_environment(versions=True)
    assert f"numpy {installed('numpy')}" in capsys.readouterr().out
    assert "torch -" in findings(NEEDED.get, (3, 12), versions=True)


def test_looking_imports_nothing():
    code = (
        "import sys; from course_lib.environment import check_environment; check_environment(); "
        "assert not {'torch', 'numpy', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
