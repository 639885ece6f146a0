"""How many letters a small transformer gets right, and what its heads look at, as it learns.

draw_birth(figure, recorded_birth())
draw_birth(figure, birth)            # of a model that learns now: its maps, too
draw_births(figure, recorded_births())      # of several seeds, side by side
"""

import numpy as np
from matplotlib.ticker import MultipleLocator

from course_lib.figures.maps import draw_maps
from course_lib.figures.theme import FAINT, INK, SMALL, TEXT, style
from course_lib.words import say

SECOND = "#5a5a5a"  # what stands beside the first thing
BAND = "#e9edf2"  # of a time in which much happens
DASHED = (0, (5, 2))  # the second layer
DOTTED = (0, (1, 1.5))  # the share of right letters, in both pictures
DASH_DOT = (0, (6, 1.5, 1, 1.5))  # two places back
TOP = 1.2  # of the axes: room for a name above the share of 1
HEADS = (INK, "#b0416b", "#2f6f6a", "#8a5a00")  # from the head that gives most to the place before
APART = 0.17  # between two names, and from a line to its name
MUCH = 0.3  # a head that gives so much to the place before, at the end, is named


def draw_birth(figure, birth, rises=()):
    """Above the right letters; below how much each head does of the things that copying takes.

    Of the first layer, only the heads that ever give MUCH to a place have a line, and its name at
    the right end. A head keeps its colour; what it looks at is told by the kind of the line.

    At the foot, where there are any, the maps of all heads as they are now.

    birth: has step, accuracy, and by step, block and head previous, induction and two_back;
        whole, the steps that it takes; maps, of shape (2, h, t, t), or None.
    rises: (first step, last step, name) of the times that have a band of their own.
    Returns the two axes.
    """
    if birth.maps is not None:
        figure, below = figure.subfigures(2, 1, height_ratios=(1.35, 1))
        draw_maps(below, birth.maps, lines=[say("first layer"), say("second layer")])
    with style():
        return _draw_curves(
            *figure.subplots(2, 1, sharex=True, height_ratios=(1, 1.9)), birth, rises
        )


def _draw_curves(above, below, birth, rises):
    steps = np.asarray(birth.step)
    above.plot(steps, birth.accuracy, color=INK, linestyle=DOTTED)
    previous, two_back = np.asarray(birth.previous)[:, 0], np.asarray(birth.two_back)[:, 0]
    rank = np.argsort(np.argsort(-previous.max(axis=0), kind="stable"), kind="stable")
    named = []  # the last share, the name, the colour
    for shares, line, name in (
        (previous, "-", "head {head}: place before"),
        (two_back, DASH_DOT, "head {head}: two places back"),
    ):
        for head, one in enumerate(shares.T):
            if one.max() > MUCH:
                colour = HEADS[rank[head] % len(HEADS)]
                below.plot(steps, one, color=colour, linestyle=line, linewidth=2.0)
                named.append((one[-1], say(name, head=head), colour))
    induction = np.asarray(birth.induction)[:, 1]
    below.plot(steps, induction, color=SECOND, linestyle=DASHED, linewidth=1.3)
    _name_lines(below, named)
    _labelled(above, ((0.62, 0.72, "right letters", INK),))
    _labelled(below, ((0.01, 1.1, "dashed, second layer: what followed earlier", SECOND),))
    for axes in (above, below):
        axes.set(ylim=(0, TOP), yticks=(0, 0.5, 1), xlim=(0, max(birth.whole, *steps)))
        axes.axhline(1, color=FAINT, linewidth=1, zorder=0)
        for first, last, _ in rises:
            axes.axvspan(first, last, color=BAND, linewidth=0, zorder=-1)
    for first, _, name in rises:
        above.text(first, 1.03, say(name), va="bottom", fontsize=SMALL)
    below.xaxis.set_major_locator(MultipleLocator(200))
    below.set(xlabel=say("training step"), ylabel=say("share of its weights"))
    return above, below


def _name_lines(axes, named) -> None:
    """Each name at the right edge: below the end of a high line, above that of a low one."""
    highest = TOP
    for last, name, colour in sorted(named, reverse=True):
        wanted = last - APART if last > 0.6 else last + APART * 0.6
        highest = min(wanted, highest - APART)
        axes.text(
            0.995, highest / TOP, name, ha="right", va="center", color=colour, fontsize=SMALL,
            fontweight="bold", transform=axes.transAxes,
        )  # fmt: skip


def _labelled(axes, labels) -> None:
    for x, y, name, colour in labels:
        axes.text(x, y / TOP, say(name), color=colour, fontsize=SMALL, fontweight="bold",
                  transform=axes.transAxes)  # fmt: skip


def draw_births(figure, births, ours: int | None = None):
    """A panel for each seed: the heads of the first layer, and dotted the share of right letters.

    births: seed -> birth.   ours: the seed of the model in use.   Returns the axes.
    """
    with style():
        figure.suptitle(say("Four starts"))
        every = figure.subplots(1, len(births), sharey=True)
        for axes, (seed, birth) in zip(every, births.items(), strict=True):
            axes.set(ylim=(0, TOP), yticks=(0, 0.5, 1), xlim=(0, birth.whole), xticks=(0, 1000))
            name = "seed {seed}, our model" if seed == ours else "seed {seed}"
            axes.set_title(say(name, seed=seed), fontweight="normal", fontsize=TEXT)
            axes.plot(birth.step, birth.accuracy, color=INK, linestyle=DOTTED, linewidth=1.4)
            _draw_first_layer(axes, birth)
        figure.supxlabel(say("training step"), fontsize=TEXT)
        every[0].set_ylabel(say("share of its weights\nat the place before"))
        every[0].text(0.97 * births[min(births)].whole, 1.05, say("right letters"), ha="right",
                      color=INK, fontsize=SMALL)  # fmt: skip
    return every


def _draw_first_layer(axes, birth) -> None:
    shares = np.array(birth.previous)[:, 0].T
    for one in shares:
        axes.plot(birth.step, one, color=INK, linewidth=2.4 if one[-1] > MUCH else 1.0)
    strong = [head for head, one in enumerate(shares) if one[-1] > MUCH]
    every = ", ".join(map(str, strong))
    late = shares[:, len(birth.step) // 2 :]  # below the strong, above all the others
    others = [one.max() for head, one in enumerate(late) if head not in strong]
    height = (late[strong].min() + max(others, default=0.0)) / 2 if strong else 0.5
    axes.text(
        0.97 * birth.whole, height,
        say("head {head}", head=every) if len(strong) == 1 else say("heads {heads}", heads=every),
        ha="right", va="center", fontsize=SMALL, fontweight="bold",
    )  # fmt: skip
