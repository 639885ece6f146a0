"""Arcs over a row of letters, from who looks back to what is looked at, that move in place.

    arcs = draw_arcs(axes, 13, foot=0.5)     # 13 letters stand at x = 0 to 12, their tops at y = .5
    arcs.update(weights)                     # (t, t), rows look, columns are looked at
    Drawing(update, moving=[arcs.artist])

An arc is as thick as its weight, and weights below .1 have none. It ends in an arrowhead, unless a
letter looks at itself. The sentence of words in
figures/sentence.py has arcs of its own, one for each word.
"""

import numpy as np
from matplotlib.collections import LineCollection

from course_lib.figures.theme import WEIGHT

THICKEST, LEAST_SHOWN = 3.6, 0.1
LOWEST = 0.6  # height of the lowest arcs, to which their reach adds
TURN = np.linspace(0, np.pi, 24)
HEAD = np.array([(-0.17, 0.32), (0, 0), (0.17, 0.32), (0, 0)])  # of an arrow, from its tip


class Arcs:
    """All arcs of one head, as one artist."""

    def __init__(self, axes, count: int, foot: float, rise: float):
        self._count, self._foot, self._rise = count, foot, rise
        self.artist = axes.add_collection(
            LineCollection([], colors=WEIGHT, zorder=1, capstyle="round"), autolim=False
        )

    def update(self, weights) -> None:
        """Draw the arcs of other weights.

        weights: (t, t)
        Raises: ValueError, if there are not as many rows and columns as letters.
        """
        weights = np.asarray(weights, dtype=float)
        if weights.shape != (self._count, self._count):
            raise ValueError(f"weights have shape {weights.shape}, for {self._count} letters")
        pairs = np.argwhere(weights >= LEAST_SHOWN)
        self.artist.set_segments([self._arc(int(row), int(column)) for row, column in pairs])
        self.artist.set_linewidths([THICKEST * weights[row, column] for row, column in pairs])

    def _arc(self, row: int, column: int) -> np.ndarray:
        """Half an ellipse; a look at itself is a small one above its own letter."""
        reach = abs(row - column)
        half = reach / 2 if reach else 0.22
        height = LOWEST + self._rise * reach**0.6 if reach else LOWEST + 0.15
        middle = (row + column) / 2
        across = middle + half * np.cos(TURN)
        arc = np.column_stack([across, self._foot + height * np.sin(TURN)])
        return np.vstack([arc, arc[-1] + HEAD]) if reach else arc


def draw_arcs(axes, count: int, *, foot: float, rise: float = 0.75) -> Arcs:
    """Arcs over `count` letters, none of them yet.

    foot: the height at which they begin and end.   rise: how high they go, more for longer ones.
    """
    return Arcs(axes, count, foot, rise)
