"""The table of scores in tiles: which one is on the chip, which were, which are never needed.

    table = TileTable(axes, n=12)
    # state: (n, n) of NOT_YET, DONE, ...; out: rows of the output that were brought back
    table.update(state, tile=(slice(0, 4), slice(4, 8)), out=4)
    Drawing(update, moving=table.artists)

Queries are rows, with their strip at the left and the outputs' at the right; keys and values are
columns, with theirs above. What is on the chip is framed in the table and filled in the strips.
"""

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Rectangle

from course_lib.figures.theme import FAINT, INK, KEY, OUTPUT, QUERY, SMALL, VALUE, WEIGHT
from course_lib.words import say

NOT_YET, DONE, NOW, SKIPPED = range(4)
COLOURS = ListedColormap(["#ffffff", "#c9ced6", WEIGHT, "#ececec"])
STRIP = 0.9  # how wide the strip of queries is, in cells


class TileTable:
    """A table of n by n scores with the strips of q, k, v and the output, updated in place."""

    def __init__(self, axes, n: int):
        self._n = n
        axes.set(xlim=(-3.2, n + 1.2), ylim=(n - 0.4, -4.0), aspect="equal")
        axes.set_axis_off()
        self._image = axes.imshow(
            np.full((n, n), NOT_YET), cmap=COLOURS, vmin=0, vmax=3, interpolation="none"
        )
        axes.set(xlim=(-3.2, n + 1.2), ylim=(n - 0.4, -4.0))
        for at in np.arange(n + 1) - 0.5:
            for x, y in (((-0.5, n - 0.5), (at, at)), ((at, at), (-0.5, n - 0.5))):
                axes.plot(x, y, color=FAINT, linewidth=0.5, zorder=2)
        self._q = self._strip(axes, "q", QUERY, -2.0, None)
        self._k = self._strip(axes, "k", KEY, None, -3.2)
        self._v = self._strip(axes, "v", VALUE, None, -1.9)
        self._out = self._strip(axes, "out", OUTPUT, n + 0.1, None, above=True)
        self._frame = axes.add_patch(_box((0, 0), 0, 0, INK, fill=False, linewidth=2.5, zorder=5))
        self._crosses = axes.plot([], [], "x", color="#6b6b6b", markersize=6, zorder=4)[0]
        strips = [self._q, self._k, self._v, self._out]
        self.artists = [self._image, *strips, self._frame, self._crosses]

    def _strip(self, axes, name, colour, x, y, above=False):
        n = self._n
        if y is None:
            place, size, label = (x, -0.5), (STRIP, n), (x - 0.45, n / 2 - 0.5)
        else:
            place, size, label = (-0.5, y), (n, STRIP), (-0.95, y + STRIP / 2)
        if above:
            label = (x + STRIP / 2, -1.1)
        axes.add_patch(_box(place, *size, colour, fill=False, linewidth=1))
        axes.text(
            *label, say(name), color=colour, fontweight="bold", ha="center", va="center",
            fontsize=SMALL + 1,
        )  # fmt: skip
        return axes.add_patch(_box(place, 0, 0, colour, fill=True, linewidth=0, zorder=3))

    def update(self, state, tile: tuple[slice, slice] | None = None, out: int = 0) -> None:
        """Show what became of each score, which tile is on the chip, and the outputs made so far.

        tile: rows, columns.   out: how many rows of the output are done, from the top.
        """
        state = np.asarray(state)
        self._image.set_data(state)
        rows, cols = np.nonzero(state == SKIPPED)
        self._crosses.set_data(cols, rows)
        none = slice(0, 0)
        down, right = tile if tile is not None else (none, none)
        high, wide = down.stop - down.start, right.stop - right.start
        self._q.set_bounds(-2.0, down.start - 0.5, STRIP if high else 0, high)
        self._k.set_bounds(right.start - 0.5, -3.2, wide, STRIP if wide else 0)
        self._v.set_bounds(right.start - 0.5, -1.9, wide, STRIP if wide else 0)
        self._out.set_bounds(self._n + 0.1, -0.5, STRIP if out else 0, out)
        self._frame.set_bounds(right.start - 0.5, down.start - 0.5, wide, high)
        self._frame.set_visible(bool(wide and high))


def _box(place, width, height, colour, **look) -> Rectangle:
    return Rectangle(place, width, height, edgecolor=colour, facecolor=colour, **look)
