"""The dot product over the angle: a curve from where b began to where it is.

curve = CurveOfAngles(axes, largest=12.0, start=70)
curve.update(data, whole=False)           # from 70 degrees to data["angle"]
Drawing(update, moving=[*curve.artists])

Whole from the start, it would give away at which angle half is left, which is asked. It remembers
nothing: pictures are drawn ahead, too, and in any order.
"""

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, INK, SMALL
from course_lib.words import say

DEGREES = np.arange(0, 181, 3)  # of the angles at which the curve is computed


class CurveOfAngles:
    """The dot product over the angle, a dot where it is now, and half of the largest across."""

    def __init__(self, axes, largest: float, start: float):
        axes.set(xlim=(-4, 184), ylim=(-14.8, 14.8), xlabel=say("angle in degrees"))
        axes.set(xticks=(0, 45, 90, 135, 180), yticks=(-12, -6, 0, 6, 12))
        axes.set_xticklabels(["0", "", "90", "", "180"])
        axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
        half = largest / 2
        axes.axhline(half, color=GHOST, linewidth=1.6, linestyle=(0, (3, 2)), zorder=1)
        axes.text(182, half + 0.5, say("half of {largest:g}", largest=largest), color="#666666",
                  ha="right", va="bottom", fontsize=SMALL)  # fmt: skip
        title = axes.set_title("", fontweight="normal", fontsize=SMALL)
        (curve,) = axes.plot([], [], color=INK)
        (here,) = axes.plot([], [], "o", color=INK, markersize=9, clip_on=False)
        self._title, self._curve, self._here = title, curve, here
        self._start = start
        self.artists = [curve, here, title]

    def update(self, data, *, whole: bool) -> None:
        """Move the dot, and let the curve reach it from the start, or show every angle."""
        ends = (0, 180) if whole else sorted((self._start, data["angle"]))
        degrees = np.clip(DEGREES, *ends)
        self._curve.set_data(degrees, np.interp(degrees, DEGREES, data["curve"]))
        self._here.set_data([data["angle"]], [data["dot"]])
        self._title.set_text(
            say("a · b at every angle")
            if whole
            else say("a · b from {start}° to here", start=self._start)
        )
