"""The pictures of chapter 3 that do not move, each with its words.

show_widths(scores_at) # ten weights of one query at three widths
show_spreads(scores_at) # all scores at five widths, and how far they spread
show_adding_up()       # why the squares of coin tosses add up, and where the root comes from
show_runs(runs)        # accuracy of models trained with and without the division, by width
"""

from collections.abc import Callable
from itertools import product

import numpy as np

from course_lib.chapters.scaling.explorers.width import SHOWN
from course_lib.figures.curves import draw_runs
from course_lib.figures.numerals import share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, WEIGHT, new_figure
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import PAIRS
from course_lib.words import say

DARK, MIDDLE, LIGHT = "#333333", "#777777", "#d0d0d0"
WINDOW = 10  # steps
TURNS = 16  # tosses of the spiral
SHOWN_TURN, CORNER = 4, 0.13  # the turn that is drawn large, and the mark of its right angle
OUT = {1: 1.5, 4: 0.6, 9: 1.5, 16: 1.5}  # after how many tosses a line has a name, and how far out
ADDING_UP = (
    "Left, the four outcomes of two tosses x and y: each has a block for x squared and one for y "
    "squared, and a block of 2xy, which stands on top twice and hangs below zero twice. On average "
    "{mean:g} is left. Right, a triangle: the spread after {turn} tosses and the next toss, a side "
    "of length 1, meet at a right angle, and its long side is the spread after one toss more. "
    "Below it a spiral of such triangles: after {turns} tosses the line from the middle is "
    "{long:g} long."
)
RUNS = (
    "Accuracy over {steps} steps at the widths {widths}, {starts} starts each; each point is the "
    "mean of {window} steps. Divided by the root of d, all are right by step 100, or nearly. Not "
    "divided, they climb later, and the later the wider they are: {ends}. A dashed line at "
    "{level:.2f}: guessing one of {pairs} contents."
)
END_OF_RUNS = "at width {d_k} {good} of {starts} end with more than half right"
THREE = (4, 64, 1024)
WIDTHS = (
    "The weights that one query gives to its ten keys, as bars from 0 to 1, at three widths. The "
    "tallest bar: {tops}. A dashed line marks the fair share, {fair}."
)
FIVE, AXIS = (4, 16, 64, 256, 1024), 105.0  # the axis of scores reaches so far to both sides
PITCH, BELOW = 1.65, -0.24  # from row to row, and from a row down to its line; a hill is 1 high
SPREADS = (
    "The scores of all 1000 queries at five widths, as hills on one axis, drawn equally high. A "
    "line under each reaches one spread to both sides of 0: {spreads}."
)


def show_widths(scores_at: Callable[[int], np.ndarray]) -> None:
    """Show the ten weights of one query at each of THREE widths.

    scores_at: from a width to the scores of all queries (n, s), as `strangers()` gives it
    """
    figure = new_figure(7.0, 3.0)
    tops = []
    for axes, d_k in zip(figure.subplots(1, 3, sharey=True), THREE, strict=True):
        weights = softmax(scores_at(d_k)[SHOWN])
        fair, best = 1 / len(weights), int(weights.argmax())
        tops.append(share(weights[best]))
        axes.bar(range(len(weights)), weights, 0.75, color=WEIGHT)
        axes.axhline(fair, color=INK, linewidth=1.2, linestyle=(0, (3, 2)))
        axes.text(best, weights[best] + 0.02, tops[-1], ha="center", va="bottom",
                  fontweight="bold")  # fmt: skip
        axes.set(ylim=(0, 1.15), yticks=(0, 0.5, 1), yticklabels=("0", ".5", "1"))
        axes.set_xticks(range(len(weights)), range(1, len(weights) + 1), fontsize=SMALL)
        axes.set_xlim(-1.1, 9.8)
        axes.tick_params(length=0)
        axes.set_title(say("width {d_k}", d_k=d_k), loc="left")
    first, *_, last = figure.axes
    last.text(-0.6, fair + 0.03, say("fair\nshare {fair}", fair=share(fair)), fontsize=SMALL)
    first.set_ylabel(say("weight"))
    figure.supxlabel(say("the ten keys of one query"), fontsize=SMALL)
    words = ", ".join(
        say("{top} at width {d_k}", top=t, d_k=d) for t, d in zip(tops, THREE, strict=True)
    )
    show_figure(figure, say(WIDTHS, tops=words, fair=share(fair)), colours=48, exact=False)


def show_spreads(scores_at: Callable[[int], np.ndarray]) -> None:
    """Show all scores at each of FIVE widths on one axis, with the line that one spread reaches.

    scores_at: from a width to the scores of all queries (n, s), as `strangers()` gives it
    """
    figure = new_figure(7.0, 3.9)
    axes = figure.subplots()
    told = []
    for row, d_k in enumerate(FIVE):
        scores, base = scores_at(d_k), -PITCH * row
        spread = float(scores.std())
        edges = np.arange(-AXIS, AXIS, spread / 4)
        heights, _ = np.histogram(scores, edges)
        look = {"facecolor": LIGHT, "edgecolor": MIDDLE, "linewidth": 1}
        axes.stairs(base + heights / heights.max(), edges, baseline=base, fill=True, **look)
        axes.plot([-spread, spread], [base + BELOW] * 2, "|-", color=INK, markersize=10,
                  linewidth=1.4)  # fmt: skip
        name = say("spread {spread:.0f}", spread=spread) if row == 0 else f"{spread:.0f}"
        axes.text(spread + 2.5, base + BELOW, name, va="center", fontsize=SMALL, fontweight="bold")
        told.append(say("{spread:.0f} at width {d_k}", spread=spread, d_k=d_k))
    axes.set_yticks([-PITCH * row + 0.2 for row in range(len(FIVE))],
                    [say("width {d_k}", d_k=d_k) for d_k in FIVE])  # fmt: skip
    axes.set(xlim=(-AXIS, AXIS), ylim=(-PITCH * (len(FIVE) - 1) - 0.6, 1.05), xlabel=say("score"))
    ticks = range(-100, 101, 50)
    axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    count = f"{scores.size:,}"
    axes.set_title(say("{count} scores of strangers at each width", count=count), loc="left")
    show_figure(figure, say(SPREADS, spreads=", ".join(told)), colours=32, exact=False)


