"""What the pictures of chapter 4 show is true, at more settings than their ends."""

import numpy as np
import pytest

from course_lib.chapters.softmax.explorers.crowd import (
    DEEP,
    LONG,
    _covers,
    explore_crowd,
    keys_a_dot,
)
from course_lib.chapters.softmax.explorers.far_out import Landing, explore_far_out
from course_lib.chapters.softmax.explorers.heat_map import explore_heat_map
from course_lib.chapters.softmax.explorers.scores import START, _Bars, _Lead, explore_scores
from course_lib.chapters.softmax.explorers.sink import explore_sink
from course_lib.chapters.softmax.explorers.ten_scores import START as TEN
from course_lib.chapters.softmax.explorers.ten_scores import explore_ten_scores
from course_lib.figures.theme import new_figure
from course_lib.kernels.softmax import softmax
from course_lib.sliding.answers import Answers
from tests.chapters.samples import data_of
from tests.sweeps import some


def reached(explorer, **params):
    return explorer._ours().reached(explorer.frame(**params))


def test_lifting_the_board_moves_every_score_and_no_weight():
    start, lifted = data_of(explore_scores), data_of(explore_scores, shift=1.0)
    np.testing.assert_allclose(lifted["scores"], start["scores"] + 1)
    np.testing.assert_allclose(lifted["weights"], start["weights"])


def test_a_dragged_score_moves_alone_also_on_a_lifted_board():
    answers = Answers(explore_scores.session())
    frame = answers.to({"id": 0, "params": {"scores": list(START), "shift": 1.0}})
    x, y = frame["panes"][0]["places"]["scores"][3][:2]
    told = {"handle": "scores", "which": 3, "at": (x, y - 40), "pane": 0}
    moved = answers.to({"id": 1, "params": frame["params"], **told})["params"]
    assert moved["scores"][:3] == list(START[:3])
    assert moved["scores"][3] > START[3]
    assert moved["shift"] == 1.0


def test_half_for_invited_counts_only_where_nothing_else_was_moved():
    assert reached(explore_scores, scores=(*START[:3], 2.9))
    assert not reached(explore_scores, scores=(*START[:3], 2.7))
    assert not reached(explore_scores, scores=(1.0, 1.2, 2.4, 2.9))
    assert not reached(explore_scores, shift=0.5)


def test_half_is_reached_from_the_dashed_line_on_and_not_before():
    tried = [score / 10 for score in range(26, 34)]
    assert [one for one in tried if reached(explore_scores, scores=(*START[:3], one))] == [2.9, 3.0]
    at_the_goal = data_of(explore_scores, scores=(*START[:3], 2.9))["weights"][3]
    assert 0.5 <= at_the_goal < 0.505  # and so its piece ends at the dashed line


def test_half_for_invited_stays_reached_while_the_board_is_lifted():
    for shift in (-1.0, 0.5, 1.0):
        assert reached(explore_scores, scores=(*START[:3], 2.9), shift=shift)


@pytest.mark.parametrize(
    ("scores", "shift"), [(START, 0.0), (START, 1.0), ((2.0, 4.0, 2.4, 2.9), 1.0)]
)
def test_the_bars_keep_their_ratios_and_the_tallest_fits(scores, shift):
    figure = new_figure(*explore_scores.size)
    axes = figure.subplots()
    axes.set(ylim=(-5.3, 7.4))
    bars = _Bars(axes, data_of(explore_scores))
    bars.update(data_of(explore_scores, scores=scores, shift=shift))
    heights = np.array([bar.get_height() for bar in bars.bars])
    at_first = np.array([start.get_height() for start in bars.starts])
    sizes = np.exp(np.array(scores) + shift)
    np.testing.assert_allclose(heights / heights.max(), sizes / sizes.max())
    np.testing.assert_allclose(heights / at_first, sizes / np.exp(START))
    assert bars.bars[0].get_y() + heights.max() < 6


@pytest.mark.parametrize("scores", [START, (*START[:3], 2.9), (2.0, 4.0, 2.4, -1.0)])
def test_bars_on_a_lifted_board_grow_as_much_as_their_numbers(scores):
    axes = new_figure(*explore_scores.size).subplots()
    bars = _Bars(axes, data_of(explore_scores, scores=scores))
    heights = {}
    for shift in (-1.0, 0.0, 1.0):
        bars.update(data_of(explore_scores, scores=scores, shift=shift))
        heights[shift] = np.array([bar.get_height() for bar in bars.bars])
    np.testing.assert_allclose(heights[1.0] / heights[0.0], np.e)
    np.testing.assert_allclose(heights[-1.0] / heights[0.0], 1 / np.e)


@pytest.mark.parametrize(("best", "top"), [(2.4, 50), (4.0, 148)])
def test_the_bars_say_on_which_scale_they_stand(best, top):
    bars = _Bars(new_figure(*explore_scores.size).subplots(), data_of(explore_scores))
    bars.update(data_of(explore_scores, scores=(1.4, 1.2, best, -1.0)))
    assert bars.title.get_text() == f"e^score; full height: {top}"


