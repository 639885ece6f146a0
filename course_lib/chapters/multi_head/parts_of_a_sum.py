"""What each head adds to the output of one word, and what is left when one head is off.

draw_parts(figure, parts, off=1)      # parts (h, m): of each head one row
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.heat_map import SIGNS
from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, SMALL, TEXT
from course_lib.words import say

LEVELS = 6  # of a colour, so that few are stored
GAP = 0.45  # between two rows, of a row's height


def draw_parts(figure, parts, off: int):
    """Left a strip for each head and their sum; right the same, with one strip taken away.

    Shapes: parts (h, m).   Returns the two axes.
    """
    parts = np.asarray(parts, dtype=float)
    reach = max(float(np.abs(parts).max()), float(np.abs(parts.sum(axis=0)).max()))
    left, right = figure.subplots(1, 2)
    for axes, gone in ((left, None), (right, off)):
        _draw_one(axes, parts, gone, reach)
    left.set_title(say("all heads"), fontsize=TEXT, fontweight="normal")
    right.set_title(say("head {off} off", off=off), fontsize=TEXT, fontweight="normal")
    figure.suptitle(
        say("A sum: head {off} takes its own part away, and no other", off=off),
        x=0.01, ha="left", fontweight="bold",
    )  # fmt: skip
    figure.supxlabel(say("grey: above 0     gold: below 0"), fontsize=SMALL)
    return left, right


def _draw_one(axes, parts, gone: int | None, reach: float) -> None:
    """The strips of the heads, a line, and the strip of what is left of the sum."""
    heads, wide = parts.shape
    kept = np.delete(parts, [] if gone is None else [gone], axis=0)
    foot = heads * (1 + GAP) + 0.35
    axes.set(xlim=(-2.9, wide + 0.1), ylim=(foot + 1.15, -0.15))
    axes.axis("off")
    look = {"ha": "right", "va": "center", "fontsize": SMALL}
    for head, part in enumerate(parts):
        top = head * (1 + GAP)
        if head == gone:
            axes.add_patch(Rectangle((0, top), wide, 1, fill=False, edgecolor=GHOST, linewidth=1.4,
                                     linestyle=(0, (3, 2))))  # fmt: skip
        else:
            _strip(axes, part, top, reach)
        sign = "+ " if head else ""
        name = say("{sign}head {head}", sign=sign, head=head)
        axes.text(-0.25, top + 0.5, name, color=GHOST if head == gone else INK, **look)
    axes.plot([0, wide], [foot - 0.4] * 2, color=INK, linewidth=1.4)
    _strip(axes, kept.sum(axis=0), foot, reach)
    axes.text(-0.25, foot + 0.5, say("= output"), color=OUTPUT, fontweight="bold", **look)


def _strip(axes, numbers, top: float, reach: float) -> None:
    for place, number in enumerate(numbers):
        shade = SIGNS(0.5 + 0.5 * round(LEVELS * number / reach) / LEVELS)
        axes.add_patch(Rectangle((place, top), 1, 1, facecolor=shade, edgecolor=FAINT))
