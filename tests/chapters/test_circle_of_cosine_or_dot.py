"""Chapter 2's pictures of arrows on a circle and of the words that find one long row."""

import numpy as np
import pytest
from matplotlib.text import Text

from course_lib.chapters.cosine_or_dot import circle, finders
from course_lib.kernels.vectors import normalize
from tests.chapters.caught import caught, drawn

ARROWS = np.array([[1.2, 0.0], [2.6, 1.5], [0.1, 0.6]])
WORDS = ["the", "cat", "plum"]
COUNTS = np.array([[0.0, 90.0, 40.0], [9.0, 1.0, 0.0], [4.0, 0.0, 3.0]])


@pytest.fixture
def shown(monkeypatch):
    return caught(monkeypatch, circle, finders)


def test_from_the_first_tip_a_line_to_each_other_one_says_how_far_it_is(shown):
    circle.show_onto_circle(ARROWS, normalize(ARROWS))
    figure, words = drawn(shown)
    for axes, rows in zip(figure.axes, (ARROWS, normalize(ARROWS)), strict=True):
        lines = [line.get_xydata() for line in axes.lines if line.get_linestyle() == "--"]
        np.testing.assert_allclose(lines, [[rows[0], rows[1]], [rows[0], rows[2]]])
        far = {f"{np.linalg.norm(row - rows[0]):.2f}" for row in rows[1:]}
        assert far <= {text.get_text() for text in axes.texts}
    assert figure.get_suptitle() == "As stored, c is nearer to a; on the circle, b is"
    assert "1.20, 3.00, 0.61 long" in words
    assert "it is 2.05 and 1.25 to the tips of b and c" in words
    assert "from tip to tip it is 0.52 and 1.29" in words


def test_the_circle_ends_inside_the_frame(shown):
    circle.show_onto_circle(ARROWS, normalize(ARROWS))
    figure, _ = drawn(shown)
    for axes in figure.axes:
        (quarter,) = (line for line in axes.lines if len(line.get_xydata()) > 3)
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        x, y = quarter.get_xydata().T
        assert left < x.min() < x.max() < right
        assert low < y.min() < y.max() < high


def test_no_arrow_runs_through_a_number(shown):
    circle.show_onto_circle(ARROWS, normalize(ARROWS))
    figure, _ = drawn(shown)
    figure.draw_without_rendering()
    for axes in figure.axes:
        numbers = [text for text in axes.texts if "." in text.get_text()]
        boxes = [Text.get_window_extent(text) for text in numbers]
        assert len(boxes) == 2
        for arrow in axes.patches:
            path = arrow.get_path().transformed(arrow.get_transform())
            assert not any(path.intersects_bbox(box) for box in boxes)


def test_the_headline_says_where_the_same_tip_stays_the_nearest(shown):
    circle.show_onto_circle(ARROWS[[0, 2, 2]] * [[1], [1], [9]], normalize(ARROWS[[0, 2, 2]]))
    figure, _ = drawn(shown)
    assert figure.get_suptitle() == "As stored and on the circle, b is nearer to a"


@pytest.mark.parametrize("after", [2 * ARROWS, np.full((3, 2), np.nan)])
def test_the_headline_says_where_tips_are_not_on_the_circle(shown, after):
    circle.show_onto_circle(ARROWS, after)
    figure, _ = shown.pop()
    assert figure.get_suptitle() == "These tips are not all on the circle"


def dots(axes, colour) -> np.ndarray:
    """The dots of this filling."""
    return np.concatenate(
        [
            line.get_xydata()
            for line in axes.lines
            if line.get_marker() == "o" and line.get_markerfacecolor() == colour
        ]
    )


def test_a_word_that_finds_the_row_is_a_filled_dot_over_its_angle_to_it(shown):
    finders.show_finders("plum", WORDS, COUNTS, np.array([[2, 0], [0, 2], [2, 1]]), longer=50)
    figure, words = drawn(shown)
    (axes,) = figure.axes
    the, cat = np.degrees(
        np.arccos([120 / np.hypot(90, 40) / 5, 36 / np.hypot(9, 1) / 5])
    )  # 75.9 and 37.3
    np.testing.assert_allclose(dots(axes, finders.QUERY), [[75, 0], [0, 0]])
    np.testing.assert_allclose(dots(axes, "white"), [[35, 0]])
    assert max(abs(the - 75), abs(cat - 35)) < finders.COLUMN / 2
    assert figure.get_suptitle() == "2 of 3 words find the long “plum” first"
    assert "2 dots are filled, up to 76 degrees" in words
    assert words.endswith("behind the line at 90 degrees.")
    told = {text.get_text() for text in axes.texts}
    assert {"2 words\nfind it", "1 words:\ntoo wide"} <= told
    assert any("no word stands here" in text for text in told)


def test_a_word_behind_the_line_stands_there_and_nothing_says_that_none_does(shown):
    table = np.array([[2.0, 0.0], [-1.0, 1.0]])
    finders.show_finders("plum", ["plum", "far"], table, np.array([[0], [1]]), longer=50)
    figure, words = drawn(shown)
    assert dots(figure.axes[0], "white")[0, 0] == 135
    assert "behind the line" not in words
    assert not any("no word stands here" in text.get_text() for text in figure.axes[0].texts)


def test_a_word_that_shares_nothing_with_the_row_is_counted_at_90_degrees(shown):
    table = np.array([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    finders.show_finders("a", ["a", "b", "c"], table, np.array([[0], [1], [2]]), longer=50)
    figure, _ = drawn(shown)
    (axes,) = figure.axes
    np.testing.assert_allclose(dots(axes, "white"), [[90, 0], [90, 1]])
    told = {text.get_text() for text in axes.texts}
    assert "2 words at 90°:\n50 · 0 is 0" in told
    assert not any("too wide" in text for text in told)


def test_no_two_dots_stand_in_one_place_and_the_filled_ones_stand_below():
    angles = np.array([44.0, 46.0, 45.0, 0.0, 90.0, 90.0])
    finds = np.array([False, True, True, True, False, False])
    spots = finders._in_columns(angles, finds)
    assert len({tuple(spot) for spot in spots.tolist()}) == len(spots)
    np.testing.assert_allclose(spots[:3], [[45, 2], [45, 0], [45, 1]])
