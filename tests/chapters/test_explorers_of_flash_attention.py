"""Chapter 8's explorers tell the truth about the kernel and the formulas."""

import itertools

import pytest
import torch

from course_lib.chapters.flash_attention import stills
from course_lib.chapters.flash_attention.explorers.gpu import (
    CARD,
    LONG,
    describe_gpu,
    explore_gpu,
)
from course_lib.chapters.flash_attention.explorers.roof import explore_roof
from course_lib.chapters.flash_attention.explorers.running_sums import (
    SCORES,
    VALUES,
    describe_running_sums,
    explore_running_sums,
)
from course_lib.chapters.flash_attention.explorers.share import explore_share
from course_lib.chapters.flash_attention.explorers.tiles import (
    BLOCKS,
    MOST_TILES,
    WIDTH,
    WORDS,
    explore_tiles,
)
from course_lib.chapters.flash_attention.moved_meter import FULL, draw_meter
from course_lib.chapters.flash_attention.stills import speeds
from course_lib.figures.theme import new_figure
from course_lib.figures.tiles import NOT_YET
from course_lib.kernels.attention import attention
from course_lib.measures.loop_order import elements_moved
from course_lib.measures.published import DEVICES, FORWARD_RATES, LENGTHS

KEYS = ("standard", "FA2", "FA3")


def shown(explorer, **params):
    return explorer.frame(**params).right


@pytest.mark.parametrize("block_q", BLOCKS)
@pytest.mark.parametrize("block_k", BLOCKS)
def test_at_the_end_all_tiles_are_done_and_the_formula_holds(block_q, block_k):
    data = shown(explore_tiles, step=MOST_TILES, block_q=block_q, block_k=block_k)
    assert data["moved"] == elements_moved("queries outside", WORDS, WIDTH, block_q=block_q)
    assert not (data["state"] == NOT_YET).any()


def test_the_numbers_only_grow_from_step_to_step():
    found = [shown(explore_tiles, step=step, block_q=3, block_k=3)["moved"] for step in range(17)]
    assert found[0] == 0
    assert all(a < b for a, b in itertools.pairwise(found))


def test_the_h100_needs_more_rows_than_fit_at_width_128():
    found = shown(explore_roof, device="H100", d=128, block=512)
    assert found["room"] < found["ridge"]


def test_tables_grow_with_the_square_and_rows_with_the_length():
    one, ten = shown(explore_gpu, n=1000), shown(explore_gpu, n=10_000)
    assert ten["tables"] == pytest.approx(100 * one["tables"])
    assert ten["rows"] == pytest.approx(10 * one["rows"])


@pytest.mark.parametrize("n", [1000, 20_000])
def test_each_area_of_the_gpu_is_to_one_scale(n):
    data = shown(explore_gpu, n=n)
    assert 2 * data["side"] ** 2 == pytest.approx(data["tables"])
    assert 4 * data["row_side"] ** 2 == pytest.approx(data["rows"])


def test_the_memory_overflows_where_two_squares_fill_the_frame():
    assert shown(explore_gpu, n=24_750)["fits"]
    assert not shown(explore_gpu, n=25_000)["fits"]
    assert shown(explore_gpu, n=25_000)["tables"] == pytest.approx(CARD.memory)


def test_in_tiles_no_table_is_stored_at_any_length():
    data = shown(explore_gpu, n=26_000, tiles=True)
    assert data["tables"] == 0
    assert data["fits"]
    plain = shown(explore_gpu, n=26_000)
    assert data["moved"] == data["rows"] < plain["moved"]
    assert plain["moved"] == pytest.approx(plain["rows"] + 2 * plain["tables"])


@pytest.mark.parametrize(
    ("n", "said"), [(250, "64 of 132 SMs"), (750, "192 blocks of queries share")]
)
def test_blocks_share_the_sms_only_where_they_are_more(n, said):
    params = {"n": n, "tiles": True}
    assert said in describe_gpu(params, shown(explore_gpu, **params))


