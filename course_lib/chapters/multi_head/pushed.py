"""How far each head raises or lowers the number of each letter, and all of them together.

draw_pushes(figure, pushed)      # pushed (h, 27): of each head one row
"""

import numpy as np
from matplotlib.collections import PolyCollection

from course_lib.figures.theme import FAINT, GHOST, INK, SMALL
from course_lib.models.copying import ALPHABET
from course_lib.words import say

ROOM = 2.4  # between the rows, in the unit of the numbers: a number stands there


def draw_pushes(figure, pushed):
    """A row of bars for each head, and below a line the row of their sums; one bar is dark in each.

    The dark one is the letter that is highest in the sum.

    Shapes: pushed (h, 27).   Returns the axes.
    """
    pushed = np.asarray(pushed, dtype=float)
    total = pushed.sum(axis=0)
    best = int(total.argmax())
    axes = figure.subplots()
    axes.set_axis_off()
    step = pushed.max() - pushed.min() + ROOM
    for head, row in enumerate(pushed):
        sign = "+ " if head else ""
        _draw_row(axes, row, -head * step, best, say("{sign}head {head}", sign=sign, head=head))
    line = -(len(pushed) - 1) * step + pushed.min() - 0.7
    axes.plot([-0.6, len(ALPHABET) - 0.4], [line, line], color=INK, linewidth=1.4)
    foot = line - total.max() - ROOM - 0.9
    _draw_row(axes, total, foot, best, say("= together"), bold=True)
    floor = foot + total.min() - 1.7
    for place, letter in enumerate(ALPHABET.replace(" ", "_")):
        look = {"fontweight": "bold"} if place == best else {}
        lift = 0.8 if letter == "_" else 0.0  # else it lies below the others
        axes.text(place, floor + lift, letter, ha="center", va="center_baseline", fontsize=SMALL,
                  **look)  # fmt: skip
    axes.set(xlim=(-4.6, len(ALPHABET) - 0.3), ylim=(floor - 1.0, pushed[0].max() + ROOM + 0.4))
    return axes


def _draw_row(axes, row, foot: float, best: int, name: str, *, bold: bool = False) -> None:
    """The bars of one row, from its zero line up and down, with the number of the best letter."""
    bars = [
        [(i - 0.36, foot), (i - 0.36, foot + x), (i + 0.36, foot + x), (i + 0.36, foot)]
        for i, x in enumerate(row)
    ]
    axes.plot([-0.6, len(row) - 0.4], [foot, foot], color=FAINT, linewidth=1, zorder=0)
    colours = [INK if i == best else GHOST for i in range(len(row))]
    axes.add_collection(PolyCollection(bars, facecolors=colours), autolim=False)
    look = {"fontsize": SMALL, "fontweight": "bold" if bold else "normal"}
    axes.text(-1.0, foot, name, ha="right", va="center", **look)
    axes.text(best, foot + row[best] + 0.25, f"{row[best]:+.1f}", ha="center", va="bottom", **look)
