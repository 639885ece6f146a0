"""The pictures of chapter 6 that do not move, one short line each in the notebook."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from course_lib.figures.curves import draw_curves
from course_lib.figures.heat_map import SCORES
from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, SMALL, TEXT, new_figure
from course_lib.models.dice import Trained
from course_lib.words import say

TOGETHER = 5  # training steps whose mean is one point of a curve
ORDER = ("strict", "half", "honest", "one too far")  # which letter has which mask


def _level(axes, height: float, name: str) -> None:
    """A line to compare with, and its name below it, so that the names of curves stay in place."""
    axes.axhline(height, color=GHOST, linewidth=1, zorder=0)
    axes.annotate(
        name, (0.98, height), xycoords=axes.get_yaxis_transform(), xytext=(0, -4),
        textcoords="offset points", ha="right", va="top", fontsize=SMALL,
    )  # fmt: skip


def without_names(runs: Mapping[str, Trained]) -> dict[str, tuple[float, ...]]:
    """The losses of four runs under the letters A to D.

    Raises: KeyError, if one of the four masks is missing.
    """
    return {letter: runs[name].losses for letter, name in zip("ABCD", ORDER, strict=True)}


def show_unnamed_losses(letters: Mapping[str, Sequence[float]], level: float) -> None:
    """Four losses without the names of their masks, and the line of what can be known honestly."""
    figure = new_figure(5.6, 2.7)
    curves = {
        letter: torch.tensor(losses).unflatten(0, (-1, TOGETHER)).mean(dim=1).tolist()
        for letter, losses in letters.items()
    }
    axes = draw_curves(figure.subplots(), curves)
    axes.xaxis.set_major_formatter(lambda point, _: f"{TOGETHER * point:.0f}")
    _level(axes, level, f"{level:.2f}")
    axes.set(xlabel=say("training step"), ylabel=say("loss"))
    figure.headline(say("One of four masks is honest: which?"))
    words = say(
        "Four falling curves. A ends above {level:.2f}, C ends at it. B ends near 1, and D at 0.",
        level=level,
    )
    show_figure(figure, words, exact=False, colours=8)


def show_waves(table) -> None:
    """The waves of some places: the sines, from the even columns, left, the cosines right.

    Shapes: table (n, m)
    """
    waves = np.asarray(table, dtype=float)
    figure = new_figure(6.2, 3.0)
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, part, name in ((left, waves[:, 0::2], "sin"), (right, waves[:, 1::2], "cos")):
        image = axes.imshow(part, cmap=SCORES, vmin=-1, vmax=1, interpolation="none")
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        axes.set_xticks([0, part.shape[1] - 1], [say("fast"), say("slow")])
        axes.set_title(name, fontsize=TEXT, fontweight="normal")
    bar = figure.colorbar(image, ax=[left, right], shrink=0.8, ticks=(-1, 0, 1))
    bar.ax.tick_params(labelsize=SMALL)
    left.set_yticks([0, len(waves) - 1], [str(0), str(len(waves) - 1)])
    left.set_ylabel(say("place"))
    figure.headline(say("Fast waves change at each place, slow ones hardly at all"))
    words = say(
        "Two tables of {n} places: sines and cosines. On the left of each, colours change from row "
        "to row; on the right they hardly change from top to bottom.",
        n=len(waves),
    )
    show_figure(figure, words, colours=40)
