"""figures/sentence.py: arcs as thick as their weights, scores as pins, weights as bars."""

import numpy as np
import pytest

from course_lib.figures.numerals import share
from course_lib.figures.readable import faults
from course_lib.figures.sentence import BAR, THICKEST, draw_sentence, draw_shares
from course_lib.figures.theme import KEY, QUERY, new_figure

WORDS = ("dog", "left", "because")


def test_an_arc_is_as_thick_as_its_weight():
    axes = new_figure(7.0, 1.5).subplots()
    sentence = draw_sentence(axes, WORDS, "it")
    sentence.update([0.75, 0.25, 0.001])
    first, second, third = sentence._arcs
    assert first.get_linewidth() == pytest.approx(0.75 * THICKEST)
    assert first.get_linewidth() == pytest.approx(3 * second.get_linewidth())
    assert [arc.get_visible() for arc in (first, second, third)] == [True, True, False]
    sentence.update([0.0, 0.0, 1.0])
    assert [arc.get_visible() for arc in (first, second, third)] == [False, False, True]


def test_the_asking_word_stands_last_and_every_weight_below_its_word():
    axes = new_figure(7.0, 1.5).subplots()
    draw_sentence(axes, WORDS, "it").update([0.5, 0.3, 0.2])
    words = [text for text in axes.texts if text.get_color() in (KEY, QUERY)]
    assert [text.get_text() for text in words] == [*WORDS, "it"]
    assert words[-1].get_color() == QUERY
    below = {text.get_position()[0]: text.get_text() for text in axes.texts if text not in words}
    assert [below[text.get_position()[0]] for text in words[:-1]] == [".50", ".30", ".20"]
    assert faults(axes.figure) == []


def test_pins_and_bars_follow_and_the_start_stays_behind():
    axes = new_figure(3.0, 2.5).subplots()
    shares = draw_shares(axes, WORDS, np.array([1.0, 0.0, -2.0]), np.array([0.7, 0.26, 0.04]))
    ghosts = [p.get_width() for p in axes.patches if p not in shares._bars]
    assert ghosts == pytest.approx([0.7 * BAR, 0.26 * BAR, 0.04 * BAR])
    shares.update(np.array([-1.0, 3.0, 0.0]), np.array([0.02, 0.93, 0.05]))
    assert [bar.get_width() for bar in shares._bars] == pytest.approx(
        [0.02 * BAR, 0.93 * BAR, 0.05 * BAR]
    )
    ends = [pin.get_xdata()[1] - pin.get_xdata()[0] for pin in shares._pins]
    assert ends[0] == pytest.approx(-ends[1] / 3)
    assert ends[2] == 0
    assert [text.get_text() for text in shares._texts] == [".02", ".93", ".05"]
    assert faults(axes.figure) == []


def test_numbers_of_a_wrong_function_stay_in_the_picture():
    axes = new_figure(3.0, 2.5).subplots()
    shares = draw_shares(axes, WORDS, np.zeros(3), np.ones(3) / 3)
    shares.update(np.array([99.0, -99.0, 0.0]), np.array([7.0, -3.0, 0.5]))
    assert [bar.get_width() for bar in shares._bars] == [BAR, 0, 0.5 * BAR]
    low, high = axes.get_xlim()
    assert all(low < x < high for pin in shares._pins for x in pin.get_xdata())


def test_a_share_is_written_without_its_zero():
    assert [share(x) for x in (0.274, 1.0, 0.0)] == [".27", "1.00", ".00"]
