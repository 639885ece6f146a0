"""A bar of all numbers that have moved, stacked by what they were: q, k, v and out.

artists, follow = draw_meter(axes, begin=-0.5, end=23, y=13)
follow({"q": 36, "k": 128, "v": 128, "out": 24})      # how many of each until now
"""

from collections.abc import Callable, Mapping

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.words import say

PLAIN, BEST, FULL = 768, 300, 800  # plain attention moves so many; the goal; what the meter holds
COLOURS = {"q": QUERY, "k": KEY, "v": VALUE, "out": OUTPUT}
ROOM = {"q": 20, "k": 20, "v": 20, "out": 40}  # a part of fewer numbers is too narrow for its name
LOOK = {"va": "center", "fontsize": SMALL}


def draw_meter(
    axes: Axes, begin: float, end: float, y: float
) -> tuple[list[Artist], Callable[[Mapping[str, int]], None]]:
    """The frame, the marks of plain attention and of the goal, and four parts that follow.

    begin, end: where 0 and FULL numbers stand.   y: the lower edge of the bar.
    """
    long = (end - begin) / FULL  # of one number
    axes.add_patch(Rectangle((begin, y), end - begin, 1, fill=False, edgecolor=INK))
    for moved, name in ((PLAIN, say("plain attention: 768")), (BEST, say("goal: 300"))):
        (mark,) = axes.plot([begin + long * moved] * 2, [y - 0.3, y + 1.3], color=INK)
        mark.set(linestyle=(0, (3, 2)), linewidth=1.6)
        axes.text(begin + long * moved, y + 1.95, name, ha="center", **LOOK)
    axes.text(begin - 0.2, y + 0.5, say("moved"), ha="right", **LOOK)
    bars = {
        name: axes.add_patch(Rectangle((begin, y), 0, 1, color=colour, linewidth=0))
        for name, colour in COLOURS.items()
    }
    names = {
        name: axes.text(
            begin, y + 0.55, name, color="white", ha="center", fontweight="bold", **LOOK
        )
        for name in COLOURS
    }

    def follow(parts: Mapping[str, int]) -> None:
        left = begin
        for name, bar in bars.items():
            wide = long * parts[name]
            bar.set_x(left), bar.set_width(wide)
            names[name].set_x(left + wide / 2)
            names[name].set_visible(parts[name] >= ROOM[name])
            left += wide

    return [*bars.values(), *names.values()], follow
