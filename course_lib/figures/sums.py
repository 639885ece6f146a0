"""What each row and each column of a heat map adds up to, beside it and below it.

table = draw_weights(axes, weights, rows=words, columns=words)
sums = draw_sums(axes, weights)
sums.update(new); Drawing(update, moving=[*table.artists, *sums.artists])
"""

import numpy as np

from course_lib.figures.theme import INK, SMALL
from course_lib.words import say


class Sums:
    """The sums of the rows and columns of a table, as texts that can be updated in place."""

    def __init__(self, axes, table, *, number: str):
        table = np.asarray(table, dtype=float)
        rows, columns = self._shape = table.shape
        self._number = number
        text = {"ha": "center", "va": "center", "fontsize": SMALL, "fontweight": "bold"}
        places = [(columns, i) for i in range(rows)] + [(j, rows) for j in range(columns)]
        self.artists = [axes.text(x, y, "", color=INK, **text) for x, y in places]
        axes.set(xlim=(-0.5, columns + 0.5), ylim=(rows + 0.5, -0.5))
        for axis, size in ((axes.yaxis, rows), (axes.xaxis, columns)):
            names = [label.get_text() for label in axis.get_ticklabels()]
            if names:
                axis.set_ticks(range(size + 1), labels=[*names, say("sum")])
        self.update(table)

    def update(self, table) -> None:
        """Show the sums of another table of the same shape."""
        table = np.asarray(table, dtype=float)
        if table.shape != self._shape:
            raise ValueError(f"table has shape {table.shape}, but its sums {self._shape}")
        for text, total in zip(self.artists, [*table.sum(axis=1), *table.sum(axis=0)], strict=True):
            text.set_text(self._number.format(round(total, 9) + 0.0))


def draw_sums(axes, table, *, number: str = "{:.2f}") -> Sums:
    """Write the sum of each row to its right and the sum of each column below it.

    axes: those of a heat map, whose ticks get one more name, "sum".   table: (t, s)
    number: the format of a sum.
    """
    return Sums(axes, table, number=number)
