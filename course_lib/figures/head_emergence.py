"""How well a small transformer does, and what its heads look at, as it learns.

draw_birth(figure, recorded_birth())
draw_birth(figure, birth)            # of a model that learns now: its maps, too
"""

import numpy as np
from matplotlib.ticker import MultipleLocator

from course_lib.figures.maps import draw_maps
from course_lib.figures.theme import FAINT, KEY, OUTPUT, QUERY, SMALL, style
from course_lib.words import say


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
    left.plot(steps, birth.accuracy, color=OUTPUT)
    left.plot(steps, np.asarray(birth.loss) / np.log(27), color=KEY, linestyle=(0, (5, 2)))
    previous, induction = np.asarray(birth.previous), np.asarray(birth.induction)
    right.plot(steps, previous[:, 0], color=QUERY)
    right.plot(steps, induction[:, 1], color=KEY, linestyle=(0, (5, 2)), linewidth=1.3)
    _labelled(left, ((0.62, 0.9, "right letters", OUTPUT), (0.3, 0.18, "loss / ln 27", KEY)))
    _labelled(right, ((0.02, 1.03, "second layer: what followed", KEY),
                      (0.5, 0.43, "first layer:\nthe place before", QUERY)))  # fmt: skip
    for axes, title in ((left, "it learns to copy"), (right, "heads find their work")):
        axes.set(ylim=(0, 1.12), yticks=(0, 0.5, 1), xlabel=say("training step"), title=say(title))
        axes.set_xlim(0, max(birth.whole, *steps))
        axes.xaxis.set_major_locator(MultipleLocator(500))  # the last stands within the picture
        axes.axhline(1, color=FAINT, linewidth=1, zorder=0)
    return left, right


def _labelled(axes, labels) -> None:
    for x, y, name, colour in labels:
        axes.text(x, y / 1.12, say(name), color=colour, fontsize=SMALL, fontweight="bold",
                  transform=axes.transAxes)  # fmt: skip
