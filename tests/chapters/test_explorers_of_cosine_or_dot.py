"""What chapter 2's pictures say, computed another way."""

import itertools

import numpy as np
import pytest
from matplotlib.text import Text

from course_lib.chapters.cosine_or_dot.explorers import loud_key, two_lengths
from course_lib.chapters.cosine_or_dot.explorers.loud_key import explore_loud_key
from course_lib.chapters.cosine_or_dot.explorers.onto_circle import explore_onto_circle
from course_lib.chapters.cosine_or_dot.explorers.two_lengths import explore_two_lengths
from course_lib.chapters.cosine_or_dot.explorers.two_measures import (
    BREAK_EVEN,
    draw_two_measures,
    explore_two_measures,
)
from course_lib.figures.theme import new_figure
from tests.chapters.samples import data_of
from tests.sweeps import some


def test_a_loud_key_wins_more_the_longer_it_is_and_never_half():
    shares = [data_of(explore_loud_key, length=length)["won"].sum() for length in (1, 2, 3, 4, 5)]
    assert shares == sorted(set(shares))
    assert shares[-1] < len(loud_key.QUERIES) / 2


def test_half_the_length_of_the_others_is_about_where_nobody_picks_the_loud_key():
    shares = [data_of(explore_loud_key, length=length)["won"].sum() for length in (0.2, 0.5, 0.6)]
    assert shares[:2] == [0, 0]
    assert shares[2] > 0


def test_the_sector_of_the_loud_key_holds_the_queries_that_it_wins():
    for length in (1.0, 3.2, 5.0):
        found = data_of(explore_loud_key, length=length)
        inside = np.interp(loud_key.QUERIES, loud_key.FINE, found["realm"]) > 0.5
        np.testing.assert_array_equal(found["won"], inside)
        by_hand = [
            max(range(5), key=lambda i: np.cos(turn - loud_key.KEYS[i]) * (1 if i else length)) == 0
            for turn in loud_key.QUERIES
        ]
        np.testing.assert_array_equal(found["won"], by_hand)


def test_normalising_gives_the_loud_key_the_same_queries_at_every_length():
    shares = {data_of(explore_loud_key, length=length)["won_units"].sum() for length in (1, 3, 5)}
    assert len(shares) == 1


def test_a_key_that_is_not_normalised_stays_loud_in_the_learners_picture():
    session = explore_loud_key.session(unit_rows=lambda x: x)
    frame = session.frame({"length": 4.0})
    yours, right = session.draw(frame)
    assert (yours != right).any()
    assert "they differ" in session.sentence(frame)


@pytest.mark.parametrize(("length", "reached"), [(2.5, False), (3.8, True), (5.0, True)])
def test_the_goal_of_the_loud_key_is_25_queries_or_more(length, reached):
    frame = explore_loud_key.frame(length=length)
    assert explore_loud_key.session().reached(frame) == reached == (frame.right["won"].sum() >= 25)


def test_the_hatched_goal_of_the_loud_key_goes_from_25_queries_to_half():
    (goal,) = (one for one in loud_key_at(loud_key.START).axes[2].patches if one.get_hatch())
    assert (goal.get_x(), goal.get_x() + goal.get_width()) == pytest.approx((24.6, 30))


def test_the_query_sharpens_and_the_key_asks_while_cosines_stay():
    start = data_of(explore_two_lengths, key_c=1.0)
    sharp = data_of(explore_two_lengths, key_c=1.0, query=3.0)
    loud = data_of(explore_two_lengths, key_c=3.0)
    assert sharp["by_dot"][0] > 0.5 > 0.4 > start["by_dot"][0]
    assert loud["by_dot"].argmax() == 2
    for moved in (sharp, loud):
        np.testing.assert_allclose(moved["by_cosine"], start["by_cosine"])
        assert moved["by_dot"].sum() == pytest.approx(1)


def test_a_longer_key_beyond_90_degrees_loses_and_all_the_others_gain():
    start, drawn_out = data_of(explore_two_lengths), data_of(explore_two_lengths, key_d=3.0)
    assert drawn_out["by_dot"][3] < start["by_dot"][3]
    assert (drawn_out["by_dot"][:3] > start["by_dot"][:3]).all()


def test_a_close_second_grows_with_the_longer_query():
    start, sharp = (data_of(explore_two_lengths, key_c=1.7, query=long) for long in (1.0, 3.0))
    assert start["by_dot"].argmax() == sharp["by_dot"].argmax() == 2
    assert sharp["by_dot"][0] > start["by_dot"][0]


@pytest.mark.parametrize(("key_c", "named"), [(1.6, "to A and C"), (1.7, "to C"), (2.0, "to C")])
def test_the_headline_of_the_two_lengths_names_who_gets_most_and_both_where_they_tie(key_c, named):
    figure = new_figure(7.0, 4.0)
    found = data_of(explore_two_lengths, key_c=key_c)
    two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths)).update(found)
    assert f"Most goes {named} by dot product" in figure.get_suptitle()