@pytest.mark.parametrize("n", [250, 500, 750, 16_000, 26_000])
def test_the_goal_is_reached_in_tiles_alone_and_by_no_text_that_is_too_short(n):
    for tiles in (False, True):
        params = {"n": n, "tiles": tiles}
        data, figure = shown(explore_gpu, **params), new_figure(*explore_gpu.size)
        waits = not explore_gpu.goal.reached(params, data)
        assert waits == (not tiles or n <= 500)
        explore_gpu.draw(figure, data)
        assert ("so short a text still waits" in figure.get_suptitle()) == (waits and tiles)


def test_one_sm_is_drawn_larger_only_in_tiles():
    seen = {}
    for tiles in (False, True):
        params = {"n": 16_000, "tiles": tiles}
        figure, data = new_figure(7.0, 3.9), shown(explore_gpu, **params)
        explore_gpu.draw(figure, data).update(data)
        texts = figure.axes[0].texts
        seen[tiles] = {one.get_text() for one in texts if one.get_visible()}
        assert ("One SM, the blue one, is drawn larger" in describe_gpu(params, data)) == tiles
    assert seen[True] - seen[False] >= {
        "q stays, k and v pass by",
        "shelf ↔ desks: 33 GB",
        "tile",
    }


def test_without_tiles_moving_takes_longer_at_every_length_by_the_ratio_that_the_chapter_says():
    for n in range(250, 26_001, 250):
        data = shown(explore_gpu, n=n)
        assert 4 < data["times"] == data["moving"] / data["computing"] < 7


def test_the_numbers_below_the_gpu_are_those_that_the_chapter_multiplies():
    params = {"n": 16_000, "tiles": True}
    told = dict(explore_gpu.numbers(params, shown(explore_gpu, **params)))
    assert told["keys and values of one head"] == "8.19 MB"
    assert told["blocks of queries in a head"] == "125"


@pytest.mark.parametrize(
    ("tiles", "stairs", "quick"), [(False, "66.1 GB", "66.1 GB"), (True, "524 MB", "33 GB")]
)
def test_both_ways_carry_what_the_table_of_the_chapter_says(tiles, stairs, quick):
    params = {"n": 16_000, "tiles": tiles}
    told = dict(explore_gpu.numbers(params, shown(explore_gpu, **params)))
    assert told["moved between cellar and shelf"] == stairs
    assert told["moved between shelf and desks"] == quick


@pytest.mark.parametrize(("n", "tiles"), [(250, True), (250, False), (500, True), (16_000, True)])
def test_where_sms_stand_idle_the_time_is_said_to_be_that_of_all(n, tiles):
    figure, data = new_figure(*explore_gpu.size), shown(explore_gpu, n=n, tiles=tiles)
    explore_gpu.draw(figure, data).update(data)
    texts = [one.get_text() for one in figure.axes[0].texts]
    assert any("if all SMs worked" in one for one in texts) == (tiles and n <= 500)


def test_the_longest_bar_of_time_is_as_long_at_every_length_and_the_other_shows_the_ratio():
    for n in (250, 16_000, 26_000):
        figure, data = new_figure(*explore_gpu.size), shown(explore_gpu, n=n)
        explore_gpu.draw(figure, data).update(data)
        bars = [one for one in figure.axes[0].patches if one.get_height() == pytest.approx(0.56)]
        solid = [bar.get_width() for bar in bars if bar.get_fill()]
        assert max(solid) == pytest.approx(LONG)
        assert max(solid) / min(solid) == pytest.approx(data["times"])


def test_between_shelf_and_desks_k_and_v_cross_for_each_block_of_queries():
    for n, blocks in ((16_000, 125), (250, 2)):
        data = shown(explore_gpu, n=n, tiles=True)
        assert data["fetched"] == pytest.approx((blocks + 1) * data["rows"] / 2)


