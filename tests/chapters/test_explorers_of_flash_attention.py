"""Chapter 8's explorers tell the truth about the kernel and the formulas."""

import io
import itertools

import pytest
import torch
from PIL import Image

from course_lib.chapters.flash_attention import stills
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
from tests.chapters.samples import data_of

KEYS = ("standard", "FA2", "FA3")


@pytest.mark.parametrize("block_q", BLOCKS)
@pytest.mark.parametrize("block_k", BLOCKS)
def test_at_the_end_all_tiles_are_done_and_the_formula_holds(block_q, block_k):
    data = data_of(explore_tiles, step=MOST_TILES, block_q=block_q, block_k=block_k)
    assert data["moved"] == elements_moved("queries outside", WORDS, WIDTH, block_q=block_q)
    assert not (data["state"] == NOT_YET).any()


def test_the_numbers_only_grow_from_step_to_step():
    found = [data_of(explore_tiles, step=step, block_q=3, block_k=3)["moved"] for step in range(17)]
    assert found[0] == 0
    assert all(a < b for a, b in itertools.pairwise(found))


def test_the_h100_needs_more_rows_than_fit_at_width_128():
    found = data_of(explore_roof, device="H100", d=128, block=512)
    assert found["room"] < found["ridge"]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_rescaled_sums_end_at_the_softmax_mean_in_every_order(order):
    data = data_of(explore_running_sums, step=3, order=order)
    right = torch.tensor(SCORES).softmax(0) @ torch.tensor(VALUES, dtype=torch.float32)
    assert data["mean"] == pytest.approx(right.item())
    assert data["right"] == pytest.approx(right.item())


@pytest.mark.parametrize(("order", "times"), [((0, 1, 2), 1), ((0, 2, 1), 2), ((1, 2, 0), 0)])
def test_an_order_is_rescaled_as_often_as_its_maximum_grows(order, times):
    data = data_of(explore_running_sums, step=3, order=order)
    assert data["rescaled"] == times
    forgotten = data_of(explore_running_sums, step=3, order=order, forget=True)
    assert (forgotten["mean"] == pytest.approx(data["mean"])) == (times == 0)


def test_a_rescaling_that_was_forgotten_is_told_at_a_later_block_too():
    for order, forget, missing in (
        ((0, 1, 2), True, True), ((0, 1, 2), False, False), ((1, 0, 2), True, False),
    ):  # fmt: skip
        data = data_of(explore_running_sums, step=3, order=order, forget=forget)
        told = describe_running_sums({}, data)
        assert ("one rescaling is missing" in told) == missing
        assert ("both sums stay as they are" in told) != missing
        assert data["stale"] == [1 if missing else 0] * 2


def test_the_pale_old_part_keeps_its_grey_when_forget_is_ticked():
    seen = []
    for forget in (False, True):
        picture = Image.open(io.BytesIO(explore_running_sums.render(forget=forget))).convert("RGB")
        counted = sorted(picture.getcolors(picture.width * picture.height), reverse=True)
        shades = {colour for count, colour in counted if count > 4000}
        seen.append({colour for colour in shades if min(colour) > 120 and max(colour) < 210})
    assert seen[0] == seen[1]
    assert len(seen[0]) == 2  # of block 1 and of block 2
    assert all(red == green == blue for red, green, blue in seen[0])


def test_the_registers_hold_the_sums_of_all_keys_seen_so_far():
    early, late = (data_of(explore_tiles, step=step, block_q=3, block_k=6) for step in (1, 2))
    assert set(early["registers"]) == set(late["registers"]) == {0, 1, 2}
    for row, (largest, total, *mixed) in early["registers"].items():
        assert late["registers"][row][0] >= largest
        assert 1 <= total <= 6
        assert len(mixed) == WIDTH
    assert set(data_of(explore_tiles, step=3, block_q=3, block_k=6)["registers"]) == {3, 4, 5}


def test_mixed_divided_by_total_is_the_output_at_the_last_tile_of_a_row():
    data = data_of(explore_tiles, step=3, block_q=3, block_k=4)
    q, k, v = torch.randn(3, WORDS, WIDTH, generator=torch.Generator().manual_seed(0))
    for row, (_, total, *mixed) in data["registers"].items():
        right = attention(q[row : row + 1], k, v)[0]
        assert torch.tensor(mixed) / total == pytest.approx(right, abs=1e-5)


def test_only_the_number_of_queries_decides_what_moves_and_the_bar_has_room_for_it():
    ends = {
        block_q: {
            data_of(explore_tiles, step=MOST_TILES, block_q=block_q, block_k=k)["moved"]
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
    wide = data_of(explore_share, n=24576, m=4096, feed_forward=True)
    assert wide["share"] == pytest.approx(0.5)
    assert data_of(explore_share, n=8192, m=4096, feed_forward=False)["share"] == pytest.approx(0.5)


def test_an_output_leaves_when_its_last_tile_is_done():
    out = [data_of(explore_tiles, step=step, block_q=6, block_k=4)["out"] for step in range(8)]
    assert out == [0, 0, 0, 6, 6, 6, 12, 12]
    written = [
        data_of(explore_tiles, step=step, block_q=6, block_k=4)["written"] for step in (2, 3)
    ]
    assert written == [0, 6 * WIDTH]


def test_the_bar_is_made_of_all_that_moved_and_only_keys_and_values_shrink():
    small, large = (
        data_of(explore_tiles, step=MOST_TILES, block_q=block_q, block_k=4)["parts"]
        for block_q in (3, 6)
    )
    assert small == {"q": 48, "k": 192, "v": 192, "out": 48}
    assert large == {"q": 48, "k": 96, "v": 96, "out": 48}
    for step in range(MOST_TILES + 1):
        data = data_of(explore_tiles, step=step, block_q=3, block_k=4)
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
    figure, data = new_figure(*explore_tiles.size), data_of(explore_tiles, step=0, block_q=4)
    explore_tiles.draw(figure, data).update(data)
    heights = [one.get_height() for one in figure.axes[0].patches if one.get_width() > WORDS]
    assert 4.3 in heights
    assert data["registers"] == {}


@pytest.mark.parametrize(("step", "named"), [(0, []), (7, [3, 4, 5])])
def test_each_row_of_what_is_kept_has_the_number_of_its_query(step, named):
    figure, data = new_figure(*explore_tiles.size), data_of(explore_tiles, step=step, block_q=3)
    explore_tiles.draw(figure, data).update(data)
    texts = [one for one in figure.axes[0].texts if one.get_text().isdigit()]
    assert [int(one.get_text()) for one in texts] == named
    assert [one.get_position()[1] for one in texts] == named


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
    data = data_of(explore_tiles, step=step, block_q=3, block_k=3)
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
