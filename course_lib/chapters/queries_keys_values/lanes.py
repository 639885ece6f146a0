"""Arrows of one direction, drawn side by side, and the note that says so."""

import numpy as np

from course_lib.chapters.queries_keys_values.names import ALONG, HIGH, size_of
from course_lib.figures.theme import INK, SMALL
from course_lib.words import say

NARROW = np.radians(8)  # two arrows with a smaller angle hide each other: one steps aside
LANE = 0.2  # how far it steps aside, at most


def lanes(tips: np.ndarray, words: int) -> np.ndarray:
    """How far each arrow steps aside, so that those of one direction lie side by side.

    tips: (n, 2)   words: so many of the first step aside, the others stay.   returns: (n, 2)
    """
    aside, angles = np.zeros_like(tips), np.arctan2(tips[:, 1], tips[:, 0])
    for i, lane in zip(range(words), (1, 2, -1), strict=False):
        others = np.delete(angles, i) - angles[i]
        apart = np.abs((others + np.pi) % (2 * np.pi) - np.pi).min()
        across = np.array([-np.sin(angles[i]), np.cos(angles[i])])
        aside[i] = max(0.0, 1 - apart / NARROW) * LANE * lane * across
    return aside


class Aside:
    """What says why arrows begin beside 0, or end too soon: where the plane is empty."""

    name = "close together:\ndrawn side by side"
    short = "too long for here:\ndrawn shorter"
    both = "side by side, and\nshorter, to fit in"

    def __init__(self, plane, room):
        self.room = room
        self.artist = plane.text(
            0, 0, say(self.name), color=INK, fontsize=SMALL, ha="center", va="center", zorder=5,
            linespacing=1.1, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip

    def move(self, tips, aside, cut: bool) -> np.ndarray:
        """Show it where an arrow has stepped aside so far that this is seen, or is `cut`.

        Returns: lines through its words (n, 2, 2), which no name should hide; none if not shown.
        """
        stepped = bool(np.abs(aside).max() > LANE / 4)
        says = say(self.both if stepped and cut else self.short if cut else self.name)
        half = size_of(max(says.split("\n"), key=len)) / 2 * (1, 2)  # two lines
        places = np.array([(0, self.room.lowest + HIGH), (0, self.room.highest - HIGH)])
        if float(np.mean(tips[:, 1])) < 0:
            places = places[::-1]
        along = (aside + ALONG[:, None] * tips).reshape(-1, 2)
        covers = (np.abs(along[:, None] - places) < half).all(axis=-1).sum(axis=0)
        at = places[np.argmin(covers)]
        self.artist.set(position=at, text=says, visible=stepped or cut)
        lines = [[at + half * (-1, high), at + half * (1, high)] for high in (-1, 0, 1)]
        return np.array(lines) if stepped or cut else np.empty((0, 2, 2))
