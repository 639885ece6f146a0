"""Reading handed-in notebooks: whatever the files are called, and whatever is broken in them."""

import json

import pytest

from course_lib.grade.handed_in import Unreadable, find_notebooks, only_shows, read


def notebook(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    made = [{"cell_type": "code", "source": cell} for cell in cells]
    path.write_text(json.dumps({"cells": made}), encoding="utf-8")
    return path


def test_notebooks_are_found_below_and_copies_of_jupyter_are_not(tmp_path):
    for name in ("b.ipynb", "a/x.ipynb", ".ipynb_checkpoints/b.ipynb", "a/.hidden.ipynb"):
        notebook(tmp_path / name)
    (tmp_path / "notes.txt").touch()
    found = [path.relative_to(tmp_path).as_posix() for path in find_notebooks(tmp_path)]
    assert found == ["a/x.ipynb", "b.ipynb"]


@pytest.mark.parametrize(
    "line",
    [
        "from course_lib.chapters.softmax import *",
        "from course_lib.chapters.softmax import exercise",
        "from course_lib.chapters import softmax",
        "import course_lib.chapters.softmax as chapter",
        ["import numpy as np\n", "from course_lib.chapters.softmax import (exercise)"],
        "from course_lib.exercises.softmax import exercise  # of the first edition",
    ],
)
def test_the_chapter_is_known_by_what_is_imported(tmp_path, line):
    path = notebook(tmp_path / "renamed.ipynb", "x = 1", line)
    assert read(path).chapter == "04_softmax"


def test_the_last_cell_of_an_exercise_counts(tmp_path):
    path = notebook(
        tmp_path / "a.ipynb",
        "from course_lib.chapters.dot_product import exercise",
        "@exercise\ndef dot(a, b):\n    ...",
        "# @exercise\n# def angle(a, b):",
        "@exercise\ndef dot(a, b):\n    return 1",
    )
    assert read(path).exercises() == {"dot": 3}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "damaged or was cut off"),
        (b"\xff\xfe\x00", "damaged or was cut off"),
        (b"[" * 100_000, "damaged or was cut off"),
        (b"[]", "no list of cells"),
        (b'{"cells": 3}', "no list of cells"),
        (b'{"cells": [{"cell_type": "code"}]}', "no list of cells"),
        (b'{"cells": []}', "the exercises of no chapter"),
        (b'{"cells": [{"cell_type": "code", "source": "import course_lib"}]}', "of no chapter"),
    ],
)
def test_a_broken_file_has_its_reason(tmp_path, content, said):
    path = tmp_path / "a.ipynb"
    path.write_bytes(content)
    with pytest.raises(Unreadable, match=said):
        read(path)


def test_a_folder_with_the_name_of_a_notebook_has_its_reason(tmp_path):
    (tmp_path / "a.ipynb").mkdir()
    with pytest.raises(Unreadable, match="cannot be read"):
        read(tmp_path / "a.ipynb")


@pytest.mark.parametrize(
    ("cell", "shows"),
    [
        ("explore_width(softmax=softmax)", True),
        ("bet('x')", True),
        ("settle('x', 3)\nprogress()", True),
        ("x = bet('x')", False),
        ("np.random.seed(0)", False),
        ("better(1)", False),
        ("explore_width(", False),
        ("", False),
    ],
)
def test_cells_that_only_show_something_need_not_run(cell, shows):
    assert only_shows(cell) is shows
