"""The explorers of chapter 6: what their lines are called, and when they are there."""

import math

import pytest

from course_lib.chapters.masks import explore_dials, explore_painted_mask
from course_lib.chapters.masks.exercises.rotate import rotate
from course_lib.chapters.masks.explorers.dials import dials
from course_lib.chapters.masks.explorers.painted_mask import CAUSAL, HONEST, painted_mask


@pytest.fixture
def drawn_at():
    """The texts that can be seen, each with its place, at a setting."""

    def texts(explorer, **setting):
        picture = explorer._ours().picture("one")
        picture.above(explorer.frame(**setting).right)
        shown = [t for axes in picture.figure.axes for t in axes.texts if t.get_visible()]
        return {text.get_text(): text.get_position()[0] for text in shown}

    return texts


def test_the_best_honest_loss_is_a_line_with_loaded_dice_alone(drawn_at):
    same, other = 1 / 2 + 1 / 16, 1 / 16
    assert pytest.approx(-same * math.log(same) - 7 * other * math.log(other)) == HONEST
    assert "best honest 1.54" in drawn_at(explore_painted_mask, repeats=True)
    assert not any("best honest" in text for text in drawn_at(explore_painted_mask, repeats=False))


def test_no_honest_loss_is_below_what_is_possible_and_all_stand_behind_the_line_of_chance(drawn_at):
    texts = drawn_at(explore_painted_mask, repeats=True)
    losses = {text: x for text, x in texts.items() if text.startswith("1.")}
    assert losses
    assert all(float(text) > HONEST and x > math.log(8) for text, x in losses.items())


def test_cells_that_win_the_goal_win_it_with_a_memory_too_and_the_memory_alone_does_not():
    goal = explore_painted_mask.goal
    for mask, won in ((goal.solution["mask"], True), (CAUSAL, False)):
        for repeats in (False, True):
            params = {"mask": mask, "repeats": repeats}
            assert bool(goal.reached(params, painted_mask(**params))) is won


def test_the_curve_of_the_start_is_named_once_another_covers_it_no_more(drawn_at):
    assert "before" not in drawn_at(explore_dials)
    assert "before" in drawn_at(explore_dials, apart=7)


def test_the_curve_of_the_start_is_left_out_where_other_dials_give_the_axis_another_scale(drawn_at):
    assert "before" not in drawn_at(explore_dials, apart=6, dials=2)


def test_the_names_of_query_and_key_part_where_both_stand_at_one_place(drawn_at):
    texts = drawn_at(explore_dials, apart=0)
    assert texts["key"] < texts["query"]


def test_a_query_far_away_that_the_fast_dials_take_for_near_is_told_by_a_third_one_alone():
    reached = explore_dials.goal.reached
    apart_and_dials = [(apart, used) for apart in range(21) for used in range(1, 5)]
    found = []
    for apart, used in apart_and_dials:
        params = {"place": 9, "apart": apart, "dials": used}
        if reached(params, dials(**params, rotate=rotate)):
            found.append((apart, used))
    assert found == [(12, 3), (12, 4), (13, 3), (13, 4)]


def test_what_the_dials_ask_for_is_said_at_each_place_and_the_line_is_no_height_to_reach(drawn_at):
    texts = drawn_at(explore_dials, apart=13, dials=3)
    assert {"0.91, goal: > 0.80", "goal: the dot in the grey box", "half of\nthe highest"} <= set(
        texts
    )
    assert "goal" not in texts


def test_the_goal_of_the_dials_is_a_box_around_the_keys_10_to_15_places_before_the_query():
    picture = explore_dials._ours().picture("one")
    for place, apart in ((9, 3), (9, 13), (20, 20)):
        picture.above(explore_dials.frame(place=place, apart=apart).right)
        (strip,) = (axes for axes in picture.figure.axes if axes.get_label() == "strip")
        box = min(strip.patches, key=lambda patch: patch.get_zorder())
        inside = [at for at in range(41) if box.get_x() < at < box.get_x() + box.get_width()]
        query = place + apart
        assert inside == [at for at in range(41) if 10 <= query - at <= 15]
