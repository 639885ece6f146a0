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
FEET, HIGH = (-1.2, -2.45), 0.95  # a row for each hill, below the curve, which runs from 0 to 1
MOVED = 1.1  # so far above the lower foot lies the arrow from median to median
STRIPES, EDGE, FILLS = "#c8c8c8", "#555555", ("#b4b4b4", "#8a8a8a")
FLOOR = -0.12  # the stripes end here, and the hills stand on white
LEADS = (
    "For each of two ways to train, the curve of the weight over the lead, and under it two hills "
    "of the leads of the right key over the best wrong one, an earlier and a later. An arrow goes "
    "from median to median. {rows}. The ground is striped where the curve is flat: from {edge} "
    "behind on, and from {edge} ahead on."
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
    figure = new_figure(7.0, 5.6)
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
        for foot, steps, part in zip(FEET, seen, (behind, later), strict=True):
            axes.text(LEFT + 1, foot + 0.7, say("step {n}: {part} of 100 far behind", n=steps,
                      part=part), va="center", fontsize=SMALL, fontweight="bold")  # fmt: skip
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
    axes.set(xlim=(LEFT, RIGHT), ylim=(FEET[1] - 0.03, 1.1), yticks=(0, 1))
    axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
    axes.set_ylabel(say("weight"), y=0.87, fontsize=SMALL)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0.5)


def _draw_hills(axes, hills: Mapping[int, np.ndarray]) -> None:
    """A hill in each row, on one scale, and an arrow from the first's median to the other's."""
    wide = max(float(np.std(leads)) for leads in hills.values())
    edges = np.arange(LEFT, RIGHT + 0.1, 2.5 if wide > WIDE else 1)
    counts = [np.histogram(leads, edges)[0] for leads in hills.values()]
    most = max(count.max() for count in counts) / HIGH
    for foot, count, colour in zip(FEET, counts, FILLS, strict=True):
        axes.stairs(foot + count / most, edges, baseline=foot, facecolor=colour, edgecolor=EDGE,
                    linewidth=1, fill=True)  # fmt: skip
    before, after = (float(np.median(leads)) for leads in hills.values())
    for x, (low, high) in ((before, (FEET[1] + MOVED, FEET[0] + HIGH / 2)),
                           (after, (FEET[1], FEET[1] + MOVED))):  # fmt: skip
        axes.plot([x, x], [low, high], color=INK, linewidth=1.2)
    axes.annotate("", (after, FEET[1] + MOVED), (before, FEET[1] + MOVED),
                  arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2,
                              "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12})  # fmt: skip
