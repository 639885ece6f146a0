"""Picture: how the rows of a matrix that a word picks add up to its query."""

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_lib.chapters.queries_keys_values.steps import TRAITS
from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, QUERY, SMALL, TEXT, TITLE, new_figure
from course_lib.words import say

NAMES = ("thing", "action", "alive", "grammar")
ASKED = TRAITS["q"]
UNUSED = "#767676"  # numbers that do not count, still dark enough to be read
WIDE, HIGH = 0.74, 0.36  # inches: of a cell
WORD_AT, MATRIX_AT, TOP = 0.62, 4.86, 1.02  # inches: left ends, and where the first row begins
WIDTH, ABOVE_AND_BELOW = 6.8, 1.7  # inches: of the picture, and without the rows of the matrix
STORED = 3  # colours, and what the figures add for those that have a meaning


def _number(value: float) -> str:
    return signed(value, 0 if float(value).is_integer() else 2)


def _listed(row: Sequence[float]) -> str:
    return f"[{', '.join(_number(float(one)) for one in row)}]"


def _cells(axes, left: float, top: float, row, *, colours, weight="normal") -> None:
    """A row of cells with a number in each, from the left."""
    for i, (value, colour) in enumerate(zip(row, colours, strict=True)):
        axes.add_patch(
            Rectangle((left + i * WIDE, top), WIDE, HIGH, fill=False, edgecolor=FAINT, linewidth=1)
        )
        axes.text(
            left + (i + 0.5) * WIDE, top + HIGH / 2, _number(float(value)), color=colour,
            ha="center", va="center", fontsize=TEXT, fontweight=weight,
        )  # fmt: skip


def _frame(axes, left: float, top: float, count: int, colour: str = INK) -> None:
    axes.add_patch(
        Rectangle((left, top), count * WIDE, HIGH, fill=False, edgecolor=colour, linewidth=2.2,
                  zorder=3)
    )  # fmt: skip


def size_of(rows: int) -> tuple[float, float]:
    """Width and height of the picture in inches, for a matrix of so many rows."""
    return WIDTH, ABOVE_AND_BELOW + rows * HIGH


def draw_query(
    figure: Figure, word: str, x: np.ndarray, w_q: np.ndarray, names: Sequence[str] = NAMES
) -> None:
    """The row of a word; the matrix with the rows that it picks framed; below, their sum.

    x: (n,)   w_q: (n, 2)   names: n, of the rows; the columns have theirs with the usual ones.
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
    axes.text(MATRIX_AT, 0.56, say("w_q"), color=QUERY, va="center", fontsize=TEXT)
    for i, name in enumerate(names):
        axes.text(WORD_AT + (i + 0.5) * WIDE, TOP - 0.15, say(name), **middle)
        axes.text(
            MATRIX_AT - 0.1, TOP + (i + 0.5) * HIGH, say(name), fontsize=SMALL,
            color=INK if picked[i] else UNUSED, **beside,
        )  # fmt: skip
        shade = INK if picked[i] else UNUSED
        _cells(axes, MATRIX_AT, TOP + i * HIGH, w_q[i], colours=[shade] * 2)
        if picked[i]:
            _frame(axes, WORD_AT + i * WIDE, TOP, 1)
            _frame(axes, MATRIX_AT, TOP + i * HIGH, 2)
    for i, name in enumerate(ASKED if names is NAMES else ()):
        axes.text(MATRIX_AT + (i + 0.5) * WIDE, TOP - 0.15, say(name), color=QUERY, **middle)
    axes.text(WORD_AT - 0.1, TOP + HIGH / 2, word, fontsize=TEXT, **beside)
    axes.text((WORD_AT + len(x) * WIDE + MATRIX_AT - 0.8) / 2, TOP + HIGH / 2, "@", fontsize=TEXT,
              ha="center", va="center")  # fmt: skip
    _cells(axes, WORD_AT, TOP, x, colours=[INK if one else UNUSED for one in picked])
    _sum(axes, word, x, w_q, names)


def _sum(axes, word: str, x: np.ndarray, w_q: np.ndarray, names: Sequence[str]) -> None:
    """Below the matrix a line and the query, as below a sum; on its left the same in a line."""
    top, query = TOP + len(x) * HIGH + 0.2, x @ w_q
    axes.text(
        MATRIX_AT - 0.1, top + HIGH / 2, say("q of {word}", word=word), color=QUERY, ha="right",
        va="center", fontsize=TEXT, fontweight="bold",
    )  # fmt: skip
    _cells(axes, MATRIX_AT, top, query, colours=[QUERY] * 2, weight="bold")
    _frame(axes, MATRIX_AT, top, 2, QUERY)
    added = f"{_added(x, w_q, names)} = {_listed(query)}"
    left = 0.08 if _is_one_hot(x) else WORD_AT  # the longer line begins below the title
    axes.text(left, top + HIGH / 2, added, va="center", fontsize=TEXT)


def _is_one_hot(x: np.ndarray) -> bool:
    return sorted(x)[-2:] == [0, 1] and min(x) == 0


def _added(x: np.ndarray, w_q: np.ndarray, names: Sequence[str]) -> str:
    """The picked rows, added: a factor of 1 is not written, but with a one-hot word."""
    if _is_one_hot(x):
        return " + ".join(f"{_number(float(one))} · {_listed(row)}"
                          for one, row in zip(x, w_q, strict=True))  # fmt: skip
    factors = [(name, one, row) for name, one, row in zip(names, x, w_q, strict=True) if one != 0]
    return " + ".join(
        say(name) + " " + (f"{_number(float(one))} · " if one != 1 else "") + _listed(row)
        for name, one, row in factors
    )


def _finding(word: str, x: np.ndarray, names: Sequence[str]) -> str:
    if _is_one_hot(x):
        return say("{word} picks one row of the matrix as its query", word=word)
    picked = [say(name) for name, one in zip(names, x, strict=True) if one != 0]
    return say("{word} picks the rows {names}; added up they are its query", word=word,
               names=say(" and ").join(picked))  # fmt: skip


def describe_query(word: str, x: np.ndarray, w_q: np.ndarray, names: Sequence[str] = NAMES) -> str:
    """The picture in words."""
    said = [say(name) for name in names]
    return say(
        "The row of {word} in x is {row} for {most} and {last}. {finding}: {added} = {query}.",
        word=word, row=_listed(x), most=", ".join(said[:-1]), last=said[-1],
        finding=_finding(word, x, names), added=_added(x, w_q, names), query=_listed(x @ w_q),
    )  # fmt: skip


def show_query(word: str, x, w_q, names: Sequence[str] = NAMES) -> None:
    """Show how the query of one word comes from its row and the matrix.

    word: its name.   x: (n,), its numbers.   w_q: (n, 2)   names: n, of the numbers and the rows.
    """
    row, matrix = np.asarray(x, dtype=float), np.asarray(w_q, dtype=float)
    figure = new_figure(*size_of(len(names)))
    draw_query(figure, word, row, matrix, names)
    show_figure(figure, describe_query(word, row, matrix, names), colours=STORED)
