"""Chapter 1's two keys: which of them a query hears, and what is drawn of it."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_lib.chapters.dot_product import two_keys
from course_lib.chapters.dot_product.two_keys import show_two_keys
from course_lib.figures.readable import faults
from course_lib.figures.theme import KEY, QUERY


@pytest.fixture
def figures(shown_by):
    return shown_by(two_keys)


@pytest.mark.parametrize("loud", [[2.0, 4.0], [1.2, -4.8]])
def test_the_strips_under_two_keys_are_their_dot_products_with_the_query(figures, loud):
    show_two_keys([1.0, 0.0], ([1.0, 0.5], loud))
    (axes,) = figures[0].axes
    strips = [line for line in axes.lines if line.get_linewidth() == 9]
    assert [line.get_xdata()[1] for line in strips] == [1.0, loud[0]]
    away = np.degrees(np.arctan2(abs(loud[1]), loud[0]))
    title = f"1.00 < {loud[0]:.2f}: loud wins from {away:.0f} degrees away"
    assert axes.figure.get_suptitle() == title


@pytest.mark.parametrize("near", [[1.0, 0.0], [0.4, 1.2]])
def test_every_corner_of_the_grey_field_is_on_the_border_of_what_is_allowed(figures, near):
    show_two_keys([1.0, 0.0], (near, [2.0, 4.0]))
    field = next(one for one in figures[0].axes[0].patches if one.get_zorder() == 0)
    x, y = field.get_xy().T
    least = max(60, np.degrees(np.arctan2(near[1], near[0])))
    assert x.min() == pytest.approx(near[0])
    assert np.degrees(np.arctan2(y, x)).min() == pytest.approx(least)
    assert np.hypot(x, y).max() == pytest.approx(5)


@pytest.mark.parametrize("loud", [[2.0, 4.0], [1.2, -4.8], [1.1, 3.0], [0.5, 4.0], [3.0, 3.0]])
def test_no_name_lies_on_a_number_of_the_squares(figures, loud):
    show_two_keys([1.0, 0.0], ([1.0, 0.0], loud))
    assert faults(figures[0]) == []
    numbers = [
        text.get_text() for text in figures[0].axes[0].texts if text.get_color() == "#666666"
    ]
    assert ("\N{MINUS SIGN}4" in numbers) == (loud[1] < 0)


@pytest.mark.parametrize("loud", [[2.0, 4.0], [1.2, -4.8]])
@pytest.mark.parametrize(("near", "beside"), [([1.0, 0.0], 0.4), ([1.0, 0.5], 0.0)])
def test_the_query_lies_beside_a_key_that_would_hide_it(figures, near, beside, loud):
    show_two_keys([1.0, 0.0], (near, loud))
    (axes,) = figures[0].axes
    (query,) = (one for one in axes.patches if to_rgb(QUERY) == one.get_facecolor()[:3])
    keys = [one for one in axes.patches if to_rgb(KEY) == one.get_facecolor()[:3]]
    x, y = query.get_xy().T
    assert (x.min(), x.max()) == pytest.approx((0, 1))
    middle = (y.min() + y.max()) / 2
    assert middle == pytest.approx(-np.sign(loud[1]) * beside)  # off loud, above the strips
    if beside:
        assert not any(query.get_window_extent().overlaps(one.get_window_extent()) for one in keys)


def test_no_field_is_drawn_where_nothing_can_win(figures):
    show_two_keys([1.0, 0.0], ([3.0, 0.0], [2.0, 4.0]))
    (axes,) = figures[0].axes
    assert all(one.get_zorder() for one in axes.patches)
    assert not any("grey" in text.get_text() for text in axes.texts)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("near", [[1.0, 0.0], [1.0, 1.0], [0.9, 0.5], [2.2, 0.3], [1.0, -0.5]])
def test_the_name_of_near_keeps_clear_of_both_arrows(figures, near, side):
    near, loud = np.array(near) * (1, side), np.array([2.3, 4.2 * side])
    show_two_keys([1.0, 0.0], (near, loud))
    (axes,) = figures[0].axes
    figures[0].canvas.draw()
    name = next(text for text in axes.texts if text.get_text() == "near")
    box = name.get_window_extent()
    for key in (near, loud):
        along = axes.transData.transform(np.linspace(0, 1, 60)[:, None] * key)
        assert not any(box.contains(*place) for place in along)


@pytest.mark.parametrize(
    ("loud", "told"),
    [(0.5, "1.00 > 0.50: near wins"), (1.0, "1.00 = 1.00: neither wins")],
)
def test_two_keys_that_do_not_trick_the_measure_are_told_so(figures, loud, told):
    show_two_keys([1.0, 0.0], ([1.0, 0.0], [loud, 4.0]))
    assert figures[0].get_suptitle() == told


@pytest.mark.parametrize("loud", [[2.0, 4.0], [0.87, 4.92], [1.1, -4.5], [3.0, 3.0]])
def test_each_number_of_the_ruler_stands_below_its_own_line(figures, loud):
    show_two_keys([1.0, 0.0], ([1.0, 0.0], loud))
    places = {one.get_text(): one.get_position()[0] for one in figures[0].axes[0].texts
              if one.get_ha() == "center"}  # fmt: skip
    assert [places[f"{number}"] for number in range(1, 6)] == [1, 2, 3, 4, 5]
