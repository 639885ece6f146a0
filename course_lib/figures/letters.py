"""A row of letters, and what is between them: who looks at whom, or who passes on to whom.

draw_looking(figure, "giraffe pogir", {"Head 2 looks back": (weights, range(1, 13))})
draw_passing_on(figure, "giraffe pogir")

and their parts:

draw_letters(axes, "giraffe pogir")
draw_looks(axes, weights, rows=(11, 12))       # arcs from those letters to what they look at
draw_chain(axes, 13)                           # or arrows, each to the next one
"""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from course_lib.figures.theme import INK, QUERY, TEXT, WEIGHT
from course_lib.words import say

SIDE = 0.8  # of a letter's box; letters stand 1 apart
WIDEST_LINE, LEAST_SHOWN = 3.5, 0.1


def draw_looking(figure, text: str, rows: dict[str, tuple]) -> None:
    """A row of letters for each head, with the arcs of those letters that look.

    rows: title -> the head's weights (t, t), and the places that look.
    """
    reach = [max(_longest(weights, row) for row in looking) for weights, looking in rows.values()]
    skies = [_sky(one) for one in reach]
    every = figure.subplots(len(rows), 1, squeeze=False, height_ratios=[1 + sky for sky in skies])
    for axes, sky, (title, (weights, looking)) in zip(
        every[:, 0], skies, rows.items(), strict=True
    ):
        draw_letters(axes, text, asks=tuple(looking), sky=sky)
        draw_looks(axes, weights, looking, title)


def draw_passing_on(figure, text: str) -> None:
    """Above, letters that pass on to the next one; below, the last one looks at all."""
    last, sky = len(text) - 1, _sky(len(text))
    above, below = figure.subplots(2, 1, height_ratios=(2, 1 + sky))
    draw_letters(above, text, sky=1.2)
    draw_chain(above, len(text), say("Passing on: {n} steps from the first to the last", n=last))
    draw_letters(below, text, asks=(last,), sky=sky)
    even = 0.4 * (1 - np.eye(len(text)))  # a look at itself would be one arc too many there
    draw_looks(below, even, (last,), say("Attention: every letter is one step away"))


def _longest(weights, row: int) -> int:
    """How far the farthest arc of a row goes."""
    return int(row - np.flatnonzero(np.asarray(weights)[row] >= LEAST_SHOWN).min())


def _sky(reach: int) -> float:
    """Room above the letters for arcs of this reach."""
    return 1.0 if reach <= 2 else min(2.6, 1.0 + 0.14 * reach)


def draw_letters(axes, text: str, *, asks=(), sky: float = 3.2) -> None:
    """The letters in boxes, from left to right; a space is a box with a low mark.

    asks: the places whose boxes have a thick frame.   sky: room above for arcs.
    """
    for place, letter in enumerate(text):
        strong = place in asks
        axes.add_patch(
            FancyBboxPatch(
                (place - SIDE / 2, -SIDE / 2), SIDE, SIDE,
                boxstyle="round,pad=0,rounding_size=0.12", facecolor="white",
                edgecolor=QUERY if strong else "#666666",
                linewidth=2.4 if strong else 1.0,
            )
        )  # fmt: skip
        axes.text(
            place, -0.03, "␣" if letter == " " else letter, ha="center", va="center",
            fontsize=TEXT + 1, color=QUERY if strong else INK,
            fontweight="bold" if strong else "normal",
        )  # fmt: skip
    axes.set(xlim=(-0.7, len(text) - 0.3), ylim=(-0.6, sky), xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def draw_looks(axes, weights, rows: tuple[int, ...], title: str = "") -> None:
    """An arc from each of `rows` back to the letters that it looks at, as thick as the weight.

    weights: (t, t), rows look, columns are looked at; arcs below .1 are left out.
    """
    for row in rows:
        for column in np.flatnonzero(np.asarray(weights)[row] >= LEAST_SHOWN):
            _arc(axes, row, int(column), WIDEST_LINE * weights[row][column])
    axes.set_title(title)


def draw_chain(axes, count: int, title: str = "") -> None:
    """A short arrow from each letter to the next."""
    for place in range(count - 1):
        _arc(axes, place, place + 1, 2.0)
    axes.set_title(title)


def _arc(axes, start: int, end: int, width: float) -> None:
    """From the top of one box to the top of another; above its own box for a look at itself."""
    aside = 0.2 if start == end else 0.12  # who looks, and who is looked at, beside each other
    begin = start + (aside if end >= start else 0.66 * min(1.0, (start - end) / 12) - 0.33)
    axes.add_patch(
        FancyArrowPatch(
            (begin, SIDE / 2), (end + (aside if end < start else -aside), SIDE / 2), color=WEIGHT,
            linewidth=width, connectionstyle=_Arch(axes, _peak(abs(end - start))),
            arrowstyle="-|>", mutation_scale=7 + 1.5 * width, shrinkA=1, shrinkB=2,
        )
    )  # fmt: skip


def _peak(reach: int) -> float:
    """How high an arc of this reach rises above the boxes: long ones over short ones."""
    return 0.4 if reach < 2 else 0.25 + 0.125 * reach


class _Arch:
    """Straight up, over, and straight down: arcs that begin side by side stay apart."""

    def __init__(self, axes, peak: float):
        self._axes, self._peak = axes, peak

    def __call__(self, pos_a, pos_b, **_) -> Path:
        (_, low), (_, high) = self._axes.transData.transform([(0, 0), (0, self._peak / 0.75)])
        lift = np.array([0.0, high - low])
        corners = [pos_a, pos_a + lift, pos_b + lift, pos_b]
        return Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
