"""The minutes that are counted for a chapter."""

import json

import pytest

from tools import effort

pytestmark = pytest.mark.usefixtures("chapter")
WORDS = " ".join(["word"] * effort.WORDS)


def cell(kind, text, outputs=()):
    return {"cell_type": kind, "source": [text], "outputs": list(outputs)}


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """A chapter whose every part takes a known time."""
    picture = {"data": {"image/png": "", "text/plain": WORDS}}
    cells = [
        cell("markdown", WORDS),
        cell("code", "import sys"),
        cell("markdown", f"# 1 · A title\n{WORDS}"),
        cell("code", "\n".join(["a = 1"] * effort.LINES)),
        cell("code", 'bet("width")'),
        cell("markdown", f"## A picture\n<details><summary>Why</summary> {WORDS}</details>"),
        cell("code", "explore_width()", [picture]),
        cell("markdown", "## Exercise: `dot`"),
        cell("code", f'@exercise\ndef dot(a, b):\n    """{WORDS}"""\n'),
        cell("markdown", "## Depth: more"),
        cell("code", "print(1)", [{"text": " ".join(["1"] * effort.PRINTED_WORDS)}]),
    ]
    (tmp_path / "01_dot_product.ipynb").write_text(json.dumps({"cells": cells}))
    monkeypatch.setattr(effort, "NOTEBOOKS", tmp_path)


def test_each_part_of_a_section_is_counted():
    title, picture, exercise, depth = effort.count("01_dot_product")
    assert title.minutes == pytest.approx(1 + 1 + 0.1 + effort.BET, abs=0.05)
    folded = (effort.WORDS + 1) / effort.FOLDED_WORDS
    assert picture.minutes == pytest.approx(
        folded + 0.1 + effort.EXPLORER + effort.FIGURE, abs=0.05
    )
    assert exercise.minutes == pytest.approx(
        effort.registry.find("01_dot_product/dot").minutes, abs=0.05
    )
    assert depth.minutes == pytest.approx(1.1, abs=0.05)


def test_depth_and_what_stands_before_the_title_are_no_part_of_the_core():
    sections = effort.count("01_dot_product")
    assert [section.depth for section in sections] == [False, False, False, True]
    assert effort.core("01_dot_product") == pytest.approx(sum(s.minutes for s in sections[:3]))


def test_the_table_names_chapter_and_sections(capsys):
    assert effort.main(["01_dot_product"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert "01_dot_product, up to" in first
    assert [line.split()[1] for line in rest] == ["core", "core", "core", "depth"]
