"""Print: a table of numbers, with the names of its rows and columns."""

from collections.abc import Sequence

import numpy as np

GAP = 2  # spaces between two columns


def named_table(table, rows: Sequence[str], columns: Sequence[str], digits: int = 2) -> str:
    """Lines of numbers below the names of the columns, each after the name of its row.

    table: (rows, columns), anything that holds numbers.   digits: behind the point.
    """
    numbers = [[f"{float(one) + 0.0:.{digits}f}" for one in np.asarray(row)] for row in table]
    widths = [
        max(len(one) for one in column) + GAP for column in zip(columns, *numbers, strict=True)
    ]
    first = max(len(name) for name in rows)
    return "\n".join(
        f"{name:{first}}"
        + "".join(f"{one:>{width}}" for one, width in zip(line, widths, strict=True))
        for name, line in zip(("", *rows), (columns, *numbers), strict=True)
    )


def print_table(table, rows: Sequence[str], columns: Sequence[str], digits: int = 2) -> None:
    """Print a table with the names of its rows and columns."""
    print(named_table(table, rows, columns, digits))
