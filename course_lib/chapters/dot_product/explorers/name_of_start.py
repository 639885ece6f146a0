"""The word *start* at the grey arrow that an explorer leaves behind.

began = NameOfStart(plane, data["b"])    # of the start
began.update(data["b"])                  # of another setting
Drawing(update, moving=[began.text])
"""

import numpy as np

from course_lib.figures.theme import SMALL
from course_lib.words import say

LEFT_BEHIND = 0.6  # so far the tip must be from its start for that to have a name


class NameOfStart:
    """The name of the arrow at the start, once another one does not lie on it."""

    def __init__(self, plane, tip):
        self.tip = np.array(tip, dtype=float)
        look = {"color": "#666666", "fontsize": SMALL, "ha": "center", "va": "center"}
        self.text = plane.text(self.tip[0], self.tip[1] + 0.4, say("start"), **look)

    def update(self, tip) -> None:
        """Show the name where the arrow has left its start."""
        self.text.set_visible(bool(np.hypot(*(tip - self.tip)) > LEFT_BEHIND))
