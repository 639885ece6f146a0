"""In chapter 2's picture of two lengths, a word says which arrows are those of the start."""

import numpy as np
import pytest
from matplotlib.text import Text

from course_lib.chapters.cosine_or_dot.explorers.two_lengths import (
    draw_two_lengths,
    explore_two_lengths,
)
from course_lib.figures.theme import new_figure
from tests.chapters.samples import data_of
from tests.sweeps import some


def words_at(**lengths):
    """Each word at the arrows that is seen, with its box."""
    figure = new_figure(7.0, 4.0)
    drawing = draw_two_lengths(figure, data_of(explore_two_lengths))
    drawing.update(data_of(explore_two_lengths, **lengths))
    figure.draw_without_rendering()
    seen = [one for one in figure.axes[0].texts if one.get_visible() and one.get_text()]
    return [(one.get_text(), Text.get_window_extent(one)) for one in seen]


@pytest.mark.parametrize(
    ("lengths", "count"),
    [
        ({}, 0),
        ({"key_c": 2.8}, 1),
        ({"key_c": 2.0, "query": 3.0}, 1),
        ({"key_d": 3.0}, 1),
        ({"key_c": 2.8, "query": 3.0, "key_d": 3.0}, 1),
        ({"key_c": 0.6}, 1),
        ({"key_d": 0.5, "query": 0.2}, 1),
        ({"query": 1.3}, 0),  # the word would lie under the name of q
    ],
)
def test_the_word_start_stands_once_where_a_grey_arrow_has_room_for_it(lengths, count):
    assert [word for word, _ in words_at(**lengths)].count("start") == count


@pytest.mark.parametrize("name", ["query", "key_c", "key_d"])
def test_the_word_start_lies_on_no_name(name):
    for length in some(np.arange(0.5, 3.05, 0.1).round(1), 9):
        words = words_at(**{name: length})
        names = [box for word, box in words if word != "start"]
        for word, box in words:
            assert word != "start" or not any(box.overlaps(other) for other in names), length
