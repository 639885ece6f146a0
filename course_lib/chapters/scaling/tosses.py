"""The pictures of coin tosses: why their squares add up, and the root that comes of it.

show_adding_up()   # the square of the sum of two tosses, in blocks
show_spiral()      # toss after toss, each at a right angle to the spread so far
"""

from itertools import product

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, SMALL, new_figure
from course_lib.words import say

DARK, MIDDLE, LIGHT = "#333333", "#777777", "#d0d0d0"
PITCH, WIDE = 1.3, 0.8  # from one outcome to the next, and how wide a block is
TURNS = 16  # tosses of the spiral
SHOWN_TURN, CORNER = 4, 0.13  # the turn that is drawn large, and the mark of its right angle
OUT = {1: 1.5, 4: 0.6, 9: 1.5, 16: 1.5}  # after how many tosses a line has a name, and how far out
ADDING_UP = (
    "The four outcomes of two tosses x and y: each has a block for x squared and one for y "
    "squared, and a block of 2xy, which stands on top twice, as +2, and hangs below zero twice, as "
    "-2. So the square of x + y is 4, 0, 0 and 4. A last column, on average, has the blocks of x "
    "squared and y squared. What 2xy is on average is left open."
)
SPIRAL = (
    "Left, a triangle: the spread after {turn} tosses and the next toss, a side of length 1, meet "
    "at a right angle, and its long side is the spread after one toss more. Right, a spiral of "
    "such triangles: after {turns} tosses the line from the middle is {long:g} long."
)


def show_adding_up() -> None:
    """Show for two coin tosses that on average the square of their sum is the sum of squares."""
    figure = new_figure(7.0, 3.7)
    _draw_outcomes(figure.subplots())
    figure.headline(
        say("Two tosses have four outcomes: (x + y)² is 4, 0, 0 or 4"),
    )
    show_figure(figure, say(ADDING_UP), colours=12)


def show_spiral() -> None:
    """Show that each toss adds 1 to the square of the spread: triangle upon triangle."""
    figure = new_figure(7.0, 2.9)
    left, right = figure.subplots(1, 2, width_ratios=(1.2, 1))
    _draw_triangle(left)
    _draw_spiral(right)
    figure.headline(say("Each toss is a side of 1, at a right angle to the spread so far"))
    long = float(np.sqrt(TURNS))
    show_figure(figure, say(SPIRAL, turn=SHOWN_TURN, turns=TURNS, long=long), colours=8)


def _draw_outcomes(axes) -> None:
    """The square of x + y for all outcomes as blocks, and what is known of its mean."""
    outcomes = [*product((1, -1), repeat=2)]
    mixed = [2 * x * y for x, y in outcomes]
    columns = [*(PITCH * n for n in range(4)), 3 * PITCH + 1.5]
    for column, extra in zip(columns, [*mixed, 0], strict=True):
        inside = {"ha": "center", "va": "center", "fontsize": SMALL}
        for foot, text, colour in ((0, "x²", DARK), (1, "y²", MIDDLE)):
            axes.bar(column, 1, WIDE, bottom=foot, color=colour)
            axes.text(column, foot + 0.5, text, color="white", **inside)
        if extra:
            axes.bar(column, extra, WIDE, bottom=2 if extra > 0 else 0, color=LIGHT)
            axes.text(column, 3 if extra > 0 else -1, "2xy", color=INK, **inside)
    for column, extra in zip(columns, mixed, strict=False):
        total = f"1 + 1 {'+' if extra > 0 else '−'} 2\n= {2 + extra}"
        axes.text(column, 2.15 + max(extra, 0), total, ha="center", va="bottom",
                  fontsize=SMALL, fontweight="bold")  # fmt: skip
    axes.text(columns[-1], 2.15, say("on average\n1 + 1 + ?"), ha="center", va="bottom",
              fontsize=SMALL, fontweight="bold")  # fmt: skip
    axes.axhline(0, color=INK, linewidth=1)
    signs = {1: "+1", -1: "−1"}
    names = [f"{signs[x]}\n{signs[y]}\n{signs[x * y][0]}2" for x, y in outcomes]
    axes.set_xticks([-1.1, *columns], ["x\ny\n2xy", *names, "\n\n?"])
    axes.set(yticks=[], ylim=(-2.15, 5.2), xlim=(-1.5, columns[-1] + 0.8))
    axes.tick_params(axis="x", length=0)
    axes.spines[["left", "bottom"]].set_visible(False)


def _draw_triangle(axes) -> None:
    """One turn of the spiral, large: the spread so far, a toss, and the new spread."""
    old = SHOWN_TURN**0.5
    axes.fill([0, old, old], [0, 0, 1], color=LIGHT, linewidth=0)
    axes.plot([0, old], [0, 0], color=INK, linewidth=2.4)
    axes.plot([0, old], [0, 1], color=INK, linewidth=2.4)
    axes.plot([old, old], [0, 1], color=MIDDLE, linewidth=4)
    axes.plot([old - CORNER, old - CORNER, old], [0, CORNER, CORNER], color=INK, linewidth=1.2)
    look = {"fontsize": SMALL, "va": "center"}
    before = say("spread after {n} tosses: {old:g}", n=SHOWN_TURN, old=old)
    axes.text(old / 2 + 0.1, -0.17, before, ha="center", **look)
    axes.text(old + 0.1, 0.5, say("1, the\nnext toss"), **look)
    after = say("after {n}: √{n}", n=SHOWN_TURN + 1)
    axes.text(old / 2 - 0.1, 0.66, after, ha="right", **look)
    axes.set_aspect("equal")
    axes.set(xlim=(-0.1, old + 0.8), ylim=(-0.3, 1.05))
    axes.set_axis_off()


def _draw_spiral(axes) -> None:
    """Right-angled triangles in a row: the long sides are the roots of 1, 2, 3 and so on."""
    turn, tip = 0.0, np.array([1.0, 0.0])
    axes.plot([0, 1], [0, 0], color=INK, linewidth=2)
    for n in range(1, TURNS + 1):
        named = n in OUT
        axes.plot([0, tip[0]], [0, tip[1]], color=INK if named else FAINT,
                  linewidth=2.4 if named else 1, zorder=2 if named else 1)  # fmt: skip
        if named:
            place = tip * (1 + OUT[n] / np.hypot(*tip))
            axes.text(*place, f"√{n} = {n**0.5:g}", ha="center", va="center", fontsize=SMALL)
        if n < TURNS:
            turn += float(np.arctan(1 / np.sqrt(n)))
            new = np.sqrt(n + 1) * np.array([np.cos(turn), np.sin(turn)])
            if n == SHOWN_TURN:
                axes.fill(*np.transpose([(0, 0), tip, new]), color=LIGHT, linewidth=0, zorder=0)
            axes.plot(*np.transpose([tip, new]), color=MIDDLE, linewidth=3, zorder=3)
            tip = new
    axes.set_aspect("equal")
    axes.set(xlim=(-4.9, 6.1), ylim=(-3.8, 2.9))
    axes.set_axis_off()
    axes.set_title(say("toss after toss (not a path)"), fontweight="normal",
                   fontsize=SMALL)  # fmt: skip
