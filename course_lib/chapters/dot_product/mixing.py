"""The picture of attention's third line: the weights meet a column of the values.

show_mixing("Rex", ["kitten", "puppy"], weights, values, ["animal", "barks"])
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, OUTPUT, SMALL, TEXT, VALUE, WEIGHT, new_figure
from course_lib.words import say

MIXING = (
    "A row of values for each word, and beside it a bar as long as its weight: {weights}. The "
    "column {trait} is framed, and on the right stand its products with the weights: {products}. "
    "Together they make {total}. Below a line, each column is added up in this way, and that is "
    "{who} after listening: {output}. Under the number for {next} stands its sum: {sum}."
)
LONGEST, HIGH, WIDE = 1.0, 0.62, 1.2  # the bar of a weight of 1; a row; a column
FIRST = LONGEST + 1.62  # the middle of the framed column
PRODUCTS = 2.75  # from the middle of the last column to where the products end
DIGITS = 3  # of products and sums: with two, the products as shown would not add up
PALE = "#666666"  # what is not worked out here


def show_mixing(who: str, names, weights, values, traits) -> None:
    """Show how the values of some words are mixed by weights, the first column in full.

    who: whose attention it is.   names: of the s words.   weights: (s,)   values: (s, e)
    traits: what the e columns mean.
    Raises: ValueError, if there are not as many weights as rows of values.
    """
    weights, values = np.asarray(weights, dtype=float), np.asarray(values, dtype=float)
    if values.ndim != 2 or weights.shape != values.shape[:1]:
        raise ValueError(f"weights has shape {weights.shape}, but values {values.shape}")
    products, output = weights * values[:, 0], weights @ values
    figure = new_figure(7.0, 0.42 * (len(weights) + 2) + 0.85)
    axes = figure.subplots()
    axes.set_axis_off()
    ends, last = _place(len(traits) - 1) + PRODUCTS, HIGH * (len(weights) - 1)
    right = ends + 0.1
    axes.set(xlim=(-1.0, right), ylim=(last + 1.65, -1.0))
    _draw_words(axes, names, weights)
    _draw_columns(axes, values, traits)
    axes.add_patch(Rectangle((FIRST - 0.55, -0.9), 1.1, last + 1.25, fill=False,
                             edgecolor=VALUE, linewidth=1.6))  # fmt: skip
    _draw_products(axes, ends, last + 1.1, traits[0], products)
    axes.plot([-1.0, right], [last + 0.55] * 2, color=PALE, linewidth=1)
    beside = min(1, len(traits) - 1)
    sum_ = _as_products(weights, values[:, beside])  # how the number above it is made
    beneath = say("{trait}: {sum}", trait=traits[beside], sum=sum_)
    axes.text(0, last + 1.4, beneath, color=PALE, va="center", fontsize=SMALL)
    _draw_sums(axes, last + 0.9, ends, who, output)
    total = signed(output[0], DIGITS)
    axes.set_title(
        say("The weights with the column {trait} make {total}", trait=traits[0], total=total)
    )
    told = zip(names, weights, strict=True)
    words = {"weights": ", ".join(f"{name} {weight:.4f}" for name, weight in told)}
    words["products"] = ", ".join(f"{one:.3f}" for one in products)
    words["output"] = ", ".join(f"{t} {o:.3f}" for t, o in zip(traits, output, strict=True))
    words |= {"trait": traits[0], "total": f"{output[0]:.3f}", "next": traits[beside], "sum": sum_}
    show_figure(figure, say(MIXING, who=who, **words), colours=32)


def _place(column: int) -> float:
    """The middle of a column."""
    return FIRST + WIDE * column


def _draw_column(axes, x: float, title: str, entries, colour: str, **look) -> None:
    """A title and what stands below it, a row each."""
    look = {"color": colour, "ha": "center", "va": "center", "fontsize": TEXT, **look}
    axes.text(x, -0.62, title, **look)
    for number, entry in enumerate(entries):
        axes.text(x, HIGH * number, entry, **look)


def _draw_products(axes, ends: float, bottom: float, trait: str, products) -> None:
    """The products of the framed column, in a block of their own behind a line."""
    header, shown = say("{trait} · weight", trait=trait), [signed(one, DIGITS) for one in products]
    _draw_column(axes, ends, header, shown, WEIGHT, ha="right")
    axes.plot([ends - PRODUCTS + 0.63] * 2, [-0.9, bottom], color=FAINT, linewidth=1)


def _as_products(weights, column) -> str:
    """The sum of a column, a product for each row: −1 · 0.0174 + 3 · 0.9479 − 1 · 0.0174."""
    sum_ = " ".join(
        f"{'-' if value < 0 else '+'} {abs(value):g} · {weight:.4f}"
        for weight, value in zip(weights, column, strict=True)
    )
    sum_ = sum_[2:] if sum_.startswith("+") else sum_.replace("- ", "-", 1)
    return sum_.replace("-", "\N{MINUS SIGN}")


def _draw_words(axes, names, weights) -> None:
    """Each word with its weight, as a bar and as a number."""
    axes.text(0, -0.62, say("weight"), color=WEIGHT, va="center", fontsize=TEXT)
    for number, (name, weight) in enumerate(zip(names, weights, strict=True)):
        y = HIGH * number
        axes.text(-0.12, y, name, ha="right", va="center", fontsize=TEXT)
        axes.add_patch(Rectangle((0, y - 0.2), LONGEST, 0.4, facecolor="white", edgecolor=FAINT))
        axes.add_patch(Rectangle((0, y - 0.2), LONGEST * weight, 0.4, facecolor=WEIGHT))
        axes.text(LONGEST + 0.1, y, f"{weight:.4f}", va="center", fontsize=SMALL)


def _draw_columns(axes, values, traits) -> None:
    """The values, column by column: the first bold, as it is worked out, the others pale."""
    for column, trait in enumerate(traits):
        entries = [signed(entry, 0) for entry in values[:, column]]
        strong = {"fontweight": "bold"} if column == 0 else {}
        _draw_column(axes, _place(column), trait, entries, PALE if column else VALUE, **strong)


def _draw_sums(axes, y: float, ends: float, who: str, output) -> None:
    """The output: below each column its sum, and below the products the first one again."""
    look = {"color": OUTPUT, "fontweight": "bold", "va": "center", "fontsize": TEXT}
    axes.text(-0.12, y, who, ha="right", **look)
    axes.text(0, y, say("after listening"), **look)
    axes.text(ends, y, signed(output[0], DIGITS), ha="right", **look)
    for column, total in enumerate(output):
        axes.text(_place(column), y, signed(total, DIGITS), ha="center", **look)
