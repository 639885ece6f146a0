"""The picture of attention's third line: what each word says, times its weight, added up.

show_mixing("Rex", ["kitten", "puppy"], weights, values[:, 0], "animal")
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, OUTPUT, SMALL, TEXT, VALUE, WEIGHT, new_figure
from course_lib.words import say

MIXING = (
    "A row for each word: a bar as long as its weight, what it says of {trait}, and the product of "
    "both: {rows}. Below a line stands the sum, what {who} takes over: {total}."
)
LONGEST, HIGH = 2.0, 0.62  # the bar of a weight of 1; a row
NUMBER, TIMES, SAID, IS, PRODUCT = 2.5, 3.05, 3.6, 4.15, 5.1  # the columns, and the signs between
DIGITS = 3  # of products and sum: with two, the products as shown would not add up
PALE = "#666666"


def show_mixing(who: str, names, weights, column, trait: str) -> None:
    """Show how one column of the values is mixed by weights.

    who: whose attention it is.   names: of the s words.   weights: (s,)   column: (s,), what each
    word says.   trait: of what.
    Raises: ValueError, if there are not as many weights as numbers in the column.
    """
    weights, column = np.asarray(weights, dtype=float), np.asarray(column, dtype=float)
    if column.ndim != 1 or weights.shape != column.shape:
        raise ValueError(f"weights has shape {weights.shape}, but column {column.shape}")
    products, last = weights * column, HIGH * (len(weights) - 1)
    figure = new_figure(7.0, 0.42 * (len(weights) + 2) + 0.5)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set(xlim=(-0.95, PRODUCT + 0.1), ylim=(last + 1.2, -1.0))
    _draw_heads(axes, trait)
    for row, (name, weight) in enumerate(zip(names, weights, strict=True)):
        _draw_row(axes, HIGH * row, name, float(weight), float(column[row]))
    axes.plot([-0.95, PRODUCT + 0.1], [last + 0.45] * 2, color=PALE, linewidth=1)
    total = signed(float(products.sum()), DIGITS)
    look = {"color": OUTPUT, "fontweight": "bold", "va": "center", "fontsize": TEXT}
    axes.text(0, last + 0.85, say("{who} takes over", who=who), **look)
    axes.text(PRODUCT, last + 0.85, total, ha="right", **look)
    title = say("{who} hears mostly the {name}", who=who, name=names[int(np.argmax(weights))])
    figure.headline(title)
    each = zip(names, weights, column, products, strict=True)
    rows = ", ".join(f"{n} {w:.4f} times {c:g} is {p:.3f}" for n, w, c, p in each)
    show_figure(figure, say(MIXING, who=who, trait=trait, rows=rows, total=total), colours=32)


def _draw_heads(axes, trait: str) -> None:
    """What stands in each column."""
    look = {"va": "center", "fontsize": TEXT}
    axes.text(0, -0.62, say("weight"), color=WEIGHT, **look)
    axes.text(SAID, -0.62, say("value: {trait}", trait=trait), color=VALUE, ha="center", **look)
    axes.text(PRODUCT, -0.62, say("product"), ha="right", **look)


def _draw_row(axes, y: float, name: str, weight: float, said: float) -> None:
    """A word: its weight as a bar and as a number, what it says, and the product."""
    look = {"va": "center", "fontsize": TEXT}
    axes.text(-0.12, y, name, ha="right", **look)
    axes.add_patch(Rectangle((0, y - 0.2), LONGEST, 0.4, facecolor="white", edgecolor=FAINT))
    axes.add_patch(Rectangle((0, y - 0.2), LONGEST * weight, 0.4, facecolor=WEIGHT))
    axes.text(NUMBER, y, f"{weight:.4f}", ha="center", **{**look, "fontsize": SMALL})
    axes.text(TIMES, y, "·", ha="center", **look)
    axes.text(SAID, y, signed(said, 0), ha="center", color=VALUE, fontweight="bold", **look)
    axes.text(IS, y, "=", ha="center", **look)
    axes.text(PRODUCT, y, signed(weight * said, DIGITS), ha="right", **look)
