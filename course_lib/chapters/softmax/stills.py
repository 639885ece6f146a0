"""The pictures of chapter 4 that stand still, each with its words."""

from collections.abc import Callable

import numpy as np

from course_lib.chapters.softmax.hues import FOUR
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import Digit, Share, plain, share
from course_lib.figures.shares import Strip, strip_axes
from course_lib.figures.static import show_figure
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import FAINT, INK, TEXT, new_figure
from course_lib.words import say

SECOND = (-2.1, -12.0)  # what the second of four scores is, and what it drops to
LEAST = 0.00001  # a share below it is not written out
SLIVER = 0.01  # a piece of a strip that is narrower is named below
TWO_RULES = (
    "On a line of four scores 3.5, 8.7 and 0.3 stay, and one drops from -2.1 to -12. Below, four "
    "strips of length 1, in which its piece is too narrow to see. By the second idea 8.7 has "
    "{share_00}, then {share_01}: {ratio_00} and then {ratio_01} times the share of 3.5. By "
    "softmax 8.7 has {share_10} both times, and {ratio_10} and {ratio_11} times the share of 3.5."
)
UNLABELLED = np.array(
    [[0.1, 0.4, 0.2, 0.3], [0.1, 0.3, 0.6, 0.1], [0.5, 0.1, 0.1, 0.5], [0.3, 0.2, 0.1, 0.1]]
)  # its columns add up to 1, and by chance its first row does, too


def _raised(scores: np.ndarray) -> np.ndarray:
    """Shares of what each score has above the smallest: the second idea, which fails."""
    above = scores - scores.min()
    return above / above.sum()


def show_two_rules(shares: Callable[[np.ndarray], np.ndarray]) -> None:
    """What a rule that fails, and `shares`, give to four scores, and again when one has dropped."""
    figure = new_figure(7.0, 4.4)
    line, axes = figure.subplots(2, 1, height_ratios=(1.0, 5.4))
    _draw_drop(line)
    strip_axes(axes, "strips", low=-0.85, high=8.6)
    axes.set_xlim(-0.005, 1.21)
    axes.text(1.19, 7.75, say("8.7 to 3.5"), va="bottom", ha="right", fontsize=TEXT)
    facts = {}
    for i, (name, rule) in enumerate(((say("second idea"), _raised), ("softmax", shares))):
        top = 7.65 - 4.5 * i
        axes.text(0, top + 0.1, name, va="bottom", fontsize=TEXT)
        for j, second in enumerate(SECOND):
            weights, low = rule(np.array([3.5, second, 8.7, 0.3])), top - 1.0 - 1.85 * j
            Strip(axes, ("3.5:", "", "8.7:", "0.3:"), weights, colours=FOUR,
                  bottom=low, height=1.0, ghost=False, below=False)  # fmt: skip
            _name_slivers(axes, plain(second), weights, low)
            facts[f"share_{i}{j}"] = share(weights[2])
            facts[f"ratio_{i}{j}"] = f"{weights[2] / weights[0]:.3g}"
            ratio = say("{ratio} to 1", ratio=facts[f"ratio_{i}{j}"])
            axes.text(1.19, low + 0.5, ratio, va="center", ha="right",
                      fontsize=TEXT, fontweight="bold")  # fmt: skip
    figure.headline(say("The worst key drops. By softmax, 8.7 and 3.5 keep their ratio"))
    show_figure(figure, say(TWO_RULES, **facts), colours=12)


