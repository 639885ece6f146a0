"""Small tables of numbers in a picture: cells with fills, a frame around a row, words beside them.

table = Table(0, 0, 3, 4, wide=1.25)     # its corner, its rows and columns; y goes down
draw_cells(axes, table, fills, numbers)
draw_frame(axes, table, 2)               # around its last row
"""

from dataclasses import dataclass

from matplotlib.patches import Rectangle

from course_lib.figures.theme import GHOST, INK, SMALL


@dataclass(frozen=True)
class Table:
    """A table of cells: where its upper left corner is, how many cells, how wide they are."""

    x: float
    y: float
    rows: int
    columns: int
    wide: float = 1.0

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.columns * self.wide

    @property
    def middle(self) -> float:
        """Half way down."""
        return self.y + self.rows / 2

    @property
    def foot(self) -> float:
        """Its lower edge."""
        return self.y + self.rows


def draw_cells(axes, table: Table, fills, numbers, ink=INK, edge=GHOST) -> None:
    """Its cells; fills: a colour for each.   ink: a colour for all numbers, or one for each."""
    for i in range(table.rows):
        for j in range(table.columns):
            corner = (table.x + j * table.wide, table.y + i)
            axes.add_patch(Rectangle(corner, table.wide, 1, facecolor=fills[i][j], edgecolor=edge,
                                     linewidth=1.0, zorder=2))  # fmt: skip
            colour = ink if isinstance(ink, str) else ink[i][j]
            x = corner[0] + table.wide / 2
            draw_word(axes, x, corner[1] + 0.5, f"{numbers[i][j]:g}", color=colour)


def draw_frame(axes, table: Table, row: int, rows: int = 1) -> None:
    """A dark frame around a row of it, or around several."""
    axes.add_patch(Rectangle((table.x, table.y + row), table.right - table.x, rows, fill=False,
                             edgecolor=INK, linewidth=1.8, zorder=4))  # fmt: skip


def draw_word(axes, x: float, y: float, text: str, **look):
    """A word with its middle at x, y, unless `look` says otherwise."""
    look = {"ha": "center", "fontsize": SMALL, **look}
    return axes.text(x, y, text, va="center", zorder=3, **look)
