"""A bar of all numbers that have moved, stacked by what they were: q, k, v and out.

artists, follow = draw_meter(axes, begin=-0.5, end=23, y=13)
follow({"q": 36, "k": 128, "v": 128, "out": 24})      # how many of each until now
"""

from collections.abc import Callable, Mapping

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.words import say

BEST, FULL = 300, 500  # the goal; what the meter holds
COLOURS = {"q": QUERY, "k": KEY, "v": VALUE, "out": OUTPUT}
APART = 10  # names stand above the parts; nearer together than so many numbers, one is left out
LOOK = {"va": "center", "fontsize": SMALL}


def draw_meter(
    axes: Axes, begin: float, end: float, y: float
) -> tuple[list[Artist], Callable[[Mapping[str, int]], None]]:
    """The frame, the mark of the goal, and four parts that follow.

    begin, end: where 0 and FULL numbers stand.   y: the upper edge of the bar.
    """
    long = (end - begin) / FULL  # of one number
    axes.add_patch(Rectangle((begin, y), end - begin, 1, fill=False, edgecolor=INK))
    _draw_mark(axes, begin + long * BEST, y, say("goal: {best}", best=BEST))
    axes.text(begin, y + 1.95, say("counted: shelf ↔ desk"), **LOOK)
    bars, names = _draw_parts(axes, begin, y)

    def follow(parts: Mapping[str, int]) -> None:
        left = begin
        for name, bar in bars.items():
            wide = long * parts[name]
            bar.set_x(left), bar.set_width(wide)
            names[name].set_x(left + wide / 2)
            left += wide
        q, k, v = (parts[name] for name in ("q", "k", "v"))
        names["q"].set_visible((q + k) / 2 >= APART)
        names["k"].set_visible((k + v) / 2 >= APART), names["v"].set_visible((k + v) / 2 >= APART)
        names["out"].set_visible(parts["out"] > 0)

    return [*bars.values(), *names.values()], follow


def _draw_parts(axes: Axes, begin: float, y: float) -> tuple[dict[str, Rectangle], dict[str, Text]]:
    """The four parts, empty, and their names above them."""
    bars = {
        name: axes.add_patch(Rectangle((begin, y), 0, 1, color=colour, linewidth=0))
        for name, colour in COLOURS.items()
    }
    names = {
        name: axes.text(begin, y - 0.7, name, ha="center", fontweight="bold", color=colour, **LOOK)
        for name, colour in COLOURS.items()
    }
    return bars, names


def _draw_mark(axes: Axes, x: float, y: float, name: str) -> None:
    """A dashed line through the bar, with its name below; above stand the names of the parts."""
    axes.plot([x, x], [y, y + 1.3], color=INK, linestyle=(0, (3, 2)), linewidth=1.6)
    axes.text(x, y + 1.95, name, ha="center", **LOOK)
