"""Where the sliders of an explorer stop on the page: as many frames as a table has room for.

Each number that a learner can set is an axis. A table holds every combination of the stops of all
axes. Where a picture has so many handles that this would leave too few stops, only so many of them
are away from their start at a time as leave LEAST stops to each axis: those that were moved last.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course_lib.sliding.definition import Definition
from course_lib.sliding.handles import Chosen, Handle, moved
from course_lib.sliding.held import Cells, Numbers
from course_lib.sliding.sliders import FloatRange, IntRange

FINEST = 73  # stops of one axis: finer than a hand holds a slider on a phone
LEAST = 5  # stops of an axis that is thinned; fewer only where there is no other way
DIVIDES = 4  # so many ways to thin evenly must there be; else stops are taken as they come


@dataclass(frozen=True)
class Axis:
    """One number that can be set: the parameter `name`, or number `index` of a parameter that is
    several.

    stops: all values that the front end may send.   start, goal: places among them; goal may be
    None.   group: the handle that holds it; "" for a slider.   whole: all its stops must stay.
    """

    name: str
    index: int | None
    stops: tuple
    start: int
    goal: int | None
    group: str = ""
    whole: bool = False

    def counts(self, least: int = LEAST) -> list[int]:
        """How many stops it may be thinned to: those that part the way evenly, where there are."""
        full = len(self.stops)
        if self.whole or full <= least:
            return [full]
        even = [count for count in range(least, full + 1) if (full - 1) % (count - 1) == 0]
        every = even if len(even) >= DIVIDES else range(least, full + 1)
        return [count for count in every if count <= FINEST] or [FINEST]

    def thinned(self, count: int) -> tuple[int, ...]:
        """The places of `count` stops, both ends among them, and of the start and the goal."""
        last = len(self.stops) - 1
        even = {round(i * last / (count - 1)) for i in range(count)} if count > 1 else {0}
        return tuple(sorted(even | {self.start} | ({self.goal} - {None})))


@dataclass(frozen=True)
class Plan:
    """Which frames a table holds.

    axes: with the stops that are left.   away: how many handles may be away from their start.
    """

    axes: tuple[Axis, ...]
    away: int

    def __len__(self) -> int:
        return sum(1 for _ in self.settings())

    def settings(self) -> Iterator[tuple[int, ...]]:
        """Each frame as a place among the stops of each axis."""
        groups = _groups(self.axes)
        seen = set()
        for some in itertools.combinations(groups, min(self.away, len(groups))):
            free = [not one.group or one.group in some for one in self.axes]
            ways = [
                range(len(one.stops)) if moves else (one.start,)
                for one, moves in zip(self.axes, free, strict=True)
            ]
            for setting in itertools.product(*ways):
                if setting not in seen:
                    seen.add(setting)
                    yield setting
        goal = tuple(one.start if one.goal is None else one.goal for one in self.axes)
        if goal not in seen:
            yield goal

    def params(self, setting: tuple[int, ...]) -> dict[str, Any]:
        """The parameters of a frame as the front end sends them."""
        found: dict[str, Any] = {}
        for axis, place in zip(self.axes, setting, strict=True):
            if axis.index is None:
                found[axis.name] = axis.stops[place]
            else:
                found.setdefault(axis.name, []).append(axis.stops[place])
        return found


def axes_of(explorer: Definition) -> list[Axis]:
    """All that can be set in an explorer, with all its stops."""
    goal = dict(explorer.goal.solution) if explorer.goal else {}
    whole = {
        name
        for handle in explorer.handles.values()
        if isinstance(handle, Chosen)
        for name in moved(handle)
    }
    found = []
    for name, spec in explorer.sliders.items():
        start = spec.sent(spec.start)
        aim = spec.sent(spec.nearest(goal[name])) if name in goal else start
        if isinstance(spec, Numbers | Cells):
            stops = spec.told()["stops"]
            for i, (value, end) in enumerate(zip(start, aim, strict=True)):
                group = f"{name} {i}" if _one_by_one(explorer, name) else name
                here = _nearest(stops, value)
                there = _nearest(stops, end) if end != value else None
                found.append(Axis(name, i, tuple(stops), here, there, group))
        else:
            stops = [spec.sent(value) for value in spec.notches()]
            there = stops.index(aim) if name in goal else None
            kept = name in whole or not isinstance(spec, IntRange | FloatRange)
            found.append(Axis(name, None, tuple(stops), stops.index(start), there, whole=kept))
    return found


def _one_by_one(explorer: Definition, name: str) -> bool:
    """Whether each number of a parameter has a handle of its own."""
    return any(
        not isinstance(handle, Handle) or handle.many
        for handle in explorer.handles.values()
        if name in moved(handle)
    )


def _nearest(stops: list, value: Any) -> int:
    return min(range(len(stops)), key=lambda i: abs(stops[i] - value))


def _groups(axes: tuple[Axis, ...]) -> list[str]:
    return list(dict.fromkeys(axis.group for axis in axes if axis.group))


def plan(axes: list[Axis], most: int) -> Plan:
    """At most `most` frames, shared out so that every axis keeps the same share of its stops.

    Raises: ValueError, if even the fewest stops make more frames than that.
    """
    counts, away = _fewest(axes, most)
    grown = True
    while grown:
        grown = False
        order = sorted(range(len(axes)), key=lambda i: counts[i] / len(axes[i].stops))
        for i in order:
            more = [count for count in axes[i].counts() if count > counts[i]]
            wider = [*counts[:i], more[0], *counts[i + 1 :]] if more else counts
            if more and _size(axes, wider, away) <= most:
                counts, grown = wider, True
                break
    return Plan(tuple(map(_thin, axes, counts)), away)


def _fewest(axes: list[Axis], most: int) -> tuple[list[int], int]:
    """The fewest stops of each axis, and how many handles may then be away from their start."""
    groups = _groups(tuple(axes))
    for least in range(LEAST, 1, -1):
        counts = [axis.counts(least)[0] for axis in axes]
        for away in range(len(groups), min(len(groups), 1) - 1, -1):
            if _size(axes, counts, away) <= most:
                return counts, away
    raise ValueError(f"{_size(axes, counts, away)} frames at least, and room for {most}")


def _thin(axis: Axis, count: int) -> Axis:
    places = axis.thinned(count)
    return Axis(
        axis.name,
        axis.index,
        tuple(axis.stops[i] for i in places),
        places.index(axis.start),
        None if axis.goal is None else places.index(axis.goal),
        axis.group,
        axis.whole,
    )


def _size(axes: list[Axis], counts: list[int], away: int) -> int:
    """How many frames there would be, a few at the start and at the goal left out of account."""
    sizes = [len(axis.thinned(count)) for axis, count in zip(axes, counts, strict=True)]
    common = math.prod(size for size, axis in zip(sizes, axes, strict=True) if not axis.group)
    moves = dict.fromkeys(_groups(tuple(axes)), 1)
    for size, axis in zip(sizes, axes, strict=True):
        if axis.group:
            moves[axis.group] *= size
    ways = [1] + [0] * away  # by how many handles are away: e.g. all pairs of two
    for size in moves.values():
        for k in range(away, 0, -1):
            ways[k] += ways[k - 1] * (size - 1)
    return common * sum(ways)
