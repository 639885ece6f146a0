"""Tables side by side carry their names, shapes and numbers, and none is cut off."""

import numpy as np
import pytest

from course_lib.figures.readable import faults
from course_lib.figures.tables import draw_tables
from course_lib.figures.theme import new_figure

X, SHARES = np.array([[1.0, -2.0, 3.0], [0.5, 0.0, 7.0]]), np.array([[0.25, 0.75], [1.0, 0.0]])
LINES = [[("x", X), ("q", X[:, :2])], [("scores", X), ("weights", SHARES), ("output", X)]]


def test_each_table_has_its_name_its_shape_and_its_numbers():
    figure = new_figure(7.0, 3.6)
    draw_tables(figure, LINES, rows=["cat", "is"])
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["x (2, 3)", "q (2, 2)", "scores (2, 3)", "weights (2, 2)", "output (2, 3)"]
    assert [text.get_text() for text in figure.axes[3].texts] == ["0.25", "0.75", "1", "0"]


def test_only_the_first_table_of_a_line_names_its_rows():
    figure = new_figure(7.0, 3.6)
    draw_tables(figure, LINES, rows=["cat", "is"])
    named = [[label.get_text() for label in axes.get_yticklabels()] for axes in figure.axes]
    assert named == [["cat", "is"], [], ["cat", "is"], [], []]


def test_the_columns_are_named_where_there_are_as_many():
    figure = new_figure(7.0, 3.6)
    draw_tables(figure, LINES, columns=["cat", "is", "sleeping"])
    named = [[label.get_text() for label in axes.get_xticklabels()] for axes in figure.axes]
    words = ["cat", "is", "sleeping"]
    assert named == [words, [], words, [], words]
    assert faults(figure) == []


def test_weights_have_the_colours_of_weights():
    figure = new_figure(7.0, 3.6)
    maps = draw_tables(figure, LINES)
    colours = [one.artists[0].cmap.name for one in maps]
    assert colours == ["scores", "scores", "scores", "weights", "scores"]


def test_nothing_is_cut_off_or_collides():
    figure = new_figure(7.0, 3.6)
    draw_tables(figure, LINES, rows=["cat", "sleeping"], number="{:.2g}")
    assert faults(figure) == []


def test_what_is_no_table_is_refused():
    with pytest.raises(ValueError, match=r"q has shape \(3,\), but a table has rows and columns"):
        draw_tables(new_figure(7.0, 3.6), [[("q", X[0])]])