@pytest.mark.parametrize(("score", "lines", "told"), [(-1, 1, ".02"), (2.9, 2, ".50")])
def test_a_line_leads_to_each_word_below_the_strip_and_no_weight_is_0(score, lines, told):
    figure = new_figure(*explore_scores.size)
    drawing = explore_scores.draw(figure, data_of(explore_scores))
    drawing.update(data_of(explore_scores, scores=(*START[:3], score)))
    (strip,) = [axes for axes in figure.axes if axes.get_label() == "strip"]
    leading = [one for one in strip.lines if one.get_linestyle() == "-" and one.get_visible()]
    assert len(leading) == lines
    assert any(one.get_text().endswith(told) for one in strip.texts)


@pytest.mark.parametrize(
    ("scores", "shift", "gaps"),
    [
        (START, 0.0, [1]),  # it would touch shen's dot
        ((1.6, 1.1, 1.3, 2.9), 1.0, [1, 2]),
        ((2.9, 1.3, 1.1, 1.6), 0.0, [2, 1]),
        ((1.4, -0.2, 2.4, -1.0), 0.0, []),  # far below
        ((1.4, 3.0, 0.5, -1.0), 0.0, []),  # no dot between
    ],
)
def test_the_line_of_the_lead_stops_before_a_dot_that_it_would_touch(scores, shift, gaps):
    lead = _Lead(new_figure(*explore_scores.size).subplots())
    lead.update(data_of(explore_scores, scores=scores, shift=shift))
    across = lead.level.get_xdata()
    assert [round(across[place - 1]) for place in np.flatnonzero(np.isnan(across))] == gaps
    assert lead.level.get_visible()


def test_two_best_scores_that_are_level_have_no_line_of_a_lead():
    lead = _Lead(new_figure(*explore_scores.size).subplots())
    lead.update(data_of(explore_scores, scores=(4, 4, -2, -2)))
    assert not lead.level.get_visible()
    assert not lead.number.get_text()


def test_the_smallest_weight_and_the_smallest_bar_are_not_written_as_0():
    figure = new_figure(*explore_scores.size)
    drawing = explore_scores.draw(figure, data_of(explore_scores))
    drawing.update(data_of(explore_scores, scores=(4, 4, -2, -2), shift=-1.0))
    told = [one.get_text() for axes in figure.axes for one in axes.texts]
    assert {"invited .001", "0.05"} <= set(told)
    assert "0.0" not in told


@pytest.mark.parametrize("power", [0, 3, 6, 7])
def test_a_constant_changes_nothing_while_float32_can_hold_it(power):
    seen = data_of(explore_far_out, power=float(power))
    for name in ("float32", "float64"):
        np.testing.assert_allclose(seen[name], softmax([1, 2, 3]), atol=1e-6)
    np.testing.assert_allclose(seen["landed"], [1, 2, 3])


def test_the_constant_of_the_bet_makes_float32_even_and_not_float64():
    seen = data_of(explore_far_out, power=8.0)
    assert seen["spacing"] == 8
    np.testing.assert_array_equal(seen["landed"], 0)
    np.testing.assert_allclose(seen["float32"], 1 / 3, rtol=1e-6)
    np.testing.assert_allclose(seen["float64"], softmax([1, 2, 3]), atol=1e-6)


@pytest.mark.parametrize("power", [7.3, 7.5, 7.8, 8.0, 9.0])
def test_every_score_lands_on_the_nearest_number_that_float32_has(power):
    seen = data_of(explore_far_out, power=power)
    np.testing.assert_array_equal(seen["landed"] % seen["spacing"], 0)
    assert np.abs(seen["landed"] - [1, 2, 3]).max() <= seen["spacing"] / 2


def test_the_curve_is_drawn_no_further_than_the_learner_has_come():
    seen = data_of(explore_far_out, power=3.0)
    picture = explore_far_out._ours().picture("one")
    behind = {**seen, "largest": np.where(np.arange(91) > 30, 0.5, seen["largest"])}
    before = {**seen, "largest": np.where(np.arange(91) > 20, 0.5, seen["largest"])}
    assert picture.above(seen) == picture.above(behind)
    assert picture.above(seen) != picture.above(before)


@pytest.mark.parametrize("s", [10, 11, 21, 22, 500, 1000, 1001])
def test_as_many_dots_of_the_crowd_stay_open_as_there_are_others(s):
    columns, rows = np.divmod(np.arange(DEEP * LONG), DEEP)
    heights = DEEP - 1 - rows
    hidden = np.zeros(DEEP * LONG, dtype=bool)
    for left, bottom, width, height in _covers(s):
        across = (columns > left) & (columns < left + width)
        hidden |= across & (heights > bottom) & (heights < bottom + height)
    assert (~hidden).sum() == s - 1


