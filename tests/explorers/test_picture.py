import numpy as np
import pytest

from course_lib.explorers.engine.picture import Drawing, Picture

SIZE = (3.0, 2.0)


def draw(figure, data):
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.text(0.4, 0.5, "a fixed label above", zorder=9)
    ghost = axes.axvline(data, color="0.7", linewidth=9)
    bar = axes.axvline(data, color="red", linewidth=20, zorder=3)
    figure.suptitle("live")

    def update(data):
        bar.set_xdata([data, data])
        figure.suptitle(f"at {data:.2f}")

    update.ghost = ghost
    return Drawing(update, moving=[bar, figure._suptitle])


def draw_all(figure, data):
    axes = figure.subplots()

    def update(data):
        axes.clear()
        axes.plot([0, data])

    return Drawing(update)


@pytest.mark.parametrize("how", [draw, draw_all])
@pytest.mark.parametrize("heading", [None, ("yours", "black")])
def test_a_step_shows_what_a_full_drawing_shows(how, heading):
    picture = Picture(how, 0.5, SIZE, heading=heading)
    for data in (0.1, 0.5, 0.9):
        picture.at(0.3)
        np.testing.assert_array_equal(picture.at(data).copy(), picture.redrawn(data))


def test_nothing_is_left_of_the_step_before():
    fresh, used = Picture(draw, 0.5, SIZE), Picture(draw, 0.5, SIZE)
    used.at(0.1), used.at(0.9)
    np.testing.assert_array_equal(used.at(0.2), fresh.at(0.2))


def draw_two(figure, data):
    """Two axes with two artists each, of which `update` changes only those that must change."""
    parts = []
    for axes in figure.subplots(1, 2):
        axes.set(xlim=(0, 1), ylim=(0, 1))
        parts += [axes.axhline(0.5, linewidth=9), axes.axvline(0.5, color="red", linewidth=9)]

    def update(data):
        for part, value in zip(parts, data, strict=True):
            now = part.get_ydata() if part in parts[::2] else part.get_xdata()
            if list(now) != [value, value]:
                (part.set_ydata if part in parts[::2] else part.set_xdata)([value, value])

    return Drawing(update, moving=parts)


def test_whichever_artists_change_the_picture_is_that_of_a_full_drawing():
    rng = np.random.default_rng(0)
    data = rng.choice([0.2, 0.5, 0.8], size=4)
    picture, other = Picture(draw_two, data, SIZE), Picture(draw_two, data, SIZE)
    for _ in range(40):
        data = np.where(rng.random(4) < 0.4, rng.choice([0.2, 0.5, 0.8], size=4), data)
        np.testing.assert_array_equal(picture.at(data), other.redrawn(data))


def test_a_step_draws_only_what_lies_above_the_first_change():
    picture = Picture(draw_two, [0.5] * 4, SIZE)
    picture.at([0.5, 0.2, 0.5, 0.5])
    picture.at([0.5, 0.8, 0.5, 0.5])
    drawn = []
    for artist in picture.moving:
        artist.draw = lambda renderer, artist=artist: drawn.append(artist)
    picture.at([0.5, 0.3, 0.5, 0.5])
    assert picture.drawing.moving[1] in drawn
    assert not {*picture.drawing.moving[2:], picture.drawing.moving[0]} & set(drawn)


def test_what_is_drawn_from_the_first_data_stays():
    first, second = Picture(draw, 0.5, SIZE), Picture(draw, 0.1, SIZE)
    assert (first.at(0.9) != second.at(0.9)).any()


def test_a_forgotten_artist_shows_in_the_comparison():
    def forgetful(figure, data):
        drawing = draw(figure, data)
        return Drawing(drawing.update, moving=drawing.moving[1:])

    picture = Picture(forgetful, 0.5, SIZE)
    assert (picture.at(0.1).copy() != picture.redrawn(0.1)).any()


def test_the_picture_has_the_pixels_of_its_size():
    assert Picture(draw, 0.5, SIZE, dpi=200).at(0.5).shape == (400, 600, 3)
