"""Which stops a table keeps: within the budget, evenly, and always the start and the goal."""

from itertools import pairwise

import pytest

from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.held import Numbers
from course_lib.sliding.registry import explorers
from course_lib.sliding.sliders import FloatRange, IntRange, Toggle
from tools.page.stops import FINEST, LEAST, axes_of, plan


def made(sliders, goal=None, handles=None):
    return Explorer(
        lambda **params: params,
        lambda figure, data: Drawing(lambda data: None, moving=[]),
        lambda params, data: "words",
        sliders=sliders,
        handles=handles,
        goal=Goal("reach it", lambda params, data: params == goal, goal) if goal else None,
    )


ANGLE = IntRange(0, 180, start=60, label="angle")
LENGTH = FloatRange(0, 7, start=3, step=0.1, label="length")
SCORES = Numbers(-2, 2, start=(0.0, 1.0, -1.0), labels=("a", "b", "c"), label="scores", step=0.1)
EACH = Handle(
    at=lambda data: [(0, i, one) for i, one in enumerate(data["scores"])],
    to=lambda xy, params, which: {"scores": params["scores"]},
    moves=("scores",),
)


def test_a_small_explorer_keeps_every_stop():
    kept = plan(
        axes_of(made({"n": IntRange(1, 9, start=2, label="n"), "on": Toggle(False, "on")})), 99
    )
    assert [axis.stops for axis in kept.axes] == [(1, 2, 3, 4, 5, 6, 7, 8, 9), (False, True)]
    assert len(kept) == 18


def test_stops_are_thinned_evenly_within_the_budget():
    kept = plan(axes_of(made({"angle": ANGLE, "length": LENGTH})), 400)
    assert len(kept) <= 1.25 * 400
    assert len(kept) >= 200
    angle, length = (axis.stops for axis in kept.axes)
    assert {0, 90, 180} <= set(angle)
    gaps = {b - a for a, b in pairwise(angle)}
    assert len(gaps) <= 2, "even, but where the start was put in between"
    assert len(angle) > len(length), "who had more stops keeps more"


def test_the_start_and_the_goal_are_always_among_them():
    goal = {"angle": 67, "length": 4.3}
    kept = plan(axes_of(made({"angle": ANGLE, "length": LENGTH}, goal)), 60)
    shown = [kept.params(setting) for setting in kept.settings()]
    assert goal in shown
    assert {"angle": 60, "length": 3} in shown


def test_one_slider_has_no_more_stops_than_a_hand_can_tell_apart():
    (axis,) = plan(axes_of(made({"angle": ANGLE})), 10_000).axes
    assert LEAST < len(axis.stops) <= FINEST + 2


def test_with_many_handles_few_are_away_from_their_start():
    goal = {"scores": (1.0, -1.5, 2.0)}
    explorer = made({"scores": SCORES}, goal, {"scores": EACH})
    kept = plan(axes_of(explorer), 120)
    assert kept.away == 2
    start = [axis.start for axis in kept.axes]
    aim = tuple(axis.goal for axis in kept.axes)
    settings = list(kept.settings())
    away = [sum(a != b for a, b in zip(one, start, strict=True)) for one in settings]
    assert {0, 1, 2} <= set(away)
    assert [one for one, count in zip(settings, away, strict=True) if count > 2] == [aim]
    assert kept.params(aim) == {"scores": [1.0, -1.5, 2.0]}
    assert len(settings) == len(set(settings)) == len(kept)


def test_too_small_a_budget_is_refused():
    with pytest.raises(ValueError, match="frames at least, and room for 3"):
        plan(axes_of(made({"angle": ANGLE, "on": Toggle(False, "on")})), 3)


@pytest.mark.parametrize("name", sorted(explorers()))
def test_every_explorer_finds_room_and_keeps_what_a_press_chooses(name):
    explorer = explorers()[name]
    axes = axes_of(explorer)
    kept = plan(axes, 1200)
    assert len(kept) <= 1300
    for before, after in zip(axes, kept.axes, strict=True):
        assert after.stops[after.start] == before.stops[before.start]
        if before.whole:
            assert after.stops == before.stops
    start = {n: s.sent(s.start) for n, s in explorer.sliders.items()}
    assert start in [kept.params(setting) for setting in kept.settings()]
