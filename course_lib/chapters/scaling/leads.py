"""The picture of what training must move: where the right key's leads lie under the curve.

show_leads(looks_of_both(64))    # a row for each of the two ways to train
"""

from collections.abc import Mapping

import numpy as np

from course_lib.chapters.scaling.push import weight_at
from course_lib.chapters.scaling.situations import FAR, Looks
from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, SMALL, WEIGHT, new_figure
from course_lib.words import say

LEFT, RIGHT = -73, 31
WIDE = 6  # a hill of this spread
HILL = -1.25  # the foot of a hill; it is 1 high, and the curve runs from 0 to 1 above it
ASIDE = 2.0  # from a hill to its name
SEEN = 0.1  # so far it stands above the other one where the line from its name ends
STRIPES, FILLED, EDGE = "#c8c8c8", "#a8a8a8", "#555555"
FLOOR = -0.12  # the stripes end here, and the hills stand on white
PLATE = {"facecolor": "white", "edgecolor": "none", "pad": 2}
LEADS = (
    "For each of two ways to train, the curve of the weight over the lead, and under it hills of "
    "the leads of the right key over the best wrong one. {rows}. The ground is striped where "
    "the curve is flat: from {edge} behind on, and from {edge} ahead on."
)
ROW = (
    "{name}: at step {step} {behind} of 100 right keys are far behind, and the right key is ahead "
    "in {ahead}; at step {end} {later} and {won}"
)


def show_leads(looks: Mapping[tuple[str, int], Looks]) -> None:
    """Show how far the right key is ahead of the best wrong one, before training and after some.

    looks: from (name, steps) to what its models look at; two counts of steps for each name
    """
    names = list(dict.fromkeys(name for name, _ in looks))
    figure = new_figure(7.0, 5.0)
    told = []
    rows = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, names, strict=True):
        seen = {steps: looks[of, steps] for of, steps in looks if of == name}
        _draw_curve(axes)
        _draw_hills(axes, {steps: one.leads for steps, one in seen.items()})
        axes.set_title(say(name), loc="left", fontsize=SMALL)
        (step, first), (end, last) = seen.items()
        behind, later, ahead, won = (
            f"{100 * part:.0f}" for part in (first.behind, last.behind, first.ahead, last.ahead)
        )
        told.append(say(ROW, name=say(name), step=step, end=end, behind=behind, later=later,
                        ahead=ahead, won=won))  # fmt: skip
        here = say("far behind at step {step}: {behind} of 100,\nat step {end}: {later} of 100",
                   behind=behind, step=step, later=later, end=end)  # fmt: skip
        axes.text(LEFT + 1, 0.5, here, va="center", fontsize=SMALL, fontweight="bold",
                  bbox=PLATE)  # fmt: skip
    rows[-1].set_xlabel(say("lead of the right key over the best wrong key"))
    figure.suptitle(say("Where the right key starts, and where 50 steps bring it"), x=0.01,
                    ha="left", fontweight="bold")  # fmt: skip
    show_figure(figure, say(LEADS, rows="; ".join(told), edge=FAR), colours=32,
                exact=False)  # fmt: skip


def _draw_curve(axes) -> None:
    """The weight over the lead, before stripes where it is flat."""
    leads = np.linspace(LEFT, RIGHT, 601)
    for flat in ((LEFT, -FAR), (FAR, RIGHT)):
        axes.fill_between(flat, FLOOR, 1.1, facecolor="white", edgecolor=STRIPES, hatch="///",
                          linewidth=0, zorder=0)  # fmt: skip
        edge = min(flat, key=abs)
        axes.axvline(edge, color=EDGE, linewidth=1, linestyle=(0, (3, 2)), zorder=0.6)
    axes.plot(leads, weight_at(leads), color=WEIGHT, linewidth=3, alpha=0.6)
    ticks = range(-60, 31, 10)
    axes.set(xlim=(LEFT, RIGHT), ylim=(HILL - 0.03, 1.1), yticks=(0, 1))
    axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
    axes.set_ylabel(say("weight"), y=0.76, fontsize=SMALL)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0.5)


def _draw_hills(axes, hills: Mapping[int, np.ndarray]) -> None:
    """The first hill filled, the second as a line, each with its name."""
    wide = max(float(np.std(leads)) for leads in hills.values())
    edges = np.arange(LEFT, RIGHT + 0.1, 2.5 if wide > WIDE else 1)
    middles, heights = (edges[1:] + edges[:-1]) / 2, {}
    for steps, leads in hills.items():
        counts, _ = np.histogram(leads, edges)
        heights[steps] = counts
    most = max(counts.max() for counts in heights.values())
    looks = ({"facecolor": FILLED, "edgecolor": EDGE, "linewidth": 1, "fill": True},
             {"color": INK, "linewidth": 2})  # fmt: skip
    ahead = max(hills, key=lambda steps: np.median(hills[steps]))  # its name stands on the right
    for (steps, counts), look, bold in zip(heights.items(), looks, (False, True), strict=True):
        axes.stairs(HILL + counts / most, edges, baseline=HILL, **look)
        side = "left" if steps == ahead else "right"
        low, high = np.quantile(hills[steps], (0.12, 0.88))
        x = max(high + ASIDE, 0.8) if steps == ahead else low - ASIDE
        others = sum(heights[n] for n in hills if n != steps)
        own = np.flatnonzero(counts - others > SEEN * most)[-1 if steps == ahead else 0]
        tip = (middles[own], HILL + (counts + others)[own] / 2 / most)
        axes.annotate(say("step {n}", n=steps), tip, (x, HILL + 0.72), ha=side, va="center",
                      fontsize=SMALL, fontweight="bold" if bold else "normal", bbox=PLATE,
                      arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 1,
                                  "shrinkA": 2, "shrinkB": 0})  # fmt: skip
