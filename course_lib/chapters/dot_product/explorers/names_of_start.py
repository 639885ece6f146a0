"""The word *start* at what explorer `two_vectors` leaves behind: the first arrow, the first curve.

began = NamesOfStart(plane, curves, data)    # of the start
began.update(data)                           # of another setting
Drawing(update, moving=[*began.artists])
"""

import numpy as np

from course_lib.figures.theme import SMALL
from course_lib.words import say

LEFT_BEHIND = 0.6  # so far the tip must be from its start for that to have a name
APART = 0.8  # and the largest area, for the curve to have one
ABOVE, BELOW = 13.4, 8.4  # the name of the curve: outside of a lower one, inside of a higher one


class NamesOfStart:
    """The name of what stands in grey: the arrow b and the curve as they were at the start."""

    def __init__(self, plane, curves, data):
        self._b, self._largest = data["b"], float(data["a"][0] * np.hypot(*data["b"]))
        look = {"color": "#666666", "fontsize": SMALL, "va": "center"}
        x, y = self._b
        self._arrow = plane.text(x, y + 0.4, say("start"), ha="center", **look)
        self._curve = curves.text(2, 0, say("start"), ha="left", **look)
        self.artists = [self._arrow, self._curve]

    def update(self, data) -> None:
        """Each is named where it does not lie below what moves; the curve on its free side."""
        self._arrow.set_visible(bool(np.hypot(*(data["b"] - self._b)) > LEFT_BEHIND))
        largest = float(data["a"][0] * np.hypot(*data["b"]))
        self._curve.set_visible(abs(largest - self._largest) > APART)
        self._curve.set_y(ABOVE if largest < self._largest else BELOW)
