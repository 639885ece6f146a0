"""figures/road_map.py: every chapter has its place, and the picture can be read."""

from itertools import combinations
from pathlib import Path

import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyBboxPatch

from course_lib.figures.readable import faults
from course_lib.figures.road_map import (
    CHAPTERS,
    FAST,
    HERE,
    MET,
    ONE_HEAD,
    PARTS,
    SEEN,
    SHORT,
    STEP,
    WRITER,
    done_before,
    draw_here,
    draw_road_map,
    parts_of,
    show_road_map,
)
from course_lib.figures.theme import INK, KEY, QUERY, new_figure
from course_lib.models.copying_numpy import load_copying


def test_the_picture_can_be_read():
    figure = new_figure(7.0, 4.75)
    draw_road_map(figure.subplots())
    assert faults(figure) == []


def test_beside_every_part_stand_the_chapters_that_write_it_and_the_last_is_given():
    axes = new_figure(7.0, 4.75).subplots()
    draw_road_map(axes)
    beside = {round(-text.get_position()[1] / STEP): text.get_text()
              for text in axes.texts if text.get_position()[0] == WRITER}  # fmt: skip
    for place, (part, _) in enumerate(PARTS):
        writes = [str(one) for one in CHAPTERS[:-1] if place in parts_of(one)]
        assert beside[place] == (", ".join(writes) or "given"), part
    assert beside[len(PARTS) - 1] == "given"
    assert all(part in "".join(text.get_text() for text in axes.texts) for part, _ in PARTS)


def test_the_bracket_of_chapter_8_holds_what_it_makes_faster():
    axes = new_figure(7.0, 4.75).subplots()
    draw_road_map(axes)
    (held,) = [line.get_ydata() for line in axes.lines if min(line.get_xdata()) > WRITER]
    rows = {row for row in range(len(PARTS)) if min(held) < -STEP * row < max(held)}
    assert rows == set(parts_of(8))


def test_what_chapter_0_has_shown_stands_beside_the_dark_parts():
    axes = new_figure(7.0, 4.75).subplots()
    draw_road_map(axes)
    seen = {round(-text.get_position()[1] / STEP): text.get_text()
            for text in axes.texts if text.get_position()[0] == SEEN}  # fmt: skip
    assert seen == {-1: "you have seen"} | {place: words for place, (words, _) in MET.items()}
    weights = load_copying().maps("giraffe pogir")[1, 0, -1]
    assert weights.argmax() == 3  # the a
    assert f"{100 * weights[3]:.0f} of 100" in MET[5][0]


def test_a_query_a_key_and_a_value_have_their_colours_and_no_two_words_meet():
    figure = new_figure(7.0, 4.75)
    axes = figure.subplots()
    draw_road_map(axes)
    figure.draw_without_rendering()
    assert {one.get_text() for one in axes.texts if one.get_color() == QUERY} == {
        "query",
        "queries",
        MET[2][0],
    }
    assert {one.get_text() for one in axes.texts if one.get_color() == KEY} == {"key", "keys"}
    words = [one for one in axes.texts if one.get_text().strip()]
    for one, other in combinations([one.get_tightbbox() for one in words], 2):
        across = min(one.x1, other.x1) - max(one.x0, other.x0)
        down = min(one.y1, other.y1) - max(one.y0, other.y0)
        assert across <= 1.5 or down <= 1.5


def test_what_chapter_0_has_shown_at_work_is_dark():
    axes = new_figure(7.0, 4.75).subplots()
    draw_road_map(axes)
    thick = [PARTS[round(-patch.get_y() / STEP)][0] for patch in axes.patches
             if isinstance(patch, FancyBboxPatch) and patch.get_linewidth() > 2]  # fmt: skip
    assert thick == [
        "scores: query meets key",
        "scores become weights",
        "the weights mix the values",
        "heads side by side make a block",
    ]


def test_nobody_has_to_turn_the_head_to_read_it():
    figure = new_figure(7.0, 4.75)
    axes = figure.subplots()
    draw_road_map(axes)
    assert {text.get_rotation() for text in axes.texts} == {0}


