"""The picture of a matrix product: baskets in rows, shops in columns, costs where they cross.

show_shopping([[2, 1], [0, 3]], [[1, 4], [2, 5]])

A basket asks and a shop is asked, so a row is framed in the colour of queries, and a column in
that of keys. The tables lie as in the explorer `rows_and_columns`, which comes after it.
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TEXT, TITLE, new_figure
from course_lib.words import say

FRUIT = ("apples", "pears")
QUESTION = "What does basket 1\ncost in shop 1?"
SHOPPING = (
    "Below left the baskets, a row for each; above right the prices, a column for each shop; where "
    "a row and a column cross, what that basket costs in that shop. Basket 1 and shop 1 are "
    "framed, and at their crossing stands {sum}. All costs, row by row: {costs}."
)
NARROW, WIDE, HIGH = 1.0, 1.55, 0.5  # cells of the baskets, of the shops; of all
ROOM = {"·": 0.8, "+": 1.6, "=": 1.6}  # of a sign of the sum; a digit has 1
LEFT, RIGHT, ABOVE, BELOW = 0.95, 3.8, 0.35, 2.15  # the edges at which the tables begin


def show_shopping(baskets, prices) -> None:
    """Show how much each basket costs in each shop, and how the first cost is made.

    baskets: a row for each, how many apples and pears, (t, 2).   prices: a column for each shop,
    (2, s)
    Raises: ValueError, if they are not about apples and pears.
    """
    baskets, prices = np.asarray(baskets), np.asarray(prices)
    if baskets.ndim != 2 or prices.ndim != 2 or not baskets.shape[1] == len(prices) == len(FRUIT):
        raise ValueError(
            f"baskets has shape {baskets.shape} and prices {prices.shape}: the picture is about "
            "apples and pears, so it needs two columns of baskets and two rows of prices"
        )
    costs = baskets @ prices
    width, height = RIGHT + WIDE * prices.shape[1] + 0.1, BELOW + HIGH * len(baskets) + 0.35
    figure = new_figure(7.0, 7.0 * height / width)
    axes = figure.subplots()
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    kinds = [say(kind) for kind in FRUIT]
    named = [say("basket {n}", n=number + 1) for number in range(len(baskets))]
    shops = [say("shop {n}", n=number + 1) for number in range(prices.shape[1])]
    first = np.arange(len(baskets))[:, None] + np.zeros(len(FRUIT)) == 0  # the first row
    look = {"wide": NARROW, "framed": first, "colour": QUERY}
    _draw_table(axes, (LEFT, BELOW), baskets, say("baskets"), named, kinds, **look)
    first = np.zeros((len(FRUIT), 1)) + np.arange(prices.shape[1]) == 0  # the first column
    look = {"wide": WIDE, "framed": first, "colour": KEY}
    _draw_table(axes, (RIGHT, ABOVE), prices, say("prices"), kinds, shops, **look)
    first = np.arange(costs.size).reshape(costs.shape) == 0
    look = {"wide": WIDE, "framed": first, "colour": INK, "written": False}
    _draw_table(axes, (RIGHT, BELOW), costs, say("costs: baskets @ prices"), [], [], **look)
    axes.text(0, ABOVE + HIGH, say(QUESTION), fontsize=TITLE, fontweight="bold", va="center")
    sum_ = _draw_sum(axes, baskets[0], prices[:, 0], costs[0, 0])
    words = say(SHOPPING, sum=sum_, costs=", ".join(f"{cost:g}" for cost in costs.flat))
    show_figure(figure, words, colours=24)


def _draw_table(
    axes, corner, table, name, rows, columns, *, wide, framed, colour, written=True
) -> None:
    """A table of numbers with its name above, names of the rows beside it and of the columns below.

    corner: above left.   wide: of a cell.   framed: which cells stand in the frame; in its colour,
    where they are written.
    """
    x, y = corner
    count, width = table.shape
    look = {"ha": "center", "va": "center", "fontsize": TEXT}
    axes.text(x + wide * width / 2, y - 0.2, name, **look)
    for (i, j), number in np.ndenumerate(table):
        cell = Rectangle((x + wide * j, y + HIGH * i), wide, HIGH)
        axes.add_patch(cell).set(facecolor="white", edgecolor=FAINT)
        strong = {"color": colour, "fontweight": "bold"} if framed[i, j] else {}
        if written or not framed[i, j]:
            axes.text(x + wide * (j + 0.5), y + HIGH * (i + 0.5), f"{number:g}", **look, **strong)
    down, across = framed.any(axis=1).sum(), framed.any(axis=0).sum()
    frame = Rectangle(corner, wide * across, HIGH * down, fill=False, edgecolor=colour)
    axes.add_patch(frame).set(linewidth=2.5, zorder=3)
    look["fontsize"] = SMALL
    for i, row in enumerate(rows):
        axes.text(x - 0.1, y + HIGH * (i + 0.5), row, **{**look, "ha": "right"})
    for j, column in enumerate(columns):
        axes.text(x + wide * (j + 0.5), y + HIGH * count + 0.2, column, **look)


def _draw_sum(axes, basket, shop, cost) -> str:
    """Where the first row and column cross: number times price, added up. Returns it in words."""
    signs = [(f"{basket[0]:g}", QUERY), ("·", INK), (f"{shop[0]:g}", KEY), ("+", INK),
             (f"{basket[1]:g}", QUERY), ("·", INK), (f"{shop[1]:g}", KEY), ("=", INK),
             (f"{cost:g}", INK)]  # fmt: skip
    rooms = [ROOM.get(sign, len(sign)) for sign, _ in signs]
    steps = np.cumsum(rooms) - np.array(rooms) / 2  # the middle of each
    step = min(0.155, (WIDE - 0.2) / sum(rooms))
    for (sign, colour), place in zip(signs, steps - sum(rooms) / 2, strict=True):
        axes.text(RIGHT + WIDE / 2 + step * place, BELOW + HIGH / 2, sign, color=colour,
                  ha="center", va="center", fontsize=SMALL, fontweight="bold")  # fmt: skip
    return " ".join(sign for sign, _ in signs)
