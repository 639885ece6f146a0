"""The table of tiles: what is on the chip, what was, what is never touched."""

import numpy as np

from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure
from course_lib.figures.tiles import DONE, NOT_YET, NOW, SKIPPED, TileTable


def test_the_strips_show_which_rows_and_columns_are_on_the_chip():
    figure = new_figure(6.0, 4.0)
    table = TileTable(figure.subplots(), 6)
    table.update(np.full((6, 6), NOT_YET), (slice(0, 2), slice(3, 6)))
    q, k, frame = table._q.get_bbox(), table._k.get_bbox(), table._frame.get_bbox()
    assert (q.y0, q.height) == (-0.5, 2)
    assert (k.x0, k.width) == (2.5, 3)
    assert (frame.width, frame.height) == (3, 2)
    assert faults(figure) == []


def test_the_outputs_that_are_done_fill_their_strip_from_the_top():
    table = TileTable(new_figure(6.0, 4.0).subplots(), 6)
    table.update(np.full((6, 6), NOT_YET))
    assert table._out.get_bbox().width == 0
    table.update(np.full((6, 6), NOT_YET), out=4)
    assert (table._out.get_bbox().y0, table._out.get_bbox().height) == (-0.5, 4)


def test_without_a_tile_nothing_is_framed():
    table = TileTable(new_figure(6.0, 4.0).subplots(), 4)
    table.update(np.full((4, 4), DONE))
    assert not table._frame.get_visible()


def test_what_is_never_touched_is_crossed_out_not_only_coloured():
    table = TileTable(new_figure(6.0, 4.0).subplots(), 3)
    state = np.array([[NOW, SKIPPED, SKIPPED], [DONE, NOW, SKIPPED], [DONE, DONE, NOT_YET]])
    table.update(state)
    assert sorted(zip(*table._crosses.get_data(), strict=True)) == [(1, 0), (2, 0), (2, 1)]
