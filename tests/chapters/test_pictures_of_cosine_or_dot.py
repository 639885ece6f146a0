"""The pictures of chapter 2 that do not move: readable, and in words what they show."""

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from course_lib.chapters.cosine_or_dot import pictures, rankings, reach_of_words
from course_lib.figures.theme import KEY, QUERY
from tests.chapters.caught import caught, drawn

WORDS = ["the", "cat", "plum"]
COUNTS = np.array([[0.0, 90.0, 40.0], [9.0, 1.0, 0.0], [4.0, 0.0, 3.0]])


@pytest.fixture
def shown(monkeypatch):
    return caught(monkeypatch, pictures, rankings, reach_of_words)


def test_each_ranking_names_what_was_found_with_its_length_and_its_cosine(shown):
    by_dot, by_cosine = np.array([[0, 1]]), np.array([[1, 2]])
    rankings.show_rankings(["cat"], WORDS, COUNTS, by_dot, by_cosine)
    figure, words = drawn(shown)
    left, right = ([text.get_text() for text in axes.texts] for axes in figure.axes)
    assert left[:4] == [
        "10",
        "9",
        "98 · .1009 =",
        "9 · 1.0000 =",
    ]  # 90 / (98.49 · 9.06), and itself
    assert left[4:] == [
        "length · cosine =",
        "reach = dot product / 9",
    ]  # the heads of these columns
    assert right == ["1.0000", ".7951", ".1009"]  # 36 / (9.06 · 5), and that of what beats it
    names = [[label.get_text() for label in axes.get_yticklabels()] for axes in figure.axes]
    assert names == [["1. the", "2. cat"], ["1. cat", "2. plum", "3. the"]]
    assert figure.axes[1].get_xlabel().startswith("dotted: far less alike")
    assert words == (
        "Asked for cat. By dot product: the, cat, whose rows are long. By cosine: cat; then, "
        "far less alike, plum."
    )


def test_a_bar_of_a_ranking_is_the_dot_product_with_a_question_of_length_1(shown):
    rankings.show_rankings(["plum"], WORDS, COUNTS, np.array([[0, 1, 2]]), np.array([[2, 1, 0]]))
    figure, _ = drawn(shown)
    bars = [bar.get_width() for bar in figure.axes[0].patches]
    np.testing.assert_allclose(bars, COUNTS @ COUNTS[2] / 5)


def test_a_word_that_its_ranking_leaves_out_stands_below_it_with_its_place(shown):
    rankings.show_rankings(["plum"], WORDS, COUNTS, np.array([[0, 1]]), np.array([[2, 1]]))
    figure, words = drawn(shown)
    left, right = figure.axes
    assert "5 · 1.0000 =" in [text.get_text() for text in left.texts]
    assert left.get_title(loc="left") == "ranked by dot product"  # its bars are not
    assert [label.get_text() for label in left.get_yticklabels()][-1] == "3. plum"
    assert left.patches[-1].get_width() == pytest.approx(5)
    assert left.get_ylim() == right.get_ylim()  # so that the rows of both sides stay level
    assert words.endswith("By dot product plum itself stands at place 3 of 3.")


def test_what_was_found_instead_of_the_word_stands_below_on_the_side_of_the_cosine(shown):
    rankings.show_rankings(["plum"], WORDS, COUNTS, np.array([[0, 1]]), np.array([[2, 1]]))
    figure, _ = drawn(shown)
    left, right = figure.axes
    assert right.texts[-1].get_text() == ".2437"  # 120 / (98.49 · 5)
    names = [[label.get_text() for label in axes.get_yticklabels()] for axes in (left, right)]
    assert names == [["1. the", "2. cat", "3. plum"], ["1. plum", "2. cat", "3. the"]]
    colours = [[label.get_color() for label in axes.get_yticklabels()] for axes in (left, right)]
    assert colours[0][0] == colours[1][-1] != colours[0][-1] == colours[1][0]


def test_the_word_is_blue_wherever_it_stands_and_what_beats_it_has_the_other_colour(shown):
    for by_dot in ([[0, 2]], [[2, 0]]):
        rankings.show_rankings(["plum"], WORDS, COUNTS, np.array(by_dot), np.array([[2, 1]]))
        figure, _ = drawn(shown)
        colours = [{label.get_text(): label.get_color() for label in axes.get_yticklabels()}
                   for axes in figure.axes]  # fmt: skip
        own, first = colours[1]["1. plum"], colours[0][f"1. {WORDS[by_dot[0][0]]}"]
        assert own == QUERY
        assert first == (QUERY if by_dot[0][0] == 2 else KEY)
        assert ("3. the" in colours[1]) == (by_dot[0][0] == 0)  # how far it falls by cosine


def test_what_the_cosine_finds_too_is_not_drawn_below_a_second_time(shown):
    rankings.show_rankings(["plum"], WORDS, COUNTS, np.array([[0, 1]]), np.array([[2, 0]]))
    figure, _ = drawn(shown)
    names = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert names == ["1. plum", "2. the"]


def test_what_comes_behind_a_gap_is_an_empty_bar_and_so_is_all_after_it(shown):
    words = ["a", "b", "c", "d"]
    turned = np.radians([0, 10, 60, 62])
    table = np.stack([np.cos(turned), np.sin(turned)], axis=1) @ np.eye(2, 4)
    order = np.array([[0, 1, 2, 3]])
    rankings.show_rankings(["a"], words, table, order, order)
    figure, words = drawn(shown)
    empty = [[bar.get_facecolor()[:3] == (1, 1, 1) for bar in axes.patches] for axes in figure.axes]
    assert empty == [[False] * 4, [False, False, True, True]]
    assert words.endswith("By cosine: a, b; then, far less alike, c, d.")


