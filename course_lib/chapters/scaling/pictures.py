"""The pictures of chapter 3 that do not move, each with its words.

show_adding_up()       # why the squares of coin tosses add up, and where the root comes from
show_runs(runs)        # accuracy of models trained with and without the division
"""

from itertools import product

import numpy as np

from course_lib.figures.curves import draw_runs
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, new_figure
from course_lib.models.recall import PAIRS
from course_lib.words import say

DARK, MIDDLE, LIGHT = "#333333", "#777777", "#d0d0d0"
TURNS = 16  # tosses of the spiral
OUT = {1: (1.45, 0.42), 4: (0.55, 0), 9: (1.15, 0), 16: (0.2, -1.25)}  # where roots are named
ADDING_UP = (
    "Left, the four outcomes of two tosses x and y: each has a block for x squared and one for y "
    "squared, and a block of 2xy, which is added twice and taken away twice. On average {mean:g} "
    "is left. Right, a spiral of right-angled triangles: each new toss is a side of length 1 at a "
    "right angle, and after {turns} tosses the long side is {long:g}."
)
RUNS = (
    "Accuracy over {steps} steps, {starts} starts each. Divided by the root of d, all are right "
    "before step 100; divided by d a little later; not divided, they begin to climb where the "
    "others end. A dashed line at {level:.2f}: guessing one of {pairs} contents."
)


def show_adding_up() -> None:
    """Show that the squares of sums of coin tosses grow by one with each toss."""
    figure = new_figure(7.0, 3.9)
    left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
    mean = _draw_outcomes(left)
    _draw_spiral(right)
    long = float(np.sqrt(TURNS))
    figure.suptitle(
        say("{turns} tosses: the squares add up to {turns}, so the spread is {long:g}", turns=TURNS,
            long=long), x=0.01, ha="left", fontweight="bold",
    )  # fmt: skip
    show_figure(figure, say(ADDING_UP, mean=mean, turns=TURNS, long=long), colours=64)


def _draw_outcomes(axes) -> float:
    """The square of x + y for all outcomes as blocks; returns its mean."""
    outcomes = [*product((1, -1), repeat=2)]
    mixed = [2 * x * y for x, y in outcomes]
    columns = [*range(4), 4.6]
    for column, extra in zip(columns, [*mixed, 0], strict=True):
        axes.bar(column, 1, 0.7, color=DARK)
        axes.bar(column, 1, 0.7, bottom=1, color=MIDDLE)
        if extra > 0:
            axes.bar(column, 2, 0.7, bottom=2, color=LIGHT)
        elif extra < 0:
            axes.bar(column, 2, 0.7, facecolor="none", edgecolor="white", hatch="//", linewidth=0)
    for column, extra in zip(columns, mixed, strict=False):
        axes.text(column, 4.15 if extra > 0 else 2.15, say("{total}", total=2 + extra),
                  ha="center", va="bottom", fontsize=SMALL)  # fmt: skip
    for height, text, colour in ((0.5, "x²", "white"), (1.5, "y²", "white"), (3, "2xy", INK)):
        axes.text(0, height, text, ha="center", va="center", color=colour, fontsize=SMALL)
    axes.text(1.5, 2.75, say("−2xy\ntakes both away"), ha="center", fontsize=SMALL)
    mean = 2 + float(np.mean(mixed))
    axes.text(4.6, 2.15, f"{mean:g}", ha="center", va="bottom", fontsize=SMALL, fontweight="bold")
    signs = {1: "+1", -1: "−1"}
    names = [f"{signs[x]}\n{signs[y]}" for x, y in outcomes]
    axes.set_xticks(columns, [*names, say("on\naverage")])
    axes.set(yticks=[], ylim=(0, 4.9), xlabel=say("two tosses x and y"))
    axes.tick_params(axis="x", length=0)
    axes.spines["left"].set_visible(False)
    axes.set_title(say("the square of x + y"), fontweight="normal", fontsize=SMALL, loc="left")
    return mean


def _draw_spiral(axes) -> None:
    """Right-angled triangles in a row: the long sides are the roots of 1, 2, 3 and so on."""
    turn, tip = 0.0, np.array([1.0, 0.0])
    axes.plot([0, 1], [0, 0], color=INK, linewidth=2)
    for n in range(1, TURNS + 1):
        whole = n in (1, 4, 9, 16)
        axes.plot([0, tip[0]], [0, tip[1]], color=INK if whole else FAINT,
                  linewidth=2.4 if whole else 1, zorder=2 if whole else 1)  # fmt: skip
        if whole:
            place = tip * (1 + OUT[n][0] / np.hypot(*tip)) + np.array([0, OUT[n][1]])
            axes.text(*place, say("√{n} = {root:g}", n=n, root=n**0.5), ha="center", va="center",
                      fontsize=SMALL)  # fmt: skip
        if n < TURNS:
            turn += float(np.arctan(1 / np.sqrt(n)))
            new = np.sqrt(n + 1) * np.array([np.cos(turn), np.sin(turn)])
            axes.plot(*np.transpose([tip, new]), color=MIDDLE, linewidth=3, zorder=3)
            tip = new
    axes.set_aspect("equal")
    axes.set(xlim=(-4.9, 4.9), ylim=(-4.3, 2.7))
    axes.set_axis_off()
    axes.set_title(say("each toss: a side of length 1"), fontweight="normal", fontsize=SMALL)


def show_runs(runs: dict) -> None:
    """Show the accuracy of each training run.

    runs: from the name of its kind to curves of one number a step: divided by the root, not
    divided, divided by d
    """
    figure = new_figure(7.0, 3.4)
    axes = draw_runs(figure.subplots(), runs, places=[(11, 0.85), (140, 0.5), (80, 0.68)])
    axes.set(xlabel=say("training steps"), ylabel=say("share of right answers"), ylim=(0, 1.05))
    axes.set_title(say("Not divided: slower, and not hopeless"), loc="left")
    first = next(iter(runs.values()))
    level = 1 / PAIRS
    axes.axhline(level, color=GHOST, linewidth=1.2, linestyle=(0, (3, 2)), zorder=0)
    guessing = say("guessing one of {pairs}: {level}", pairs=PAIRS, level=share(level))
    axes.text(199, level + 0.02, guessing, fontsize=SMALL, ha="right", va="bottom")
    alt = say(RUNS, steps=len(first[0]), starts=len(first), level=level, pairs=PAIRS)
    show_figure(figure, alt, colours=48, exact=False)
