"""What all heads of a model look at: one small table each, layers below each other.

draw_maps(figure, model.maps(ids), lines=["first layer", "second layer"])
"""

import numpy as np

from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import FAINT, TEXT
from course_lib.words import say


def draw_maps(figure, maps, *, lines: list[str]):
    """A table for each head, white for a weight of 0 to dark for 1; rows are queries.

    maps: (layers, h, t, s)   lines: the name of each layer.
    Returns the axes. Raises: ValueError, if there is not a name for each layer.
    """
    maps = np.asarray(maps, dtype=float)
    if maps.ndim != 4 or len(lines) != len(maps):
        raise ValueError(f"maps has shape {maps.shape}; expected ({len(lines)}, h, t, s)")
    axes = figure.subplots(*maps.shape[:2], squeeze=False)
    for layer, (line, name) in enumerate(zip(axes, lines, strict=True)):
        line[0].set_ylabel(name, fontsize=TEXT)
        for head, one in enumerate(line):
            one.imshow(maps[layer, head], cmap=WEIGHTS, vmin=0, vmax=1, interpolation="none")
            one.set(xticks=[], yticks=[])
            one.spines[:].set(visible=True, color=FAINT)
            one.set_title(say("head {head}", head=head), fontweight="normal", fontsize=TEXT)
    return axes
