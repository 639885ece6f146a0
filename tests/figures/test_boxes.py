"""Boxes, arrows, and the transformer that is made of them."""

import pytest

from course_lib.figures.boxes import HALF, draw_arrow, draw_box, draw_sum
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure
from course_lib.figures.transformer import draw_transformer


@pytest.fixture
def axes():
    found = new_figure(4.0, 4.0).subplots()
    found.set(xlim=(-3, 3), ylim=(-1, 5))
    return found


def test_a_box_stands_around_its_name(axes):
    draw_box(axes, 1, 2, "norm", width=2.0)
    axes.figure.canvas.draw()
    box, (text,) = axes.patches[0].get_window_extent(), axes.texts
    inside = text.get_window_extent()
    assert box.x0 < inside.x0
    assert inside.x1 < box.x1
    assert box.y0 < inside.y0 < inside.y1 < box.y1
    assert text.get_position() == (1, 2)


def test_an_arrow_goes_over_its_bends_and_points_to_its_end(axes):
    draw_arrow(axes, (0, 0), (2, 3), (2, 0))
    assert list(zip(*axes.lines[0].get_data(), strict=True)) == [(0, 0), (2, 0)]
    assert axes.texts[0].xy == (2, 3)


def test_a_sum_is_a_plus(axes):
    draw_sum(axes, 0, 1)
    assert axes.texts[0].get_text() == "+"


def in_order(axes):
    named = [(text.get_position()[1], text.get_text()) for text in axes.texts if text.get_text()]
    return [name for _, name in sorted(named)]


def test_the_boxes_of_a_block_stand_in_the_order_of_pre_ln():
    left, _ = draw_transformer(new_figure(6.2, 4.9))
    names = [name for name in in_order(left) if "block" not in name]
    half = ["norm", "multi-head attention", "+", "norm", "MLP", "+"]
    assert names == ["tokens + places", *half, "norm", "next token"]


def test_heads_are_split_attend_and_are_merged():
    _, right = draw_transformer(new_figure(6.2, 4.9))
    names = in_order(right)
    assert names[0] == "x"
    assert sorted(names[1:4]) == ["$W_K$", "$W_Q$", "$W_V$"]
    assert names[4:7] == ["split"] * 3
    assert names[7].startswith("attention")
    assert names[8:] == ["merge", "$W_O$"]


def test_the_words_can_be_read_and_stay_in_their_boxes():
    figure = new_figure(6.2, 4.9)
    left, _ = draw_transformer(figure)
    assert faults(figure) == []
    boxes = [patch.get_window_extent() for patch in left.patches if patch.get_height() == 2 * HALF]
    for text in left.texts:
        if text.get_text() in ("+", "") or "block" in text.get_text():
            continue
        found = text.get_window_extent()
        assert any(box.x0 < found.x0 and found.x1 < box.x1 for box in boxes), text
