"""Reading handed-in notebooks: whatever the files are called, and whatever is broken in them."""

import json
import os
from pathlib import Path

import pytest

from course_lib.grade.finding import find_notebooks, name_of
from course_lib.grade.handed_in import (
    EXERCISE,
    Unreadable,
    exercise_names,
    only_shows,
    read,
    without_cell_magic,
)
from course_lib.judging import names


def notebook(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    made = [{"cell_type": "code", "source": cell} for cell in cells]
    path.write_text(json.dumps({"cells": made}), encoding="utf-8")
    return path


def test_every_notebook_is_found_and_what_is_left_out_is_listed(tmp_path, broken):
    for name in ("b.ipynb", "a/x.IPYNB", ".ipynb_checkpoints/b.ipynb", "a/.hidden.ipynb"):
        notebook(tmp_path / name)
    for name in ("d.ipynb.json", "._b.ipynb"):
        notebook(tmp_path / name)
    left_out = broken(tmp_path)
    handed = find_notebooks(tmp_path)
    found = {path.relative_to(tmp_path).as_posix() for path in handed.notebooks}
    assert {"a/.hidden.ipynb", "a/x.IPYNB", "b.ipynb", "d.ipynb.json"} < found
    assert not any("checkpoints" in one or "._b" in one for one in found)
    reasons = dict(handed.left_out)
    assert set(left_out) < reasons.keys()
    assert "a link" in reasons["zero"]
    assert "no ordinary file" in reasons["pipe.fifo"]
    assert any("folders deep" in one for one in reasons.values())


def test_a_name_is_written_with_escapes_where_it_cannot_be_shown():
    folder = Path("in")
    assert name_of(folder / os.fsdecode(b"Andr\xe9.ipynb"), folder) == r"Andr\xe9"
    assert name_of(folder / "André.ipynb", folder) == "André"
    assert name_of(folder / "two\nlines\u202e.ipynb", folder) == r"two\nlines\u202e"
    assert name_of(folder / "x.IPYNB", folder) == "x.IPYNB"


def test_an_exercise_is_a_file_of_its_name():
    listed = {f"{stem}/{name}" for stem, all_ in exercise_names().items() for name in all_}
    assert listed == {name.partition("_")[2] for name in names()}


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


def test_the_chapter_is_the_one_whose_exercises_are_there(tmp_path):
    path = notebook(
        tmp_path / "a.ipynb",
        "# from course_lib.chapters.masks import *\nimport course_lib.chapters.softmax",
        "from course_lib.chapters.dot_product import *",
        "@exercise\ndef dot(a, b):\n    ...",
        "@exercise\ndef attention(q, k, v):\n    ...",
    )
    assert read(path).chapter == "01_dot_product"


def test_every_cell_of_an_exercise_is_known(tmp_path):
    path = notebook(
        tmp_path / "a.ipynb",
        "from course_lib.chapters.dot_product import exercise",
        "@exercise\ndef dot(a, b):\n    ...",
        "# @exercise\n# def angle(a, b):",
        "@exercise\ndef dot(a, b):\n    return 1",
    )
    assert read(path).exercises() == {"dot": [1, 3]}


@pytest.mark.parametrize(
    "cell",
    [
        "@exercise\ndef dot(a, b): ...",
        "@exercise  # mine\ndef dot(a, b): ...",
        "@exercise\n# here it is\n\n@other\nasync def dot(a, b): ...",
        "x = 1\n@chapter.exercise\nclass dot: ...",
    ],
)
def test_a_cell_of_an_exercise_is_seen_however_it_is_written(cell):
    assert EXERCISE.findall(cell) == ["dot"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_notebook_is_read_in_every_encoding_of_json(tmp_path, encoding):
    path = notebook(tmp_path / "a.ipynb", "import course_lib.chapters.softmax  # é")
    text = path.read_text("utf-8").replace("\\u00e9", "é")
    path.write_bytes(text.encode(encoding))
    assert "é" in read(path).cells[0]


def test_a_magic_of_a_cell_does_not_hide_its_exercise():
    cell = "%%time\n@exercise\ndef dot(a, b):\n    return 1"
    assert without_cell_magic(cell) == "\n" + cell.partition("\n")[2]
    assert without_cell_magic("%%bash\nls") == "%%bash\nls"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "damaged or was cut off"),
        (b"\xff\xfe\x00\xd8", "damaged or was cut off"),
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