def test_the_headline_of_the_two_lengths_names_a_key_once_that_wins_both_ways():
    figure = new_figure(7.0, 4.0)
    found = data_of(explore_two_lengths, key_c=1.0, query=3.0)
    two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths)).update(found)
    assert figure.get_suptitle() == "Most goes to A, by dot product and by cosine"


@pytest.mark.parametrize("key_c", some(np.arange(0.5, 4.05, 0.1).round(1), 15))
def test_the_number_of_c_stands_on_the_band_of_its_goal_only_in_its_own_bar(key_c):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths))
    drawing.update(data_of(explore_two_lengths, key_c=key_c))
    figure.draw_without_rendering()
    (goal,) = (one for one in figure.axes[1].patches if one.get_hatch())
    number = figure.axes[1].texts[2].get_window_extent()
    bar = figure.axes[1].patches[2].get_window_extent()
    assert not number.overlaps(goal.get_window_extent()) or bar.y0 < number.y0 < number.y1 <= bar.y1


@pytest.mark.parametrize("lengths", [{"key_c": 2.5}, {"key_c": 4.0}, {"key_d": 3.0}])
def test_a_weight_below_a_hundredth_touches_no_bar_beside_it(lengths):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths))
    drawing.update(data_of(explore_two_lengths, query=3.0, **lengths))
    figure.draw_without_rendering()
    bars = figure.axes[1]
    (tiny,) = (text for text in bars.texts if text.get_text() == "<.01")
    box = tiny.get_window_extent()
    assert not any(box.overlaps(bar.get_window_extent()) for bar in bars.patches if bar.get_fill())
    assert box.x0 > bars.patches[2].get_window_extent().x1  # that of C


def test_the_goal_over_c_goes_from_half_up_to_all_and_c_can_take_well_more_than_half():
    figure = new_figure(7.0, 4.0)
    two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths))
    (goal,) = (one for one in figure.axes[1].patches if one.get_hatch())
    most = data_of(explore_two_lengths, key_c=4.0)["by_dot"][2]
    assert goal.get_y() == pytest.approx(0.5, abs=0.01)
    assert goal.get_y() + goal.get_height() == pytest.approx(1)
    assert most > 0.6


@pytest.mark.parametrize(
    ("lengths", "scores"),
    [
        ({}, [".96", ".80", ".60", "−.50"]),
        ({"key_c": 2.2, "key_d": 3.0}, [".96", ".80", "1.3", "−1.5"]),
        ({"key_c": 4.0, "query": 3.0}, ["2.9", "2.4", "7.2", "−1.5"]),
        ({"key_d": 2.5}, [".96", ".80", ".60", "−1.3"]),  # a half goes away from 0
    ],
)
def test_under_each_bar_stands_the_score_that_it_comes_from_and_off_its_neighbours(lengths, scores):
    figure = new_figure(7.0, 4.0)
    drawing = two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths))
    drawing.update(data_of(explore_two_lengths, **lengths))
    figure.draw_without_rendering()
    found = [one for one in figure.axes[1].texts if one.get_position()[1] == -20]
    assert [one.get_text() for one in found] == [*scores, ".96", ".80", ".60", "−.50"]
    boxes = [Text.get_window_extent(one) for one in found]
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))


@pytest.mark.parametrize(
    "lengths", [{"key_c": 2.2}, {"query": 3.0}, {"key_c": 4.0}, {"key_d": 3.0}]
)
def test_no_number_of_a_weight_covers_the_top_of_the_outline_of_the_start(lengths):
    figure = new_figure(7.0, 4.0)
    start = data_of(explore_two_lengths)
    drawing = two_lengths.draw_two_lengths(figure, start)
    drawing.update(data_of(explore_two_lengths, **lengths))
    figure.draw_without_rendering()
    bars = figure.axes[1]
    for number, weight in zip(bars.texts[:4], start["by_dot"], strict=True):
        top = bars.transData.transform((0, weight))[1]
        box = number.get_window_extent()
        assert not box.y0 + 2 < top < box.y1 - 2


def test_the_goal_of_the_two_lengths_is_reached_where_the_bar_reads_half_or_more():
    reached = []
    for c in (2.7, 2.8, 2.9, 3.0):
        frame = explore_two_lengths.frame(key_c=c)
        reached.append(explore_two_lengths.session().reached(frame))
    assert reached == [False, True, True, True]


def test_the_words_of_a_loud_key_that_nobody_picks_name_no_side():
    told = loud_key.describe_loud_key({}, data_of(explore_loud_key, length=0.2))
    assert "none of the queries picks it" in told
    assert "side" not in told


@pytest.mark.parametrize(("length", "misled"), [(2.4, False), (2.45, True)])
def test_distance_misjudges_from_one_plus_the_root_of_two_on(length, misled):
    b, c = data_of(explore_two_measures, length=length)["far"]
    assert (b > c) == misled == (length > BREAK_EVEN)


