"""Several small tables of numbers side by side, such as the steps of one computation.

draw_tables(figure, [[("x", x), ("q", q)], [("scores", scores), ("weights", weights)]])
"""

import numpy as np

from course_lib.figures.heat_map import draw_scores, draw_weights


def draw_tables(figure, lines, *, rows=None, columns=None, number="{:.3g}") -> list:
    """Rows of tables, each under its name and shape, all in the colours of scores.

    A table named "weights" has the colours of weights. Every table gets the room that its columns
    need.

    lines: for each line of the picture its tables, (name, (t, s)).   rows: names of the rows of
    the first table of each line.   columns: names of the columns, below each table that has as
    many.   number: the format of a cell.   Returns the heat maps, in order.
    Raises: ValueError, if a table has not two axes.
    """
    lines = [[(name, np.asarray(table, dtype=float)) for name, table in line] for line in lines]
    for name, table in (pair for line in lines for pair in line):
        if table.ndim != 2:
            raise ValueError(f"{name} has shape {table.shape}, but a table has rows and columns")
    heights = [max(len(table) for _, table in line) for line in lines]
    grid = figure.add_gridspec(len(lines), 1, height_ratios=heights)
    maps = []
    for place, line in enumerate(lines):
        widths = [table.shape[1] for _, table in line]
        cells = grid[place].subgridspec(1, len(line), width_ratios=widths)
        for column, (name, table) in enumerate(line):
            axes = figure.add_subplot(cells[column])
            draw = draw_weights if name == "weights" else draw_scores
            left = rows if column == 0 and rows is not None and len(rows) == len(table) else None
            below = columns if columns is not None and len(columns) == table.shape[1] else None
            maps.append(draw(axes, table, rows=left, columns=below, number=number))
            if below is not None:  # a word is wider than its column
                axes.tick_params("x", rotation=90)
            axes.set_title(f"{name} {table.shape}")
    return maps
