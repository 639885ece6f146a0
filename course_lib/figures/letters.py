"""A row of letters, and what is between them: who looks at whom, or who passes on to whom.

draw_looking(figure, "giraffe pogir", {"Head 2 looks back": (weights, range(1, 13))})
draw_passing_on(figure, "giraffe pogir")

and their parts:

draw_letters(axes, "giraffe pogir")
draw_looks(axes, weights, rows=(11, 12))       # arcs from those letters to what they look at
draw_arc(axes, 12, 3, peak=1.9)                # or one arc, as high and as pale as you like
draw_lines_below(axes, 3, [("before me: r", KEY)])       # what is written under a letter
draw_weights_below(axes, weights, "weight")    # or how much of a look each letter gets, of 100
draw_chain(axes, "giraffe pogir")              # or a memory above each letter, passed on
"""

from typing import Any

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from matplotlib.transforms import Affine2D, ScaledTranslation

from course_lib.figures.fonts import MONO, families
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TEXT, VALUE, WEIGHT
from course_lib.words import say

SIDE = 0.8  # of a letter's box; letters stand 1 apart
WIDEST_LINE, LEAST_SHOWN = 3.5, 0.1
WIDTH_OF_SIGN = 0.0155  # of a bold SMALL one, as a share of a picture of 7 inches
GREY, MOST_NUMBERED = "#666666", 20  # letters: more have no room for a number each
LINE = 0.5  # height of a line that is written below a letter
MEMORY, HALF = (0.85, 2.75), 0.32  # foot and top of the memories of a chain, and half their width
ROOM = 4.6  # lines of a memory above the newest letter: where there are more, they move together
FADE, BLUR, COPIES = 0.86, 0.34, 24  # a letter at each step: its darkness, points that it spreads
ROOM_FOR_AGE = 1.2  # letters: on the right, for the names of the newest and the oldest


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
    """Above, a memory that is passed on from letter to letter; below, the last looks at all."""
    last, sky, top = len(text) - 1, _sky(len(text)), MEMORY[1] + 0.2
    figure.headline(say("From the first letter to the last: {n} steps, or one", n=last))
    above, below = figure.subplots(2, 1, height_ratios=(0.6 + top, 0.6 + sky))
    draw_letters(above, text, handed=(0,), sky=top)
    draw_chain(above, text, watched=0)
    for height, name in ((0.2, say("newest")), (0.87, say("oldest"))):  # in the last memory
        y = MEMORY[0] + height * (MEMORY[1] - MEMORY[0])
        above.text(last + HALF + 0.12, y, name, va="center", fontsize=SMALL, color=GREY)
    _name_panel(
        above, say("Passing on: one memory, rewritten at each step, and what is old is blurred")
    )
    draw_letters(below, text, asks=(last,), handed=(0,), sky=sky)
    even = 0.4 * (1 - np.eye(len(text)))  # a look at itself would be one arc too many there
    draw_looks(below, even, (last,))
    _name_panel(below, say("Attention: every letter is one step away"))
    for axes in (above, below):
        axes.set_xlim(right=last + 0.55 + ROOM_FOR_AGE)


def _name_panel(axes, name: str) -> None:
    """What one of several panels shows, above its left edge."""
    axes.set_title(name, loc="left", fontsize=TEXT, fontweight="normal")


def _longest(weights, row: int) -> int:
    """How far the farthest arc of a row goes."""
    return int(row - np.flatnonzero(np.asarray(weights)[row] >= LEAST_SHOWN).min())


def _sky(reach: int) -> float:
    """Room above the letters for arcs of this reach."""
    return 1.0 if reach <= 2 else min(2.6, 1.0 + 0.14 * reach)


def draw_letters(
    axes, text: str, *, asks=(), noted=(), handed=(), sky: float = 3.2, lines: int = 0
) -> None:
    """The letters in boxes, from left to right; a space is a box with a low mark.

    asks, noted, handed: the places whose boxes have a thick frame, in the colour of queries, of
    keys or of values.
    sky: room above for arcs.   lines: how many lines are to be written below.
    """
    for place, letter in enumerate(text):
        kinds = ((QUERY, asks), (KEY, noted), (VALUE, handed))
        colour = next((colour for colour, places in kinds if place in places), None)
        axes.add_patch(
            FancyBboxPatch(
                (place - SIDE / 2, -SIDE / 2), SIDE, SIDE,
                boxstyle="round,pad=0,rounding_size=0.12", facecolor="white",
                edgecolor=colour or "#666666",
                linewidth=2.4 if colour else 1.0,
            )
        )  # fmt: skip
        axes.text(
            place, -0.03, visible(letter), ha="center", va="center",
            fontsize=TEXT + 1, color=colour or INK,
            fontweight="bold" if colour else "normal",
        )  # fmt: skip
    axes.set(xlim=(-0.7, len(text) - 0.3), ylim=(-0.6 - 0.9 * LINE * lines, sky))
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def visible(letter: str) -> str:
    """A letter as it is shown: a space is a low mark."""
    return "␣" if letter == " " else letter


def draw_lines_below(axes, place: int, lines: list[tuple[str, str]]) -> None:
    """Words under the letter at a place, line by line: (text, colour).

    They begin or end at the edge of the picture, where they would not fit between.
    """
    low, high = axes.get_xlim()
    for number, (text, colour) in enumerate(lines):
        if not text:  # a line that is left free
            continue
        half = 0.5 * WIDTH_OF_SIGN * len(text) * (high - low)
        half += 0.008 * (high - low)  # words at an edge do not touch it
        middle = min(max(place, low + half), high - half)
        y = -SIDE / 2 - LINE * (number + 0.6)
        axes.text(
            middle, y, text, color=colour, ha="center", va="center", fontsize=SMALL,
            fontweight="bold",
        )  # fmt: skip