def test_a_dot_stands_for_more_keys_only_where_the_crowd_needs_it():
    crowds = (9, 1000, 1001, 10_000, 10_001, 100_000)
    assert [keys_a_dot(others) for others in crowds] == [1, 1, 10, 10, 100, 100]


def test_the_goal_of_the_sink_is_a_zone_with_two_ends():
    tried = np.round(np.arange(-15, 8.05, 0.1), 1)
    reaching = [sink for sink in tried if reached(explore_sink, sink=float(sink))]
    assert (min(reaching), max(reaching)) == pytest.approx((-2.1, 0.7), abs=0.11)


@pytest.mark.parametrize("sink", [-15.0, -2.0, 0.0, 8.0])
def test_both_strips_of_the_sink_are_one_long(sink):
    seen = data_of(explore_sink, sink=sink)
    for row in ("nothing", "fits"):
        assert seen[row].sum() == pytest.approx(1)
    assert seen["nothing"][0] == 0


@pytest.mark.parametrize("sink", some(np.arange(-15, 8.05, 0.5), 17))
def test_no_label_of_the_sink_stands_on_a_mark_of_the_goal(sink):
    figure = new_figure(*explore_sink.size)
    drawing = explore_sink.draw(figure, data_of(explore_sink, sink=-15.0))
    drawing.update(data_of(explore_sink, sink=float(sink)))
    figure.canvas.draw()
    strips = next(axes for axes in figure.axes if axes.get_label() == "strips")
    labels = [one.get_window_extent() for one in strips.texts if one.get_text()]
    marks = [line.get_window_extent() for line in strips.lines]
    assert len(marks) == 2
    assert not [1 for mark in marks for label in labels if label.overlaps(mark)]


@pytest.mark.parametrize("sink", [-15.0, 0.0, 8.0])
def test_the_key_that_fits_comes_to_the_hundred_and_replaces_none_of_them(sink):
    seen = data_of(explore_sink, sink=sink)
    hundred, level, fitting = 100 * np.exp(-9), np.exp(sink), np.exp(3)
    together = hundred + level
    np.testing.assert_allclose(seen["nothing"], np.array([0, hundred, level]) / together)
    np.testing.assert_allclose(
        seen["fits"], np.array([fitting, hundred, level]) / (together + fitting)
    )


def test_the_framed_row_is_told_in_words():
    frame = explore_heat_map.frame(row="yang")
    assert "yang looks most at shen" in explore_heat_map._ours().sentence(frame)


@pytest.mark.parametrize("s", [10, 997, 100_000])
@pytest.mark.parametrize("lead", [0.0, 5.0, 6.9, 15.0])
def test_the_dot_of_the_crowd_lies_on_its_curve(s, lead):
    seen = data_of(explore_crowd, s=s, lead=lead)
    assert seen["weight"] == pytest.approx(1 / (1 + (s - 1) * np.exp(-lead)))


def test_the_goal_of_the_crowd_is_the_smallest_lead_with_half_of_the_weight():
    assert data_of(explore_crowd, s=1000, lead=7.0)["weight"] >= 0.5
    assert data_of(explore_crowd, s=1000, lead=6.9)["weight"] < 0.5
    assert reached(explore_crowd, s=1000, lead=7.0)
    assert not reached(explore_crowd, s=1000, lead=7.1)
    assert not reached(explore_crowd, s=100, lead=7.0)


def test_numbers_too_close_to_draw_are_said_to_be_so_and_have_no_ticks():
    figure = new_figure()
    landing = Landing(figure.subplots())
    landing.update(data_of(explore_far_out, power=3.0))
    assert not np.isfinite(landing.there.get_xdata()).any()
    assert "at the constant 0.00006104 apart" in landing.close.get_text()
    landing.update(data_of(explore_far_out, power=8.0))
    assert list(landing.there.get_xdata()[np.isfinite(landing.there.get_xdata())]) == [0, 8]
    assert landing.close.get_text() == ""


@pytest.mark.parametrize(("along", "axis"), [("rows", 1), ("columns", 0)])
def test_what_is_shared_out_along_an_axis_adds_up_to_one_there_only(along, axis):
    weights = data_of(explore_heat_map, along=along)["weights"]
    np.testing.assert_allclose(weights.sum(axis=axis), 1)
    assert np.abs(weights.sum(axis=1 - axis) - 1).max() > 0.2


def test_two_keys_count_only_where_one_score_alone_was_moved():
    assert reached(explore_ten_scores, scores=(*TEN[:5], 4.3, *TEN[6:]))
    assert not reached(explore_ten_scores, scores=(*TEN[:5], 5.5, *TEN[6:]))
    assert not reached(explore_ten_scores, scores=(6.0, 6.0, *[-4.0] * 8))
    assert data_of(explore_ten_scores, scores=(6.0, 6.0, *[-4.0] * 8))["count"] == pytest.approx(
        2, abs=0.01
    )
