"""The sums beside and below a heat map."""

import numpy as np
import pytest

from course_lib.figures.heat_map import draw_weights
from course_lib.figures.readable import faults
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import new_figure

TABLE = np.array([[0.25, 0.75, 0.0], [0.5, 0.25, 0.25]])


@pytest.fixture
def axes():
    return new_figure(5, 3).subplots()


def drawn(axes, table=TABLE, **named):
    draw_weights(axes, table, rows=["cat", "dog"], columns=["a", "b", "c"])
    return draw_sums(axes, table, **named)


def texts(sums):
    return [text.get_text() for text in sums.artists]


def test_rows_come_first_and_then_columns_each_at_its_place(axes):
    sums = drawn(axes)
    assert texts(sums) == ["1.00", "1.00", "0.75", "1.00", "0.25"]
    places = [text.get_position() for text in sums.artists]
    assert places == [(3, 0), (3, 1), (0, 2), (1, 2), (2, 2)]


def test_an_update_shows_the_sums_of_the_new_table(axes):
    sums = drawn(axes, number="{:.1f}")
    sums.update(2 * TABLE)
    assert texts(sums) == ["2.0", "2.0", "1.5", "2.0", "0.5"]


def test_a_table_of_another_shape_is_refused(axes):
    with pytest.raises(ValueError, match=r"table has shape \(3, 2\)"):
        drawn(axes).update(TABLE.T)


def test_a_sum_that_rounds_to_zero_has_no_minus(axes):
    sums = drawn(axes, np.array([[1.0, -1.0, -1e-12], [0.0, 0.0, 0.0]]))
    assert "-0.00" not in texts(sums)


def test_the_sums_lie_inside_of_the_picture_and_have_a_name(axes):
    drawn(axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c", "sum"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["cat", "dog", "sum"]
    assert faults(axes.figure) == []


def test_a_table_without_names_gets_none_for_its_sums(axes):
    draw_weights(axes, TABLE)
    draw_sums(axes, TABLE)
    assert axes.get_xticklabels() == []