def test_in_tiles_the_picture_names_what_the_same_text_takes_without_them():
    for n in (8_000, 25_500):
        plain, data = (shown(explore_gpu, n=n, tiles=tiles) for tiles in (False, True))
        assert data["plain"] == plain
        figure = new_figure(*explore_gpu.size)
        explore_gpu.draw(figure, shown(explore_gpu, n=16_000)).update(data)
        texts = [one.get_text() for one in figure.axes[0].texts if one.get_visible()]
        both = f"in tiles {data['moving']:.3g} ms, without {plain['moving']:.3g} ms"
        assert both in texts
        assert f"{data['computing']:.3g} ms" in texts
        assert not [one for one in texts if "times as long" in one]
        assert {"no scores", "no weights"} <= set(texts)
        assert not {"scores", "weights"}.intersection(texts)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_rescaled_sums_end_at_the_softmax_mean_in_every_order(order):
    data = shown(explore_running_sums, step=3, order=order)
    right = torch.tensor(SCORES).softmax(0) @ torch.tensor(VALUES, dtype=torch.float32)
    assert data["mean"] == pytest.approx(right.item())
    assert data["right"] == pytest.approx(right.item())


@pytest.mark.parametrize(("order", "times"), [((0, 1, 2), 1), ((0, 2, 1), 2), ((1, 2, 0), 0)])
def test_an_order_is_rescaled_as_often_as_its_maximum_grows(order, times):
    data = shown(explore_running_sums, step=3, order=order)
    assert data["rescaled"] == times
    forgotten = shown(explore_running_sums, step=3, order=order, forget=True)
    assert (forgotten["mean"] == pytest.approx(data["mean"])) == (times == 0)


def test_a_rescaling_that_was_forgotten_is_told_at_a_later_block_too():
    for order, forget, missing in (
        ((0, 1, 2), True, True), ((0, 1, 2), False, False), ((1, 0, 2), True, False),
    ):  # fmt: skip
        data = shown(explore_running_sums, step=3, order=order, forget=forget)
        told = describe_running_sums({}, data)
        assert ("one rescaling is missing" in told) == missing
        assert ("both sums stay as they are" in told) != missing
        assert data["stale"] == [1 if missing else 0] * 2


def test_the_registers_hold_the_sums_of_all_keys_seen_so_far():
    early, late = (shown(explore_tiles, step=step, block_q=3, block_k=6) for step in (1, 2))
    assert set(early["registers"]) == set(late["registers"]) == {0, 1, 2}
    for row, (largest, total, *mixed) in early["registers"].items():
        assert late["registers"][row][0] >= largest
        assert 1 <= total <= 6
        assert len(mixed) == WIDTH
    assert set(shown(explore_tiles, step=3, block_q=3, block_k=6)["registers"]) == {3, 4, 5}


def test_mixed_divided_by_total_is_the_output_at_the_last_tile_of_a_row():
    data = shown(explore_tiles, step=3, block_q=3, block_k=4)
    q, k, v = torch.randn(3, WORDS, WIDTH, generator=torch.Generator().manual_seed(0))
    for row, (_, total, *mixed) in data["registers"].items():
        right = attention(q[row : row + 1], k, v)[0]
        assert torch.tensor(mixed) / total == pytest.approx(right, abs=1e-5)


def test_only_the_number_of_queries_decides_what_moves_and_the_bar_has_room_for_it():
    ends = {
        block_q: {
            shown(explore_tiles, step=MOST_TILES, block_q=block_q, block_k=k)["moved"]
            for k in BLOCKS
        }
        for block_q in BLOCKS
    }
    assert ends == {3: {480}, 4: {384}, 6: {288}}
    assert FULL > 480


def test_the_names_of_the_parts_stand_above_the_bar_and_the_mark_of_the_goal_below_its_edge():
    axes = new_figure(7, 1).subplots()
    artists, _ = draw_meter(axes, begin=0, end=FULL, y=0)
    (mark,) = axes.lines
    assert min(mark.get_ydata()) >= 0
    assert all(name.get_position()[1] < 0 for name in artists[4:8])


def test_the_share_is_half_where_the_question_says():
    wide = shown(explore_share, n=24576, m=4096, feed_forward=True)
    assert wide["share"] == pytest.approx(0.5)
    assert shown(explore_share, n=8192, m=4096, feed_forward=False)["share"] == pytest.approx(0.5)


