"""Any cell may be run again, later, by itself: no cell takes away a name that an earlier one uses.

Learners go back. A cell that shows an error there, because a later one gave `q` another shape,
teaches nothing about attention.
"""

import builtins
import dis
from pathlib import Path
from types import CodeType

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from tests.chapters.imported_names import by_name
from tools.chapter import read_chapter

SOURCES = sorted((Path(__file__).resolve().parents[2] / "chapters").glob("[0-9][0-9]_*.py"))
# What a later cell may replace: a generator, whose numbers are others at each run anyway, and the
# model of chapter 7 by the same one, trained by the learner.
REPLACED = {(path.stem, "rng") for path in SOURCES} | {("07_multi_head", "model")}


def names(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell needs from the cells before it, and those that it gives."""
    code = compile(TransformerManager().transform_cell(by_name(source)), "cell", "exec")
    needed, given = set(), set()
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_NAME" and step.argval not in given:
            needed.add(step.argval)
        elif step.opname == "STORE_NAME":
            given.add(step.argval)
    return (needed | (inner_names(code) - given)) - set(dir(builtins)), given


def inner_names(code: CodeType) -> set[str]:
    """The names that the functions of a cell look up outside of themselves."""
    found = set()
    for inner in (const for const in code.co_consts if isinstance(const, CodeType)):
        steps = dis.get_instructions(inner)
        found |= {step.argval for step in steps if step.opname == "LOAD_GLOBAL"}
        found |= inner_names(inner)
    return found


def taken_away(cells: dict[int, str]) -> list[str]:
    """For each cell that cannot be run again: the name, where it is needed and where replaced.

    cells: the line at which a cell begins -> its source.
    """
    read, found = {line: names(source) for line, source in cells.items()}, []
    for line, (needed, _) in read.items():
        for name in sorted(needed):
            given = [place for place, (_, those) in read.items() if name in those]
            later = [place for place in given if place > line]
            if later and min(given) < line:
                found.append(f"{name}: needed at line {line}, replaced at line {later[0]}")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_cell_takes_away_what_an_earlier_one_uses(path):
    cells = {
        cell.first_line: cell.text for cell in read_chapter(path).english if cell.kind == "code"
    }
    found = [one for one in taken_away(cells) if (path.stem, one.split(":")[0]) not in REPLACED]
    assert not found, "\n".join(found)


def test_a_name_that_is_taken_away_is_found():
    cells = ["q = 1\nk = 2", "print(q)", "def f(x):\n    return x + k", "f(q)", "q, k = k, 3"]
    assert taken_away(dict(enumerate(cells))) == [
        "q: needed at line 1, replaced at line 4",
        "k: needed at line 2, replaced at line 4",
        "q: needed at line 3, replaced at line 4",
    ]


def test_a_name_of_the_chapters_own_import_may_not_be_taken_away_either():
    cells = ["from course_lib.chapters.scaling import *", "softmax(0)", "softmax = 1"]
    assert taken_away(dict(enumerate(cells))) == ["softmax: needed at line 1, replaced at line 2"]


@pytest.mark.parametrize(
    "cells",
    [
        ["q = 1", "print(q)", "q2 = 2"],
        ["q = 1", "q = 2\nprint(q)", "q = 3\nprint(q)"],
        ["x = 1", "print([x for x in range(3)], (lambda x: x)(1))", "x = 2"],
        ["def f(q):\n    q = q + 1\n    return q", "f(1)", "q = 2"],
    ],
    ids=["other names", "each its own", "bound inside", "local"],
)
def test_what_any_cell_may_do_passes(cells):
    assert taken_away(dict(enumerate(cells))) == []
