"""conftest.py: no test and no notebook sees what another one, or a learner, has left behind.

And nbval, which runs the notebooks, is strict: about texts by itself, about pictures by ours. It
runs the learner's edition in the arithmetic of an old processor.
"""

import base64
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image as Picture

from tools.outputs import draws_as_pinned

ROOT = Path(__file__).resolve().parents[2]
CODE = """\
import os, pathlib

left = pathlib.Path(os.environ["COURSE_STATE"], "left behind")
print(left.exists())
left.touch()"""
ARITHMETIC = """\
import numpy, torch
newer = numpy.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
print(torch.backends.cpu.get_cpu_capability(), newer, torch.get_num_threads())"""


def test_the_state_of_a_test_is_a_folder_of_its_own(tmp_path):
    state = Path(os.environ["COURSE_STATE"])
    assert state.parent == tmp_path
    assert not state.exists()


def drawn(colour):
    """A cell that shows a picture of one colour, and the picture as PNG in base64."""
    code = f"""\
import io
from IPython.display import Image
from PIL import Image as Picture
Picture.new("RGB", (4, 4), {colour!r}).save(file := io.BytesIO(), "PNG")
Image(file.getvalue())"""
    Picture.new("RGB", (4, 4), colour).save(file := io.BytesIO(), "PNG")
    return code, base64.b64encode(file.getvalue()).decode()


def write(path, *cells):
    """A notebook of cells, each with the output that is stored for it."""
    made = [
        new_code_cell(source, outputs=[output], execution_count=n, id=f"cell{n}")
        for n, (source, output) in enumerate(cells, 1)
    ]
    nbformat.write(new_notebook(cells=made), path)


def picture(png=None):
    """The output of a cell that shows a picture; without it, as the solutions store it."""
    shown = {"text/plain": "<IPython.core.display.Image object>"}
    shown |= {"image/png": png} if png else {}
    return new_output("execute_result", data=shown, execution_count=1)


def printed(text):
    return new_output("stream", name="stdout", text=text)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What nbval says of each cell of four notebooks, run one after the other in one process."""
    folder = tmp_path_factory.mktemp("nbval")
    (folder / "solutions").mkdir()
    shutil.copy(ROOT / "conftest.py", folder)
    (red, red_png), (blue, blue_png) = drawn("red"), drawn("blue")
    nothing_left = printed("False\n")
    write(
        folder / "a.ipynb", (CODE, nothing_left), ("print(1)", printed("2\n")),
        (red, picture(red_png)), (red, picture(blue_png)),
    )  # fmt: skip
    write(folder / "b.ipynb", (CODE, nothing_left))
    old = printed("DEFAULT [] 2\n")
    write(folder / "c.ipynb", (red, picture(red_png)), (red, picture(red_png)), (ARITHMETIC, old))
    command = [sys.executable, "-c", ARITHMETIC]
    here = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    write(
        folder / "solutions" / "c.ipynb",
        (red, picture()), (blue, picture()), (ARITHMETIC, printed(here)),
    )  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "--nbval", "--nbval-current-env"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env |= {"COURSE_STATE": str(folder / "a learner's"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, folder], cwd=folder, env=env, capture_output=True, text=True)
    found = re.findall(
        r"^(PASSED|FAILED) \S*?((?:solutions/)?\w)\.ipynb::Cell (\d)", done.stdout, re.M
    )
    assert len(found) == 11, done.stdout + done.stderr
    return {f"{book}{cell}": outcome for outcome, book, cell in found}


def test_each_notebook_begins_with_an_empty_state(outcomes):
    assert (outcomes["a0"], outcomes["b0"]) == ("PASSED", "PASSED")


def test_another_text_fails(outcomes):
    assert outcomes["a1"] == "FAILED"


def test_another_picture_fails_and_the_same_passes(outcomes):
    another = "FAILED" if draws_as_pinned() else "PASSED"
    assert (outcomes["a2"], outcomes["a3"]) == ("PASSED", another)


def test_the_solutions_pictures_are_compared_with_the_learners(outcomes):
    another = "FAILED" if draws_as_pinned() else "PASSED"
    assert (outcomes["solutions/c0"], outcomes["solutions/c1"]) == ("PASSED", another)


def test_the_learners_edition_computes_as_an_old_processor_and_the_solutions_as_this_one(outcomes):
    assert (outcomes["c2"], outcomes["solutions/c2"]) == ("PASSED", "PASSED")
