"""tools/environment.py: an old Python, or one without venv, is told so in one sentence."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.environment import problem

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "environment.py"


def test_an_old_python_can_read_the_script():
    tree = ast.parse(SCRIPT.read_text(encoding="ascii"), feature_version=(3, 4))
    for node in ast.walk(tree):
        new = isinstance(node, ast.JoinedStr | ast.AnnAssign | ast.NamedExpr | ast.Nonlocal)
        assert not new, f"line {node.lineno}: Python 2.7 cannot read this"
        if isinstance(node, ast.FunctionDef):
            annotated = node.returns or any(argument.annotation for argument in node.args.args)
            assert not annotated, f"line {node.lineno}: Python 2.7 has no annotations"
            assert not node.args.kwonlyargs, f"line {node.lineno}: nor keyword-only arguments"
        if isinstance(node, ast.Raise):
            assert node.cause is None, f"line {node.lineno}: nor `raise from`"
        if isinstance(node, ast.ImportFrom):
            assert node.module == "installation", f"line {node.lineno}: it needs no package"


def test_this_python_will_do():
    assert problem() is None


def test_an_old_python_is_told_in_one_sentence(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    assert re.fullmatch(r"The course needs Python 3\.11 or newer, and .* is 3\.9: .*\.", problem())


def test_a_newer_python_on_the_path_is_named_to_an_old_one(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert problem().endswith("install one.")
    (tmp_path / "python3.12").symlink_to(sys.executable)
    assert problem().endswith("say `make lab PYTHON=python3.12`.")
    (tmp_path / "python3.12").unlink()
    (tmp_path / "python3.12").write_text("#!/bin/false")
    (tmp_path / "python3.12").chmod(0o755)
    assert problem().endswith("install one."), "one that does not run is not named"


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_the_package(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    assert re.search(rf"{module} is missing.*python3-venv", problem())


def test_the_script_ends_with_the_sentence(tmp_path):
    old = "import sys; sys.version_info = (3, 9, 0); import runpy; sys.argv = ['e', 'lab']; "
    command = [sys.executable, "-c", f"{old}runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("The course needs Python 3.11")
    assert done.stderr.count("\n") == 1
