"""Picture: how a one-hot word picks one row of a matrix as its query."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, QUERY, SMALL, TEXT, TITLE, new_figure
from course_lib.words import say

UNUSED = "#767676"  # numbers that do not count, still dark enough to be read
WIDE, HIGH = 0.74, 0.36  # inches: of a cell
WORD_AT, MATRIX_AT, TOP = 0.62, 4.86, 1.02  # inches: left ends, and where the first row begins
WIDTH, ABOVE_AND_BELOW = 6.8, 1.7  # inches: of the picture, and without the rows of the matrix
STORED = 3  # colours, and what the figures add for those that have a meaning


def _number(value: float) -> str:
    return signed(value, 0 if float(value).is_integer() else 2)


def listed(row: Sequence[float]) -> str:
    """Its numbers in brackets."""
    return f"[{', '.join(_number(float(one)) for one in row)}]"


def cells(axes, left: float, top: float, row, *, colours, weight="normal", wide=WIDE) -> None:
    """A row of cells with a number in each, from the left."""
    for i, (value, colour) in enumerate(zip(row, colours, strict=True)):
        axes.add_patch(
            Rectangle((left + i * wide, top), wide, HIGH, fill=False, edgecolor=FAINT, linewidth=1)
        )
        axes.text(
            left + (i + 0.5) * wide, top + HIGH / 2, _number(float(value)), color=colour,
            ha="center", va="center", fontsize=TEXT, fontweight=weight,
        )  # fmt: skip


def frame(axes, left: float, top: float, count: int, colour: str = INK, wide=WIDE) -> None:
    """A frame around so many cells, from the left."""
    axes.add_patch(
        Rectangle((left, top), count * wide, HIGH, fill=False, edgecolor=colour, linewidth=2.2,
                  zorder=3)
    )  # fmt: skip


def size_of(rows: int) -> tuple[float, float]:
    """Width and height of the picture in inches, for a matrix of so many rows."""
    return WIDTH, ABOVE_AND_BELOW + rows * HIGH


def draw_query(
    figure: Figure, word: str, x: np.ndarray, w_q: np.ndarray, names: Sequence[str]
) -> None:
    """The row of a word; the matrix with the row that it picks framed; below, the sum of all rows.

    x: (n,), one-hot   w_q: (n, 2)   names: n, of the rows.
    """
    figure.set_layout_engine("none")
    axes = figure.add_axes((0, 0, 1, 1))
    wide, high = size_of(len(names))
    axes.set(xlim=(0, wide), ylim=(high, 0))
    axes.set_axis_off()
    picked = [value != 0 for value in x]
    middle = {"ha": "center", "va": "center", "fontsize": SMALL}
    beside = {"ha": "right", "va": "center"}
    # The title leaves open which rows it picks: the chapter asks that above the picture.
    title = say("How {word} comes to its query", word=word)
    axes.text(0.08, 0.2, title, fontsize=TITLE, fontweight="bold", va="center")
    axes.text(WORD_AT, 0.56, say("x: the row of {word}", word=word), va="center", fontsize=TEXT)
    axes.text(MATRIX_AT, TOP - 0.2, say("w_q"), color=QUERY, va="center", fontsize=TEXT)
    for i, name in enumerate(names):
        axes.text(WORD_AT + (i + 0.5) * WIDE, TOP - 0.15, say(name), **middle)
        times = say("{factor} × {name}", factor=_number(float(x[i])), name=name)
        axes.text(
            MATRIX_AT - 0.1, TOP + (i + 0.5) * HIGH, times, fontsize=TEXT,
            color=INK if picked[i] else UNUSED, **beside,
        )  # fmt: skip
        shade = INK if picked[i] else UNUSED
        cells(axes, MATRIX_AT, TOP + i * HIGH, w_q[i], colours=[shade] * 2)
        if picked[i]:
            frame(axes, WORD_AT + i * WIDE, TOP, 1)
            frame(axes, MATRIX_AT, TOP + i * HIGH, 2)
    axes.text(WORD_AT - 0.1, TOP + HIGH / 2, word, fontsize=TEXT, **beside)
    cells(axes, WORD_AT, TOP, x, colours=[INK if one else UNUSED for one in picked])
    _sum(axes, word, x, w_q)


def _sum(axes, word: str, x: np.ndarray, w_q: np.ndarray) -> None:
    """Below the matrix the query, as below a sum."""
    top, query = TOP + len(x) * HIGH + 0.2, x @ w_q
    axes.text(
        MATRIX_AT - 0.1, top + HIGH / 2, say("added up: q of {word}", word=word), color=QUERY,
        ha="right", va="center", fontsize=TEXT, fontweight="bold",
    )  # fmt: skip
    cells(axes, MATRIX_AT, top, query, colours=[QUERY] * 2, weight="bold")
    frame(axes, MATRIX_AT, top, 2, QUERY)


def _added(x: np.ndarray, w_q: np.ndarray) -> str:
    """All rows with their factors, added."""
    return " + ".join(f"{_number(float(one))} · {listed(row)}"
                      for one, row in zip(x, w_q, strict=True))  # fmt: skip


def describe_query(word: str, x: np.ndarray, w_q: np.ndarray, names: Sequence[str]) -> str:
    """The picture in words."""
    said = [say(name) for name in names]
    return say(
        "The row of {word} in x is {row} for {most} and {last}. {word} picks one row of the matrix "
        "as its query: {added} = {query}.",
        word=word, row=listed(x), most=", ".join(said[:-1]), last=said[-1],
        added=_added(x, w_q), query=listed(x @ w_q),
    )  # fmt: skip


def show_query(word: str, x, w_q, names: Sequence[str]) -> None:
    """Show how the query of a one-hot word comes from its row and the matrix.

    word: its name.   x: (n,), one-hot.   w_q: (n, 2)   names: n, of the numbers and the rows.
    """
    row, matrix = np.asarray(x, dtype=float), np.asarray(w_q, dtype=float)
    figure = new_figure(*size_of(len(names)))
    draw_query(figure, word, row, matrix, names)
    show_figure(figure, describe_query(word, row, matrix, names), colours=STORED)
