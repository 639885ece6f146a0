"""How numbers are spread: named histograms in one frame, and one number against another.

draw_histograms(axes, {"d = 2": cosines}, bins=np.linspace(-1, 1, 101), places=[(-0.9, 1.2)])
draw_cloud(axes, frequencies, lengths, marked={"cat": 3, "kitten": 17})
"""

import numpy as np
from matplotlib.patheffects import withStroke

from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, TEXT

COLOURS = (QUERY, KEY, INK, OUTPUT)
EDGE = withStroke(linewidth=3, foreground="white")  # keeps a name clear of the dots


def draw_histograms(axes, samples: dict[str, np.ndarray], bins: np.ndarray, places):
    """One outline a sample, equal in area, each with its name beside it.

    samples: from name to numbers, at most four.   bins: the edges.   places: where the names stand,
    (x, y) in the units of the axes.   Returns the axes, without ticks on y.
    Raises: ValueError, if there are more than four samples, or not as many places as samples.
    """
    if len(samples) > len(COLOURS) or len(samples) != len(places):
        raise ValueError(
            f"{len(samples)} samples and {len(places)} places; expected a place for each of at "
            f"most {len(COLOURS)} samples"
        )
    styles = ("-", (0, (5, 1)), (0, (1, 1)), "-.")
    for (name, values), colour, style, place in zip(
        samples.items(), COLOURS, styles, places, strict=False
    ):
        heights, _ = np.histogram(values, bins, density=True)
        axes.stairs(heights, bins, color=colour, linewidth=2, linestyle=style, baseline=None)
        axes.text(*place, name, color=colour, fontsize=TEXT)
    axes.set(yticks=[], xlim=(bins[0], bins[-1]))
    axes.set_ylim(bottom=0)
    axes.spines["left"].set_visible(False)
    return axes


def draw_cloud(axes, x: np.ndarray, y: np.ndarray, marked: dict[str, int]):
    """A dot for each pair of numbers on two logarithmic axes; some are marked with their names.

    x, y: (n,), above 0.   marked: from name to place in x and y.   Returns the axes.
    Raises: ValueError, if x and y differ in size or hold a number that has no logarithm.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if x.shape != y.shape or not (x > 0).all() or not (y > 0).all():
        raise ValueError(f"x {x.shape} and y {y.shape} need one shape and numbers above 0")
    axes.loglog(x, y, "o", color=INK, alpha=0.45, markersize=5, markeredgewidth=0)
    for name, place in marked.items():
        axes.loglog(x[place], y[place], "D", color=KEY, markersize=7)
        axes.annotate(
            name, (x[place], y[place]), xytext=(6, 24), textcoords="offset points",
            ha="right", color=KEY, fontsize=TEXT, fontweight="bold", path_effects=[EDGE],
            arrowprops={"arrowstyle": "-", "color": KEY, "shrinkA": 0, "shrinkB": 4},
        )  # fmt: skip
    axes.margins(x=0.15)
    axes.minorticks_off()
    return axes
