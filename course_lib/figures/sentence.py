"""A sentence whose last word looks at the others: an arc to each, as thick as its weight.

    sentence = draw_sentence(axes, ["dog", "apple"], "it")   # boxes, and an arc for each weight
    sentence.update(weights)
    Drawing(update, moving=sentence.artists)

Words that come after the asking one are grey, and a number below each word can be named:
    draw_sentence(axes, words, "it", after=["was", "sweet"])
    draw_sentence(axes, words, "it", named=True).update(weights, scores)    # weight, score
Who asks the last of them first can be told:
    draw_sentence(axes, words, "it", after=["was", "sweet"], first="step 1: your hand")
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from course_lib.figures.numerals import share, signed
from course_lib.figures.theme import KEY, QUERY, SMALL, WEIGHT
from course_lib.words import say

THICKEST, THINNEST = 9.0, 1.1
LEAST_SHOWN = 0.005  # what reads .00 has no arc
HALF = 0.55  # of a box's height
ROWS, LOW = (-1.25, -2.3), {False: -1.75, True: -2.8}  # of the numbers; the lower edge
SPREAD = 0.36  # of where the arcs begin, to both sides of the middle of the asking word
LOWEST, RISE, STEEP = 0.65, 0.4, 0.1  # of the arcs: their height, with each word more; their ends
GREY = "#666666"
FIRST_DEEP = 1.1  # how deep the line of the first asking hangs
NAMES = 1.6  # how much room the names of the numbers take


class Sentence:
    """Words in boxes; from the asking one an arc to each of the words before it."""

    def __init__(self, axes, words, asking: str, after=(), *, named: bool = False, first: str = ""):
        left = NAMES if named else 0.0
        every = (*words, asking, *after)
        widths = np.array([0.55 + 0.22 * len(word) for word in every])
        ends = left + np.cumsum(widths + 0.35)
        middles = ends - 0.35 - widths / 2
        axes.set(xlim=(-0.1, ends[-1] - 0.25), ylim=(LOW[named], 2.95))
        axes.set_axis_off()
        count = len(words)
        colours = [*[KEY] * count, QUERY, *[GREY] * len(after)]
        for word, middle, width, colour in zip(every, middles, widths, colours, strict=True):
            self._box(axes, word, middle, width, colour, strong=word in after[-1:] and not first)
        self._arcs = [
            axes.add_patch(self._arc(middles[count], middle, place, count))
            for place, middle in enumerate(middles[:count])
        ]
        if first:
            self._ask_first(axes, middles[count:], first)
        look = {"ha": "center", "va": "center", "fontsize": SMALL, "color": WEIGHT}
        self._texts = [axes.text(middle, ROWS[0], "", **look) for middle in middles[:count]]
        self._scores = [axes.text(x, ROWS[1], "", **look) for x in middles[: count * named]]
        for name, row in zip((say("weight"), say("score")), ROWS, strict=True) if named else ():
            axes.text(-0.1, row, name, **{**look, "ha": "left"})
        self.artists = [*self._arcs, *self._texts, *self._scores]

    @staticmethod
    def _box(axes, word: str, middle: float, width: float, colour: str, *, strong: bool) -> None:
        """A word in its box; a strong one stands in white on the colour of the query."""
        box = FancyBboxPatch(
            (middle - width / 2, -HALF), width, 2 * HALF, linewidth=1.6, zorder=3,
            boxstyle="round,pad=0,rounding_size=0.12",
            facecolor=QUERY if strong else "white", edgecolor=QUERY if strong else colour,
        )  # fmt: skip
        axes.add_patch(box)
        axes.text(middle, -0.05, word, ha="center", va="center", fontsize=SMALL,
                  color="white" if strong else colour, fontweight="bold", zorder=4)  # fmt: skip

    @staticmethod
    def _arc(start: float, end: float, place: int, count: int) -> PathPatch:
        """From the last word back, each from a place of its own there, within those from afar."""
        start += SPREAD * (1 - 2 * place / max(count - 1, 1))
        high = HALF + LOWEST + RISE * (count - place)
        inward = STEEP * (start - end)
        turns = [(start, HALF), (start - inward, high), (end + inward, high), (end, HALF)]
        path = Path(turns, [Path.MOVETO, *[Path.CURVE4] * 3])
        return PathPatch(path, fill=False, edgecolor=WEIGHT, zorder=2, capstyle="butt")

    @staticmethod
    def _ask_first(axes, middles, first: str) -> None:
        """A dashed line from the asking word, below the boxes, to the last one; what it is."""
        start, end = middles[0], middles[-1]
        low = -HALF - FIRST_DEEP
        path = Path([(start, -HALF), (start, low), (end, low), (end, -HALF)],
                    [Path.MOVETO, *[Path.CURVE4] * 3])  # fmt: skip
        dashed = {"edgecolor": QUERY, "linewidth": 1.6, "linestyle": (0, (3, 2)), "zorder": 2}
        axes.add_patch(PathPatch(path, fill=False, **dashed))
        axes.text((start + end) / 2, ROWS[1], first, ha="center", va="center", fontsize=SMALL,
                  color=QUERY)  # fmt: skip

    def update(self, weights, scores=None) -> None:
        """Let the arcs be as thick as these weights, and write the numbers below the words.

        weights: (s,)   scores: (s,), in a second row
        """
        for arc, text, weight in zip(self._arcs, self._texts, weights, strict=True):
            shown = min(max(float(weight), 0.0), 1.0)
            seen = shown >= LEAST_SHOWN
            arc.set_linewidth(max(THICKEST * shown, THINNEST) if seen else 0)
            arc.set_visible(seen)
            text.set_text(share(float(weight)))
        for text, score in zip(self._scores, () if scores is None else scores, strict=False):
            text.set_text(signed(float(score), 2))


def draw_sentence(
    axes, words, asking: str, after=(), *, named: bool = False, first: str = ""
) -> Sentence:
    """Words in boxes, and the asking one behind them; arcs appear with the first `update`.

    after: words that come later, the last of them filled.   named: weight and score have names, to
    the left of them.   first: who asks the last word, before the arcs; that is not filled then.
    """
    return Sentence(axes, words, asking, after, named=named, first=first)
