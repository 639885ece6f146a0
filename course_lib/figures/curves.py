"""Curves, told apart by colour, by dashes and by name, so that no legend is needed.

    draw_curves(figure.subplots(), {"honest": losses, "one too far": others}, level=("ln 8", 2.08))
    draw_runs(figure.subplots(), {"with": [curve, curve], "without": [curve]}, [(8, 1), (90, 0)])

draw_curves: numbers over steps.   draw_runs: several training runs of each kind. Up to four names
each; the first writes them at the ends of the curves, the second where it is told.
"""

from collections.abc import Sequence

import numpy as np

from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE

DASHES = ("-", (0, (5, 2)), (0, (1, 1)), (0, (5, 2, 1, 2)))
LOOKS = tuple(zip((QUERY, KEY, VALUE, OUTPUT), DASHES, strict=True))
# What has no role is ink, lighter or darker, told apart by its dashes and its name.
RUN_LOOKS = ((INK, "-"), ("#5a5a5a", "--"), ("#3d3d3d", ":"), ("#707070", "-."))


def draw_curves(axes, curves: dict, *, level: tuple[str, float] | None = None):
    """Up to four curves over steps, each with its name at its end.

    curves: name -> numbers, one for each step.   level: name and height of a line to compare with.
    Returns the axes. Raises: ValueError for no curve or more than four.
    """
    _refuse_count("curves", curves)
    ends, longest = [], max(map(len, curves.values()))
    for (name, numbers), (colour, dashes) in zip(curves.items(), LOOKS, strict=False):
        axes.plot(numbers, color=colour, linestyle=dashes, linewidth=1.8)
        tail = list(numbers)[-max(1, len(numbers) // 10) :]
        ends.append((sum(tail) / len(tail), 1.02 * longest, name, colour, "bold"))
    if level is not None:
        axes.axhline(level[1], color=GHOST, linewidth=1, zorder=0)
        ends.append((level[1], 1.02 * longest, level[0], INK, "normal"))
    low, high = axes.get_ylim()
    _write_names(axes, ends, apart=0.08 * (high - low))
    axes.set_xlim(0, longest)
    return axes


def draw_runs(axes, runs: dict[str, list], places: list[tuple], window: int = 10):
    """One line a run, averaged over `window` steps; runs of one kind share colour and dashes.

    runs: by the name of its kind, the curves.   places: where each name stands.
    Returns the axes.
    Raises: ValueError for no kind or more than four, or not a place for each kind.
    """
    _refuse_count("kinds of runs", runs)
    if len(places) != len(runs):
        raise ValueError(f"places has {len(places)} places for {len(runs)} kinds of runs")
    for name, place, (colour, dashes) in zip(runs, places, RUN_LOOKS, strict=False):
        for curve in runs[name]:
            smooth = np.convolve(curve, np.ones(window) / window, "valid")
            steps = np.arange(len(smooth)) + window  # each point is the mean of the steps before it
            axes.plot(steps, smooth, linestyle=dashes, color=colour, linewidth=1.5)
        axes.text(*place, name, color=colour, fontsize=SMALL, fontweight="bold")
    axes.margins(x=0)
    return axes


def _refuse_count(what: str, named: dict) -> None:
    if not 1 <= len(named) <= len(LOOKS):
        raise ValueError(f"got {len(named)} {what}; one to {len(LOOKS)} can be told apart")


def _write_names(axes, ends: Sequence[tuple], *, apart: float, **options) -> None:
    """Each name beside the end of its curve; names that would meet are moved apart upwards.

    ends: (height, right, name, colour, weight).   apart: how far two names must be to be read.
    """
    height = -float("inf")
    for end, right, name, colour, weight in sorted(ends):
        height = max(end, height + apart)
        axes.text(
            right, height, name, color=colour, fontweight=weight, fontsize=SMALL, va="center",
            clip_on=False, **options,
        )  # fmt: skip
