"""figures/sentence.py: arcs as thick as their weights; these and the scores below the words."""

import pytest
from matplotlib.colors import to_hex

from course_lib.figures.numerals import share
from course_lib.figures.readable import faults
from course_lib.figures.sentence import GREY, THICKEST, THINNEST, draw_sentence
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


def test_what_reads_0_has_no_arc_and_all_else_has_one_that_is_seen():
    sentence = draw_sentence(new_figure(7.0, 1.5).subplots(), WORDS, "it")
    sentence.update([0.989, 0.006, 0.004])
    assert [text.get_text() for text in sentence._texts] == [".99", ".01", ".00"]
    assert [arc.get_visible() for arc in sentence._arcs] == [True, True, False]
    assert sentence._arcs[1].get_linewidth() == THINNEST


def test_the_asking_word_stands_last_and_every_weight_below_its_word():
    axes = new_figure(7.0, 1.5).subplots()
    draw_sentence(axes, WORDS, "it").update([0.5, 0.3, 0.2])
    words = [text for text in axes.texts if text.get_color() in (KEY, QUERY)]
    assert [text.get_text() for text in words] == [*WORDS, "it"]
    assert words[-1].get_color() == QUERY
    below = {text.get_position()[0]: text.get_text() for text in axes.texts if text not in words}
    assert [below[text.get_position()[0]] for text in words[:-1]] == [".50", ".30", ".20"]
    assert faults(axes.figure) == []


def test_what_comes_after_is_grey_but_for_the_last_word():
    axes = new_figure(7.0, 1.65).subplots()
    draw_sentence(axes, WORDS, "it", ["was", "sweet"]).update([0.5, 0.3, 0.2])
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert (colours["was"], colours["sweet"]) == (GREY, "white")
    filled = [one for one in axes.patches if to_hex(one.get_facecolor()) == QUERY]
    assert len(filled) == 1
    assert faults(axes.figure) == []


def test_where_somebody_asks_the_last_word_first_a_line_hangs_to_it_and_all_later_words_are_grey():
    axes = new_figure(7.0, 1.65).subplots()
    told = {"named": True, "first": "step 1: your hand"}
    draw_sentence(axes, WORDS, "it", ["was", "sweet"], **told).update([0.5, 0.3, 0.2], [1, 2, 3])
    places = {text.get_text(): text.get_position()[0] for text in axes.texts}
    colours = {text.get_text(): text.get_color() for text in axes.texts}
    assert (colours["was"], colours["sweet"]) == (GREY, GREY)
    assert not [one for one in axes.patches if to_hex(one.get_facecolor()) == QUERY]
    (line,) = (one for one in axes.patches if one.get_linestyle() not in ("-", "solid"))
    assert line.get_path().vertices[[0, -1], 0] == pytest.approx([places["it"], places["sweet"]])
    assert places["it"] < places["step 1: your hand"] < places["sweet"]
    assert faults(axes.figure) == []


def test_weight_and_score_have_names_and_stand_below_their_word():
    axes = new_figure(7.0, 1.5).subplots()
    draw_sentence(axes, WORDS, "it", named=True).update([0.5, 0.3, 0.2], [1.0, 0.5, -3.36])
    places = {text.get_text(): text.get_position() for text in axes.texts}
    assert places["1.00"][0] == places[".50"][0] == places["dog"][0]
    assert places["score"][1] == places["−3.36"][1]
    assert places["weight"][1] == places[".20"][1]
    assert faults(axes.figure) == []


def test_numbers_of_a_wrong_function_stay_in_the_picture():
    axes = new_figure(7.0, 1.5).subplots()
    sentence = draw_sentence(axes, WORDS, "it", named=True)
    sentence.update([7.0, -3.0, 0.5], [99.0, -99.0, 0.0])
    assert [arc.get_linewidth() for arc in sentence._arcs] == [THICKEST, 0, THICKEST / 2]
    assert faults(axes.figure) == []


def test_a_share_is_written_without_its_zero():
    assert [share(x) for x in (0.274, 1.0, 0.0)] == [".27", "1.00", ".00"]
