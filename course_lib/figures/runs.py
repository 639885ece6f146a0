"""Curves of several training runs: a colour and a line style for each kind, named beside it.

draw_runs(axes, {"with": [curve, curve], "without": [curve]}, [(8, 0.8), (90, 0.4)])
"""

import numpy as np

from course_lib.figures.theme import KEY, OUTPUT, QUERY, SMALL, VALUE

LOOKS = ((QUERY, "-"), (KEY, "--"), (OUTPUT, ":"), (VALUE, "-."))


def draw_runs(axes, runs: dict[str, list], places: list[tuple], window: int = 10):
    """One line a run, averaged over `window` steps; runs of one kind share colour and dashes.

    runs: by the name of its kind, the curves.   places: where each name stands.
    Returns the axes.
    Raises: ValueError, if there are more kinds than looks, or not a place for each kind.
    """
    if len(runs) > len(LOOKS):
        raise ValueError(f"there are {len(runs)} kinds of runs; {len(LOOKS)} can be told apart")
    if len(places) != len(runs):
        raise ValueError(f"places has {len(places)} places for {len(runs)} kinds of runs")
    looks = LOOKS[: len(runs)]
    for name, place, (colour, dashes) in zip(runs, places, looks, strict=True):
        for curve in runs[name]:
            smooth = np.convolve(curve, np.ones(window) / window, "valid")
            steps = np.arange(len(smooth)) + window  # each point is the mean of the steps before it
            axes.plot(steps, smooth, linestyle=dashes, color=colour, linewidth=1.5)
        axes.text(*place, name, color=colour, fontsize=SMALL, fontweight="bold")
    axes.margins(x=0)
    return axes
