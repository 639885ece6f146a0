"""A page shows what its notebook shows, and each thing that is alive has its place."""

import nbformat
import pytest

from tools.editions import Course
from tools.page.bets import SAID
from tools.page.chapter import BET, EXERCISE, EXPLORER, SETTLE, ChapterPage
from tools.page.html import Files
from tools.page.quiz import Question
from tools.page.stops import Plan, axes_of, plan
from tools.page.tables import Frames
from tools.pages import ROOT
from tools.syllabus import Syllabus, all_explorers

SOURCES = Course(ROOT).sources()
each_chapter = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
QUESTION = Question("def wrong():\n    return 1", ["this", "that"], 1, "It is wrong.")


def notebook(path):
    return nbformat.read(ROOT / "notebooks" / f"{path.stem}.ipynb", as_version=4)


def explorers_of(chapter):
    return [one for part in chapter.sections for one in part.explorers]


def smallest(name):
    """A table of one frame, the start."""
    frames = Frames(all_explorers()[name], "-x")
    kept = plan(axes_of(frames.explorer), 2000)
    axes = [type(one)(one.name, one.index, (one.stops[one.start],), 0, None) for one in kept.axes]
    return frames.table(Plan(tuple(axes), 0))


@pytest.fixture(scope="module")
def made():
    return {name: smallest(name) for name in explorers_of(Syllabus(SOURCES[0]))}


@pytest.fixture
def page(tmp_path, made):
    chapter = Syllabus(SOURCES[0])
    asked = {name: [QUESTION] for name in chapter.data.exercises}
    return ChapterPage(chapter, Files(tmp_path), made, asked, [chapter.name])


@each_chapter
def test_an_explorer_of_the_page_begins_where_that_of_the_notebook_does(path):
    chapter = Syllabus(path)
    cells = [cell for cell in notebook(path).cells if EXPLORER.search(cell.source)]
    for name, cell in zip(explorers_of(chapter), cells, strict=True):
        explorer = all_explorers()[name]
        (stored,) = [one.data["text/plain"] for one in cell.outputs if "image/png" in one.data]
        words = explorer.session().sentence(explorer.session().start)
        assert stored.startswith(words.rstrip(".")), name


def test_everything_alive_has_its_place_in_order(page):
    cells = notebook(SOURCES[0])
    text = page.text(cells)
    sources = "\n".join(cell.source for cell in cells.cells if cell.cell_type == "code")
    for call, place in (
        (BET, 'class="bet-place"'),
        (SETTLE, "data-settles="),
        (EXERCISE, 'class="task"'),
        (EXPLORER, 'class="explorer-place"'),
    ):
        assert len(call.findall(sources)) == text.count(place) > 0, place
    assert text.count('class="model"') == 1
    assert text.count("bets-of-chapter") == 1


def test_headings_and_prose_stay_as_they_are(page):
    cells = notebook(SOURCES[0])
    text = page.text(cells)
    for cell in cells.cells:
        if cell.cell_type == "markdown" and cell.id != "badge" and ".ipynb" not in cell.source:
            assert cell.source in text
    assert text.startswith("# 0 ")


def test_chapters_without_a_page_are_linked_in_the_repository(page):
    linked = page._prose("see [here](01_dot_product.ipynb) and [there](00_start_here.ipynb#a)")
    assert "[there](00_start_here.md)" in linked
    assert f"[here]({page.course.notebook('01_dot_product')})" in linked


def test_every_picture_has_its_size_and_its_words(page, tmp_path):
    text = page.text(notebook(SOURCES[0]))
    images = text.split("<img ")[1:]
    assert images
    for image in images:
        tag = image.partition(">")[0]
        assert 'width="' in tag
        assert 'height="' in tag
        assert 'alt=""' not in tag
        assert (tmp_path / tag.partition('src="')[2].partition('"')[0]).is_file()


def test_the_run_is_told_only_where_it_is_opened(page):
    text = page.text(notebook(SOURCES[0]))
    before = text.partition('<details class="run">')[0]
    assert "the run says 10 letters" not in before
    assert "the run says 10 letters" in text


def test_every_sentence_of_a_bet_has_the_fields_that_the_page_fills():
    fields = {"bet", "run", "confidence", "difference", "later", "typed", "first", "second",
              "example", "low", "high", "right", "count", "parts", "name", "most"}  # fmt: skip
    for template in SAID.values():
        template.format(**dict.fromkeys(fields, ""))
