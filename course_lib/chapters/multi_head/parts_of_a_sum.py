"""What each head adds to the output of one word, and what is left when one head is off.

draw_parts(figure, parts, off=1)      # parts (h, m): of each head one row
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.multi_head.split_and_merged import TINTS
from course_lib.figures.numerals import plain
from course_lib.figures.theme import GHOST, INK, OUTPUT, SMALL, TEXT
from course_lib.words import say

GAP = 0.4  # between two rows, of a row's height


def draw_parts(figure, parts, off: int):
    """Left a row of numbers for each head and their sum; right the same, with one row taken away.

    Shapes: parts (h, m), with a tint for each of the h heads.   Returns the two axes.
    """
    parts = np.asarray(parts, dtype=float)
    left, right = figure.subplots(1, 2)
    for axes, gone in ((left, None), (right, off)):
        _draw_one(axes, parts, gone)
    left.set_title(say("all heads"), fontsize=TEXT, fontweight="normal")
    right.set_title(say("head {off} off", off=off), fontsize=TEXT, fontweight="normal")
    return left, right


def _draw_one(axes, parts, gone: int | None) -> None:
    """The rows of the heads, a line, and the row of what is left of the sum."""
    heads, wide = parts.shape
    kept = np.delete(parts, [] if gone is None else [gone], axis=0)
    foot = heads * (1 + GAP) + 0.35
    axes.set(xlim=(-2.75, wide + 0.1), ylim=(foot + 1.1, -0.15))
    axes.axis("off")
    look = {"ha": "right", "va": "center", "fontsize": SMALL}
    for head, part in enumerate(parts):
        top = head * (1 + GAP)
        if head == gone:
            axes.add_patch(Rectangle((0, top), wide, 1, fill=False, edgecolor=GHOST, linewidth=1.4,
                                     linestyle=(0, (3, 2))))  # fmt: skip
        else:
            _row(axes, part, top, TINTS[head % len(TINTS)])
        sign = "+ " if head else ""
        name = say("{sign}head {head}", sign=sign, head=head)
        axes.text(-0.25, top + 0.5, name, color=GHOST if head == gone else INK, **look)
    axes.plot([0, wide], [foot - 0.375] * 2, color=INK, linewidth=1.4)
    _row(axes, kept.sum(axis=0), foot, "white", OUTPUT)
    axes.text(-0.25, foot + 0.5, say("= output"), color=OUTPUT, fontweight="bold", **look)


def _row(axes, numbers, top: float, fill: str, edge: str = GHOST) -> None:
    for place, number in enumerate(numbers):
        axes.add_patch(Rectangle((place, top), 1, 1, facecolor=fill, edgecolor=edge, linewidth=1))
        text = plain(number + 0.0)
        axes.text(place + 0.5, top + 0.5, text, ha="center", va="center_baseline", fontsize=SMALL)
