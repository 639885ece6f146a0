import gc
import re
import weakref

import numpy as np
import pytest
from matplotlib.spines import Spine

from course_lib.figures.ghosts import goal_band
from course_lib.figures.png import quick_png
from course_lib.sliding.picture import Drawing, Picture

SIZE = (3.0, 2.0)


def draw(figure, data):
    axes = figure.subplots()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.text(0.4, 0.5, "a fixed label above", zorder=9)
    axes.axvline(data, color="0.7", linewidth=9)
    bar = axes.axvline(data, color="red", linewidth=20, zorder=3)
    figure.suptitle("live")

    def update(data):
        bar.set_xdata([data, data])
        figure.suptitle(f"at {data:.2f}")

    return Drawing(update, moving=[bar, figure._suptitle])


def draw_all(figure, data):
    axes = figure.subplots()

    def update(data):
        axes.clear()
        axes.plot([0, data])

    return Drawing(update)


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


def plain(above):
    """The SVG without the names of clips, which are another in each picture."""
    return re.sub(r'(id="|#)[^")]*', "", above)


@pytest.mark.parametrize("heading", [None, ("yours", "black")])
def test_a_step_shows_what_a_fresh_picture_shows(heading):
    used = Picture(draw, 0.5, SIZE, heading=heading)
    for data in (0.1, 0.5, 0.9, 0.9, 0.2):
        fresh = Picture(draw, 0.5, SIZE, heading=heading)
        (below, above), (fresh_below, fresh_above) = used.layers(data), fresh.layers(data)
        assert below == fresh_below
        assert plain(above) == plain(fresh_above)


def test_whichever_artists_change_none_keeps_its_old_text():
    rng = np.random.default_rng(0)
    data = rng.choice([0.2, 0.5, 0.8], size=4)
    used = Picture(draw_two, data, SIZE)
    for _ in range(12):
        data = np.where(rng.random(4) < 0.4, rng.choice([0.2, 0.5, 0.8], size=4), data)
        if rng.random() < 0.3:
            used.at(data)  # a full drawing in between
        assert plain(used.above(data)) == plain(Picture(draw_two, data, SIZE).above(data))


def test_a_step_writes_only_what_changed():
    picture = Picture(draw_two, [0.5] * 4, SIZE)
    picture.above([0.5] * 4)
    drawn = []
    for artist in picture.moving:
        artist.draw = lambda renderer, artist=artist: drawn.append(artist)
    picture.above([0.5, 0.3, 0.5, 0.5])
    assert drawn == [picture.drawing.moving[1]]


def test_what_stays_is_one_png_and_is_sent_once():
    picture = Picture(draw, 0.5, SIZE)
    assert picture.layers(0.1)[0] is picture.layers(0.9)[0]


def test_without_moving_artists_every_step_is_a_png():
    picture = Picture(draw_all, 0.5, SIZE)
    (first, nothing), (second, _) = picture.layers(0.1), picture.layers(0.9)
    assert nothing == ""
    assert first != second


def test_what_lies_over_a_moving_artist_is_drawn_over_it_again():
    assert "a fixed label above" in Picture(draw, 0.5, SIZE).above(0.4)


def test_axes_that_are_off_show_no_frame_above_what_moves():
    def frames(state):
        def draw_framed(figure, data):
            axes = figure.subplots()
            axes.axis(state)
            (dot,) = axes.plot([data], [data], "o")
            return Drawing(lambda data: dot.set_data([data], [data]), moving=[dot])

        moving = Picture(draw_framed, 0.5, SIZE).moving
        return sum(isinstance(artist, Spine) for artist in moving)

    assert frames("on") > 0
    assert frames("off") == 0


def test_what_is_drawn_from_the_first_data_stays():
    first, second = Picture(draw, 0.5, SIZE), Picture(draw, 0.1, SIZE)
    assert (first.at(0.9) != second.at(0.9)).any()
    assert first.below() != second.below()


def test_a_forgotten_artist_shows_in_what_should_stay():
    def forgetful(figure, data):
        drawing = draw(figure, data)
        return Drawing(drawing.update, moving=drawing.moving[1:])

    for how, same in ((draw, True), (forgetful, False)):
        picture = Picture(how, 0.5, SIZE)
        before = picture.below()
        picture.above(0.1)
        assert (before == quick_png(picture.unmoved())) == same


def test_a_picture_that_lets_go_holds_no_large_canvas():
    def draw_with_ticks(figure, data):
        drawing = draw(figure, data)
        figure.axes[0].set(xticks=(0, 1), yticks=(0, 1))
        return drawing

    picture = Picture(draw_with_ticks, 0.5, SIZE, dpi=200)
    picture.layers(0.5), picture.at(0.1)
    held = weakref.ref(picture.canvas.get_renderer())
    picture.let_go()
    gc.collect()
    assert held() is None


@pytest.mark.parametrize("how", [draw, draw_all])
def test_a_picture_that_let_go_draws_the_same_again(how):
    used, fresh = Picture(how, 0.5, SIZE), Picture(how, 0.5, SIZE)
    for data in (0.1, 0.9):
        (below, above), (fresh_below, fresh_above) = used.layers(data), fresh.layers(data)
        assert below == fresh_below
        assert plain(above) == plain(fresh_above)
        np.testing.assert_array_equal(used.at(data), fresh.at(data))
        used.let_go()


def test_the_picture_has_the_pixels_of_its_size():
    picture = Picture(draw, 0.5, SIZE, dpi=200)
    assert picture.at(0.5).shape == (400, 600, 3)
    picture.above(0.5)
    assert picture.at(0.5).shape == (400, 600, 3)


def draw_with_ghost_and_goal(figure, data):
    axes = figure.subplots()
    axes.set(xlim=(0, 10), ylim=(0, 10))
    (bar,) = axes.bar([5], [data])

    def update(data):
        bar.set_height(data)

    goal = goal_band(axes, 7, 8, "red", across="y")
    return Drawing(update, moving=[bar], ghosts=[bar], goal=goal)


def test_a_ghost_of_the_start_stays_in_the_picture():
    def without_ghost(figure, data):
        drawing = draw_with_ghost_and_goal(figure, data)
        return Drawing(drawing.update, drawing.moving, goal=drawing.goal)

    low, high = (Picture(draw_with_ghost_and_goal, start, SIZE) for start in (3, 5))
    without = Picture(without_ghost, 3, SIZE)
    assert (low.at(9) != without.at(9)).any()
    assert (low.at(9) != high.at(9)).any(), "it stands where the start was"


def test_the_goal_is_hatched_until_it_is_reached():
    picture = Picture(draw_with_ghost_and_goal, 3, SIZE)
    hatched = picture.above(3)
    picture.reach(True)
    filled = picture.above(3)
    assert "pattern" in hatched
    assert "pattern" not in filled
    picture.reach(False)
    assert plain(picture.above(3)) == plain(hatched)
