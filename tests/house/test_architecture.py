"""docs/architecture.md: its picture shows the imports, and its links lead somewhere."""

import re

import pytest

from tools import house, pages

LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")
PAGE = house.PAGE.read_text(encoding="utf-8")


def test_the_picture_is_not_stale():
    assert not pages.stale({house.PAGE: house.page(PAGE)}), "run: python -m tools.house"
    assert house.picture(house.uses()) in PAGE


def test_an_arrow_is_drawn_unless_a_longer_way_shows_it():
    used = {room: set() for room in house.ROOMS} | {
        "grade": {"judging", "learner", "words"},
        "judging": {"learner"},
        "models": {"kernels"},
    }
    assert house.arrows(used) == [
        ("grade", "judging"),
        ("judging", "learner"),
        ("models", "kernels"),
    ]


def test_what_imports_what_is_read_from_the_files(tmp_path):
    room = tmp_path / "course_lib" / "judging"
    room.mkdir(parents=True)
    (room / "a.py").write_text("import numpy\nfrom course_lib import chapters, words\n")
    (room / "b.py").write_text("def f():\n    from course_lib.learner.state import SavedFacts\n")
    (room.parent / "words.py").write_text("import course_lib.showing\n")
    assert house.uses(room.parent) == {"judging": {"learner", "words"}, "words": {"showing"}}


def test_a_room_of_which_nothing_is_said_is_told(monkeypatch):
    monkeypatch.delitem(house.ROOMS, "models")
    with pytest.raises(KeyError, match="models"):
        house.picture({})


def test_the_entry_for_other_programs_works_as_the_page_says():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    space = {}
    exec(compile(code, "architecture.md", "exec"), space)
    verdict, names = space["verdict"], space["names"]
    assert (verdict.state, names()[0]) == ("wrong", "00_start_here/next_letter")
    assert verdict.text.startswith("Divided like this")
    assert "divided by the width itself" in verdict.diagnosis


def test_the_links_of_the_page_lead_somewhere():
    assert LINK.search(PAGE)
    for address, _ in LINK.findall(PAGE):
        assert (house.PAGE.parent / address).resolve().exists(), address
