"""figures/letters.py: boxes in a row, and arcs that are as thick as the weights."""

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from course_lib.figures.letters import (
    MEMORY,
    draw_arc,
    draw_chain,
    draw_letters,
    draw_lines_below,
    draw_looking,
    draw_looks,
    draw_passing_on,
)
from course_lib.figures.readable import faults
from course_lib.figures.theme import KEY, QUERY, VALUE, new_figure


@pytest.fixture
def axes():
    return new_figure(7.0, 2.0).subplots()


def arcs(axes):
    """Where each arrow begins and ends, in letters."""
    found = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    return [tuple(round(x) for x, _ in patch._posA_posB) for patch in found], found


def test_every_letter_is_written_and_a_space_can_be_seen(axes):
    draw_letters(axes, "a bc", asks=(2,))
    assert [text.get_text() for text in axes.texts] == ["a", "␣", "b", "c"]
    assert [text.get_fontweight() for text in axes.texts] == ["normal", "normal", "bold", "normal"]
    assert faults(axes.figure) == []


def test_arcs_go_from_who_looks_to_what_is_looked_at(axes):
    weights = np.array([[1.0, 0, 0, 0], [0.7, 0.3, 0, 0], [0, 0, 1, 0], [0.05, 0.6, 0.35, 0]])
    draw_letters(axes, "abca")
    draw_looks(axes, weights, rows=(1, 3))
    ends, patches = arcs(axes)
    assert ends == [(1, 0), (1, 1), (3, 1), (3, 2)], "the weight of .05 is left out"
    widths = [patch.get_linewidth() for patch in patches]
    np.testing.assert_allclose(np.array(widths) / widths[0], np.array([0.7, 0.3, 0.6, 0.35]) / 0.7)


def test_a_chain_goes_to_the_next_letter(axes):
    draw_letters(axes, "abca")
    draw_chain(axes, "abca")
    assert arcs(axes)[0] == [(0, 1), (1, 2), (2, 3)]


def letters_of(axes):
    """The letters of all memories: each is one shape, drawn once or, blurred, many times."""
    return [one for one in axes.collections if isinstance(one, PathCollection)]


def test_in_a_memory_of_one_size_what_is_older_is_paler_and_more_blurred_and_none_is_gone(axes):
    draw_letters(axes, "noon")
    draw_chain(axes, "noon")
    axes.figure.canvas.draw()
    boxes = [one for one in axes.patches if isinstance(one, FancyBboxPatch)][4:]
    assert len({(round(one.get_height(), 6), round(one.get_width(), 6)) for one in boxes}) == 1
    letters = letters_of(axes)
    assert len(letters) == 1 + 2 + 3 + 4
    copies = [one.get_offsets() for one in letters[-4:]]
    spread, high = [one[:, 1].std() for one in copies], [one[:, 1].mean() for one in copies]
    shares = [one.get_facecolor()[0][3] for one in letters[-4:]]
    ink = [1 - (1 - one) ** len(of) for one, of in zip(shares, copies, strict=True)]
    assert len(copies[0]) == 1, "the newest is sharp"
    assert spread == sorted(spread)
    assert high == sorted(high)
    assert ink == sorted(ink, reverse=True)
    assert len(set(spread)) == len(set(ink)) == 4


@pytest.mark.parametrize("text", ["giraffe", "giraffe pogir", "abcdefghijklmnopqrstuvwx"])
def test_every_letter_stays_within_its_memory(text):
    axes = new_figure(7.0, 4.7).subplots(2, 1)[0]
    draw_letters(axes, text, sky=MEMORY[1] + 0.2)
    draw_chain(axes, text)
    axes.figure.canvas.draw()
    low, high = axes.transData.transform([(0, MEMORY[0]), (0, MEMORY[1])])[:, 1]
    letters = letters_of(axes)
    assert len(letters) == len(text) * (len(text) + 1) // 2
    heights = [one.get_offset_transform().transform(one.get_offsets())[:, 1] for one in letters]
    assert min(map(np.min, heights)) > low
    assert max(map(np.max, heights)) < high


def test_a_letter_that_is_watched_has_its_colour_in_each_memory(axes):
    draw_letters(axes, "giraffe")
    draw_chain(axes, "giraffe", watched=0)
    colours = [one.get_facecolor()[0][:3] for one in letters_of(axes)]
    assert sum(np.allclose(one, to_rgb(VALUE)) for one in colours) == len("giraffe")


def test_an_arc_rises_as_high_as_it_is_told(axes):
    draw_letters(axes, "giraffe pogir", sky=2.6)
    for peak in (0.5, 1.5):
        draw_arc(axes, 12, 3, peak=peak)
    axes.figure.canvas.draw()
    low, high = (axes.transData.inverted().transform(one.get_window_extent().max)[1]
                 for one in arcs(axes)[1])  # fmt: skip
    assert (low, high) == (pytest.approx(0.9, abs=0.1), pytest.approx(1.9, abs=0.1))


def test_words_stand_below_their_letter_and_inside_the_picture(axes):
    draw_letters(axes, "giraffe pogir", lines=2)
    for place in (0, 5, 12):
        draw_lines_below(axes, place, [("who has an r before?", QUERY), ("and more", KEY)])
    axes.figure.draw_without_rendering()
    words = [text for text in axes.texts if " " in text.get_text()]
    assert all(axes.bbox.padded(2).contains(*text.get_window_extent().min) for text in words)
    assert all(axes.bbox.padded(2).contains(*text.get_window_extent().max) for text in words)
    assert [text.get_position()[0] for text in words[2:4]] == [5, 5]


def test_arcs_of_the_longest_reach_stay_in_the_picture(axes):
    draw_letters(axes, "giraffe pogir", sky=2.6)
    draw_looks(axes, np.full((13, 13), 0.4), rows=(12,))
    axes.figure.canvas.draw()
    for patch in arcs(axes)[1]:
        assert axes.bbox.padded(2).contains(*patch.get_window_extent().max)


def test_a_row_for_each_head_with_its_title():
    figure = new_figure(7.0, 3.1)
    near, far = np.eye(13, k=-1), np.eye(13, k=-9)
    draw_looking(figure, "giraffe pogir", {"near": (near, range(1, 13)), "far": (far, (11, 12))})
    first, second = figure.axes
    assert [axes.get_title() for axes in (first, second)] == ["near", "far"]
    assert arcs(first)[0] == [(place, place - 1) for place in range(1, 13)]
    assert arcs(second)[0] == [(11, 2), (12, 3)]
    assert faults(figure) == []
    for axes in (first, second):
        for patch in arcs(axes)[1]:
            assert axes.bbox.padded(2).contains(*patch.get_window_extent().max)


def test_passing_on_takes_as_many_steps_as_there_are_gaps():
    figure = new_figure(7.0, 3.3)
    draw_passing_on(figure, "giraffe")
    above, below = figure.axes
    assert "6 steps, or one" in figure.get_suptitle()
    assert "Attention" in below.get_title(loc="left")
    assert arcs(above)[0] == [(place, place + 1) for place in range(6)]
    assert arcs(below)[0] == [(6, place) for place in range(6)]
    assert faults(figure) == []
