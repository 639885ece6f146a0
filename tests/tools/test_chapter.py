"""tools/chapter.py: cells, their options and ids; a mistake names its file and line."""

import jupytext
import pytest

from tools.chapter import SourceError, read_chapter


def test_cells_have_their_kind_options_text_and_lines(source, small):
    chapter = read_chapter(source(small))
    first, second, *_ = chapter.cells
    assert [cell.kind for cell in chapter.cells] == ["markdown", "code", "code", "code"]
    assert first.options == {"minutes": "2"}
    assert first.text == "# Small\n\nSome prose."
    assert first.lines[0] == (2, "# Small")
    assert second.lines[0] == (7, "from course_lib.showing import show")
    assert chapter.name == "01_small"


def test_the_cell_of_an_exercise_is_what_its_file_defines(source, small, exercise, dot):
    path = exercise(dot)
    cell = read_chapter(source(small)).cells[2]
    assert (cell.exercise, cell.path, cell.kind) == ("dot", path, "code")
    assert cell.text.startswith('@exercise\ndef dot(a, b):\n    """Multiply.\n')
    assert cell.text.endswith("    return product_of_both\n    # END SOLUTION")
    assert cell.lines[:2] == [(6, "@exercise"), (6, "def dot(a, b):")]
    assert cell.lines[-1] == (14, "    # END SOLUTION")


def test_a_signature_of_several_lines_and_a_mark_above_it_belong_to_the_cell(
    source, small, exercise
):
    exercise("@njit\ndef dot(\n    a,\n    b,\n):\n    return a * b\n\n\nDOT = 1\n")
    cell = read_chapter(source(small)).cells[2]
    assert cell.text == "@exercise\n@njit\ndef dot(\n    a,\n    b,\n):\n    return a * b"


def test_jupytext_reads_the_same_cells_but_those_of_exercises(source, small):
    path = source(small + '\n# %% [markdown] depth minutes=3\n# ## Depth: more\n#\n# "text"\n')
    theirs = [(cell.cell_type, cell.source) for cell in jupytext.read(path, fmt="py:percent").cells]
    cells = read_chapter(path).cells
    assert theirs == [(one.kind, "" if one.exercise else one.text) for one in cells]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "no cells"),
        ("import numpy\n# %%\n1", 1, "begins with a cell"),
        ("# %%\n1\n# %%\n\n", 3, "empty"),
        ("# %% [markdown]\n# a\nb\n", 3, "begins with '# '"),
        ("# %% [markdown]\n# a\n\n# b\n", 3, "begins with '# '"),
        ("# %% [markdown] minute=5\n# a", 1, "unknown cell option 'minute'; known are card"),
        ("# %% some title\n1", 1, "unknown cell option 'some'"),
        ("# %% [markdown] minutes=five\n# a", 1, "cannot read the cell option at"),
        ("# %% [markdown] minutes=0\n# a", 1, "'minutes' takes the form"),
        ("# %% [markdown] minutes\n# a", 1, "'minutes' takes the form"),
        ('# %% exercise="2d"', 1, "'exercise' takes the form"),
        ("# %% exercise", 1, "'exercise' takes the form"),
        ('# %% [markdown] exercise="dot"', 1, "holds code: drop [markdown]"),
        ('# %% exercise="dot"\n\nx = 1', 3, "is written in dot.py; here stands its header alone"),
        (
            '# %%\n1\n# %% exercise="dots"',
            3,
            "'dots' has no file course_lib/chapters/small/exercises/dots.py",
        ),
        ("# %% [markdown] depth=1\n# a", 1, "'depth' takes nothing"),
        ("# %% [markdown] depth depth\n# a", 1, "'depth' stands twice"),
        ("# %%\n1\n# %% sittings=2\n2", 3, "first cell only"),
        ("# %% [markdown] shuffled\n# a", 1, "'shuffled' belongs to"),
        ('# %% [markdown] of="01234567"\n# a', 1, "'of' belongs to a translation"),
        ("# %% [markdown]\n# ## Depth: a", 1, "needs the option 'depth'"),
        ('# %%\n1\n# %% [markdown] lang="zh"\n# a', 3, "follows the English prose"),
        ('# %% [markdown]\n# a\n# %% lang="zh"\n1', 3, "the same in all languages"),
        (
            '# %% [markdown]\n# a\n# %% [markdown] lang="zh"\n# b\n# %% [markdown] lang="zh"\n# c',
            5,
            "once",
        ),
    ],
)
def test_a_mistake_names_its_line(source, text, line, what):
    path = source(text)
    with pytest.raises(SourceError) as told:
        read_chapter(path)
    assert str(told.value).startswith(f"{path}:{line}: "), str(told.value)
    assert what in str(told.value)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x = 1\n\n\ndef dot(a, b:\n    ...\n", 4, "not valid Python: "),
        ("def dots(a, b):\n    ...\n", 1, "the file defines no 'dot', which its cell is to show"),
        ("dot = 1\n", 1, "the file defines no 'dot'"),
    ],
)
def test_a_mistake_in_the_file_of_an_exercise_names_its_line(
    source, small, exercise, text, line, what
):
    path = exercise(text)
    with pytest.raises(SourceError) as told:
        read_chapter(source(small))
    assert str(told.value).startswith(f"{path}:{line}: "), str(told.value)
    assert what in str(told.value)


def test_ids_are_eight_hex_digits_of_the_text_and_differ(source):
    chapter = read_chapter(source("# %%\nx = 1\n# %%\nx = 1\n# %%\nx = 2\n"))
    ids = [cell.id for cell in chapter.cells]
    assert ids[0] == "8ff436de", "the beginning of the sha256 of 'x = 1'"
    assert len(set(ids)) == 3
    assert all(len(name) == 8 and int(name, 16) >= 0 for name in ids)
    moved = read_chapter(source("# %%\nx = 2\n# %%\nx = 1\n"))
    assert [cell.id for cell in moved.cells] == [ids[2], ids[0]], "an id survives a move"


def test_a_subheading_inside_a_depth_section_belongs_to_the_depth(source):
    path = source(
        "# %% [markdown] minutes=2\n# ## a\n# %% [markdown] depth\n# ## Depth: b\n"
        "# %% [markdown] minutes=3\n# ### Exercise\n# %%\nx = 1\n"
    )
    chapter = read_chapter(path)
    assert (chapter.minutes(), chapter.minutes(depth=True)) == (2, 3)
    assert [cell.text for cell in chapter.part(depth=True)][1:] == ["### Exercise", "x = 1"]


def test_minutes_of_core_and_depth_are_added_apart(source):
    text = (
        "# %% [markdown] minutes=5 sittings=2\n# a\n# %% [markdown] minutes=7\n# b\n"
        "# %% [markdown] minutes=11 depth\n# ## Depth: c\n"
    )
    chapter = read_chapter(source(text))
    assert (chapter.minutes(), chapter.minutes(depth=True), chapter.budget) == (12, 11, 120)
