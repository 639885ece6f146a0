"""tools/house.py: the picture of the house shows the imports, all of them and no others."""

import re
from functools import lru_cache
from xml.etree import ElementTree

import pytest

from tests.house.test_layers import MAY_IMPORT, MODULES, imports, room, target
from tools import house, pages

ARCHITECTURE = house.PICTURE.with_name("architecture.md")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)\s]*)?\)")


@lru_cache(maxsize=1)
def imports_between_rooms():
    """(from, to) for each import that leaves a room, as tests/house reads them."""
    found = set()
    for path in MODULES:
        for _, name in imports(path):
            if target(name) and target(name) != room(path):
                found.add((room(path), target(name)))
    return found


def shown():
    """(from, to) for each arrow of the picture."""
    root = ElementTree.fromstring(house.drawing())
    lines = [one for one in root.iter() if one.get("data-from")]
    return {(one.get("data-from"), one.get("data-to")) for one in lines}


def test_the_arrows_are_the_imports():
    assert shown() == {
        (one, other) for one, other in imports_between_rooms() if other in house.ROOMS
    }
    assert shown()


def test_every_arrow_is_allowed():
    assert all(other in MAY_IMPORT[one] for one, other in shown())


def test_the_ground_says_who_imports_it():
    said = {(user, one) for one, by in house.users().items() for user in by if user != "chapters"}
    assert said == {
        (one, other) for one, other in imports_between_rooms() if other in house.ground()
    }


def test_every_room_and_module_of_the_ground_is_named():
    texts = {one.text for one in ElementTree.fromstring(house.drawing()).iter()}
    assert set(MAY_IMPORT) <= texts


def test_no_arrow_crosses_a_room():
    for start, end in house.arrows():
        line = house._arrow(start, end)
        x1, y1, x2, y2 = (
            int(re.search(rf'{name}="(\d+)"', line)[1]) for name in ("x1", "y1", "x2", "y2")
        )
        for other, (left, top, width, height, _) in house.ROOMS.items():
            if other in (start, end):
                continue
            beside = max(x1, x2) < left or min(x1, x2) > left + width
            assert beside or max(y1, y2) < top or min(y1, y2) > top + height, (start, end, other)


def test_a_room_without_a_place_is_told(monkeypatch):
    monkeypatch.setattr(house, "ROOMS", {k: v for k, v in house.ROOMS.items() if k != "models"})
    with pytest.raises(KeyError, match="models"):
        house.uses()


def test_the_picture_is_not_stale():
    assert not pages.stale({house.PICTURE: house.drawing()}), "run: python -m tools.house"


def test_the_page_has_the_picture_with_words_and_links_that_lead_somewhere():
    text = ARCHITECTURE.read_text(encoding="utf-8")
    assert f"![{house.described()}](house.svg)" in text, house.described()
    for address, _ in LINK.findall(text):
        assert (ARCHITECTURE.parent / address).resolve().exists(), address
