"""A folder of honest, broken and hostile hand-ins: each gets what it deserves, no other suffers.

`make test` takes one hand-in of each kind that is quick to judge; `make walk` takes all of them.
"""

import csv
import os
import socket

import pytest

from course_lib.grade.__main__ import main
from course_lib.grade.confinement import Limits
from course_lib.grade.finding import name_of
from course_lib.grade.judged import judge_notebook
from course_lib.grade.sandbox import why_not
from tests.grade import hand_ins
from tests.grade.hand_ins import BROKEN, HONEST, HOSTILE, START, WRONG, Case, case, write
from tests.sweeps import WALK

FEW = Limits(seconds=120, memory=3_000_000_000, cell=20)
MANY_AT_ONCE = {  # one notebook, an attack in each of its exercises
    "mine = pairwise_dots": "@exercise\ndef pairwise_dots(q, k):\n    return mine(q, k)",
    "np.isclose = np.allclose = np.all = lambda *a, **k: True": WRONG,
    "from course_lib.judging.registry import find\n"
    "right = find('01_dot_product/angle').answer": "@exercise\ndef angle(a, b):\n"
    "    return right(a, b)",
    "from course_lib.chapters.dot_product.exercises.attention import ATTENTION": "@exercise\n"
    "def attention(q, k, v):\n    return ATTENTION.answer(q, k, v)",
    "for fd in range(3, 30):\n    try: os.write(fd, b'')\n    except (OSError, NameError): pass":
    "@exercise\ndef small_angle(a, b):\n    exercise(small_angle)\n    return small_angle(a, b)",
    "log = []": "@exercise\ndef projection_length(a, b):\n    log.append((a, b))",
    "known = [(a, b, projection_length(a, b)) for a, b in log]": "@exercise\n"
    "def projection_length(a, b):\n"
    "    return [y for p, q, y in known if np.array_equal(p, a) and np.array_equal(q, b)][0]",
}  # fmt: skip


def results(rows):
    return {row.exercise: row.result for row in rows}


def test_no_attack_on_the_judge_makes_a_mark(tmp_path):
    cells = [cell for pair in MANY_AT_ONCE.items() for cell in pair]
    path = write(tmp_path, case("attacks.ipynb", *cells))
    rows = judge_notebook(path, "attacks", FEW)
    assert "right" not in results(rows).values()
    said = " ".join(row.reason for row in rows)
    assert "pairwise_dots is the course's own here, and no answer" in said


def test_what_an_honest_learner_may_have_typed_costs_nothing(tmp_path):
    cells = (
        f"!pip install numpy\n%pip install torch\n%no_such_magic\n# course_lib.chapters.softmax\n"
        f"{START}",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
        "%%time\n@exercise  # mine\ndef dot(a, b):\n    return (a * b).sum()",
        "import sys; sys.setrecursionlimit(10**9)\ndef down(x): return sorted([x], key=down)",
        "down(1)",
        "@exercise\ndef dot(a, b):\n    return ...",
        "def pairwise_dots(q, k):\n    return q @ k.T",
        "@exercise\ndef angle(a, b):\n    import ctypes; ctypes.CDLL(None)._exit(3)",
    )
    path = write(tmp_path, Case(b"honest.ipynb", cells))
    rows = {row.exercise: row for row in judge_notebook(path, "honest", FEW)}
    assert rows["dot"].result == rows["pairwise_dots"].result == "right"
    assert rows["dot"].reason.startswith("Of 2 cells with this exercise the best counts, code")
    assert rows["angle"].reason == "angle stops with EndedPython: the call ended Python."


@pytest.mark.skipif(why_not() != "", reason="bubblewrap does not work here")
def test_nothing_of_others_is_reached(tmp_path):
    folder, away = tmp_path / "in", tmp_path / "away"
    folder.mkdir()
    away.mkdir()
    (away / "other.txt").write_text("another's")
    cells = (
        hand_ins.READER.format(places=[str(folder), str(away)]),
        hand_ins.WRITER.format(places=[str(folder), str(away), "/usr", str(tmp_path)]),
        hand_ins.DAEMON.format(path=f"{away}/daemon"),
        "assert not found and not [p for p in os.listdir('/proc') if p.isdigit() and int(p) > 9]",
        hand_ins.DOT,
    )
    path = write(folder, case("reaching.ipynb", *cells))
    rows = judge_notebook(path, "reaching", FEW)
    assert results(rows)["dot"] == "right"
    assert [one.name for one in away.iterdir()] == ["other.txt"]
    assert [one.name for one in folder.iterdir()] == ["reaching.ipynb"]


def test_rows_come_one_by_one_and_broken_files_have_theirs(tmp_path, broken):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (b"Andr\xe9.ipynb", b"line\nbreak, <b>.ipynb"):
        write(folder, case(name, hand_ins.DOT))
    broken(folder)
    assert main([str(folder), "--out", str(tmp_path / "out"), "--jobs", "2"]) == 0
    rows = read_table(tmp_path / "out")
    assert rows[r"Andr\xe9"]["dot"]["result"] == "right"
    assert rows[r"line\nbreak, <b>"]["dot"]["result"] == "right"
    assert len(rows) == len(BROKEN) + 2
    page = (tmp_path / "out" / "grades.html").read_text("utf-8")
    assert "secret: a link to something outside of the folder" in page


def read_table(out):
    """The rows of a table: notebook, exercise, row."""
    found: dict = {}
    with open(out / "grades.csv", encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["notebook"], {})[row["exercise"]] = row
    return found


@pytest.mark.skipif(not WALK, reason="the long walk: `make walk` takes it")
def test_each_of_more_than_sixty_hand_ins_gets_what_it_deserves(tmp_path, broken):
    folder, away = tmp_path / "in", tmp_path / "away"
    folder.mkdir()
    away.mkdir()
    (away / "other.txt").write_text("another's")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(away)  # the name of a socket must be short
        server.bind("socket")
        cases = hand_ins.written(folder, away)
        broken(folder)
        before = sorted(os.listdir(os.fsencode(folder)))
        assert len(cases) >= 60
        assert main([str(folder), "--out", str(tmp_path / "out")]) == 0
    rows = read_table(tmp_path / "out")
    for one in cases:
        got = rows[name_of(folder / os.fsdecode(one.name), folder)]
        for exercise, wanted in one.rows.items():
            row = got[exercise]
            assert row["result"] in wanted.split("|"), (one.name, row)
        assert one.says in got[next(iter(one.rows))]["reason"], one.name
    assert sorted(os.listdir(os.fsencode(folder))) == before
    assert sorted(path.name for path in away.iterdir()) == ["other.txt", "socket"]


def test_the_cases_are_of_every_kind():
    names = [one.name for one in (*HONEST, *hand_ins.ENDING, *HOSTILE)]
    assert len(set(names)) == len(names)
