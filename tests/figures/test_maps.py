"""Small tables of all heads."""

import numpy as np
import pytest

from course_lib.figures.heat_map import luminance
from course_lib.figures.maps import LOOKS, LookingMap, draw_maps
from course_lib.figures.readable import faults
from course_lib.figures.theme import new_figure

MAPS = np.random.default_rng(0).random((2, 3, 5, 7))


def test_each_head_has_its_table_in_the_line_of_its_layer():
    figure = new_figure(6.0, 3.5)
    axes = draw_maps(figure, MAPS, lines=["first layer", "second layer"])
    for place in np.ndindex(2, 3):
        image = axes[place].images[0]
        np.testing.assert_array_equal(image.get_array(), MAPS[place])
        assert image.get_clim() == (0, 1)
        assert axes[place].get_title(loc="left") == f"head {place[1]}"
    assert [line[0].get_ylabel() for line in axes] == ["first layer", "second layer"]
    assert faults(figure) == []


@pytest.mark.parametrize(("maps", "lines"), [(MAPS, ["one"]), (MAPS[0], ["one", "two", "three"])])
def test_another_shape_is_refused(maps, lines):
    with pytest.raises(ValueError, match="expected"):
        draw_maps(new_figure(6.0, 3.5), maps, lines=lines)


def test_with_names_each_head_has_letters_and_one_framed_row():
    figure = new_figure(7.0, 5.3)
    axes = draw_maps(figure, MAPS[..., :5], lines=["first", "second"], names="cats_", place=3)
    for place in np.ndindex(2, 3):
        one = axes[place]
        letters = [text.get_text() for text in one.texts]
        assert letters[::2] == letters[1::2] == [*"cats_"]
        assert not one.lines  # no arcs: the row says the same
        assert [patch.get_y() for patch in one.patches] == [-0.5, 2.5]
    titles = [one.get_title(loc="left") for one in axes[1]]
    assert titles == ["second\nhead 0", "head 1", "head 2"]
    assert faults(figure) == []


def test_without_a_place_no_row_is_framed_and_no_arc_is_drawn():
    axes = new_figure(4.0, 4.0).subplots()
    one = LookingMap(axes, np.eye(3), "abc", place=1)
    assert sum(artist.get_visible() for artist in one.artists) == 3  # image, frame, one arc
    one.update(np.eye(3), None)
    assert sum(artist.get_visible() for artist in one.artists) == 1


def test_names_of_another_count_are_refused():
    with pytest.raises(ValueError, match="2 names"):
        LookingMap(new_figure(4.0, 4.0).subplots(), np.eye(3), "ab")


def test_the_shades_run_from_white_to_black_without_a_tint():
    shades = LOOKS(np.linspace(0, 1, 21))[:, :3]
    assert (shades == shades[:, :1]).all()
    assert (np.diff(luminance(shades)) < 0).all()
    np.testing.assert_array_equal(shades[[0, -1], 0], [1, 0])


def test_the_first_round_is_pale_where_it_is_asked_for_and_ends_at_a_line():
    figure = new_figure(7.0, 5.3)
    axes = draw_maps(figure, MAPS[..., :5], lines=["one", "two"], names="caca_", first=(0, 2))
    assert [len(one.lines) for one in axes.flat] == [0, 0, 0, 1, 1, 1]
    (below,) = axes[1, 0].lines
    assert set(below.get_ydata()) == {1.5}
    (veil,) = axes[1, 0].patches[1:2]
    assert set(veil.get_xy()[:, 1]) == {-0.5, 1.5}  # over the rows of the first round, and no other
