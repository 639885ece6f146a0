"""Chapter 8's picture of a GPU is to scale, and its ways and times are those that are counted."""

import pytest

from course_lib.chapters.flash_attention.explorers.gpu import (
    FEWEST,
    LONG,
    describe_gpu,
    explore_gpu,
)
from course_lib.chapters.flash_attention.gpu_counted import CARD, SHELF_TB
from course_lib.figures.theme import new_figure
from tests.chapters.samples import data_of


def test_tables_grow_with_the_square_and_rows_with_the_length():
    one, ten = data_of(explore_gpu, n=1000), data_of(explore_gpu, n=10_000)
    assert ten["tables"] == pytest.approx(100 * one["tables"])
    assert ten["rows"] == pytest.approx(10 * one["rows"])


@pytest.mark.parametrize("n", [1000, 20_000])
def test_each_area_of_the_gpu_is_to_one_scale(n):
    data = data_of(explore_gpu, n=n)
    assert 2 * data["side"] ** 2 == pytest.approx(data["tables"])
    assert 4 * data["row_side"] ** 2 == pytest.approx(data["rows"])


def test_the_memory_overflows_where_two_squares_fill_the_frame():
    assert data_of(explore_gpu, n=24_750)["fits"]
    assert not data_of(explore_gpu, n=25_000)["fits"]
    assert data_of(explore_gpu, n=25_000)["tables"] == pytest.approx(CARD.memory)


def test_in_tiles_no_table_is_stored_at_any_length():
    data = data_of(explore_gpu, n=26_000, tiles=True)
    assert data["tables"] == 0
    assert data["fits"]
    plain = data_of(explore_gpu, n=26_000)
    assert data["moved"] == data["rows"] < plain["moved"]
    assert plain["moved"] == pytest.approx(plain["rows"] + 2 * plain["tables"])


@pytest.mark.parametrize(
    ("n", "said"), [(250, "64 of 132 SMs"), (750, "192 blocks of queries share")]
)
def test_blocks_share_the_sms_only_where_they_are_more(n, said):
    params = {"n": n, "tiles": True}
    assert said in describe_gpu(params, data_of(explore_gpu, **params))


@pytest.mark.parametrize("n", [250, 500, 750, 1000, 16_000, 26_000])
def test_the_goal_is_reached_in_tiles_alone_by_the_shortest_text_that_need_not_wait(n):
    for tiles in (False, True):
        params = {"n": n, "tiles": tiles}
        data, figure = data_of(explore_gpu, **params), new_figure(*explore_gpu.size)
        waits = data["moving"] >= data["computing"]
        assert waits == (not tiles or n < FEWEST)
        assert explore_gpu.goal.reached(params, data) == (tiles and n == FEWEST)
        explore_gpu.draw(figure, data)
        assert ("so short a text still waits" in figure.get_suptitle()) == (waits and tiles)


@pytest.mark.parametrize(("n", "could_stay"), [(500, True), (750, False)])
def test_tables_that_could_stay_on_the_shelf_are_said_to_leave_it_by_assumption(n, could_stay):
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n)
    explore_gpu.draw(figure, data)
    assert ("of tables leave the shelf, the GPU waits" in figure.get_suptitle()) == could_stay


@pytest.mark.parametrize("n", [4000, 16_000, 26_000])
def test_the_way_from_shelf_to_desks_takes_about_as_long_as_the_computing(n):
    data = data_of(explore_gpu, n=n, tiles=True)
    assert data["passing"] == pytest.approx(data["fetched"] / SHELF_TB)
    assert 1 < data["passing"] / data["computing"] < 1.3
    assert data["plain"]["passing"] > 1.9 * data["passing"]


@pytest.mark.parametrize(
    ("n", "tiles", "on_a_card"),
    [(18_000, False, False), (18_500, False, True), (26_000, False, True), (26_000, True, False)],
)
def test_q_k_v_and_out_lie_on_a_card_where_a_table_is_below_them(n, tiles, on_a_card):
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n, tiles=tiles)
    explore_gpu.draw(figure, data).update(data)
    (axes,) = figure.axes
    (q,) = (one for one in axes.texts if one.get_text() == "q" and one.get_color() != "white")
    x, y = q.get_position()
    below = [
        one
        for one in axes.patches
        if one.get_visible() and one.get_facecolor()[:3] == (1, 1, 1) and one.get_fill()
        and one.get_x() < x < one.get_x() + one.get_width()
        and one.get_y() < y < one.get_y() + one.get_height()
    ]  # fmt: skip
    assert bool(below) == on_a_card


def test_one_sm_is_drawn_larger_only_in_tiles():
    seen = {}
    for tiles in (False, True):
        params = {"n": 16_000, "tiles": tiles}
        figure, data = new_figure(7.0, 3.9), data_of(explore_gpu, **params)
        explore_gpu.draw(figure, data).update(data)
        texts = figure.axes[0].texts
        seen[tiles] = {one.get_text() for one in texts if one.get_visible()}
        assert ("One SM, the blue one, is drawn larger" in describe_gpu(params, data)) == tiles
    assert seen[True] - seen[False] >= {"q stays, k and v pass by", "tile"}


def test_without_tiles_moving_takes_longer_at_every_length_by_the_ratio_that_the_chapter_says():
    for n in range(250, 26_001, 250):
        data = data_of(explore_gpu, n=n)
        assert 4 < data["times"] == data["moving"] / data["computing"] < 7


def test_the_numbers_below_the_gpu_are_those_that_the_chapter_multiplies():
    params = {"n": 16_000, "tiles": True}
    told = dict(explore_gpu.numbers(params, data_of(explore_gpu, **params)))
    assert told["keys and values of one head"] == "8.19 MB"
    assert told["blocks of queries in a head"] == "125"


