"""The picture of attention's third line: a row of weights meets each column of the values.

show_mixing("Rex", rex_weights, values, ["kitten", "puppy"], ["animal", "barks"])
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, OUTPUT, SMALL, TEXT, VALUE, WEIGHT, new_figure
from course_lib.words import say

MIXING = (
    "A row for each word: a bar as long as its weight, the weight, and its values, a column for "
    "each trait. The column {trait} is framed; beside it each weight is multiplied: {rows}. Below "
    "a line stands the output of {who}, a sum for each column: {output}."
)
LONGEST, HIGH = 0.85, 0.62  # the bar of a weight of 1; a row
NUMBER, FIRST, WIDE = 1.5, 2.1, 0.84  # the weights; the first column of the values; each of them
GAP = 1.85  # from the last column to where the products end
DIGITS = 3  # of products and sums: with two, the products as shown would not add up
PALE = "#666666"


def show_mixing(who: str, weights, values, names, traits) -> None:
    """Show how the columns of the values are mixed by weights, and the first one step by step.

    who: whose attention it is.   weights: (s,)   values: (s, e), what each word says
    names: of the s words.   traits: of the e columns.
    Raises: ValueError, if there are not as many weights as rows of the values.
    """
    weights, values = np.asarray(weights, dtype=float), np.asarray(values, dtype=float)
    if values.ndim != 2 or weights.shape != values.shape[:1]:
        raise ValueError(f"weights has shape {weights.shape}, but values {values.shape}")
    products, output, last = weights * values[:, 0], weights @ values, HIGH * (len(weights) - 1)
    right = FIRST + WIDE * (len(traits) - 1) + GAP
    figure = new_figure(7.0, 0.42 * (len(weights) + 2) + 0.5)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set(xlim=(-0.75, right + 0.05), ylim=(last + 1.2, -1.0))
    _draw_heads(axes, traits, right)
    for row, (name, weight) in enumerate(zip(names, weights, strict=True)):
        _draw_row(axes, HIGH * row, name, float(weight), values[row], right)
    axes.plot([-0.75, right + 0.05], [last + 0.45] * 2, color=PALE, linewidth=1)
    frame = Rectangle((FIRST - 0.4, -0.34), 0.8, last + 0.68, fill=False, edgecolor=VALUE)
    axes.add_patch(frame).set_linewidth(2.5)
    _draw_output(axes, last + 0.85, who, output, right)
    most = names[int(np.argmax(weights))]
    figure.headline(say("{who} hears mostly the {name}", who=who, name=most))
    each = zip(names, weights, values[:, 0], products, strict=True)
    rows = ", ".join(f"{n} {w:.4f} times {c:g} is {p:.3f}" for n, w, c, p in each)
    told = ", ".join(f"{t} {signed(float(o), DIGITS)}" for t, o in zip(traits, output, strict=True))
    words = say(MIXING, who=who, trait=traits[0], rows=rows, output=told)
    show_figure(figure, words, colours=32)


def _draw_heads(axes, traits, right: float) -> None:
    """What stands in each column."""
    look = {"va": "center", "fontsize": SMALL}
    axes.text(0, -0.62, say("weight"), color=WEIGHT, **look)
    for place, trait in enumerate(traits):
        axes.text(FIRST + WIDE * place, -0.62, trait, color=VALUE, ha="center", **look)
    axes.text(right, -0.62, say("weight · {trait}", trait=traits[0]), ha="right", **look)


def _draw_row(axes, y: float, name: str, weight: float, said, right: float) -> None:
    """A word: its weight as a bar and as a number, what it says, and the first product."""
    look = {"va": "center", "fontsize": TEXT}
    axes.text(-0.08, y, name, ha="right", **look)
    axes.add_patch(Rectangle((0, y - 0.2), LONGEST, 0.4, facecolor="white", edgecolor=FAINT))
    axes.add_patch(Rectangle((0, y - 0.2), LONGEST * weight, 0.4, facecolor=WEIGHT))
    axes.text(NUMBER, y, f"{weight:.4f}", ha="right", **{**look, "fontsize": SMALL})
    for place, number in enumerate(said):
        strong = {"fontweight": "bold"} if place == 0 else {}
        x = FIRST + WIDE * place
        axes.text(x, y, signed(float(number), 0), ha="center", color=VALUE, **look, **strong)
    axes.text(right, y, signed(weight * float(said[0]), DIGITS), ha="right", **look)


def _draw_output(axes, y: float, who: str, output, right: float) -> None:
    """The row that is mixed, a sum below each column; the first also below its products."""
    look = {"color": OUTPUT, "fontweight": "bold", "va": "center", "fontsize": SMALL}
    axes.text(0, y, say("output of {who}", who=who), **look)
    for place, total in enumerate(output):
        x = FIRST + WIDE * place
        axes.text(x, y, signed(float(total), DIGITS), ha="center", **look)
    axes.text(right, y, signed(float(output[0]), DIGITS), ha="right", **look)
