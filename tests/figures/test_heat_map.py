import matplotlib
import numpy as np
import pytest

from course_lib.figures.heat_map import SCORES, SIGNS, WEIGHTS, contrast, draw_scores, draw_weights
from course_lib.figures.theme import new_figure


@pytest.fixture
def axes():
    return new_figure(5, 3).subplots()


@pytest.fixture
def scores():
    return np.array([[1.5, -3.0, 0.0], [2.0, 0.25, -1.0]])


def texts(heat_map):
    return [artist for artist in heat_map.artists if hasattr(artist, "get_text")]


def test_a_score_of_zero_is_white_and_signs_have_their_own_side():
    assert SCORES(0.5)[:3] == pytest.approx((1, 1, 1), abs=0.01)
    assert SCORES(0.9)[2] > SCORES(0.9)[0]
    assert SCORES(0.1)[0] > SCORES(0.1)[2]


def test_scores_are_centred_on_zero_whatever_their_range(axes, scores):
    low, high = draw_scores(axes, scores).artists[0].get_clim()
    assert (low, high) == (-3, 3)


def test_weights_always_span_zero_to_one(axes):
    assert draw_weights(axes, [[0.2, 0.3]]).artists[0].get_clim() == (0, 1)


@pytest.mark.parametrize("cmap", [WEIGHTS, SCORES, SIGNS])
def test_more_is_darker_from_the_white_end_on(cmap):
    half = cmap(np.linspace(0 if cmap is WEIGHTS else 0.5, 1, 50))[:, :3]
    darkness = contrast(half, (1, 1, 1))
    assert (np.diff(darkness) > 0).all()


def test_the_numbers_are_in_their_cells(axes, scores):
    cells = {t.get_position(): t.get_text() for t in texts(draw_scores(axes, scores))}
    assert cells[(1, 0)] == "−3"
    assert cells[(2, 1)] == "−1"
    assert cells[(2, 0)] == "0"


@pytest.mark.parametrize("colours", [SCORES, SIGNS])
def test_every_number_can_be_read_on_its_cell(axes, colours):
    ramp = np.linspace(-1, 1, 49).reshape(7, 7)
    heat_map = draw_scores(axes, ramp, colours=colours)
    for text, value in zip(texts(heat_map), ramp.flat, strict=True):
        cell = colours((value + 1) / 2)[:3]
        assert contrast(matplotlib.colors.to_rgb(text.get_color()), cell) >= 4.5


def test_a_negative_zero_is_written_without_its_sign(axes):
    assert texts(draw_scores(axes, [[-0.0, 1.0]]))[0].get_text() == "0"


def test_an_update_changes_colours_and_numbers(axes, scores):
    heat_map = draw_scores(axes, scores)
    heat_map.update(-scores)
    np.testing.assert_array_equal(heat_map.artists[0].get_array(), -scores)
    assert texts(heat_map)[0].get_text() == "−1.5"


def test_a_large_table_has_a_colour_bar_instead_of_numbers(axes):
    heat_map = draw_weights(axes, np.full((11, 13), 0.1))
    assert texts(heat_map) == []
    assert len(axes.figure.axes) == 2


def test_a_highlight_frames_a_row_a_column_or_one_cell(axes, scores):
    heat_map = draw_scores(axes, scores)
    row, column = heat_map.frames
    heat_map.highlight(row=1)
    assert row.get_bbox().bounds == (-0.5, 0.5, 3, 1)
    heat_map.highlight(column=2)
    assert not row.get_visible()
    assert column.get_bbox().bounds == (1.5, -0.5, 1, 2)
    heat_map.highlight(row=0, column=2)
    assert row.get_bbox().bounds == (1.5, -0.5, 1, 1)
    assert not column.get_visible()
    heat_map.highlight()
    assert not row.get_visible()


@pytest.mark.parametrize("table", [[1, 2], np.zeros((0, 3)), np.zeros((2, 2, 2))])
def test_what_is_no_table_is_refused(axes, table):
    with pytest.raises(ValueError, match="shape"):
        draw_scores(axes, table)


def test_names_that_do_not_fit_are_refused(axes, scores):
    with pytest.raises(ValueError, match="2 names for 3"):
        draw_scores(axes, scores, rows=["a", "b"], columns=["a", "b"])


def test_an_update_of_another_shape_is_refused(axes, scores):
    with pytest.raises(ValueError, match=r"\(3, 2\).*\(2, 3\)"):
        draw_scores(axes, scores).update(scores.T)


def test_nan_and_infinity_can_be_shown(axes):
    heat_map = draw_scores(axes, [[np.nan, np.inf, 1.0]])
    axes.figure.canvas.draw()
    assert [t.get_text() for t in texts(heat_map)] == ["nan", "inf", "1"]
