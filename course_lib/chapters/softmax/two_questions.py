"""The picture of two questions: where a model looks, and what it makes of the mixed value.

To the left of each question the strip of its keys, to the right the chance of the likeliest answer,
and that of all others. The first picture says more than those that come back to it.
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import share
from course_lib.figures.shares import strip_axes
from course_lib.figures.theme import INK, OUTPUT, SMALL, TEXT, new_figure
from course_lib.words import say

NEARLY = 0.995  # a chance from here on would be rounded to 1.00
HARDLY = 0.005  # and one below it to .00
ONE = "A strip of length 1, and beside it the chances that come of it."
BOTH = "Two strips of length 1, and beside each the chances that come of it."
LETTER = 0.023  # the width of a letter where the strip leaves room for the chances
BARS, LONGEST = 1.47, 0.24  # where the bars of the chances begin, and how long a chance of 1 is


def two_strips(upper: float) -> tuple:
    """A figure, and its axes for two questions; upper: where the upper strip lies."""
    figure = new_figure(7.0, 1.15 + 0.5 * upper)
    return figure, _axes_of(figure, high=upper + 1.75)


def one_strip(*, named: bool) -> tuple:
    """A figure, and its axes for one question; named: the softmaxes are named above it."""
    figure = new_figure(7.0, 1.75 if named else 1.4)
    axes = _axes_of(figure, high=2.35 if named else 1.6)
    if named:
        look = {"va": "bottom", "fontsize": TEXT}
        axes.text(0, 1.85, say("① attention: 16 keys share a 1"), **look)
        second = say("③ second softmax: 64 numbers share a 1")
        axes.text(1.815, 1.85, second, ha="right", **look)
    return figure, axes


def _axes_of(figure, *, high: float):
    """Axes for strips from 0 to 1, with room for the answers on the right."""
    axes = figure.subplots()
    strip_axes(axes, "strips", low=-0.75, high=high)
    axes.set_xlim(-0.005, 1.82)
    return axes


def say_question(axes, low: float, when: str, *, held: str = "") -> None:
    """Above a strip, what is asked; beside it an arrow to the answers.

    held: what the value that goes on holds most of; without it, nothing is said.
    """
    axes.text(0, low + 1.08, when, va="bottom", fontsize=TEXT)
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.2}
    axes.annotate("", (1.155, low + 0.5), (1.015, low + 0.5), arrowprops=arrow)
    if held:
        look = {"fontsize": SMALL, "ha": "center", "linespacing": 1.0}
        axes.text(1.08, low + 0.62, say("② mix"), va="bottom", **look)
        axes.text(1.08, low + 0.36, held, va="top", **look)


def draw_chances(
    axes, low: float, names: list[str], chances: np.ndarray, *, count: int = 1
) -> None:
    """Beside a strip, bars for the likeliest answers, and one for all others together.

    names: of all answers.   chances: (z,), of all answers.   count: of bars with a name.
    """
    best, rest = np.split(np.argsort(-chances, kind="stable"), [count])
    others = say("{count} others", count=len(rest))
    rows = [*((names[one], chances[one]) for one in best), (others, chances[rest].sum())]
    for place, (name, chance) in enumerate(rows):
        middle = low + 0.8 - 0.6 * place
        look = {"fontsize": SMALL, "va": "center", "fontweight": "normal" if place else "bold"}
        axes.text(BARS - 0.02, middle, name, ha="right", **look)
        fill = OUTPUT if place < count else "#c9c9c9"
        axes.add_patch(
            Rectangle((BARS, middle - 0.2), LONGEST * chance, 0.4, facecolor=fill, linewidth=0)
        )
        axes.text(BARS + LONGEST * chance + 0.012, middle, chance_in_words(chance), **look)


def chance_in_words(chance: float) -> str:
    """A chance in two digits; one that would be rounded to 1 is never certain, and says so."""
    if chance >= NEARLY:
        return ">.99"
    return "<.01" if chance < HARDLY else share(chance)
