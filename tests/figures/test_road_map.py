"""figures/road_map.py: every chapter has its place, and the picture can be read."""

from pathlib import Path

from matplotlib.patches import Circle

from course_lib.figures.readable import faults
from course_lib.figures.road_map import FAST, NAMES, ONE_HEAD, PARTS, draw_road_map
from course_lib.figures.theme import new_figure

CHAPTERS = sorted((Path(__file__).parents[2] / "chapters").glob("0[1-9]_*.py"))


def test_the_picture_can_be_read():
    figure = new_figure(7.0, 5.0)
    draw_road_map(figure.subplots())
    assert faults(figure) == []


def test_every_chapter_stands_there_and_no_other():
    figure = new_figure(7.0, 5.0)
    axes = figure.subplots()
    draw_road_map(axes)
    written = [text.get_text() for text in axes.texts]
    badges = [int(text) for text in written if text.isdigit()]
    assert set(badges) == set(NAMES) == set(range(1, 9))
    assert len(badges) == sum(isinstance(patch, Circle) for patch in axes.patches)
    assert all(part in written for part, _ in PARTS)


def test_the_names_are_those_of_the_chapters():
    for path in CHAPTERS:
        title = path.read_text(encoding="utf-8").split("\n# # ", 1)[1].split("\n", 1)[0].lower()
        first_word = NAMES[int(path.name[:2])].split()[0].strip(",?").lower()
        assert first_word.rstrip("s") in title, (path.name, title)


def test_a_head_and_what_is_made_fast_are_what_they_say():
    first, last = ONE_HEAD
    assert "queries" in PARTS[first][0]
    assert "values" in PARTS[last][0]
    assert PARTS[FAST[0]][0].startswith("scores:")
    assert FAST[1] == last
