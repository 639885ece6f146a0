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


def test_a_word_that_finds_the_row_is_a_filled_dot_and_the_nearest_stands_left(shown):
    by_dot, by_search = np.array([[2, 0], [0, 2], [2, 1]]), np.array([[0, 2], [1, 2], [2, 1]])
    finders.show_finders("plum", WORDS, COUNTS, by_dot, by_search)
    figure, words = drawn(shown)
    (axes,) = figure.axes
    filled, hollow = (
        {height: places for line in axes.lines if line.get_markerfacecolor() == colour
         for height, places in [(line.get_ydata()[0], line.get_xdata().tolist())]}
        for colour in (finders.QUERY, "white")
    )  # fmt: skip
    # With plum itself the cosine is 1, with cat 36 / (9.06 · 5) = .80, with the 120 / 492 = .24.
    assert filled == {1: [0, 2], 0: [0]}
    assert hollow == {1: [1], 0: [1, 2]}
    ends = [label.get_text() for label in axes.get_xticklabels()]
    assert ends == ["cosine 1.00", "cosine .24"]
    assert axes.get_xlabel() == "the 3 words, most like plum first"
    assert figure.get_suptitle() == "2 of 3 words find “plum” first by dot product, by search 1"
    assert "by dot product 2, by search 1." in words
    assert not words.endswith("on the left.")


def test_where_the_filled_dots_all_stand_left_the_words_say_so(shown):
    finders.show_finders(
        "plum", WORDS, COUNTS, np.array([[0], [2], [2]]), np.array([[0], [1], [2]])
    )
    _, words = drawn(shown)
    assert words.endswith("In both rows these are the dots on the left.")
