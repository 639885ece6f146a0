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

BAND = "#e9edf2"  # of a time in which much happens
DASHED = (0, (4, 2))  # a head's weight on two places before
DOTTED = (0, (1, 1.5))  # the share of right letters, beside the heads
TOP = 1.2  # of the axes: room for a name above the share of 1
HEADS = (INK, "#b0416b", "#2f6f6a", "#8a5a00")  # from the head that gives most to the place before
APART, NEAR = 0.17, 0.12  # between two names; from the end of a line to its name
LEFT = "#767676"  # of the weight on the place before that a head has left
MUCH = 0.3  # a head that gives so much to the place before, at the end, is named


def draw_birth(figure, birth, rises=()):
    """Three panels, one line of time: right letters, the first layer's work, the second layer's.

    Of the first layer, only the heads that ever give MUCH to the place before have a line, and
    its name at the right end; the line of a head that leaves it again is thin and grey, and a
    dark dashed one tells what this head comes to give to two places before, if that is MUCH.
    All heads of the second layer have the same line.

    At the foot, where there are any, the maps of all heads as they are now.

    birth: has step, accuracy, and by step, block and head previous, two_back and induction;
        whole, the steps that it takes; letters, how many a text has; maps, of shape (2, h, t, t),
        or None.
    rises: (first step, last step, name) of the times that have a band of their own, with the share
        of right letters at their ends.
    Returns the three axes.
    """
    if birth.maps is not None:
        figure, below = figure.subfigures(2, 1, height_ratios=(1.5, 1))
        draw_maps(below, birth.maps, lines=[say("first layer"), say("second layer")])
    with style():
        every = figure.subplots(3, 1, sharex=True, height_ratios=(1, 1.8, 1))
        return _draw_curves(every, birth, rises)


def _draw_curves(every, birth, rises):
    right, first, second = every
    titles = ("the model: share of right letters",
              "first layer: weight of a head on the place before",
              "second layer: weight of a head on what followed earlier")  # fmt: skip
    for axes, title in zip(every, titles, strict=True):
        axes.set_title(say(title), loc="left", fontsize=TEXT, pad=5)
        axes.set(ylim=(0, TOP), yticks=(0, 1), xlim=(0, max(birth.whole, *birth.step)))
        axes.axhline(1, color=FAINT, linewidth=1, zorder=0)
        for begins, ends, _ in rises:
            axes.axvspan(begins, ends, color=BAND, linewidth=0, zorder=-1)
    right.plot(birth.step, birth.accuracy, color=INK)
    _draw_first_heads(first, birth)
    for one in np.asarray(birth.induction)[:, 1].T:
        second.plot(birth.step, one, color=INK, linewidth=1.2)
    _name_rises(right, birth, rises)
    second.text(0.995, 0.5, say("all four heads"), ha="right", va="center", fontsize=SMALL,
                fontweight="bold", transform=second.transAxes)  # fmt: skip
    second.xaxis.set_major_locator(MultipleLocator(300))
    second.set(xlabel=say("training step"))
    return every


def _draw_first_heads(axes, birth) -> None:
    """The heads that ever give MUCH to the place before, and where one goes that leaves it."""
    shares, two_back = (np.asarray(one)[:, 0].T for one in (birth.previous, birth.two_back))
    strong = sorted((h for h, one in enumerate(shares) if one.max() > MUCH),
                    key=lambda h: -shares[h].max())  # fmt: skip
    named = []  # the last share, the name, the colour
    for head, colour in zip(strong, HEADS, strict=False):
        fell = shares[head][-1] < MUCH
        look = {"color": LEFT, "linewidth": 1.4} if fell else {"color": colour, "linewidth": 2.4}
        axes.plot(birth.step, shares[head], **look)
        moved = fell and two_back[head][-1] > MUCH
        name = "head {head}, on the place before" if moved else "head {head}"
        named.append((shares[head][-1], say(name, head=head), look["color"]))
        if moved:
            axes.plot(birth.step, two_back[head], linestyle=DASHED, color=INK, linewidth=1.8)
            last = two_back[head][-1]
            name = say("head {head}, on two places back: {last}", head=head, last=_short(last))
            named.append((last, name, INK))
    _name_lines(axes, named)
    axes.text(0.007, 0.68, say("average over {count} letters", count=birth.letters), va="center",
              fontsize=SMALL, transform=axes.transAxes)  # fmt: skip


def _name_rises(axes, birth, rises) -> None:
    """Right of each band its name, and at its ends how many letters are right there."""
    for begins, ends, name in rises:
        axes.text(ends + 10, 0.2, say(name), va="center", fontsize=SMALL)
        for step, along, side in ((begins, -8, "right"), (ends, 8, "left")):
            share = birth.accuracy[birth.step.index(step)] if step in birth.step else 0
            if share < 0.5:  # a low one stands so near to 0 that it can be read there
                continue
            axes.plot([step], [share], "o", color=INK, markersize=4)
            axes.text(step + along, share - 0.26, _short(share), ha=side, va="center",
                      fontsize=SMALL)  # fmt: skip


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def _name_lines(axes, named) -> None:
    """Each name at the right edge: below the end of a high line, above that of a low one."""
    highest = TOP
    for last, name, colour in sorted(named, reverse=True):
        wanted = last - NEAR if last > 0.6 else last + NEAR
        highest = min(wanted, highest - APART)
        axes.text(
            0.995, highest / TOP, name, ha="right", va="center", color=colour, fontsize=SMALL,
            fontweight="normal" if colour == LEFT else "bold", transform=axes.transAxes,
        )  # fmt: skip


def draw_births(figure, births, ours: int | None = None):
    """A panel for each seed: the heads of the first layer, and dotted the share of right letters.

    births: seed -> birth.   ours: the seed of the model in use.   Returns the axes.
    """
    with style():
        figure.headline(say("Four starts"))
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