def test_there_is_a_column_for_every_chapter_of_the_course():
    sources = (Path(__file__).parents[2] / "chapters").glob("0[1-9]_*.py")
    assert sorted(int(path.name[:2]) for path in sources) == list(CHAPTERS)


def test_a_head_and_what_is_made_fast_are_what_they_say():
    first, last = ONE_HEAD
    assert "queries" in PARTS[first][0]
    assert "values" in PARTS[last][0]
    assert PARTS[FAST[0]][0].startswith("scores:")
    assert FAST[1] == last


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_at_the_head_of_a_chapter_its_own_parts_are_filled(chapter):
    figure = new_figure(7.0, 1.3)
    axes = figure.subplots()
    draw_here(axes, chapter)
    assert faults(figure) == []
    filled = {
        name
        for name, patch in zip(SHORT, axes.patches, strict=True)
        if patch.get_facecolor() == to_rgba(INK)
    }
    assert filled == {SHORT[place] for place in parts_of(chapter)}
    assert filled
    assert axes.get_title(loc="left") == HERE[chapter]
    assert [text.get_text() for text in axes.texts].count("you are here") == 1


@pytest.mark.parametrize(
    ("chapter", "ticked"),
    [
        (1, []),
        (2, ["mix"]),
        (5, ["scores", "scale", "weights", "mix"]),
        (8, ["places", "q, k, v", "heads"]),
    ],
)
def test_a_tick_marks_what_earlier_chapters_wrote_and_the_sentence_names_it(
    chapter, ticked, capsys
):
    axes = new_figure(7.0, 1.5).subplots()
    draw_here(axes, chapter)
    ticks = sorted(
        (text.get_position()[0], text.get_text()) for text in axes.texts if "✓" in text.get_text()
    )
    assert [SHORT[round(x)] for x, _ in ticks] == ticked
    assert [told for _, told in ticks] == ["✓ yours"] * len(ticked)
    assert [SHORT[place] for place in done_before(chapter)] == ticked
    show_road_map(chapter)
    said = capsys.readouterr().out
    assert ("Written before, with a tick: " + ", ".join(ticked) in said) == bool(ticked)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_line_of_you_are_here_passes_under_a_box_that_is_not_the_chapters(chapter):
    axes = new_figure(7.0, 1.5).subplots()
    draw_here(axes, chapter)
    here = parts_of(chapter)
    lines = [line.get_xdata() for line in axes.lines if max(line.get_ydata()) < -0.4]
    under = {place for place in range(len(SHORT)) for x in lines if x[0] <= place <= x[-1]}
    assert under == set(here)
    said = [text.get_text() for text in axes.texts]
    assert said.count("and here") == sum(place - 1 not in here for place in here) - 1


def test_a_bracket_holds_what_each_head_does_at_the_head_of_the_chapter_of_the_heads_only():
    for chapter in CHAPTERS:
        axes = new_figure(7.0, 1.5).subplots()
        draw_here(axes, chapter)
        held = "each head does this for itself" in [text.get_text() for text in axes.texts]
        assert held == (chapter == 7)
    first, last = ONE_HEAD
    begins, ends = _bracket()
    assert first - 0.5 < begins < first < last < ends < last + 0.5


def _bracket():
    """Where the bracket of chapter 7 begins and ends: the one line that lies above the boxes."""
    axes = new_figure(7.0, 1.5).subplots()
    draw_here(axes, 7)
    (above,) = [line for line in axes.lines if min(line.get_ydata()) > 0.3]
    return min(above.get_xdata()), max(above.get_xdata())


def test_what_is_said_of_a_chapter_names_its_parts(capsys):
    show_road_map(3)
    assert "You are here: the scores are scaled." in capsys.readouterr().out
    show_road_map(6)
    assert "places become vectors, later words are hidden." in capsys.readouterr().out
    show_road_map()
    said = capsys.readouterr().out
    assert "chapter 1: scores, mix; chapter 2: scores; chapter 3: scale;" in said
    assert all(f"chapter {number}: " in said for number in CHAPTERS[:-1])
