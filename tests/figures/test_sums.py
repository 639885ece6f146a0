"""The sums beside and below a heat map."""

import numpy as np
import pytest

from course_lib.figures.heat_map import draw_weights
from course_lib.figures.readable import faults
from course_lib.figures.sums import UNIT, draw_sums
from course_lib.figures.theme import new_figure

TABLE = np.array([[0.25, 0.75, 0.0], [0.5, 0.25, 0.5]])


@pytest.fixture
def axes():
    return new_figure(5, 3).subplots()


def drawn(axes, table=TABLE):
    draw_weights(axes, table, rows=["cat", "dog"], columns=["a", "b", "c"])
    return draw_sums(axes, table)


def texts(sums):
    return [one.get_text() for one in sums.artists if hasattr(one, "get_text")]


def test_rows_come_first_and_then_columns(axes):
    assert texts(drawn(axes)) == ["1.00", "1.25", ".75", "1.00", ".50"]


def test_the_bar_of_a_row_is_as_long_as_its_sum(axes):
    bars = [one for one in drawn(axes).artists if hasattr(one, "get_width")]
    assert [bar.get_width() for bar in bars[:2]] == pytest.approx([UNIT, 1.25 * UNIT])


def test_the_bar_of_a_column_is_as_long_as_its_sum(axes):
    bars = [one for one in drawn(axes).artists if hasattr(one, "get_height")]
    assert [bar.get_height() for bar in bars[2:]] == pytest.approx([0.75 * UNIT, UNIT, 0.5 * UNIT])


def test_an_update_shows_the_sums_of_the_new_table(axes):
    sums = drawn(axes)
    sums.update(2 * TABLE)
    assert texts(sums) == ["2.00", "2.50", "1.50", "2.00", "1.00"]


def test_a_table_of_another_shape_is_refused(axes):
    with pytest.raises(ValueError, match=r"table has shape \(3, 2\)"):
        drawn(axes).update(TABLE.T)


def test_a_sum_that_rounds_to_zero_has_no_minus(axes):
    sums = drawn(axes, np.array([[1.0, -1.0, -1e-12], [0.0, 0.0, 0.0]]))
    assert texts(sums)[0] == ".00"


def test_the_names_of_the_columns_stand_above_them(axes):
    drawn(axes)
    assert axes.xaxis.get_ticks_position() == "top"


@pytest.mark.parametrize("table", [TABLE, 4 * TABLE, 0 * TABLE, -TABLE])
def test_the_sums_lie_inside_of_the_picture_whatever_they_are(axes, table):
    drawn(axes, table)
    assert faults(axes.figure) == []
