"""Small tables of all heads."""

import numpy as np
import pytest

from course_lib.figures.maps import draw_maps
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
        assert axes[place].get_title() == f"head {place[1]}"
    assert [line[0].get_ylabel() for line in axes] == ["first layer", "second layer"]
    assert faults(figure) == []


@pytest.mark.parametrize(("maps", "lines"), [(MAPS, ["one"]), (MAPS[0], ["one", "two", "three"])])
def test_another_shape_is_refused(maps, lines):
    with pytest.raises(ValueError, match="expected"):
        draw_maps(new_figure(6.0, 3.5), maps, lines=lines)
