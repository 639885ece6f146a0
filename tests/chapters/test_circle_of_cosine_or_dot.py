"""Chapter 2's pictures of arrows on a circle and of the words that find one long row."""

import numpy as np
import pytest

from course_lib.chapters.cosine_or_dot import circle, finders
from course_lib.kernels.vectors import normalize
from tests.chapters.caught import caught, drawn

ARROWS = np.array([[2.0, 1.0], [0.6, 1.8], [-0.4, 0.3]])
WORDS = ["the", "cat", "plum"]
COUNTS = np.array([[0.0, 90.0, 40.0], [9.0, 1.0, 0.0], [4.0, 0.0, 3.0]])


@pytest.fixture
def shown(monkeypatch):
    return caught(monkeypatch, circle, finders)


def test_each_band_goes_from_the_middle_to_what_came_out_of_its_arrow(shown):
    circle.show_onto_circle(ARROWS, normalize(ARROWS))
    figure, words = drawn(shown)
    (axes,) = figure.axes
    bands = [line.get_xydata()[1] for line in axes.lines if line.get_linewidth() == 11]
    np.testing.assert_allclose(bands, normalize(ARROWS))
    dots = [line.get_xydata()[0] for line in axes.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(dots, normalize(ARROWS))
    assert axes.get_title(loc="left") == "dot product of a and b: 3.00; on the circle: 0.71"
    assert "3 arrows that are 2.2, 1.9, 0.5 long" in words
    assert "1.0, 1.0, 1.0 long" in words


@pytest.mark.parametrize("after", [2 * ARROWS, np.full((3, 2), np.nan)])
def test_the_headline_says_where_tips_are_not_on_the_circle(shown, after):
    circle.show_onto_circle(ARROWS, after)
    figure, _ = shown.pop()
    assert figure.axes[0].get_title(loc="left") == "these tips are not all on the circle"


def dots(axes, colour) -> np.ndarray:
    """The dots of this filling."""
    return np.concatenate(
        [
            line.get_xydata()
            for line in axes.lines
            if line.get_marker() == "o" and line.get_markerfacecolor() == colour
        ]
    )


def test_a_word_that_finds_the_row_is_a_filled_dot_at_its_angle_to_it(shown):
    by_dot, by_search = np.array([[2, 0], [0, 2], [2, 1]]), np.array([[0, 2], [1, 2], [2, 1]])
    finders.show_finders("plum", WORDS, COUNTS, by_dot, by_search, longer=50)
    figure, words = drawn(shown)
    left, right = figure.axes
    the, cat, plum = np.arccos([120 / np.hypot(90, 40) / 5, 36 / np.hypot(9, 1) / 5, 1])

    def angles(axes, colour):
        return sorted(np.abs(np.arctan2(*dots(axes, colour).T[::-1])))

    np.testing.assert_allclose(angles(left, finders.QUERY), [plum, the], atol=1e-7)
    np.testing.assert_allclose(angles(left, "white"), [cat])
    np.testing.assert_allclose(angles(right, finders.QUERY), [plum], atol=1e-7)
    np.testing.assert_allclose(angles(right, "white"), [cat, the])
    assert left.get_title(loc="left") == "by dot product: 2 find it"
    assert figure.get_suptitle() == "2 of 3 words find “plum” first by dot product, by search 1"
    assert "By dot product 2 are, by search 1." in words
    assert words.endswith("behind the line at 90 degrees.")
    assert "no word\nhere" in [text.get_text() for text in left.texts]
    assert "plum, 50 times\nas long" in [text.get_text() for text in left.texts]
    assert {"plum, 1 long", "plum itself"} <= {text.get_text() for text in right.texts}


def test_a_word_behind_the_line_stands_there_and_nothing_says_that_none_does(shown):
    table = np.array([[2.0, 0.0], [-1.0, 1.0]])
    found = np.array([[0], [1]])
    finders.show_finders("plum", ["plum", "far"], table, found, found, longer=50)
    figure, words = drawn(shown)
    assert dots(figure.axes[0], "white")[0, 0] < 0
    assert "90 degrees" not in words
    assert "no word\nhere" not in [text.get_text() for text in figure.axes[0].texts]


def test_where_others_find_the_row_too_no_dot_is_named(shown):
    found = np.array([[2], [1], [2]])
    finders.show_finders("plum", WORDS, COUNTS, found, found, longer=50)
    figure, _ = drawn(shown)
    assert "plum itself" not in [text.get_text() for text in figure.axes[1].texts]


def test_no_two_dots_of_a_ring_touch():
    spots = finders._spread_out(np.radians([0, 1, 2, 3, 50, 50, 50, 50, 50, 50, 50, 90, 90, 90]))
    gaps = np.linalg.norm(spots[:, None] - spots, axis=-1)[np.triu_indices(len(spots), 1)]
    assert gaps.min() > 0.95 * finders.APART
