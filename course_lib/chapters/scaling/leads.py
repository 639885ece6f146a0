"""The picture of what training must move: where the right key's leads lie under the curve.

show_leads(looks_of_both(64))    # a row for each of the two ways to train
"""

from collections.abc import Mapping

import numpy as np

from course_lib.chapters.scaling.push import weight_at
from course_lib.chapters.scaling.situations import FAR, Looks
from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, SMALL, WEIGHT, new_figure
from course_lib.words import say

LEFT, RIGHT = -50, 22
STEP = 1.5  # of the lead, a bar of each hill
FOOT, HIGH = -1.3, 1.0  # the hill stands below the curve, which runs from 0 to 1
STRIPES, EDGE, FILL = "#c8c8c8", "#555555", "#9c9c9c"
FLOOR = -0.12  # the stripes end here, and the hills stand on white
PLATE = {"facecolor": "white", "edgecolor": "none", "pad": 2}  # behind a word on stripes
LEADS = (
    "For each of two ways to train, the curve of the weight over the lead, and under it the hill "
    "of the leads of the right key over the best wrong one before training, drawn equally high. "
    "{rows}. The ground is striped where the curve is flat: from {edge} behind on, and from "
    "{edge} ahead on."
)
ROW = (
    "{name}: {behind} of 100 right keys start far behind, and after {end} steps of training "
    "{later} are"
)


def show_leads(looks: Mapping[tuple[str, int], Looks]) -> None:
    """Show how far the right key is ahead of the best wrong one before training.

    looks: from (name, steps) to what its models look at; two counts of steps for each name
    """
    names = list(dict.fromkeys(name for name, _ in looks))
    figure = new_figure(7.0, 4.4)
    told = []
    rows = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(rows, names, strict=True):
        seen = {steps: looks[of, steps] for of, steps in looks if of == name}
        (_, first), (end, last) = seen.items()
        behind, later = (f"{100 * one.behind:.0f}" for one in (first, last))
        _draw_curve(axes)
        _draw_hill(axes, first.leads)
        axes.set_title(say(name), loc="left", fontsize=SMALL)
        axes.text(LEFT + 1, FOOT + 0.8, say("{behind} of 100 start far behind", behind=behind),
                  va="center", fontsize=SMALL, fontweight="bold")  # fmt: skip
        axes.text(LEFT + 1, FOOT + 0.42, say("(after {end} steps: {later})", end=end, later=later),
                  va="center", fontsize=SMALL)  # fmt: skip
        told.append(say(ROW, name=say(name), end=end, behind=behind, later=later))
    rows[-1].set_xlabel(say("lead of the right key over the best wrong key"))
    figure.headline(say("Not divided, most right keys start where a push does almost nothing"))
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
    look = {"ha": "center", "va": "center", "fontsize": SMALL, "bbox": PLATE}
    axes.text((LEFT - FAR) / 2, 0.55, say("flat: a push does almost nothing"), **look)
    axes.text((FAR + RIGHT) / 2, 0.45, say("flat: it has won"), **look)
    ticks = range(-50, 21, 10)
    axes.set(xlim=(LEFT, RIGHT), ylim=(FOOT - 0.03, 1.1), yticks=(0, 1))
    axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
    axes.set_ylabel(say("weight"), y=0.77, fontsize=SMALL)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0.5)


def _draw_hill(axes, leads: np.ndarray) -> None:
    edges = np.arange(LEFT, RIGHT + 0.1, STEP)
    count = np.histogram(leads, edges)[0]
    axes.stairs(FOOT + HIGH * count / count.max(), edges, baseline=FOOT, facecolor=FILL,
                edgecolor=EDGE, linewidth=1, fill=True)  # fmt: skip
