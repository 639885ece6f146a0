"""What each row and each column of a heat map adds up to, beside it and below it.

table = draw_weights(axes, weights, rows=words, columns=words)
sums = draw_sums(axes, weights)
sums = draw_sums(axes, weights, colours=hues)   # a hue for each column: a row's bar is its strip
sums = draw_sums(axes, weights, one=2.5)        # the bars beside the rows are wider
sums.update(new); Drawing(update, moving=[*table.artists, *sums.artists])

The sum of a row of weights is a bar beside the row, and that of a column a bar below it, so that 1
is seen before it is read.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.numerals import share
from course_lib.figures.theme import FAINT, INK, SMALL, WEIGHT
from course_lib.words import say

LEFT, UNIT = 0.15, 0.8  # in cells: from the table to the bars, and a bar of 1
LONGEST = 2.2  # a bar that would be longer is cut off; its number is not


class Sums:
    """The sums of the rows and columns of a table, which can be updated in place."""

    def __init__(self, axes, table: np.ndarray, colours: Sequence[str] | None, one: float):
        table = np.asarray(table, dtype=float)
        rows, columns = self._shape = table.shape
        start, self._one = columns - 0.5 + LEFT, one
        self._start = start
        under = self._under = rows - 0.5 + LEFT
        axes.set(xlim=(-0.5, start + one + 1.1), ylim=(under + LONGEST * UNIT + 0.1, -0.5))
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.tick_params(length=0)
        axes.plot([start + one] * 2, [-0.5, rows - 0.5], color=INK, linewidth=1.2, linestyle=":")
        axes.text(start + one, -0.56, say("1"), fontsize=SMALL, ha="center", va="bottom")
        axes.plot([start] * 2, [-0.5, rows - 0.5], color=FAINT, linewidth=1)
        axes.plot(
            [-0.5, columns - 0.5], [under + UNIT] * 2, color=INK, linewidth=1.2, linestyle=":"
        )
        axes.text(-0.62, under + UNIT, say("1"), fontsize=SMALL, ha="right", va="center")
        axes.plot([-0.5, columns - 0.5], [under] * 2, color=FAINT, linewidth=1)
        look = {"fontsize": SMALL, "va": "center", "color": INK}
        hues = list(colours or [WEIGHT] * columns)
        self._in_pieces = colours is not None
        pieces = hues if self._in_pieces else [WEIGHT]
        self._bars = [
            [axes.add_patch(Rectangle((start, i - 0.22), 0, 0.44, facecolor=hue)) for hue in pieces]
            for i in range(rows)
        ]
        self._right = [axes.text(start, i, "", ha="left", **look) for i in range(rows)]
        self._hanging = [
            axes.add_patch(Rectangle((j - 0.22, under), 0.44, 0, facecolor=hue))
            for j, hue in enumerate(hues)
        ]
        self._below = [axes.text(j, under, "", ha="center", **look) for j in range(columns)]
        self.artists = [
            *(piece for bar in self._bars for piece in bar),
            *self._right,
            *self._hanging,
            *self._below,
        ]
        self.update(table)

    def update(self, table: np.ndarray) -> None:
        """Show the sums of another table of the same shape."""
        table = np.asarray(table, dtype=float)
        if table.shape != self._shape:
            raise ValueError(f"table has shape {table.shape}, but its sums {self._shape}")
        for bar, text, row in zip(self._bars, self._right, table, strict=True):
            parts = np.cumsum(row) if self._in_pieces else row.sum(keepdims=True)
            ends = self._one * np.clip(parts, 0, LONGEST)
            for piece, left, right in zip(bar, np.r_[0, ends[:-1]], ends, strict=True):
                piece.set(x=self._start + left, width=right - left)
            length, total = float(ends[-1]), row.sum()
            text.set_text(share(round(total, 9)))
            text.set_x(self._start + max(length, self._one) + 0.1)
        for bar, text, total in zip(self._hanging, self._below, table.sum(axis=0), strict=True):
            length = UNIT * float(np.clip(total, 0, LONGEST))
            bar.set_height(length)
            text.set_text(share(round(total, 9)))
            text.set_y(self._under + max(length, UNIT) + 0.27)


def draw_sums(
    axes, table: np.ndarray, colours: Sequence[str] | None = None, one: float = UNIT
) -> Sums:
    """Draw the sum of each row as a bar to its right, and that of each column as a bar below it.

    axes: those of a heat map; its names of columns move above it.   table: (t, s), weights
    colours: a hue for each column; then a bar beside a row shows what it gives to each.
    one: in cells, how long a row's bar of 1 is.
    """
    return Sums(axes, table, colours, one)
