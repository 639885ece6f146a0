"""The pictures of chapter 4 that stand still, each with its words."""

from collections.abc import Callable

import numpy as np

from course_lib.chapters.softmax.hues import FOUR
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import Digit, Share, plain, share
from course_lib.figures.shares import Strip, strip_axes
from course_lib.figures.static import show_figure
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, TEXT, new_figure
from course_lib.words import say

SECOND = (4, -1)  # what the second of four scores is, and what it drops to
SLIVER = 0.02  # a piece of a strip that is narrower is named below
TWO_RULES = (
    "On a line of four scores 3.5, 4.5 and 3 stay, and one drops from 4 to -1. Below, four strips "
    "of length 1: the shares before and after. By the second idea 4.5 has {ratio_00} and then "
    "{ratio_01} times the share of 3.5, and the shares of 3.5, 4.5 and 3 change by other factors: "
    "{times_0}. By softmax 4.5 has {ratio_10} and {ratio_11} times the share of 3.5; the key "
    "that drops gives up its share, and the others grow by one factor: {times_1}."
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
    axes.set_xlim(-0.105, 1.235)
    axes.text(1.23, 7.75, say("4.5 to 3.5"), va="bottom", ha="right", fontsize=TEXT)
    facts = {}
    for i, (name, rule) in enumerate(((say("second idea"), _raised), ("softmax", shares))):
        top = 7.65 - 4.5 * i
        axes.text(0, top + 0.1, name, va="bottom", fontsize=TEXT)
        before, after = (np.asarray(rule(np.array([3.5, one, 4.5, 3])), float) for one in SECOND)
        facts[f"times_{i}"] = _times(before, after)
        for j, weights in enumerate((before, after)):
            low = top - 1.0 - 1.85 * j
            second = "" if j else say("{score}:", score=plain(SECOND[0]))
            last = "" if weights[3] < SLIVER else say("3:")
            when = say("after") if j else say("before")
            axes.text(-0.015, low + 0.5, when, va="center", ha="right", fontsize=TEXT)
            Strip(axes, ("3.5:", second, "4.5:", last), weights, colours=FOUR,
                  bottom=low, height=1.0, ghost=False, below=False)  # fmt: skip
            facts[f"ratio_{i}{j}"] = f"{weights[2] / weights[0]:.3g}"
            ratio = say("{ratio} to 1", ratio=facts[f"ratio_{i}{j}"])
            axes.text(1.23, low + 0.5, ratio, va="center", ha="right",
                      fontsize=TEXT, fontweight="bold")  # fmt: skip
        _name_sliver(axes, "3", before, 3, top - 1.0)
        _name_sliver(axes, plain(SECOND[1]), after, 1, top - 2.85)
        _say_growth(axes, after, facts[f"times_{i}"], top - 2.85)
    figure.headline(say("A key drops. By softmax all others grow by the same factor"))
    heard = {name: ", ".join(one) if isinstance(one, list) else one for name, one in facts.items()}
    show_figure(figure, say(TWO_RULES, **heard), colours=10)


def _draw_drop(axes) -> None:
    """A line of four scores, one of which drops."""
    before, after = SECOND
    axes.set_label("scores")
    axes.set(xlim=(-1.25, 6.35), ylim=(-0.5, 1.3))
    axes.set_axis_off()
    axes.plot([-1.2, 5], [0, 0], color=FAINT, linewidth=1, zorder=0)
    axes.plot([before, after], [0, 0], color=FOUR[1], linewidth=8, zorder=1)  # where it fell
    fills = (*FOUR, FOUR[1])
    for score, fill in zip((3.5, before, 4.5, 3, after), fills, strict=True):
        axes.plot([score], [0], "o", color=INK, markerfacecolor=fill, markersize=9, zorder=5)
        axes.text(score, 0.4, plain(score), ha="center", fontsize=TEXT)
    arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.2, "shrinkA": 7, "shrinkB": 7}
    axes.annotate("", (after, 0), (before, 0), arrowprops=arrow)
    axes.text(5.15, 0, say("four scores"), va="center", fontsize=TEXT)


def _times(before: np.ndarray, after: np.ndarray) -> list[str]:
    """By what each share is multiplied, but for the key that drops, and for one that had none."""
    return [
        say("× {times}", times=share(new / old)) if old > 0 else say("from 0")
        for place, (old, new) in enumerate(zip(before, after, strict=True))
        if place != 1
    ]


def _say_growth(axes, weights: np.ndarray, times: list[str], low: float) -> None:
    """Below a strip, under each piece but the second, by what it was multiplied."""
    middles = np.delete(np.cumsum(weights) - weights / 2, 1)
    for middle, words in zip(middles, times, strict=True):
        axes.text(middle, low - 0.27, words, va="top", ha="center", fontsize=TEXT)


def _name_sliver(axes, score: str, weights: np.ndarray, which: int, low: float):
    """Above a strip, with a line to it, a piece too narrow for its name."""
    weight, place = float(weights[which]), float(weights[:which].sum())
    if weight >= SLIVER:
        return
    told = plain(weight) if weight <= 0 else share(weight, 3)
    words = say("{score}: {share}", score=score, share=told)
    side = "right" if place > 1 - SLIVER else "left"  # at the end it stays clear of the ratios
    axes.text(place, low + 1.27, words, va="bottom", ha=side, fontsize=TEXT)
    axes.plot([place, place], [low + 1.0, low + 1.18], color=INK, linewidth=1)


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
    axes.set_ylabel(say("query"), y=0.67, color=QUERY)
    axes.tick_params(axis="y", labelcolor=QUERY)
    axes.tick_params(axis="x", labelcolor=KEY)
    n, look = len(words), {"fontsize": TEXT, "va": "bottom"}
    axes.text((n - 1) / 2, -1.0, say("key"), color=KEY, ha="center", **look)
    axes.text(n - 0.35, -1.0, say("each row as a strip"), ha="left", **look)
    axes.text(n - 0.35, n + 0.6, say("sum of each column"), ha="left", fontsize=TEXT, va="center")
    heard = int(weights.sum(axis=0).argmax())
    facts = {"word": words[heard], "total": share(weights.sum(axis=0)[heard])}
    figure.headline(say("Each row adds up to 1, and columns differ"))
    column = ", ".join(share(weight) for weight in weights[:, heard])
    show_figure(
        figure,
        say("A table of {n} by {n} weights. Beside each row a bar that is 1 long. Below the "
            "columns bars of different lengths: that of {word} holds {column}, in all {total}.",
            n=len(words), column=column, **facts),
        colours=80,  # with fewer, the last key's yellow melts into the red of the names
    )  # fmt: skip