def draw_weights_below(axes, weights, name: str) -> None:
    """Under each letter how much of a look it gets, of 100, and a name at the left edge.

    The largest is bold. Among more than MOST_NUMBERED letters, it stands alone.
    """
    most, y = int(np.argmax(weights)), -SIDE / 2 - 0.6 * LINE
    for place, weight in enumerate(weights):
        if place == most or len(weights) <= MOST_NUMBERED:
            look = {"color": WEIGHT, "fontweight": "bold"} if place == most else {"color": GREY}
            axes.text(place, y, f"{100 * weight:.0f}", ha="center", va="center", fontsize=SMALL,
                      **look)  # fmt: skip
    axes.text(axes.get_xlim()[0] + 0.1, y, name, color=GREY, va="center", fontsize=SMALL)


def draw_looks(axes, weights, rows: tuple[int, ...], title: str = "") -> None:
    """An arc from each of `rows` back to the letters that it looks at, as thick as the weight.

    weights: (t, t), rows look, columns are looked at; arcs below .1 are left out.
    """
    for row in rows:
        for column in np.flatnonzero(np.asarray(weights)[row] >= LEAST_SHOWN):
            draw_arc(axes, row, int(column), width=WIDEST_LINE * weights[row][column])
    axes.set_title(title)


def draw_chain(axes, text: str, watched: int | None = None) -> None:
    """A memory above each letter, passed on to the next one; what is older is paler and blurred.

    watched: the place of a letter that has a colour of its own wherever it is left.
    """
    low, high = MEMORY
    for place in range(len(text)):
        axes.plot([place, place], [SIDE / 2 + 0.08, low], color="#666666", linewidth=1)
        axes.add_patch(
            FancyBboxPatch(
                (place - HALF, low), 2 * HALF, high - low, linewidth=1.6, edgecolor=INK,
                boxstyle="round,pad=0,rounding_size=0.15", facecolor="white", zorder=2,
            )
        )  # fmt: skip
        _draw_crowd(axes, place, low, text[: place + 1], watched)
        if place:
            axes.add_patch(
                FancyArrowPatch(
                    (place - 1 + HALF, low + 0.3), (place - HALF, low + 0.3), color=INK,
                    linewidth=2, arrowstyle="-|>", mutation_scale=13, shrinkA=0, shrinkB=0,
                )
            )  # fmt: skip


def _draw_crowd(axes, x: float, foot: float, letters: str, watched: int | None) -> None:
    """The newest below; above it each older one, paler, closer and more blurred: many shapes."""
    inches, height = axes.figure.dpi_scale_trans, 0.48 * TEXT
    above = np.arange(len(letters) - 1)
    closer = next(one for one in np.arange(1, 0, -0.01) if (one**above).sum() <= ROOM)
    foot_of_all = ScaledTranslation(x, foot, axes.transData)
    for age, letter in enumerate(reversed(letters)):
        shape = TextPath((0, 0), visible(letter), size=TEXT, prop=_bold())
        middle = (shape.get_extents().x0 + shape.get_extents().x1) / 2
        colour, dark = INK, FADE**age
        if len(letters) - 1 - age == watched:
            colour, dark = VALUE, dark**0.5  # an eye follows it
        spread = _spread(BLUR * age)
        shares = 1 - (1 - dark) ** (1.6 / len(spread))  # of ink, in each copy
        copies = PathCollection(
            [shape], offsets=spread + np.array([-middle, height]), linewidths=0,
            zorder=3 - 0.01 * age, facecolors=[(*to_rgb(colour), shares)],
            offset_transform=Affine2D().scale(1 / 72) + inches + foot_of_all,
        )  # fmt: skip
        copies.set_transform(Affine2D().scale(1 / 72) + inches)
        axes.add_collection(copies, autolim=False)
        height += 1.08 * TEXT * closer**age


def _spread(far: float) -> np.ndarray:
    """Where the copies of a blurred shape stand: even in a circle, one alone where it is sharp."""
    if far == 0:
        return np.zeros((1, 2))
    step = np.arange(COPIES)
    away, turn = far * np.sqrt((step + 0.5) / COPIES), step * np.pi * (3 - np.sqrt(5))
    spread = np.column_stack([away * np.cos(turn), away * np.sin(turn)])
    return spread.round(3)  # the same on every processor


def _bold() -> FontProperties:
    """A font in which small letters differ, an i and an l too."""
    return FontProperties(family=[MONO, *families()], weight="bold")


def draw_arc(
    axes, start: int, end: int, *, width: float = 2.6, colour: str = WEIGHT, dashes: Any = "-",
    peak: float | None = None, zorder: float = 1,
) -> None:  # fmt: skip
    """From the top of one box to the top of another; above its own box for a look at itself.

    peak: how high it rises above the boxes; by default higher, the longer it is.
    """
    aside = 0.2 if start == end else 0.12  # who looks, and who is looked at, beside each other
    begin = start + (aside if end >= start else 0.66 * min(1.0, (start - end) / 12) - 0.33)
    peak = _peak(abs(end - start)) if peak is None else peak
    axes.add_patch(
        FancyArrowPatch(
            (begin, SIDE / 2), (end + (aside if end < start else -aside), SIDE / 2), color=colour,
            linewidth=width, linestyle=dashes, connectionstyle=_Arch(axes, peak), zorder=zorder,
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
