"""Picture: the rows that a word picks in three matrices add up to its query, key and value."""

import numpy as np
from matplotlib.figure import Figure

from course_lib.chapters.queries_keys_values.one_query import HIGH, UNUSED, cells, frame, listed
from course_lib.chapters.queries_keys_values.steps import TRAITS
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TEXT, TITLE, VALUE, new_figure
from course_lib.words import say

NAMES = ("thing", "action", "alive", "grammar")
MADE = (  # of each matrix: its name, the vector, what a column says, its colour and its left end
    ("w_q", "q", "looks for", QUERY, 0.95),
    ("w_k", "k", "offers", KEY, 2.71),
    ("w_v", "v", "hands over", VALUE, 4.47),
)
SIZE = (6.8, 4.16)  # inches
WIDE, AT, ROW = 0.76, 0.95, 0.82  # inches: of a cell; left end and top of the word's row
HEAD, TOP, SUM = 1.5, 1.96, 3.58  # inches: the names of the matrices, their first rows, the sums
STORED = 4  # colours, and what the figures add for those that have a meaning


def draw_vectors(figure: Figure, word: str, x: np.ndarray, matrices) -> None:
    """The row of a word; three matrices with the rows that it picks framed; below, their sums.

    x: (4,), of 0 and 1   matrices: w_q (4, 2), w_k (4, 2), w_v (4, 3)
    """
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))
    axes.set_axis_off()
    title = say("How {word} comes to its three vectors", word=word)
    axes.text(0.08, 0.2, title, fontsize=TITLE, fontweight="bold", va="center")
    middle, beside = {"ha": "center", "va": "center"}, {"ha": "right", "va": "center"}
    shades = [INK if one else UNUSED for one in x]
    axes.text(AT - 0.1, ROW + HIGH / 2, word, fontsize=TEXT, **beside)
    cells(axes, AT, ROW, x, colours=shades, wide=WIDE)
    beside_it = say("x: the row of {word}", word=word)
    axes.text(AT + len(x) * WIDE + 0.15, ROW + HIGH / 2, beside_it, fontsize=TEXT, va="center")
    for i, (name, shade) in enumerate(zip(NAMES, shades, strict=True)):
        axes.text(AT + (i + 0.5) * WIDE, ROW - 0.15, say(name), fontsize=SMALL, **middle)
        axes.text(AT - 0.1, TOP + (i + 0.5) * HIGH, say(name), fontsize=SMALL, color=shade,
                  **beside)  # fmt: skip
        if x[i]:
            frame(axes, AT + i * WIDE, ROW, 1, wide=WIDE)
    axes.text(AT - 0.1, SUM + HIGH / 2, say("added up"), fontsize=SMALL, **beside)
    for (name, vector, says, colour, left), matrix in zip(MADE, matrices, strict=True):
        heading = say("{name}: {says}", name=name, says=say(says))
        axes.text(left, HEAD, heading, color=colour, fontsize=TEXT, va="center")
        for j, trait in enumerate(TRAITS[vector]):
            axes.text(left + (j + 0.5) * WIDE, TOP - 0.15, say(trait), color=colour,
                      fontsize=SMALL, **middle)  # fmt: skip
        count = len(matrix[0])
        for i, row in enumerate(matrix):
            cells(axes, left, TOP + i * HIGH, row, colours=[shades[i]] * count, wide=WIDE)
            if x[i]:
                frame(axes, left, TOP + i * HIGH, count, wide=WIDE)
        cells(axes, left, SUM, x @ matrix, colours=[colour] * count, weight="bold", wide=WIDE)
        frame(axes, left, SUM, count, colour, wide=WIDE)


def describe_vectors(word: str, x: np.ndarray, matrices) -> str:
    """The picture in words."""
    picked = say(" and ").join(say(name) for name, one in zip(NAMES, x, strict=True) if one)
    query, key, value = (
        " + ".join(listed(row) for row, one in zip(matrix, x, strict=True) if one)
        + f" = {listed(x @ matrix)}"
        for matrix in matrices
    )
    return say(
        "The row of {word} is {row}, so it picks the rows {picked} of each matrix and adds them "
        "up. Query: {query}. Key: {key}. Value: {value}.",
        word=word, row=listed(x), picked=picked, query=query, key=key, value=value,
    )  # fmt: skip


def show_vectors(word: str, x, w_q, w_k, w_v) -> None:
    """Show how the query, the key and the value of one word come from its row and three matrices.

    word: its name.   x: (4,), of 0 and 1.   w_q, w_k: (4, 2)   w_v: (4, 3)
    """
    row = np.asarray(x, dtype=float)
    matrices = [np.asarray(one, dtype=float) for one in (w_q, w_k, w_v)]
    figure = new_figure(*SIZE)
    draw_vectors(figure, word, row, matrices)
    show_figure(figure, describe_vectors(word, row, matrices), colours=STORED)
