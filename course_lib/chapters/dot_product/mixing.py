"""The picture of attention's third line: rows of values, as heavy as their weights, make one row.

show_mixing("Rex", ["kitten", "puppy"], weights, values, ["animal", "barks"])
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, OUTPUT, SMALL, TEXT, VALUE, WEIGHT, new_figure
from course_lib.words import say

MIXING = (
    "A row of values for each word, and beside it a bar as long as its weight: {weights}. Below a "
    "line, each column is added up by these weights, and that is {who} after listening: {output}."
)
LONGEST, HIGH, WIDE = 2.2, 0.62, 1.0  # the bar of a weight of 1; a row; a column
FIRST = LONGEST + 1.35  # the middle of the first column
HEAVY = 0.25  # a weight from which on its row is bold


def show_mixing(who: str, names, weights, values, traits) -> None:
    """Show how the values of some words are mixed by weights.

    who: whose attention it is.   names: of the s words.   weights: (s,)   values: (s, e)
    traits: what the e columns mean.
    Raises: ValueError, if there are not as many weights as rows of values.
    """
    weights, values = np.asarray(weights, dtype=float), np.asarray(values, dtype=float)
    if values.ndim != 2 or weights.shape != values.shape[:1]:
        raise ValueError(f"weights has shape {weights.shape}, but values {values.shape}")
    output, below = weights @ values, HIGH * len(weights) + 0.1
    figure = new_figure(7.0, 0.42 * (len(weights) + 2) + 0.5)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set(xlim=(-1.1, FIRST + WIDE * (len(traits) - 0.4)), ylim=(below + 0.8 * HIGH, -0.95))
    axes.text(0, -0.62, say("weight"), color=WEIGHT, va="center", fontsize=TEXT)
    for number, (name, weight, row) in enumerate(zip(names, weights, values, strict=True)):
        _draw_row(axes, HIGH * number, name, weight, row)
    for column, trait in enumerate(traits):
        axes.text(FIRST + WIDE * column, -0.62, trait, ha="center", va="center", fontsize=TEXT)
    axes.plot([-1.1, FIRST + WIDE * (len(traits) - 0.5)], [below - 0.3] * 2, color=INK, linewidth=1)
    look = {"color": OUTPUT, "fontweight": "bold", "va": "center", "fontsize": TEXT}
    axes.text(-0.12, below + 0.1, who, ha="right", **look)
    axes.text(0, below + 0.1, say("all of them, mixed"), **look)
    for column, total in enumerate(output):
        axes.text(FIRST + WIDE * column, below + 0.1, signed(total, 2), ha="center", **look)
    axes.set_title(say("Each row is as heavy as its weight; the sum is {who}", who=who))
    told = zip(names, weights, strict=True)
    words = {"weights": ", ".join(f"{name} {weight:.3f}" for name, weight in told)}
    words["output"] = ", ".join(f"{t} {o:.2f}" for t, o in zip(traits, output, strict=True))
    show_figure(figure, say(MIXING, who=who, **words), colours=32)


def _draw_row(axes, y: float, name: str, weight: float, row) -> None:
    """A word with its weight as a bar, and its values: bold where the weight is large."""
    strong = {"fontweight": "bold"} if weight >= HEAVY else {}
    axes.text(-0.12, y, name, ha="right", va="center", fontsize=TEXT, **strong)
    axes.add_patch(Rectangle((0, y - 0.2), LONGEST, 0.4, facecolor="white", edgecolor=FAINT))
    axes.add_patch(Rectangle((0, y - 0.2), LONGEST * weight, 0.4, facecolor=WEIGHT))
    axes.text(LONGEST + 0.1, y, f"{weight:.3f}", va="center", fontsize=SMALL, **strong)
    for column, entry in enumerate(row):
        colour = VALUE if strong else "#666666"
        axes.text(FIRST + WIDE * column, y, signed(entry, 0), color=colour, ha="center",
                  va="center", fontsize=TEXT, **strong)  # fmt: skip
