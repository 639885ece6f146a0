"""Notebooks that learners handed in: what is in them is judged, and nothing of it reaches out."""

import json
import socket
import threading

import pytest

from course_lib.chapters import dot_product
from course_lib.grade.__main__ import main
from course_lib.grade.confinement import Limits
from course_lib.grade.judged import judge_notebook

START = "import numpy as np\nfrom course_lib.chapters.dot_product import exercise, bet"
RIGHT = "@exercise\ndef dot(a, b):\n    return (a * b).sum()"
PAIRS = "@exercise\ndef pairwise_dots(q, k):\n    return q @ k.T"
QUICK = Limits(seconds=120, memory=3_000_000_000)


def hand_in(folder, *cells, name="ada", start=START):
    """A notebook of code cells, after the imports."""
    made = [{"cell_type": "code", "source": cell} for cell in (start, *cells)]
    path = folder / f"{name}.ipynb"
    path.write_text(json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A notebook with an accident of each kind, judged: its rows by exercise; the port it tried."""
    folder = tmp_path_factory.mktemp("handed in")
    called = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        threading.Thread(target=lambda: server.accept() and called.set(), daemon=True).start()
        path = hand_in(
            folder,
            "@exercise\ndef dot(a, b)\n    return 0",
            "bet('louder')",
            "@exercise\ndef pairwise_dots(q, k):\n"
            "    return np.array([[dot(a, b) for b in k] for a in q])",
            f"import socket\n@exercise\ndef angle(a, b):\n"
            f"    socket.create_connection(('127.0.0.1', {port}), 1)",
            "import os\n@exercise\ndef small_angle(a, b):\n"
            f"    os.system('touch \"{folder}/started\"')",
            "@exercise\ndef near_and_loud(*args):\n    ...",
            "everything = np.ones(10**10)",
            "@exercise\ndef projection_length(a, b):\n    return a @ b",
            "open('a file', 'w').write('mine')",
            "def perpendicular_to(a):\n    return np.array([-a[1], a[0]])",
        )
        rows = judge_notebook(path, "ada", QUICK)
    return {row.exercise: row for row in rows}, called, folder


def test_every_exercise_of_the_chapter_has_a_row(judged):
    assert list(judged[0]) == list(dot_product.handout.exercises)


def test_a_cell_that_python_cannot_read_is_wrong_with_its_line(judged):
    row = judged[0]["dot"]
    assert row.result == "wrong"
    assert row.reason == "The cell does not run: SyntaxError: expected ':', line 2"


def test_the_cells_below_it_get_the_courses_function(judged):
    row = judged[0]["pairwise_dots"]
    assert row.result == "right"
    assert row.reason == "It calls the course's dot, whose own cell is not right."


def test_the_network_is_out_of_reach(judged):
    assert judged[0]["angle"].result == "wrong"
    assert not judged[1].is_set()


def test_no_program_is_started(judged):
    assert "may not use other programs" in judged[0]["small_angle"].reason
    assert not (judged[2] / "started").exists()


def test_a_stub_is_not_attempted(judged):
    assert judged[0]["near_and_loud"].result == "not attempted"
    assert judged[0]["near_and_loud"].reason == ""


def test_too_much_memory_stops_the_cell_and_not_the_notebook(judged):
    row = judged[0]["projection_length"]
    assert row.result == "wrong"
    assert row.mistake


def test_an_exercise_without_a_cell_is_said_to_have_none(judged):
    assert judged[0]["attention"].result == "no cell"


def test_what_is_written_goes_where_it_is_thrown_away(judged):
    assert [path.name for path in judged[2].iterdir()] == ["ada.ipynb"]


def test_a_cell_that_ends_python_takes_no_other_with_it(tmp_path):
    path = hand_in(tmp_path, RIGHT, "import os; os._exit(3)", PAIRS)
    rows = {row.exercise: row for row in judge_notebook(path, "ada", QUICK)}
    assert rows["dot"].result == rows["pairwise_dots"].result == "right"


def test_a_notebook_of_the_first_edition_is_judged(tmp_path):
    imports = (
        "from course_lib.exercises.dot_product import bet, exercise, progress",
        "from course_lib.explorers.dot_product import explore_angle\n"
        "from course_lib.explorers import dot_product\n"
        "from course_lib.kernels.a_module_that_moved import something",
        RIGHT,
        "@exercise\ndef pairwise_dots(q, k):\n    return q @ k.T",
    )
    path = hand_in(tmp_path, *imports, start="import numpy as np")
    rows = {row.exercise: row for row in judge_notebook(path, "ada", QUICK)}
    assert rows["dot"].result == rows["pairwise_dots"].result == "right"


def test_a_notebook_that_cannot_be_stopped_from_inside_is_ended(tmp_path):
    stubborn = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    rows = judge_notebook(hand_in(tmp_path, stubborn, RIGHT), "ada", Limits(seconds=8))
    assert {row.result for row in rows} == {"not judged", "no cell"}
    assert rows[0].reason == "The notebook was stopped after 8 s, in code cell 2."


def test_the_command_writes_a_table_and_a_page(tmp_path, capsys):
    given = tmp_path / "given"
    given.mkdir()
    hand_in(given, RIGHT)
    (given / "broken.ipynb").write_text('{"cells": [')
    assert main([str(given), "--out", str(tmp_path / "out"), "--jobs", "2"]) == 0
    assert "2 judged" in capsys.readouterr().out
    table = (tmp_path / "out" / "grades.csv").read_text("utf-8-sig").splitlines()
    assert table[1] == "ada,01_dot_product,dot,right,,"
    assert table[-1].startswith("broken,,,not judged,,The file is not a notebook")
    assert "broken" in (tmp_path / "out" / "grades.html").read_text("utf-8")
    assert sorted(path.name for path in given.iterdir()) == ["ada.ipynb", "broken.ipynb"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "FOLDER must be a folder"),
        (["."], "There is no notebook"),
        ([".", "--jobs", "0"], "expected 1 or more"),
        ([".", "--memory", "inf"], "expected a number above 0"),
    ],
)
def test_a_wrong_call_is_told_in_a_sentence(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(arguments)
    except SystemExit as stopped:
        status = stopped.code
    assert status == 2
    assert said in capsys.readouterr().err


def test_where_nothing_can_be_written_nothing_is_judged(tmp_path, capsys):
    hand_in(tmp_path, RIGHT)
    (tmp_path / "file").touch()
    assert main([str(tmp_path), "--out", str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
