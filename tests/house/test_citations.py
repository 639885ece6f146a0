"""A paper has one year wherever it is named: that of its first public version."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*(ROOT / "chapters").glob("*.py"), *(ROOT / "course_lib").rglob("*.py")]
NAME = r"[A-Z][\w'-]+"
CITED = re.compile(rf"({NAME} (?:et al\.|and {NAME})),? \(?((?:19|20)\d\d)\b")
WRAPPED = re.compile(r"\s*\n[ #\"]*")
SEVERAL_PAPERS: dict[str, set[str]] = {}  # {"Name et al.": {"2019", "2021"}}, where both are meant


def years(texts):
    """{authors: {year: [places]}} of a dict from places to texts."""
    found = {}
    for place, text in texts.items():
        for authors, year in CITED.findall(WRAPPED.sub(" ", text)):
            found.setdefault(authors, {}).setdefault(year, []).append(place)
    return found


def cited_twice(texts, several):
    """What is cited with two years, and is not said to be several papers."""
    found = {}
    for authors, by_year in years(texts).items():
        one_or_more = several.get(authors) or {min(by_year)}
        if set(by_year) - one_or_more:
            found[authors] = by_year
    return found


def test_a_paper_has_one_year():
    texts = {str(one.relative_to(ROOT)): one.read_text(encoding="utf-8") for one in SOURCES}
    assert len(years(texts)) > 15, "the course names more papers than that"
    assert cited_twice(texts, SEVERAL_PAPERS) == {}, "if these are several, see SEVERAL_PAPERS"


def test_two_years_are_seen_however_they_are_written():
    texts = {"a": "# as Press et\n# al. (2021) say", "b": '"""Of Press et al., 2022, and'}
    assert cited_twice(texts, {}) == {"Press et al.": {"2021": ["a"], "2022": ["b"]}}
    assert cited_twice(texts, {"Press et al.": {"2021", "2022"}}) == {}
    assert cited_twice(texts, {"Press et al.": {"2021"}}) != {}
    pair = {"a": "(Zhang and Sennrich, 2019)", "b": "Zhang\n    and Sennrich (2020)"}
    assert list(cited_twice(pair, {})) == ["Zhang and Sennrich"]


def test_other_years_are_no_second_year_of_a_paper():
    texts = {"a": "Press et al. (2021), Su et al., 2022; in 2023", "b": "Press et al. (2021, p. 3)"}
    assert cited_twice(texts, {}) == {}
