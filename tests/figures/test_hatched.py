"""Hidden cells: hatched ground, no colour, no number."""

import numpy as np

from course_lib.figures.hatched import draw_cell_frames, draw_hatched, only_open
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.png import pixels
from course_lib.figures.theme import new_figure


def test_a_hidden_cell_has_no_number_and_an_open_zero_has_one():
    axes = new_figure(4, 3).subplots()
    allowed = np.array([[True, False], [True, True]])
    table = draw_weights(axes, only_open(np.array([[1.0, 0.0], [1.0, 0.0]]), allowed))
    assert [text.get_text() for text in axes.texts] == ["1.00", "", "1.00", "0.00"]
    table.update(only_open(np.eye(2), ~allowed))
    assert [text.get_text() for text in axes.texts] == ["", "0.00", "", ""]


def test_the_hatching_shows_where_a_cell_is_hidden_and_nowhere_else():
    figure = new_figure(4, 4)
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    draw_hatched(axes, rows=2, columns=2)
    draw_weights(axes, only_open(np.zeros((2, 2)), np.array([[True, False], [True, True]])))
    axes.axis("off")
    figure.canvas.draw()
    seen = pixels(figure.canvas)
    half = len(seen) // 2
    inner = slice(20, half - 20), slice(half + 20, -20)
    assert (seen[inner] < 200).any()
    open_cell = seen[half + 20 : half + 60, 20:60]  # beside its number
    assert (open_cell > 240).all()


def test_frames_run_around_every_cell():
    axes = draw_cell_frames(new_figure(4, 3).subplots(), rows=2, columns=3, left=-1.5)
    lines = [len(collection.get_segments()) for collection in axes.collections]
    assert lines == [3, 4]
    assert axes.collections[0].get_segments()[0][0][0] == -1.5
