"""A progress bar leaves its label in a notebook: no time, no speed, nothing on stderr."""

import io
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.progress_bar import with_progress
from tools import running
from tools.editions import METADATA
from tools.outputs import WIDGET, keep_what_lasts, refuse

ROOT = Path(__file__).resolve().parents[2]
LOOP = """\
from time import sleep
from course_lib.progress_bar import with_progress
for step in with_progress(range(20), "training 2 heads"):
    sleep(0.02)
print(step)"""
BROKEN = """\
from course_lib.progress_bar import with_progress
try:
    for step in with_progress(range(20), "until it breaks"):
        1 / (5 - step)
except ZeroDivisionError:
    print(step)"""


class Terminal(io.StringIO):
    """A stream on which a person looks."""

    def isatty(self):
        return True


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Both loops, run in a kernel, with everything that they put out."""
    cells = [new_code_cell(LOOP, id="loop"), new_code_cell(BROKEN, id="broken")]
    ran = new_notebook(cells=cells)
    running.run(ran, tmp_path_factory.mktemp("notebook"), ROOT)
    return ran


@pytest.mark.parametrize("items", [range(7), [1, 2, 3], iter("abc"), []])
def test_it_yields_what_it_is_given(items):
    copies = list(items)
    assert list(with_progress(iter(copies), "counting", total=len(copies))) == copies


def test_it_is_silent_where_nobody_looks(capfd):
    assert list(with_progress(range(3), "counting")) == [0, 1, 2]
    assert capfd.readouterr() == ("", "")


def test_it_is_a_line_in_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert list(with_progress(range(3), "counting")) == [0, 1, 2]
    last = terminal.getvalue().split("\r")[-1]
    assert "counting" in last
    assert "3/3" in last


def test_a_notebook_shows_a_widget(notebook):
    bar, printed = notebook.cells[0].outputs
    assert WIDGET in bar.data
    assert printed.text == "19\n"


def test_a_notebook_keeps_the_label_and_nothing_else(notebook):
    kept = nbformat.from_dict(notebook)
    keep_what_lasts(kept, solutions=False, metadata=METADATA)
    refuse(kept)
    outputs = [output for cell in kept.cells for output in cell.outputs]
    data = [output.data for output in outputs if output.output_type == "display_data"]
    assert data == [{"text/plain": "training 2 heads"}, {"text/plain": "until it breaks"}]
    assert {output.get("name", "") for output in outputs} == {"", "stdout"}


def test_nbval_finds_the_same_at_the_next_run(notebook, tmp_path):
    kept = nbformat.from_dict(notebook)
    keep_what_lasts(kept, solutions=False, metadata=METADATA)
    nbformat.write(kept, tmp_path / "bar.ipynb")
    nbval = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-q"]
    nbval += ["-p", "no:cacheprovider", "-o", f"pythonpath={ROOT}", "-c", "/dev/null"]
    done = subprocess.run([*nbval, "bar.ipynb"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_a_loop_with_a_limit_stops_behind_the_item_that_ends_too_late(monkeypatch):
    clock = iter([0.0, 10.0, 59.0, 61.0, 62.0])
    monkeypatch.setattr("course_lib.progress_bar.time.monotonic", lambda: next(clock))
    assert list(with_progress(range(9), "a minute", seconds=60)) == [0, 1, 2]