def test_a_ranking_without_a_gap_fills_no_place(shown):
    rankings.show_rankings(["cat"], WORDS, COUNTS, np.array([[0, 1]]), np.array([[1]]).repeat(2, 1))
    figure, words = drawn(shown)
    assert words.endswith("By cosine: cat, cat, which are used like it.")
    assert not figure.axes[1].get_xlabel()  # no bar is dotted, so nothing is said of dots


@pytest.mark.parametrize("beside", [0.02, 0.3, 0.55, 0.7, 0.99])
def test_nothing_that_is_written_in_a_ranking_touches_anything_else(shown, beside):
    turn = np.arccos(beside)
    table = np.array([[50_000.0, 0.0], [np.cos(turn), np.sin(turn)], [0.999, 0.0447]])
    names = ["a", "drinks", "c"]
    rankings.show_rankings(["drinks"], names, table, np.array([[0]]), np.array([[1]]))
    figure, _ = drawn(shown)
    figure.draw_without_rendering()
    for axes in figure.axes:
        written = [*axes.texts, *axes.get_yticklabels()]
        boxes = [Text.get_window_extent(one) for one in written]
        boxes += [bar.get_window_extent() for bar in axes.patches]
        for i, box in enumerate(boxes):
            assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
            assert not any(box.overlaps(other) for other in boxes[:i])


def test_all_questions_of_a_ranking_share_one_scale(shown):
    asked, found = ["plum", "cat"], np.array([[0, 1], [1, 2]])
    rankings.show_rankings(asked, WORDS, COUNTS, found, found)
    figure, _ = drawn(shown)
    left = figure.axes[::2]
    assert left[0].get_title(loc="left") == "ranked by dot product"
    assert left[0].get_xlim() == left[1].get_xlim()
    longest = max(bar.get_width() for axes in left for bar in axes.patches)
    assert left[0].get_xlim()[1] > longest


@pytest.mark.parametrize(
    ("by_dot", "headline"),
    [
        ([[0, 2], [0, 1]], "By dot product neither word finds itself, by cosine both do"),
        ([[1, 2], [0, 1]], "Words that find themselves: by dot product 1 of 2, by cosine 2"),
    ],
)
def test_the_headline_of_the_rankings_counts_the_words_that_find_themselves(
    shown, by_dot, headline
):
    found = [np.array(places) for places in (by_dot, [[1, 2], [2, 0]])]
    rankings.show_rankings(["cat", "plum"], WORDS, COUNTS, *found)
    figure, _ = drawn(shown)
    assert figure.get_suptitle() == headline


@pytest.mark.parametrize(
    ("by_dot", "headline"),
    [
        ([[0, 1]], "By dot product “plum” is at place 3, by cosine at place 1"),
        ([[0, 2]], "By dot product “plum” is at place 2, by cosine at place 1"),
        ([[2, 0]], "“plum” is first by both"),
    ],
)
def test_the_headline_of_one_ranking_says_where_its_word_stands(shown, by_dot, headline):
    rankings.show_rankings(["plum"], WORDS, COUNTS, np.array(by_dot), np.array([[2, 1]]))
    figure, _ = drawn(shown)
    assert figure.get_suptitle() == headline


def test_a_word_reaches_as_far_as_its_dot_product_over_the_length_of_the_other(shown):
    reach_of_words.show_reach("plum", ["the", "cat", "plum"], WORDS, COUNTS)
    figure, words = drawn(shown)
    (plane,) = figure.axes
    bars = [one for one in plane.patches if isinstance(one, Rectangle)]  # the longest on top
    np.testing.assert_allclose([bar.get_width() for bar in bars], [24, 7.2, 5])
    assert bars[0].get_y() > bars[1].get_y() > bars[2].get_y()
    drops = [line.get_xydata() for line in plane.lines if line.get_linestyle() == "--"]
    tips = (np.sqrt(9700 - 24**2), np.sqrt(82 - 7.2**2), 0)
    for bar, drop, height in zip(bars, drops, tips, strict=True):
        top = bar.get_y() + bar.get_height()
        np.testing.assert_allclose(drop, [[bar.get_width(), height], [bar.get_width(), top]])
    texts = [text.get_text() for text in plane.texts]
    assert {"cat: 9 long, 37°", "cat reaches 7", "plum: 5"} <= set(texts)
    assert figure.get_suptitle() == "“the” reaches 5 times as far along “plum” as “plum” itself"
    assert "cat 9 long at 37 degrees" in words
    assert words.endswith("along plum: the 24, cat 7, plum 5.")


def test_no_factor_is_named_where_nothing_reaches_twice_as_far(shown):
    reach_of_words.show_reach("cat", ["cat", "plum"], WORDS, COUNTS)
    figure, _ = drawn(shown)
    assert figure.get_suptitle() == "How far words reach along cat"


def test_neighbours_that_only_one_of_two_words_has_are_named(shown):
    pictures.show_neighbours("cat", "plum", WORDS, 100 * COUNTS)
    figure, words = drawn(shown)
    assert "Only cat has cat; only plum has plum." in words
    assert figure.get_suptitle() == "Near both: 1 of the 3 words near cat or plum"
    assert "Neighbours of both: 1," in words


def test_the_angle_between_two_words_is_the_sum_of_the_two_beside_the_axis(shown):
    pictures.show_two_words(20, -30)
    figure, words = drawn(shown)
    assert "50 degrees apart" in words
    assert "cos 50° = .64" in figure.get_suptitle()
