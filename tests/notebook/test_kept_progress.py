"""Progress that the first edition of the course kept on disk is read and gone on with."""

import json

import pytest

from course_lib.chapters import dot_product

FIRST_EDITION = {
    "exercise-dot.json": """{
 "state": "right",
 "code": "def dot(a, b):\\n    return (a * b).sum()\\n"
}""",
    "exercise-angle.json": """{
 "state": "wrong",
 "code": "def angle(a, b):\\n    # größer?\\n    return a @ b\\n",
 "hints": 2,
 "revealed": true
}""",
    "bet-louder.json": """{
 "answer": 0,
 "confidence": "sure",
 "run": "key B",
 "right": false,
 "after_the_run": {
  "answer": 1,
  "confidence": "guess"
 }
}""",
    "bet-strangers.json": """{
 "answer": 45.5,
 "confidence": "think"
}""",
}


@pytest.fixture
def kept(fresh_state):
    """The folder of chapter 1 with the files that a learner has from then."""
    folder = fresh_state / "01_dot_product"
    folder.mkdir(parents=True)
    for name, text in FIRST_EDITION.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_the_table_of_progress_shows_it(kept, capsys):
    dot_product.progress()
    said = capsys.readouterr().out
    lines = {line.split()[0]: line for line in said.splitlines() if line.strip()}
    assert "✓ right" in lines["dot"]
    assert "✗ wrong" in lines["angle"]
    assert "2/3" in lines["angle"]
    assert "key A (sure)" in lines["louder"]
    assert "✗ off" in lines["louder"]
    assert "45.5 degrees (think so)" in lines["strangers"]
    assert "0 of 1 when you said sure" in said


def test_a_bet_is_offered_and_settled_as_it_was_placed(kept, capsys):
    dot_product.bet("strangers")
    assert "Placed: 45.5 degrees (think so)." in capsys.readouterr().out
    dot_product.settle("strangers", 60.0)
    said = capsys.readouterr().out
    assert said.startswith("You bet 45.5 degrees (think so); the run says 60 degrees: off by 14.5.")
    dot_product.bet("louder")
    assert "You bet key A (sure) before the run, and said key B after it" in capsys.readouterr().out


def test_what_is_new_is_kept_beside_it(kept, capsys):
    dot_product.reveal("dot")
    dot_product.hint("angle", 3)
    assert json.loads((kept / "exercise-dot.json").read_text("utf-8")) == {
        **json.loads(FIRST_EDITION["exercise-dot.json"]),
        "revealed": True,
    }
    assert json.loads((kept / "exercise-angle.json").read_text("utf-8"))["hints"] == 3
    assert "größer" in (kept / "exercise-angle.json").read_text("utf-8")


OF_ANOTHER_VERSION = [
    {"answer": 17, "confidence": "sure", "run": "key B", "right": True},
    {"answer": "key A", "confidence": 3, "run": ["key B"], "right": "yes"},
    {"answer": [0], "confidence": None, "run": 2, "right": 1},
    {"answer": -1},
]


@pytest.mark.parametrize("facts", OF_ANOTHER_VERSION, ids=repr)
def test_a_bet_of_another_version_of_the_course_counts_as_none(fresh_state, capsys, facts):
    folder = fresh_state / "01_dot_product"
    folder.mkdir(parents=True)
    (folder / "bet-louder.json").write_text(json.dumps(facts))
    dot_product.progress()
    said = capsys.readouterr().out
    row = next(line for line in said.splitlines() if line.startswith("louder"))
    assert "key A" not in row
    assert "No bet" in said or "no bet" in row
    dot_product.bet("louder")
    assert "defect" not in capsys.readouterr().out


def test_hints_of_another_version_are_counted_within_what_there_is(fresh_state, capsys):
    folder = fresh_state / "01_dot_product"
    folder.mkdir(parents=True)
    (folder / "exercise-dot.json").write_text('{"hints": 99, "state": "so so"}')
    dot_product.progress()
    said = capsys.readouterr().out
    row = next(line for line in said.splitlines() if line.startswith("dot "))
    assert "99" not in row
