"""tools/editions.py: what every notebook has beside the chapter's own cells."""

import pytest

from tools.chapter import SourceError, read_chapter
from tools.editions import METADATA, Edition, assemble, check_chapter, editions, image_problem

LEARNER, SOLUTIONS, EMPTY = Edition(False), Edition(True), Edition(False, runs=False)
TRANSLATED = '# %% [markdown]\n# Hello\n\n# %% [markdown] lang="zh"\n# 你好\n\n# %%\nx = 1\n'


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def test_the_badge_opens_this_very_notebook_the_learners_without_results(course, source, small):
    chapter = read_chapter(source(small))
    for edition, place in ((LEARNER, "colab/"), (EMPTY, "colab/"), (SOLUTIONS, "solutions/")):
        badge = assemble(course, chapter, edition).cells[0].source
        address = "colab.research.google.com/github/someone/course/blob/main/notebooks/"
        assert f"{address}{place}01_small.ipynb)" in badge
    assert "without our results" in assemble(course, chapter, LEARNER).cells[0].source
    assert "Save a copy" in assemble(course, chapter, EMPTY).cells[0].source
    assert "With solutions" in assemble(course, chapter, SOLUTIONS).cells[0].source


def test_the_second_cell_installs_the_course_on_colab(course, source, small):
    code = assemble(course, read_chapter(source(small)), LEARNER).cells[1].source
    assert code.startswith('import sys\n\nif "google.colab" in sys.modules:')
    assert code.endswith('    %pip install -q "git+https://github.com/someone/course"')


def test_the_solutions_say_that_they_are_before_anything_else(course, source, small):
    code = assemble(course, read_chapter(source(small)), SOLUTIONS).cells[1].source
    mark, _, rest = code.partition("\nif ")
    space = {}
    exec(mark.replace("os.environ[", "environ["), {"environ": space})
    assert space == {"COURSE_EDITION": "solutions"}
    assert rest.startswith('"google.colab" in sys.modules:')


def test_metadata_and_ids_are_the_same_in_all_editions(course, source, small):
    chapter = read_chapter(source(small))
    one, *others = (assemble(course, chapter, kind) for kind in (LEARNER, SOLUTIONS, EMPTY))
    assert one.metadata == METADATA
    assert all(cell.metadata == {} for cell in one.cells), "no option gets into a notebook"
    for other in others:
        assert other.metadata == METADATA
        assert [cell.id for cell in one.cells] == [cell.id for cell in other.cells]


def test_what_colab_opens_is_the_learners_notebook(course, source, small):
    chapter = read_chapter(source(small))
    stored, empty = (assemble(course, chapter, kind) for kind in (LEARNER, EMPTY))
    assert sources(stored)[1:] == sources(empty)[1:]


def test_depth_headings_are_collapsed(course, source, small):
    text = small + "\n# %% [markdown] depth\n# ## Depth: more\n\n# %% [markdown]\n# ## Depths\n"
    cells = assemble(course, read_chapter(source(text)), LEARNER).cells
    folded = [cell.source for cell in cells if cell.metadata.get("jp-MarkdownHeadingCollapsed")]
    assert folded == ["## Depth: more"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("![a map](map.png)", "'map.png' is relative"),
        ("![a map](../images/map.png)", "is relative"),
        ("![a map](attachment:map.png)", "is relative"),
        ("![a map][map]", "is relative"),
        ('<img alt="a map" src="map.png">', "is relative"),
        ("<img src=map.png>", "is relative"),
        ("![](https://example.org/map.png)", "no alt text"),
        ('<img src="https://example.org/map.png">', "no alt text"),
        ("see ![a map](https://example.org/map.png)", None),
        ('<img src="https://example.org/map.png" alt="a map">', None),
        ("[a page](page.html) and q[i](j), x ! [a](b)", None),
    ],
)
def test_a_relative_or_undescribed_image_is_refused(line, problem):
    found = image_problem(line)
    assert (problem is None) == (found is None), found
    assert problem is None or problem in found


def test_a_relative_image_names_its_line(course, source, small):
    path = source(small + "\n# %% [markdown]\n# a\n#\n# ![a](a.png)\n")
    with pytest.raises(SourceError, match=rf"{path.name}:{len(small.splitlines()) + 5}: the image"):
        check_chapter(course, read_chapter(path))


@pytest.mark.parametrize(
    ("minutes", "sittings", "fits"), [(58, 1, True), (59, 1, False), (118, 2, True)]
)
def test_the_core_keeps_to_its_minutes(course, source, small, minutes, sittings, fits):
    text = small.replace("minutes=2", f"minutes=2 sittings={sittings}")
    text += f"\n# %% [markdown] minutes={minutes}\n# b\n"
    chapter = read_chapter(source(text + "\n# %% [markdown] minutes=99 depth\n# ## Depth: c\n"))
    if fits:
        check_chapter(course, chapter)
    else:
        with pytest.raises(SourceError, match="the core takes 61 minutes and may take 60"):
            check_chapter(course, chapter)


def test_a_repository_elsewhere_is_refused(course, source, small):
    (course.root / "pyproject.toml").write_text('[project.urls]\nRepository = "ftp://a/b"\n')
    with pytest.raises(SourceError, match="not on GitHub"):
        assemble(course, read_chapter(source(small)), LEARNER)


def test_an_untranslated_chapter_has_the_english_editions_only(source, small):
    assert editions(read_chapter(source(small))) == [LEARNER, SOLUTIONS, EMPTY]


def test_a_translation_is_in_its_own_edition_only(course, source):
    chapter = read_chapter(source(TRANSLATED))
    chinese = Edition(False, "zh")
    theirs = {chinese, Edition(True, "zh"), Edition(False, "zh", runs=False)}
    assert set(editions(chapter)) == {LEARNER, SOLUTIONS, EMPTY} | theirs
    assert chinese.path(course, chapter) == course.notebooks / "zh" / "01_small.ipynb"
    theirs, ours = assemble(course, chapter, chinese), assemble(course, chapter, LEARNER)
    assert sources(ours)[2:] == ["Hello", "x = 1"]
    assert sources(theirs)[3:] == ["你好", "x = 1"]
    ids = [cell.id for cell in theirs.cells]
    assert ids.pop(2) == "language"
    assert ids == [cell.id for cell in ours.cells]
    assert 'os.environ["COURSE_LANG"] = "zh"' in theirs.cells[2].source
    assert "COURSE_LANG" not in "".join(sources(ours))