def test_an_output_leaves_when_its_last_tile_is_done():
    out = [shown(explore_tiles, step=step, block_q=6, block_k=4)["out"] for step in range(8)]
    assert out == [0, 0, 0, 6, 6, 6, 12, 12]
    written = [shown(explore_tiles, step=step, block_q=6, block_k=4)["written"] for step in (2, 3)]
    assert written == [0, 6 * WIDTH]


def test_the_bar_is_made_of_all_that_moved_and_only_keys_and_values_shrink():
    small, large = (
        shown(explore_tiles, step=MOST_TILES, block_q=block_q, block_k=4)["parts"]
        for block_q in (3, 6)
    )
    assert small == {"q": 48, "k": 192, "v": 192, "out": 48}
    assert large == {"q": 48, "k": 96, "v": 96, "out": 48}
    for step in range(MOST_TILES + 1):
        data = shown(explore_tiles, step=step, block_q=3, block_k=4)
        assert sum(data["parts"].values()) == data["moved"]


def test_the_parts_of_the_bar_stand_side_by_side_and_end_at_the_sum():
    axes, parts = new_figure(7, 1).subplots(), {"q": 36, "k": 128, "v": 128, "out": 24}
    artists, follow = draw_meter(axes, begin=0, end=FULL, y=0)
    follow(parts)
    bars, names = artists[:4], artists[4:]
    assert [bar.get_x() for bar in bars] == pytest.approx([0, 36, 164, 292])
    assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(316)
    assert [name.get_text() for name in names if name.get_visible()] == [*parts]
    assert [name.get_position()[0] for name in names] == pytest.approx([18, 100, 228, 304])


@pytest.mark.parametrize(
    ("parts", "named"),
    [((4, 4, 4, 0), ""), ((6, 12, 12, 0), "kv"), ((24, 84, 84, 12), "qkvout")],
)
def test_a_part_of_the_bar_has_its_name_where_the_names_stand_clear(parts, named):
    artists, follow = draw_meter(new_figure(7, 1).subplots(), begin=0, end=FULL, y=0)
    follow(dict(zip(("q", "k", "v", "out"), parts, strict=True)))
    assert "".join(name.get_text() for name in artists[4:8] if name.get_visible()) == named


def test_before_the_first_tile_the_frame_of_what_is_kept_stands_empty():
    figure, data = new_figure(*explore_tiles.size), shown(explore_tiles, step=0, block_q=4)
    explore_tiles.draw(figure, data).update(data)
    heights = [one.get_height() for one in figure.axes[0].patches if one.get_width() > WORDS]
    assert 4.3 in heights
    assert data["registers"] == {}


def test_the_three_bars_of_speed_are_the_published_ones():
    at, shown_rates = LENGTHS.index(8192), speeds()
    assert list(shown_rates.values()) == [FORWARD_RATES[name][at] for name in KEYS]
    assert max(shown_rates.values()) < DEVICES["H100"].tflops


def test_the_picture_of_speed_says_its_numbers_in_words(monkeypatch):
    said = []
    monkeypatch.setattr(stills, "show_figure", lambda figure, alt, **look: said.append(alt))
    stills.show_speeds()
    (alt,) = said
    assert all(str(number) in alt for number in (8192, *speeds().values(), 989))


@pytest.mark.parametrize(("step", "leaving"), [(0, False), (3, False), (4, True), (5, False)])
def test_the_title_says_when_outputs_leave(step, leaving):
    data = shown(explore_tiles, step=step, block_q=3, block_k=3)
    figure = new_figure(*explore_tiles.size)
    explore_tiles.draw(figure, data).update(data)
    assert ("outputs leave" in figure.get_suptitle()) == leaving


def test_small_tiles_are_drawn_with_the_tables_on_top(monkeypatch):
    drawn = {}
    monkeypatch.setattr(
        stills, "show_figure", lambda figure, alt, **_: drawn.update(figure=figure, alt=alt)
    )
    stills.show_small_tiles({8: (538_000_000, 605_000_000), 128: (35_000_000, 102_000_000)})
    bars = drawn["figure"].axes[0].patches
    assert [bar.get_width() for bar in bars] == pytest.approx([538, 35, 67, 67])
    assert "128 queries in a block 35 in tiles and 102 the plain way" in drawn["alt"]
