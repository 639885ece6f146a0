"""Which chapters `make test` opens in a browser, and that the documents say the same."""

import json
import re
from pathlib import Path

import pytest

from tests.browser.taken import IMPORTS_TORCH, RULE, shortest_of_each_kind

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture
def notebook(tmp_path):
    """A function that writes a notebook of so many cells, the first of them with this code."""

    def write(name, length, code="import numpy as np"):
        sources = [code, *["1"] * (length - 1)]
        cells = [{"cell_type": "code", "source": [source]} for source in sources]
        path = tmp_path / name
        path.write_text(json.dumps({"cells": cells}))
        return path

    return write


def test_the_shortest_with_torch_and_the_shortest_without_are_taken(notebook):
    made = [
        notebook("1.ipynb", 5),
        notebook("2.ipynb", 3),
        notebook("3.ipynb", 11, "x = 1\nfrom torch import nn"),
        notebook("4.ipynb", 7, "    import torch"),
        notebook("5.ipynb", 13, "import torch"),
    ]
    assert shortest_of_each_kind(made) == ["2.ipynb", "4.ipynb"]


def test_of_two_that_are_equally_short_the_first_is_taken(notebook):
    assert shortest_of_each_kind([notebook("2.ipynb", 3), notebook("1.ipynb", 3)]) == ["1.ipynb"]


def test_a_word_about_torch_is_no_import(notebook):
    said = notebook("1.ipynb", 3, "# from here on we import torch\nprint('import torch')")
    assert not IMPORTS_TORCH.search(said.read_text())
    assert shortest_of_each_kind([said, notebook("2.ipynb", 5)]) == ["1.ipynb"]


def test_chapters_of_both_kinds_are_taken():
    taken = shortest_of_each_kind(NOTEBOOKS)
    sources = [(ROOT / "chapters" / name).with_suffix(".py").read_text() for name in taken]
    assert sorted(bool(IMPORTS_TORCH.search(source)) for source in sources) == [False, True]


@pytest.mark.parametrize("document", ["README.md", "Makefile", "docs/architecture.md"])
def test_the_documents_say_which_chapters_are_taken(document):
    text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
    assert RULE in text
    assert not re.search(r"part of (?:one|two|three|four|\d+) chapters", text)
