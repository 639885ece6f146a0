"""A sentence whose last word looks at the others, and what it looks by: scores and weights.

    sentence = draw_sentence(axes, ["dog", "apple"], "it")   # boxes, and an arc for each weight
    shares = draw_shares(other, ["dog", "apple"], scores, weights)
    sentence.update(weights); shares.update(scores, weights)
    Drawing(update, moving=[*sentence.artists, *shares.artists])

Both show other numbers in place. An arc is as thick as its weight; the start stays behind in grey.
"""

import numpy as np
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from course_lib.figures.numerals import share
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, WEIGHT
from course_lib.words import say

THICKEST, LEAST_SHOWN = 9.0, 0.02
ZERO, UNIT = 1.85, 0.26  # where score 0 stands, and how far one more goes
MOST, TICK = 6.5, 5  # the largest score that is drawn, and the one that is named
START, BAR = 4.2, 1.8  # where weight 0 stands, and how far 1 goes
HALF = 0.55  # of a box's height


def _long(weight: float) -> float:
    """How long a bar is; a wrong weight outside of 0 to 1 stays in the picture."""
    return BAR * min(max(float(weight), 0.0), 1.0)


class Sentence:
    """Words in boxes; from the last one an arc to each of the others."""

    def __init__(self, axes, words, asking: str):
        widths = [0.55 + 0.22 * len(word) for word in (*words, asking)]
        ends = np.cumsum([width + 0.35 for width in widths])
        middles = ends - 0.35 - np.array(widths) / 2
        axes.set(xlim=(-0.1, ends[-1] - 0.25), ylim=(-1.75, 2.95))
        axes.set_axis_off()
        colours = [KEY] * len(words) + [QUERY]
        both = zip((*words, asking), middles, widths, colours, strict=True)
        for word, middle, width, colour in both:
            self._box(axes, word, middle, width, colour)
        self._arcs = [
            axes.add_patch(self._arc(middles[-1], middle, place / len(words)))
            for place, middle in enumerate(middles[:-1])
        ]
        look = {"ha": "center", "va": "center", "fontsize": SMALL, "color": WEIGHT}
        self._texts = [axes.text(middle, -1.25, "", **look) for middle in middles[:-1]]
        self.artists = [*self._arcs, *self._texts]

    @staticmethod
    def _box(axes, word: str, middle: float, width: float, colour: str) -> None:
        axes.add_patch(
            FancyBboxPatch(
                (middle - width / 2, -HALF), width, 2 * HALF, facecolor="white", edgecolor=colour,
                boxstyle="round,pad=0,rounding_size=0.12", linewidth=1.6, zorder=3,
            )
        )  # fmt: skip
        axes.text(middle, -0.05, word, ha="center", va="center", fontsize=SMALL, color=colour,
                  fontweight="bold", zorder=4)  # fmt: skip

    @staticmethod
    def _arc(start: float, end: float, place: float) -> FancyArrowPatch:
        """From the last word back; what is further away is reached by a flatter arc."""
        return FancyArrowPatch(
            (start - 0.2 * (1 - place), HALF), (end, HALF), color=WEIGHT, arrowstyle="-", zorder=2,
            connectionstyle=f"arc3,rad={0.16 + 0.25 * place**3}", shrinkA=0, shrinkB=0,
            capstyle="butt",
        )  # fmt: skip

    def update(self, weights) -> None:
        """Let the arcs be as thick as these weights.

        weights: (s,)
        """
        for arc, text, weight in zip(self._arcs, self._texts, weights, strict=True):
            shown = min(max(float(weight), 0.0), 1.0)
            arc.set_linewidth(THICKEST * shown)
            arc.set_visible(shown >= LEAST_SHOWN)
            text.set_text(share(float(weight)))


class Shares:
    """A row for each key: its score as a pin around zero, its weight as a bar from zero.

    Below them stand their scales, and what the weights make together.
    """

    def __init__(self, axes, names, scores, weights):
        count = len(names)
        axes.set(xlim=(-1.75, 7.3), ylim=(count + 1.15, -1.5))
        axes.set_axis_off()
        head = {"ha": "center", "va": "center", "fontsize": SMALL}
        axes.text(ZERO, -1.0, say("score"), **head)
        axes.text(START + BAR / 2, -1.0, say("weight"), **head)
        for place in (-TICK, 0, TICK):
            self._rule(axes, ZERO + UNIT * place, count, _plain(place), strong=place == 0)
        for place in (0, 1):
            self._rule(axes, START + BAR * place, count, f"{place}", strong=place == 0)
        self._pins, self._bars, self._texts = [], [], []
        for row, name in enumerate(names):
            axes.text(-0.15, row, name, ha="right", va="center", fontsize=SMALL, color=KEY,
                      fontweight="bold")  # fmt: skip
            axes.add_patch(Rectangle((START, row - 0.3), _long(weights[row]), 0.6, fill=False,
                                     edgecolor=GHOST, linewidth=1))  # fmt: skip
            axes.plot(self._place(scores[row]), row, "o", markersize=6, markerfacecolor="none",
                      markeredgecolor=GHOST)  # fmt: skip
            (line,) = axes.plot([], [], color=INK, linewidth=2, marker="o", markevery=[1])
            bar = axes.add_patch(Rectangle((START, row - 0.3), 0, 0.6, facecolor=WEIGHT))
            text = axes.text(7.3, row, "", ha="right", va="center", fontsize=SMALL)
            self._pins.append(line), self._bars.append(bar), self._texts.append(text)
        self._total = axes.text(7.3, count + 0.75, "", ha="right", va="center", fontsize=SMALL)
        self.artists = [*self._pins, *self._bars, *self._texts, self._total]
        self.update(scores, weights)

    @staticmethod
    def _rule(axes, x: float, count: int, text: str, *, strong: bool) -> None:
        """A line down through all rows, with its number below."""
        axes.plot([x, x], [-0.5, count - 0.45], color=GHOST if strong else FAINT, linewidth=1,
                  zorder=0)  # fmt: skip
        axes.text(x, count - 0.1, text, ha="center", va="center", fontsize=SMALL, color="#666666")

    @staticmethod
    def _place(score: float) -> float:
        return ZERO + UNIT * float(np.clip(score, -MOST, MOST))

    def update(self, scores, weights) -> None:
        """Show other numbers.

        scores, weights: (s,)
        """
        rows = zip(self._pins, self._bars, self._texts, scores, weights, strict=True)
        for row, (pin, bar, text, score, weight) in enumerate(rows):
            pin.set_data([ZERO, self._place(score)], [row, row])
            bar.set_width(_long(weight))
            text.set_text(share(float(weight)))
        self._total.set_text(say("together {total:.2f}", total=float(np.sum(weights)) + 0.0))


def _plain(number: int) -> str:
    return f"{number}".replace("-", "\N{MINUS SIGN}")


def draw_sentence(axes, words, asking: str) -> Sentence:
    """Words in boxes, the asking one last; arcs appear with the first `update`."""
    return Sentence(axes, words, asking)


def draw_shares(axes, names, scores, weights) -> Shares:
    """Scores and weights, a row for each name; these numbers stay behind as ghosts.

    scores, weights: (s,)
    """
    return Shares(axes, names, scores, weights)
