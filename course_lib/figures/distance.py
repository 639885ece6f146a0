"""How something fades with the distance: one line for each kind, on a scale of powers of ten.

draw_by_distance(figure.subplots(), {"RNN": sizes, "attention": other})
"""

import numpy as np

from course_lib.figures.theme import KEY, OUTPUT, QUERY, SMALL, VALUE

LINES = ((KEY, "-"), (OUTPUT, (0, (5, 2))), (QUERY, (0, (1, 1.2))), (VALUE, "-"))
RIGHT_OF_THE_LINE = 1.02


def draw_by_distance(axes, sizes: dict[str, np.ndarray]):
    """A line through the geometric mean of the seeds, a band from the smallest to the largest.

    Each line carries its name at its end; at most four lines, whose strokes differ too.

    sizes: name -> (number of seeds, length), all above 0; the column is the distance.
    Returns the axes. Raises: ValueError, if there are more than four lines, or lengths differ.
    """
    tables = {name: np.asarray(table, dtype=float) for name, table in sizes.items()}
    if not 1 <= len(tables) <= len(LINES):
        raise ValueError(f"there are {len(tables)} lines; expected 1 to {len(LINES)}")
    if len({table.shape[1] for table in tables.values()}) > 1:
        raise ValueError(f"the lengths differ: {[table.shape for table in tables.values()]}")
    for (name, table), (color, stroke) in zip(tables.items(), LINES, strict=False):
        distances = np.arange(table.shape[1])
        mean = np.exp(np.log(table).mean(axis=0))
        axes.fill_between(
            distances, table.min(0), table.max(0), color=color, alpha=0.2, linewidth=0
        )
        axes.plot(distances, mean, color=color, linestyle=stroke)
        axes.text(
            RIGHT_OF_THE_LINE * distances[-1], mean[-1], name, color=color, fontsize=SMALL,
            fontweight="bold", va="center",
        )  # fmt: skip
    axes.set(yscale="log", xlim=(0, distances[-1]))
    axes.minorticks_off()
    return axes