def show_adding_up() -> None:
    """Show that the squares of sums of coin tosses grow by one with each toss."""
    figure = new_figure(7.0, 4.2)
    panels = figure.subplot_mosaic(
        [["outcomes", "triangle"], ["outcomes", "spiral"]],
        width_ratios=(1.1, 1), height_ratios=(1, 1.35),
    )  # fmt: skip
    mean = _draw_outcomes(panels["outcomes"])
    _draw_triangle(panels["triangle"])
    _draw_spiral(panels["spiral"])
    long = float(np.sqrt(TURNS))
    figure.suptitle(
        say("Each toss adds 1: after 2 the mean square is {two:g}, after {turns} it is {turns}",
            two=mean, turns=TURNS), x=0.01, ha="left", fontweight="bold",
    )  # fmt: skip
    alt = say(ADDING_UP, mean=mean, turn=SHOWN_TURN, turns=TURNS, long=long)
    show_figure(figure, alt, colours=32)


def _draw_outcomes(axes) -> float:
    """The square of x + y for all outcomes as blocks; returns its mean."""
    outcomes = [*product((1, -1), repeat=2)]
    mixed = [2 * x * y for x, y in outcomes]
    columns = [*range(4), 4.6]
    for column, extra in zip(columns, [*mixed, 0], strict=True):
        inside = {"ha": "center", "va": "center", "fontsize": SMALL}
        for foot, text, colour in ((0, "x²", DARK), (1, "y²", MIDDLE)):
            axes.bar(column, 1, 0.7, bottom=foot, color=colour)
            axes.text(column, foot + 0.5, text, color="white", **inside)
        if extra:
            axes.bar(column, extra, 0.7, bottom=2 if extra > 0 else 0, color=LIGHT)
            axes.text(column, 3 if extra > 0 else -1, "2xy", color=INK, **inside)
    for column, extra in zip(columns, mixed, strict=False):
        axes.text(column, 2.15 + max(extra, 0), f"{2 + extra}", ha="center", va="bottom",
                  fontsize=SMALL, fontweight="bold")  # fmt: skip
    mean = 2 + float(np.mean(mixed))
    axes.text(4.6, 2.15, f"{mean:g}", ha="center", va="bottom", fontsize=SMALL, fontweight="bold")
    axes.axhline(0, color=INK, linewidth=1)
    signs = {1: "+1", -1: "−1"}
    names = [f"{signs[x]}\n{signs[y]}" for x, y in outcomes]
    axes.set_xticks([-0.72, *columns], ["x\ny", *names, say("on\naverage")])
    axes.set(yticks=[], ylim=(-2.15, 4.9), xlabel=say("two tosses x and y"))
    axes.tick_params(axis="x", length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_title(say("the square of x + y"), fontweight="normal", fontsize=SMALL, loc="left")
    return mean


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


def show_runs(runs: dict[tuple[int, str], list[np.ndarray]]) -> None:
    """Show the accuracy of each training run, a panel for each width.

    runs: from (width, kind) to curves of one number a step; the kinds: divided, then not divided
    """
    widths, kinds = (list(dict.fromkeys(part)) for part in zip(*runs, strict=True))
    figure = new_figure(7.0, 3.3)
    level, ends = 1 / PAIRS, []
    names = [say("divided"), say("not divided")]
    for axes, d_k in zip(figure.subplots(1, len(widths), sharey=True), widths, strict=True):
        of_kind = [runs[d_k, kind] for kind in kinds]
        widest = d_k == widths[-1]  # there is room for the names
        written = dict(zip(names if widest else ("", " "), of_kind, strict=True))
        draw_runs(axes, written, places=[(70, 0.88), (64, 0.5)], window=WINDOW)
        axes.axhline(level, color=GHOST, linewidth=1.2, linestyle=(0, (3, 2)), zorder=0)
        axes.set(ylim=(0, 1.05), xticks=(50, 100, 150), xlim=(WINDOW, len(of_kind[0][0])))
        axes.set_title(say("width {d_k}", d_k=d_k), loc="left", fontsize=SMALL)
        good = sum(curve[-WINDOW:].mean() > 0.5 for curve in of_kind[1])
        ends.append(say(END_OF_RUNS, d_k=d_k, good=good, starts=len(of_kind[1])))
    figure.axes[0].set_ylabel(say("share of right answers"))
    below = say("training steps (each point: mean of the last {n}; thin dashes: guessing, {level})",
                n=WINDOW, level=share(level))  # fmt: skip
    figure.supxlabel(below, fontsize=SMALL)
    figure.suptitle(say("Learning to look up, with and without the division"), x=0.01, ha="left",
                    fontweight="bold")  # fmt: skip
    alt = say(RUNS, steps=len(of_kind[0][0]), widths=", ".join(map(str, widths)), level=level,
              starts=len(of_kind[0]), pairs=PAIRS, window=WINDOW, ends="; ".join(ends))  # fmt: skip
    show_figure(figure, alt, colours=16, exact=False)
