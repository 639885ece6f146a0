"""Weights as one strip of length 1, cut into a piece for each key.

    strip = Strip(axes, ["xiao", "shen"], weights)         # its start stays as a thin strip above
    strip.update(new); Drawing(update, moving=strip.artists)

A wide piece carries its name and its share, a narrow one has them below. Whatever the scores, the
strip is as long as before: that is what a learner takes from it.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

from course_lib.figures.ghosts import LINE
from course_lib.figures.heat_map import contrast
from course_lib.figures.numerals import share
from course_lib.figures.theme import GHOST, INK, SMALL, WEIGHT
from course_lib.words import say

LETTER = 0.0145  # of the axis from 0 to 1: the width of a letter in a picture of full width


class Strip:
    """A strip of pieces that can be updated in place.

    axes: made ready by `strip_axes`.   names: one for each weight; "" for a piece without a label.
    weights: (s,)   colours: of the pieces, where they are not all alike.
    bottom, height: where it lies.   ghost: whether the start stays above it.
    below: whether narrow pieces are named below; else they stay without a name.
    letter: the width of a letter, of the strip's length; larger where the picture is narrow.
    gap: letters between two names below.   few: a share below it is written with a third digit.
    Raises: ValueError, if there are not as many names as weights.
    """

    def __init__(
        self,
        axes,
        names: Sequence[str],
        weights: np.ndarray,
        *,
        colours: Sequence[str] | None = None,
        bottom: float = 0.0,
        height: float = 1.0,
        ghost: bool = True,
        below: bool = True,
        letter: float = LETTER,
        gap: float = 1.0,
        few: float = 0.0,
    ):
        if len(names) != len(weights):
            raise ValueError(f"{len(names)} names, but {len(weights)} weights")
        self.names, self.bottom, self.height = names, bottom, height
        self.below, self.letter, self.gap, self.few = below, letter, gap, few
        self.colours = list(colours or [WEIGHT] * len(names))
        if ghost:
            _thin_strip(axes, weights, bottom + 1.12 * height, 0.2 * height)
        self.pieces = [
            axes.add_patch(
                Rectangle((0, bottom), 0, height, facecolor=fill, edgecolor="white", linewidth=1.5)
            )
            for fill in self.colours
        ]
        self.labels = [axes.text(0, 0, "", fontsize=SMALL, ha="center", zorder=4) for _ in names]
        self.artists = [*self.pieces, *self.labels]
        for artist in self.artists:  # weights that add up to more than 1 leave the axes
            artist.set_in_layout(False)
        self.update(weights)

    def update(self, weights: np.ndarray) -> None:
        """Cut it into other pieces; what is below 0 has no width."""
        widths = np.maximum(np.asarray(weights, dtype=float), 0)
        ends = np.cumsum(widths)
        texts = [
            f"{name} {share(weight, 3 if 0.0005 <= weight < self.few else 2)}" if name else ""
            for name, weight in zip(self.names, weights, strict=True)
        ]
        needed = np.array([self.letter * len(text) for text in texts])
        lefts, rights = np.clip(ends - widths, 0, 1), np.clip(ends, 0, 1)  # as far as they are seen
        places = (lefts + rights) / 2
        narrow = np.flatnonzero((rights - lefts < needed + 0.01) & (needed > 0))
        places[narrow] = apart(places[narrow], needed[narrow] + self.gap * self.letter)
        for i, (piece, label) in enumerate(zip(self.pieces, self.labels, strict=True)):
            piece.set_bounds(ends[i] - widths[i], self.bottom, widths[i], self.height)
            outside = i in narrow
            label.set_text(texts[i] if self.below or not outside else "")
            label.set_x(places[i])
            label.set_y(self.bottom + self.height * (-0.12 if outside else 0.5))
            label.set_va("top" if outside else "center")
            label.set_color(INK if outside else ink_on(self.colours[i]))


def ink_on(fill: str) -> str:
    """White on dark fills, ink on light ones."""
    return "white" if contrast(to_rgb(fill), (1, 1, 1)) > 4.5 else INK


def apart(places: np.ndarray, widths: np.ndarray, low: float = 0.0, high: float = 1.0):
    """The places of labels in a row, moved aside as far as they would else overlap.

    places, widths: (n,), in rising order.   low, high: between which they stay, where they can.
    """
    moved = np.array(places, dtype=float)
    gaps = (widths[:-1] + widths[1:]) / 2
    for i in range(len(moved)):
        before = moved[i - 1] + gaps[i - 1] if i else low + widths[i] / 2
        moved[i] = max(moved[i], before)
    for i in reversed(range(len(moved))):
        behind = moved[i + 1] - gaps[i] if i + 1 < len(moved) else high - widths[i] / 2
        moved[i] = min(moved[i], behind)
    return moved


def _thin_strip(axes, weights: np.ndarray, bottom: float, height: float) -> None:
    """The outlines of the start."""
    left = 0.0
    for weight in np.maximum(weights, 0):
        axes.add_patch(
            Rectangle((left, bottom), weight, height, fill=False, edgecolor=GHOST, linewidth=1)
        )
        left += weight


def strip_axes(axes, label: str, *, low: float = -0.55, high: float = 1.4) -> None:
    """Make axes ready for strips: from 0 to 1, no frame, called `label`."""
    axes.set_label(label)
    axes.set(xlim=(-0.005, 1.005), ylim=(low, high))
    axes.set_axis_off()


def half_mark(axes, high: float = 1.15, at: float = 0.5, word: str = "half") -> None:
    """A dashed line above and below a strip where a goal lies, named above it."""
    for ends in ((1.0, high), (-0.2, 0.0)):
        axes.plot([at, at], ends, color=INK, zorder=3, **LINE)
    axes.text(at, high, say(word), ha="center", va="bottom", fontsize=SMALL, zorder=4)