def test_a_tie_names_no_nearer_one():
    figure = new_figure(7.0, 3.2)
    found = data_of(explore_two_measures, length=2.0, angle=60)
    draw_two_measures(figure, found).update(found)
    assert "nearer to A by distance: neither; by angle: B" in figure.get_suptitle()


def test_lengthening_both_arrows_moves_the_dot_product_and_not_that_of_the_tips():
    start = data_of(explore_onto_circle, length_a=1.0, length_b=2.0)
    far = data_of(explore_onto_circle, length_a=2.5, length_b=2.4)
    assert far["dot"] == pytest.approx(start["dot"] * 3)
    assert far["cosine"] == pytest.approx(start["cosine"])
    assert start["cosine"] == pytest.approx(np.cos(np.radians(45)))


def test_at_the_start_of_the_two_lengths_all_are_1_long_and_dot_and_cosine_agree():
    start = data_of(explore_two_lengths)
    np.testing.assert_allclose(np.linalg.norm([start["q"], *start["keys"]], axis=1), 1)
    np.testing.assert_allclose(start["by_dot"], start["by_cosine"])


def test_the_word_of_the_goal_of_the_two_lengths_stands_over_no_bar_by_cosine():
    figure = new_figure(7.0, 4.0)
    two_lengths.draw_two_lengths(figure, data_of(explore_two_lengths))
    figure.draw_without_rendering()
    bars = figure.axes[1]
    (word,) = (text for text in bars.texts if text.get_text().startswith("goal"))
    first = bars.transData.transform((two_lengths.COSINES - 0.36, 0))[0]
    assert Text.get_window_extent(word).x1 < first


def test_weights_that_still_hear_a_length_move_the_pale_bars_of_the_learner():
    def keys_only(q, k):
        return two_lengths.softmax(q @ (k / np.linalg.norm(k, axis=1, keepdims=True)).T)

    session = explore_two_lengths.session(cosine_weights=keys_only)
    frame = session.frame({"query": 3.0, "key_c": 2.0, "key_d": 1.0})
    yours, right = session.draw(frame)
    assert (yours != right).any()
    assert "they differ" in session.sentence(frame)


def test_the_loud_key_lies_on_top_of_the_others_so_that_it_is_seen_when_it_is_short():
    arrows = [one for one in loud_key_at(0.2).axes[0].patches if len(one.get_xy()) == 8]
    ghost, loud, *others = (arrow.get_zorder() for arrow in arrows)
    assert loud > max(others) > ghost


def loud_key_at(length):
    """The picture of the loud key, moved from its start to a length."""
    figure = new_figure(7.0, 4.2)
    drawing = loud_key.draw_loud_key(figure, data_of(explore_loud_key))
    drawing.update(data_of(explore_loud_key, length=length))
    return figure


@pytest.mark.parametrize("length", [0.2, 0.4, 1.0, 1.7, 2.4, 2.5, 3.8])
def test_the_name_of_the_loud_key_lies_on_no_dot_of_the_ring_and_the_grey_arrow_has_its_own(length):
    left = loud_key_at(length).axes[0]
    left.figure.canvas.draw()
    named = {text.get_text(): text for text in left.texts}
    assert named["start"].get_visible() == (length != loud_key.START)
    ring = left.transData.transform(loud_key.RING * loud_key._directions(loud_key.QUERIES))
    for name in ("loud", "start"):
        assert not any(named[name].get_window_extent().contains(*dot) for dot in ring)


def test_what_is_stored_of_the_loud_key_shows_it_win_what_it_does_not_win_on_the_circle():
    start = data_of(explore_loud_key)
    assert start["won"].sum() >= 2 * start["won_units"].sum()


def test_at_length_1_the_nearer_one_is_the_one_with_the_larger_cosine():
    for length in (0.5, 2.0, 4.0):
        for angle in (10, 60, 170):
            found = data_of(explore_two_measures, length=length, angle=angle)
            np.testing.assert_allclose(found["far_units"] ** 2, 2 - 2 * found["cosine"], atol=1e-12)
            assert found["far_units"].argmin() == found["cosine"].argmax()


@pytest.mark.parametrize("length", [loud_key.START, 1.0, 3.8])
def test_the_line_at_90_degrees_stands_there_from_the_start(length):
    left = loud_key_at(length).axes[0]
    assert "90° from loud: score 0" in [text.get_text() for text in left.texts]
    (line,) = (line for line in left.lines if line.get_linestyle() == "--")
    loud = data_of(explore_loud_key)["keys"][0]
    np.testing.assert_allclose(line.get_xydata() @ loud, 0, atol=1e-9)  # through the origin


@pytest.mark.parametrize("length", [0.2, 3.8, 5.0])
def test_the_loud_keys_headline_counts_what_the_bar_counts(length):
    figure, won = loud_key_at(length), int(data_of(explore_loud_key, length=length)["won"].sum())
    told = "{:.1f} long, the loud key" if length >= 1 else "Only {:.1f} long, the key “loud”"
    assert figure.get_suptitle() == f"{told.format(length)} wins {won} of the 60 queries"
    assert loud_key.GOAL in figure.axes[2].get_xticks()
