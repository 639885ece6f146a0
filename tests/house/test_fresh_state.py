"""conftest.py: no test and no notebook sees what another one, or a learner, has left behind."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).resolve().parents[2]
CODE = """\
import os, pathlib

left = pathlib.Path(os.environ["COURSE_STATE"], "left behind")
print(left.exists())
left.touch()"""


def test_the_state_of_the_tests_is_a_temporary_folder():
    assert "course-state-" in os.environ["COURSE_STATE"]


def nbval(folder, printed):
    """Run two notebooks that expect `printed`, one after the other in one process."""
    shutil.copy(ROOT / "conftest.py", folder)
    for name in ("a.ipynb", "b.ipynb"):
        output = new_output("stream", name="stdout", text=printed)
        cell = new_code_cell(CODE, outputs=[output], execution_count=1)
        nbformat.write(new_notebook(cells=[cell]), folder / name)
    command = [sys.executable, "-m", "pytest", "-q", "--nbval", "--nbval-current-env", folder]
    env = os.environ | {"COURSE_STATE": str(folder / "a learner's")}
    inherited = {name for name in env if name.startswith("PYTEST_")}
    env = {name: value for name, value in env.items() if name not in inherited}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.parametrize(("printed", "passes"), [("False\n", True), ("True\n", False)])
def test_each_notebook_begins_with_an_empty_state_and_nbval_is_strict(tmp_path, printed, passes):
    done = nbval(tmp_path, printed)
    assert done.returncode == (0 if passes else 1), done.stdout + done.stderr
    assert ("2 passed" if passes else "2 failed") in done.stdout
