"""How well a small transformer does, and what its heads look at, as it learns.

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
DASHED = (0, (5, 2))  # the second layer
DOTTED = (0, (1, 1.5))  # the share of right letters, in both pictures
TOP = 1.2  # of the axes: room for a name above the share of 1
RISEN = 0.7  # of its highest share: there a head is named
MUCH = 0.3  # a head that gives so much to the place before, at the end, is named


def draw_birth(figure, birth):
    """Left loss and accuracy; right how much each head does of the two things that copying takes.

    Below, where there are any, the maps of all heads as they are now.

    birth: has step, loss, accuracy, and by step, block and head previous and induction; whole, the
        steps that it takes; maps, of shape (2, h, t, t), or None.
    Returns the two axes.
    """
    if birth.maps is not None:
        figure, below = figure.subfigures(2, 1, height_ratios=(1, 1.15))
        draw_maps(below, birth.maps, lines=[say("first layer"), say("second layer")])
    with style():
        return _draw_curves(*figure.subplots(1, 2), birth)


def _draw_curves(left, right, birth):
    steps = np.asarray(birth.step)
    left.plot(steps, birth.accuracy, color=INK, linestyle=DOTTED)
    left.plot(steps, np.asarray(birth.loss) / np.log(27), color=SECOND)
    previous, induction = np.asarray(birth.previous), np.asarray(birth.induction)
    right.plot(steps, previous[:, 0], color=INK)
    right.plot(steps, induction[:, 1], color=SECOND, linestyle=DASHED, linewidth=1.3)
    _name_heads(right, steps, previous[:, 0])
    _labelled(left, ((0.55, 0.84, "right letters", INK), (0.3, 0.16, "loss / ln 27", SECOND)))
    _labelled(right, ((0.04, 1.07, "second layer: what followed", SECOND),
                      (0.46, 0.3, "first layer:\nthe place before", INK)))  # fmt: skip
    for axes, title in ((left, "it learns to copy"), (right, "heads find their work")):
        axes.set(ylim=(0, TOP), yticks=(0, 0.5, 1), xlabel=say("training step"), title=say(title))
    right.set_ylabel(say("share of its weights"))
    for axes in (left, right):
        axes.set_xlim(0, max(birth.whole, *steps))
        axes.xaxis.set_major_locator(MultipleLocator(500))  # the last stands within the picture
        axes.axhline(1, color=FAINT, linewidth=1, zorder=0)
    return left, right


def _name_heads(axes, steps, shares) -> None:
    """The number of each head that ever gives much to the place before, beside its rise."""
    for head, one in enumerate(shares.T):
        if one.max() > MUCH:
            at = int(np.argmax(one > RISEN * one.max()))
            axes.annotate(
                say("head {head}", head=head), (steps[at], one[at]), xytext=(9, 0),
                textcoords="offset points", va="center", color=INK, fontsize=SMALL,
                fontweight="bold",
            )  # fmt: skip


def _labelled(axes, labels) -> None:
    for x, y, name, colour in labels:
        axes.text(x, y / TOP, say(name), color=colour, fontsize=SMALL, fontweight="bold",
                  transform=axes.transAxes)  # fmt: skip


def draw_births(figure, births):
    """A panel for each seed: the heads of the first layer, and dotted the share of right letters.

    births: seed -> birth.   Returns the axes.
    """
    with style():
        figure.suptitle(say("Another start, and other heads take the work"))
        every = figure.subplots(1, len(births), sharey=True)
        for axes, (seed, birth) in zip(every, births.items(), strict=True):
            axes.set(ylim=(0, TOP), yticks=(0, 0.5, 1), xlim=(0, birth.whole), xticks=(0, 1000))
            axes.set_title(say("seed {seed}", seed=seed), fontweight="normal", fontsize=TEXT)
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