def _draw_drop(axes) -> None:
    """A line of four scores, one of which drops."""
    before, after = SECOND
    axes.set_label("scores")
    axes.set(xlim=(-13.1, 15.6), ylim=(-0.5, 1.3))
    axes.set_axis_off()
    axes.plot([-13, 10], [0, 0], color=FAINT, linewidth=1, zorder=0)
    axes.plot([before, after], [0, 0], color=FOUR[1], linewidth=8, zorder=1)  # where it fell
    fills = (*FOUR, FOUR[1])
    for score, fill in zip((3.5, before, 8.7, 0.3, after), fills, strict=True):
        axes.plot([score], [0], "o", color=INK, markerfacecolor=fill, markersize=9)
        axes.text(score, 0.4, plain(score), ha="center", fontsize=TEXT)
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.2, "shrinkA": 7, "shrinkB": 7}
    axes.annotate("", (after, 0), (before, 0), arrowprops=arrow)
    axes.text(10.5, 0, say("four scores"), va="center", fontsize=TEXT)


def _name_slivers(axes, dropped: str, weights: np.ndarray, low: float) -> None:
    """Below a strip, with a line to each, the piece of the key that drops, and other narrow ones.

    dropped: its score, the second of four
    """
    place = weights[0]
    words = say("{name}: {share}", name=dropped, share=_of_a_sliver(float(weights[1])))
    look = {"va": "top", "fontsize": TEXT}
    if place < SLIVER:
        first = say("3.5: {share}", share=share(place, 4))
        axes.text(0, low - 0.27, f"{first}   {words}", **look)
    else:
        axes.text(place, low - 0.27, words, ha="center", **look)
    axes.plot([place, place], [low - 0.18, low], color=INK, linewidth=1)
    if weights[3] < SLIVER:
        last = say("0.3: {share}", share=share(weights[3], 4))
        axes.text(1, low - 0.27, last, ha="right", **look)
        axes.plot([1 - weights[3]] * 2, [low - 0.18, low], color=INK, linewidth=1)


def _of_a_sliver(weight: float) -> str:
    """A share too small to be seen: 0 only where it is 0."""
    if weight <= 0:
        return plain(weight)
    return share(weight, 5) if weight >= LEAST else say("below {least}", least=share(LEAST, 5))


def show_unlabelled() -> np.ndarray:
    """Show a table of weights without names, whose reader is to find out how it stands.

    Shapes: -> (4, 4), a query in each row or in each column
    """
    figure = new_figure(4.4, 3.8)
    axes = figure.subplots()
    places = [f"{place}" for place in range(len(UNLABELLED))]
    draw_weights(axes, UNLABELLED, rows=places, columns=places, number=Digit())
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    figure.headline(say("No names: which way round?"))
    rows = "; ".join(", ".join(Digit().format(one) for one in row) for row in UNLABELLED)
    show_figure(
        figure,
        say("A table of 4 by 4 weights without names; row by row: {rows}.", rows=rows),
        colours=20,
    )
    return UNLABELLED.copy()


def show_row_sums(weights: np.ndarray, words: list[str]) -> None:
    """A table of weights with what its rows and columns add up to.

    weights: (n, n), of n words with themselves   words: their names
    """
    figure = new_figure(7.0, 4.4)
    axes = figure.subplots()
    draw_weights(axes, weights, rows=words, columns=words, number=Share())
    for row, best in enumerate(weights.argmax(axis=1)):  # and so it is read on mid-grey, too
        axes.texts[row * len(words) + best].set_fontweight("bold")
    draw_sums(axes, weights, colours=FOUR, one=2.6)
    axes.set_ylabel(say("query"), y=0.67)
    axes.text((len(words) - 1) / 2, -1.0, say("key"), fontsize=TEXT, ha="center", va="bottom")
    heard = int(weights.sum(axis=0).argmax())
    facts = {"word": words[heard], "total": share(weights.sum(axis=0)[heard])}
    figure.headline(say("Each row adds up to 1, and columns differ"))
    column = ", ".join(share(weight) for weight in weights[:, heard])
    show_figure(
        figure,
        say("A table of {n} by {n} weights. Beside each row a bar that is 1 long. Below the "
            "columns bars of different lengths: that of {word} holds {column}, in all {total}.",
            n=len(words), column=column, **facts),
        colours=56,
    )  # fmt: skip
