"""tools/concepts.py: what the list of concepts names exists, and its page is not stale."""

import re

import pytest

from course_lib.judging import names
from tools import concepts, pages
from tools.concepts import Concept
from tools.syllabus import all_explorers, course

FOUND = concepts.concepts()
CHINESE = re.compile(r"[\u4e00-\u9fff]")
ADDRESS = re.compile(r"\]\(([^)\s]*)\)")
every_concept = pytest.mark.parametrize("concept", FOUND, ids=lambda one: one.anchor)


@every_concept
def test_what_a_concept_names_exists(concept):
    assert concepts.problems([concept]) == []


def test_what_is_missing_is_named_with_what_is_close(capsys, monkeypatch):
    odd = Concept("odd", "奇", "", ("1: Multiply entry by entry, and add",), ("nothing",), ("0/x",))
    monkeypatch.setattr(concepts, "concepts", lambda: [odd])
    assert concepts.main([]) == 1
    first, second, third = capsys.readouterr().err.splitlines()
    assert first.startswith("tools/concepts.toml: odd: 01_dot_product has 0 headings")
    assert first.endswith("close is ['Multiply entry by entry, then add']")
    assert "nothing" in second
    assert "x" in third


@every_concept
def test_a_concept_is_said_in_both_languages_and_in_one_line(concept):
    assert concept.taught
    assert CHINESE.search(concept.chinese) or concept.chinese in ("FlashAttention", "−∞ 与 −10⁹")
    assert 20 <= len(concept.means) <= 130
    assert concept.means.endswith(".")
    assert "|" not in concept.name + concept.chinese + concept.means


def test_no_two_concepts_share_a_name_or_a_place():
    for all_of_them in ([one.name for one in FOUND], [one.anchor for one in FOUND]):
        assert len(set(all_of_them)) == len(all_of_them)


def test_concepts_stand_in_the_order_of_the_chapters():
    chapters = [one.chapter for one in FOUND]
    assert chapters == sorted(chapters)
    assert set(chapters) == {one.number for one in course()}


def test_every_explorer_shows_a_concept():
    assert {name for one in FOUND for name in one.shown} == set(all_explorers())


def test_every_exercise_exercises_a_concept():
    named = {name for one in FOUND for name in one.exercised}
    assert named == set(names())


def test_the_page_is_not_stale():
    stale = pages.stale({concepts.PAGE: concepts.page(FOUND)})
    assert not stale, "run: python -m tools.concepts"


def test_the_links_of_the_page_lead_somewhere():
    page = concepts.page(FOUND)
    for address in ADDRESS.findall(page):
        path, _, place = address.partition("#")
        if path:
            assert (concepts.PAGE.parent / path).resolve().is_file(), address
        else:
            assert f'<a id="{place}">' in page


@pytest.mark.parametrize(
    ("find", "name", "said"),
    [
        (concepts.taught, "9: Nothing", "no chapter 9"),
        (concepts.taught, "1: Nothing like it", "0 headings 'Nothing like it'"),
        (concepts.shown, "dot_product.explore_nothing", "explore_nothing"),
        (concepts.exercised, "01_dot_product/nothing", "nothing"),
    ],
)
def test_what_does_not_exist_is_named(find, name, said):
    with pytest.raises(KeyError, match=said):
        find(name)


def test_a_concept_with_an_unknown_field_is_refused(tmp_path):
    table = tmp_path / "concepts.toml"
    table.write_text('[[concept]]\nname = "a"\ncolour = "red"\n')
    with pytest.raises(TypeError, match="colour"):
        concepts.concepts(table)


def test_a_row_holds_the_term_the_meaning_and_three_kinds_of_links():
    concept = Concept(
        "dot product",
        "点积",
        "Multiply and add.",
        ("1: Multiply entry by entry, then add",),
        ("dot_product.explore_two_vectors",),
        ("01_dot_product/dot",),
    )
    row = concepts._row(concept)
    assert row.startswith(
        '| <a id="dot-product"></a>**dot product** 点积 | Multiply and add. | 1 ['
    )
    assert (
        "then add](../notebooks/01_dot_product.ipynb#heading=Multiply-entry-by-entry,-then-add)"
        in row
    )
    assert "1 [two vectors](../notebooks/01_dot_product.ipynb#heading=Slide:-turn-it," in row
    assert row.endswith("1 [`dot`](../notebooks/01_dot_product.ipynb#heading=Exercise:-dot) |")
