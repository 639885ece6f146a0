"""Every name in a notebook is defined above it, and its chapter's import brings what it needs.

An editor that opens chapters/NN_name.py sees neither what the star brings nor the exercises, so
ruff is asked here about the notebook as a whole.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.chapters.imported_names import STAR, by_name, names_of
from tools.answers import solution_lines
from tools.chapter import read_chapter

SOURCES = sorted((Path(__file__).resolve().parents[2] / "chapters").glob("[0-9][0-9]_*.py"))
# Undefined names and exports; a name imported twice, imported over, or never used.
RULES = "F821,F822,F823,F811,F401,F841,F632,F541,F601,F706,F704"
MAGIC = re.compile(r"^(\s*)[%!]\S.*", re.M)
SIX = {"bet", "exercise", "hint", "progress", "reveal", "settle"}
FOR_ANY_CELL = SIX | {"numpy"}  # what a learner may type where no cell of ours does

every_chapter = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)


def notebook(path):
    """The code of a chapter's notebook, with solutions: (file and line, text) of each line."""
    cells = [cell for cell in read_chapter(path).english if cell.kind == "code"]
    return [
        (f"{cell.path.name}:{number}", MAGIC.sub(r"\1pass", by_name(text)))
        for cell in cells
        for number, text in solution_lines(cell)
    ]


def complaints(lines):
    """What ruff says: (rule, name that it is about, where, sentence)."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", RULES]
    command += ["--ignore-noqa", "--output-format", "json", "--stdin-filename", "notebook.py", "-"]
    code = "\n".join(text for _, text in lines)
    done = subprocess.run(command, input=code, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    found = []
    for one in json.loads(done.stdout):
        name = re.search(r"`([^`]+)`", one["message"])
        place = lines[one["location"]["row"] - 1][0]
        short = name[1].rpartition(".")[2] if name else ""
        found.append((one["code"], short, place, one["message"]))
    return found


def said_to_learners(path):
    """The words in code spans of the prose and in comments: names offered for typing."""
    text = "\n".join(
        " ".join(re.findall(r"`([^`]+)`", cell.text))
        if cell.kind == "markdown"
        else " ".join(re.findall(r"#.*", cell.text))
        for cell in read_chapter(path).english
    )
    return set(re.findall(r"\w+", text))


@every_chapter
def test_every_name_is_defined_and_none_is_brought_for_nothing(path):
    offered = FOR_ANY_CELL | said_to_learners(path)
    found = [
        f"{place}: {sentence}"
        for rule, name, place, sentence in complaints(notebook(path))
        if not (rule == "F401" and name in offered)
    ]
    assert not found, "\n".join(found)


@every_chapter
def test_a_notebook_imports_its_own_chapter_once(path):
    code = "\n".join(cell.text for cell in read_chapter(path).english if cell.kind == "code")
    assert STAR.findall(code) == [f"course_lib.chapters.{path.stem[3:]}"]


@every_chapter
def test_a_chapter_hands_out_the_six_names_of_every_notebook(path):
    assert set(names_of(f"course_lib.chapters.{path.stem[3:]}")) >= SIX


@pytest.mark.parametrize(
    ("code", "rule", "name"),
    [
        ("print(q)", "F821", "q"),
        ("import math", "F401", "math"),
        ("from math import pi\n\n\ndef pi():\n    return 3", "F811", "pi"),
        ("def f():\n    return nothing_above", "F821", "nothing_above"),
    ],
)
def test_a_name_that_is_not_right_is_found(code, rule, name):
    lines = [(f"a:{number}", text) for number, text in enumerate(code.split("\n"), 1)]
    assert [(one[0], one[1]) for one in complaints(lines)] == [(rule, name)]


def test_a_name_that_the_import_does_not_bring_is_found():
    lines = [("a:1", by_name("from course_lib.chapters.scaling import *")), ("a:2", "cosine(1)")]
    assert ("F821", "cosine", "a:2") in [one[:3] for one in complaints(lines)]