@pytest.mark.parametrize(
    ("tiles", "stairs", "quick"), [(False, "66.1 GB", "66.1 GB"), (True, "524 MB", "33 GB")]
)
def test_both_ways_carry_what_the_chapter_says(tiles, stairs, quick):
    params = {"n": 16_000, "tiles": tiles}
    told = dict(explore_gpu.numbers(params, data_of(explore_gpu, **params)))
    assert told["moved between cellar and shelf"] == stairs
    assert told["moved between shelf and desks"] == quick


@pytest.mark.parametrize(("n", "tiles"), [(250, True), (250, False), (500, True), (16_000, True)])
def test_where_sms_stand_idle_the_time_is_said_to_be_that_of_all(n, tiles):
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n, tiles=tiles)
    explore_gpu.draw(figure, data).update(data)
    texts = [one.get_text() for one in figure.axes[0].texts]
    assert any("if all SMs worked" in one for one in texts) == (tiles and n <= 500)


def test_the_longest_bar_of_time_is_as_long_at_every_length_and_the_other_shows_the_ratio():
    for n in (250, 16_000, 26_000):
        figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n)
        explore_gpu.draw(figure, data).update(data)
        bars = [one for one in figure.axes[0].patches if one.get_height() == pytest.approx(0.56)]
        solid = [bar.get_width() for bar in bars if bar.get_fill()]
        assert max(solid) == pytest.approx(LONG)
        assert max(solid) / min(solid) == pytest.approx(data["times"])


def test_between_shelf_and_desks_k_and_v_cross_for_each_block_of_queries():
    for n, blocks in ((16_000, 125), (250, 2)):
        data = data_of(explore_gpu, n=n, tiles=True)
        assert data["fetched"] == pytest.approx((blocks + 1) * data["rows"] / 2)


def test_in_tiles_the_picture_names_what_the_same_text_takes_without_them():
    for n in (8_000, 25_500):
        plain, data = (data_of(explore_gpu, n=n, tiles=tiles) for tiles in (False, True))
        assert data["plain"] == plain
        figure = new_figure(*explore_gpu.size)
        explore_gpu.draw(figure, data_of(explore_gpu, n=16_000)).update(data)
        texts = [one.get_text() for one in figure.axes[0].texts if one.get_visible()]
        both = f"in tiles {data['moving']:.3g} ms, without {plain['moving']:.3g} ms"
        assert both in texts
        assert f"{data['computing']:.3g} ms" in texts
        assert not [one for one in texts if "times as long" in one]
        assert {"no scores", "no weights"} <= set(texts)
        assert not {"scores", "weights"}.intersection(texts)


def test_a_line_leads_from_each_name_of_the_chip_to_its_own_square():
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=500)
    explore_gpu.draw(figure, data).update(data)
    (axes,) = figure.axes
    upright = [line for line in axes.lines if len(set(line.get_xdata())) == 1]
    assert len(upright) == 2
    for line, name in zip(upright, ("shelf 50 MB", "all desks\n31 MB"), strict=True):
        (text,) = (one for one in axes.texts if one.get_text() == name)
        x, middle = line.get_xdata()[0], text.get_position()[1]
        assert abs(line.get_ydata()[0] - middle) < 0.8
        assert any(
            one.get_x() < x < one.get_x() + one.get_width() < 0.3 + one.get_x()
            for one in axes.patches
        )


@pytest.mark.parametrize("n", [500, 16_000])
def test_the_picture_says_that_its_bars_are_relative(n):
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n)
    explore_gpu.draw(figure, data).update(data)
    texts = [one.get_text() for one in figure.axes[0].texts]
    assert "the longest bar always fills this width: compare ratios" in texts


def test_each_way_and_the_computing_have_a_bar_and_none_is_longer_than_it_takes():
    for n, tiles in ((750, True), (16_000, True), (16_000, False), (26_000, False)):
        figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n, tiles=tiles)
        explore_gpu.draw(figure, data).update(data)
        (axes,) = figure.axes
        bars = [one for one in axes.patches if one.get_height() == pytest.approx(0.56)]
        widths = [one.get_width() for one in bars if one.get_fill()]
        scale = LONG / (data["plain"] or data)["moving"]
        times = [data[name] for name in ("moving", "passing", "computing")]
        assert widths == pytest.approx([scale * time for time in times])
        assert {"cellar ↔ shelf", "shelf ↔ desks"} <= {one.get_text() for one in axes.texts}


def test_the_way_to_the_desks_is_bounded_above_in_tiles_and_below_without_them():
    for tiles, said in (
        (False, "at least 9.93 ms"),
        (True, "in tiles at most 4.97 ms, without at least 9.93 ms"),
    ):
        params = {"n": 16_000, "tiles": tiles}
        figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, **params)
        explore_gpu.draw(figure, data).update(data)
        assert said in {one.get_text() for one in figure.axes[0].texts}
        assert f"in {'at most 4.97' if tiles else 'at least 9.93'} ms" in describe_gpu(params, data)


def test_where_only_the_desks_may_wait_the_title_says_so():
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=750, tiles=True)
    assert data["moving"] < data["computing"] < data["passing"]
    explore_gpu.draw(figure, data)
    assert "no wait for the cellar, perhaps for the shelf" in figure.get_suptitle()


@pytest.mark.parametrize(("n", "drawn"), [(750, 0), (16_000, 2)])
def test_no_specks_stand_for_tables_that_are_not_there(n, drawn):
    figure, data = new_figure(*explore_gpu.size), data_of(explore_gpu, n=n, tiles=True)
    explore_gpu.draw(figure, data).update(data)
    side = pytest.approx(data["side"])
    squares = [one for one in figure.axes[0].patches if one.get_width() == side]
    assert sum(one.get_visible() for one in squares) == drawn
