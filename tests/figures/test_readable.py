import pytest

from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure


def test_a_plain_figure_has_no_fault():
    figure = new_figure(7, 3)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1])
    axes.set_title("fine")
    assert faults(figure) == []


def test_small_text_is_found():
    figure = new_figure(7, 3)
    figure.subplots().text(0.5, 0.5, "tiny", fontsize=9)
    assert ["'tiny' is" in fault for fault in faults(figure)] == [True]


def test_text_may_be_smaller_in_a_narrow_figure():
    figure = new_figure(4, 3)
    figure.subplots().text(0.5, 0.5, "small", fontsize=10)
    assert faults(figure) == []


def test_a_title_that_runs_over_the_edge_is_found():
    figure = new_figure(3, 3)
    figure.subplots().set_title("far too many words for so narrow a picture")
    assert any("cut off" in fault for fault in faults(figure))


def test_tick_labels_that_collide_are_found():
    figure = new_figure(3, 3)
    figure.subplots().set_xticks([0, 0.1, 1], labels=["kitten", "puppy", "pear"])
    assert any("'kitten' and 'puppy' collide" in fault for fault in faults(figure))


@pytest.mark.filterwarnings("ignore:Glyph")
def test_a_character_without_a_font_is_found():
    figure = new_figure(3, 3)
    figure.subplots().set_title("\ue000")
    assert any("no font" in fault for fault in faults(figure))


def test_what_is_not_drawn_is_no_fault():
    figure = new_figure(7, 3)
    axes = figure.subplots()
    axes.set_xticks([0, 0.01], labels=["kitten", "puppy"])
    axes.set_axis_off()
    assert faults(figure) == []


@pytest.mark.parametrize(("second", "collide"), [(0.05, True), (1, False)])
def test_tick_labels_on_the_right_are_looked_at_where_they_are_drawn(second, collide):
    figure = new_figure(3, 3)
    axes = figure.subplots()
    axes.yaxis.tick_right()
    axes.set(ylim=(0, 1), xticks=[])
    axes.set_yticks([0, second], labels=["kitten", "puppy"])
    found = faults(figure)
    assert any("collide" in fault for fault in found) == collide
    assert not collide or len(found) == 1
