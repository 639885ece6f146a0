"""Hatched ground: cells of a table that a mask hides.

    draw_hatched(axes, rows=5, columns=6)           # all of it, drawn once, at the bottom
    draw_weights(axes, only_open(weights, allowed)) # what is open lies over it

A hidden cell has no number, so that it is not taken for a weight that happens to be 0.
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.theme import FAINT, GHOST


def draw_hatched(axes, *, rows: float, columns: float, left: float = -0.5, top: float = -0.5):
    """A hatched rectangle of `rows` times `columns` cells, each of size 1, below all else.

    left, top: the corner of the first cell.   Returns the rectangle.
    """
    ground = Rectangle((left, top), columns, rows, facecolor="white", edgecolor=GHOST, hatch="////")
    ground.set(linewidth=0, zorder=0)
    return axes.add_patch(ground)


def draw_cell_frames(axes, *, rows: int, columns: int, left: float = -0.5, top: float = -0.5):
    """Thin lines between the cells. Returns the axes."""
    right, bottom = left + columns, top + rows
    axes.hlines(top + np.arange(rows + 1), left, right, color=FAINT, linewidth=1, zorder=3)
    axes.vlines(left + np.arange(columns + 1), top, bottom, color=FAINT, linewidth=1, zorder=3)
    return axes


def staircase(rows: int, first: float) -> tuple[np.ndarray, np.ndarray]:
    """The x and y of an edge that moves one column to the right with each row.

    first: where it stands in row 0 (0.5: between what a causal mask lets row 0 see and the rest).
    """
    steps = np.repeat(np.arange(rows + 1), 2)
    return steps[:-2] + first, steps[1:-1] - 0.5


def only_open(table, allowed) -> np.ma.MaskedArray:
    """The table, masked where nothing may be seen: the hatching shows there.

    Shapes: table (t, s), allowed (t, s), True where the query may look -> (t, s)
    """
    return np.ma.masked_where(~np.asarray(allowed, dtype=bool), np.asarray(table, dtype=float))
