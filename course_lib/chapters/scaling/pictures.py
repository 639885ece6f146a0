"""The pictures of chapter 3 that do not move, each with its words.

show_widths(scores_at) # ten weights of one query at three widths
show_spreads(scores_at) # all scores at five widths, and how far they spread
show_runs(runs)        # accuracy of models trained with and without the division, by width
"""

from collections.abc import Callable

import numpy as np

from course_lib.chapters.scaling.explorers.width import SHOWN
from course_lib.chapters.scaling.situations import TRAINED, WINDOW, Found, once_trained
from course_lib.figures.curves import draw_runs
from course_lib.figures.numerals import share, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, SMALL, WEIGHT, new_figure, style
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import PAIRS
from course_lib.words import say

MIDDLE, LIGHT = "#777777", "#d0d0d0"
RUNS = (
    "Accuracy over {steps} steps at the widths {widths}, {starts} starts each; each point is the "
    "mean of {window} steps. Divided by the root of d, all are right by step 100, or nearly. Not "
    "divided, they climb later: {ends}. A dotted line at "
    "{level:.2f}: guessing one of {pairs} numbers. Below, the weights of one question about bob "
    "after this training, at width {d_k} ({found})."
)
FOUND = "{how}: in {misled} of 10 questions\na wrong name gets over .9"
ONE = "{found}, and in this one {whose} gets {weight:.1f}"
END_OF_RUNS = "at width {d_k} {good} of {starts} end with more than half right"
THREE = (4, 64, 1024)
WIDTHS = (
    "The weights that one query gives to its ten keys, as bars from 0 to 1, at three widths. The "
    "tallest bar: {tops}. A dashed line marks the fair share, {fair}."
)
UNSAID = (16, 64, 256)  # what the learner finds, from the variances that they measure
FIVE, AXIS = (4, 16, 64, 256, 1024), 105.0  # the axis of scores reaches so far to both sides
PITCH, BELOW = 1.7, -0.34  # from row to row, and from a row down to its line; a hill is 1 high
SPREADS = (
    "The scores of all 1000 queries at five widths, as hills on one axis, drawn equally high. A "
    "line under each reaches one spread to both sides of 0: {spreads}."
)


def show_widths(scores_at: Callable[[int], np.ndarray]) -> None:
    """Show the ten weights of one query at each of THREE widths.

    scores_at: from a width to the scores of all queries (n, s), as `strangers()` gives it
    """
    figure = new_figure(7.0, 3.0)
    tops = []
    for axes, d_k in zip(figure.subplots(1, 3, sharey=True), THREE, strict=True):
        weights = softmax(scores_at(d_k)[SHOWN])
        fair, best = 1 / len(weights), int(weights.argmax())
        tops.append(share(weights[best]))
        axes.bar(range(len(weights)), weights, 0.75, color=WEIGHT)
        axes.axhline(fair, color=INK, linewidth=1.2, linestyle=(0, (3, 2)))
        axes.text(best, weights[best] + 0.02, tops[-1], ha="center", va="bottom",
                  fontweight="bold")  # fmt: skip
        axes.set(ylim=(0, 1.15), yticks=(0, 0.5, 1), yticklabels=("0", ".5", "1"))
        axes.set_xticks(range(len(weights)), range(1, len(weights) + 1), fontsize=SMALL)
        axes.set_xlim(-1.1, 9.8)
        axes.tick_params(length=0)
        axes.set_title(say("width {d_k}", d_k=d_k), loc="left")
    figure.axes[0].set_ylabel(say("weight"))
    below = say("the ten keys of one query; dashed: a fair share, {fair}", fair=share(fair))
    figure.supxlabel(below, fontsize=SMALL)
    words = ", ".join(
        say("{top} at width {d_k}", top=t, d_k=d) for t, d in zip(tops, THREE, strict=True)
    )
    show_figure(figure, say(WIDTHS, tops=words, fair=share(fair)), colours=8, exact=False)


def show_spreads(scores_at: Callable[[int], np.ndarray]) -> None:
    """Show all scores at each of FIVE widths on one axis, with the line that one spread reaches.

    scores_at: from a width to the scores of all queries (n, s), as `strangers()` gives it
    """
    figure = new_figure(7.0, 3.9)
    axes = figure.subplots()
    told = []
    for row, d_k in enumerate(FIVE):
        scores, base = scores_at(d_k), -PITCH * row
        spread = float(scores.std())
        edges = np.arange(-AXIS, AXIS, spread / 4)
        heights, _ = np.histogram(scores, edges)
        look = {"facecolor": LIGHT, "edgecolor": MIDDLE, "linewidth": 1}
        axes.stairs(base + heights / heights.max(), edges, baseline=base, fill=True, **look)
        axes.plot([-spread, spread], [base + BELOW] * 2, "|-", color=INK, markersize=10,
                  linewidth=1.4)  # fmt: skip
        name = say("spread {spread:.0f}", spread=spread) if row == 0 else f"{spread:.0f}"
        name = "?" if d_k in UNSAID else name
        axes.text(spread + 2.5, base + BELOW, name, va="center", fontsize=SMALL, fontweight="bold")
        size = "?" if d_k in UNSAID else f"{spread:.0f}"
        told.append(say("{size} at width {d_k}", size=size, d_k=d_k))
    axes.set_yticks([-PITCH * row + 0.2 for row in range(len(FIVE))],
                    [say("width {d_k}", d_k=d_k) for d_k in FIVE])  # fmt: skip
    axes.set(xlim=(-AXIS, AXIS), ylim=(-PITCH * (len(FIVE) - 1) - 0.65, 1.05), xlabel=say("score"))
    ticks = range(-100, 101, 50)
    axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    count = f"{scores.size:,}"
    title = say("{count} scores of strangers at each width, all hills equally high", count=count)
    figure.headline(title)
    show_figure(figure, say(SPREADS, spreads=", ".join(told)), colours=32, exact=False)


def show_runs(runs: dict[tuple[int, str], list[np.ndarray]]) -> None:
    """Show the accuracy of each training run, a panel for each width; below, where two look then.

    runs: from (width, kind) to curves of one number a step; the kinds: divided, then not divided
    """
    d_k, starts = list(runs)[-1][0], list(runs.values())
    figure = new_figure(7.0, 4.8)
    with style():
        above, below = figure.subfigures(2, 1, height_ratios=(1.9, 1))
        panels = above.subplots(1, len({d_k for d_k, _ in runs}), sharey=True, squeeze=False)[0]
        pair = below.subplots(1, 2, sharey=True)
    ends = _draw_learning(panels, runs)
    above.supxlabel(say("training steps (each point: the mean of the last {n})", n=WINDOW),
                    fontsize=SMALL)  # fmt: skip
    figure.headline(say("Not divided, a model learns later at each of these widths"))
    told = _draw_found(pair, once_trained(d_k))
    below.supxlabel(say("width {d_k}, a question after step {n}: each tick is a name, and bob "
                        "is asked for", d_k=d_k, n=TRAINED), fontsize=SMALL)  # fmt: skip
    widths = ", ".join(str(d) for d in dict.fromkeys(d for d, _ in runs))
    alt = say(RUNS, steps=len(starts[0][0]), widths=widths, level=1 / PAIRS, starts=len(starts[0]),
              pairs=PAIRS, window=WINDOW, ends="; ".join(ends), d_k=d_k, found="; ".join(told),
              )  # fmt: skip
    show_figure(figure, alt, colours=10, exact=False)


def _draw_learning(panels, runs: dict[tuple[int, str], list[np.ndarray]]) -> list[str]:
    """The accuracy of each run, a width in each of the axes; told how the undivided ones end."""
    widths, kinds = (list(dict.fromkeys(part)) for part in zip(*runs, strict=True))
    names, ends = [say("divided"), say("not\ndivided")], []
    for axes, d_k in zip(panels, widths, strict=True):
        of_kind = [runs[d_k, kind] for kind in kinds]
        named = d_k == widths[0]  # the first picture is read first
        written = dict(zip(names if named else ("", " "), of_kind, strict=True))
        draw_runs(axes, written, places=[(12, 0.93), (96, 0.2)], window=WINDOW)
        axes.axhline(1 / PAIRS, color=MIDDLE, linewidth=1.4, linestyle=":", zorder=0)
        axes.set(ylim=(0, 1.05), yticks=(0, 0.5, 1))
        axes.set(xlim=(WINDOW, len(of_kind[0][0])), xticks=(50, 100, 150))
        title = say("width {d_k}", d_k=d_k)
        axes.set_title(title, loc="left", fontsize=SMALL, fontweight="bold")
        good = sum(curve[-WINDOW:].mean() > 0.5 for curve in of_kind[1])
        ends.append(say(END_OF_RUNS, d_k=d_k, good=good, starts=len(of_kind[1])))
    beside = {"va": "center", "fontsize": SMALL, "transform": axes.get_yaxis_transform()}
    axes.text(1.03, 1 / PAIRS, say("guessing"), **beside)  # clear of the runs
    panels[0].set_ylabel(say("share of right answers"))
    return ends


def _draw_found(pair, found: dict[str, Found]) -> list[str]:
    """The weights of one question, divided and not, in two axes; told in words."""
    told = []
    for axes, (how, one) in zip(pair, found.items(), strict=True):
        names = range(len(one.weights))
        axes.vlines(names, 0, one.weights, color=WEIGHT, linewidth=12)
        axes.set(xlim=(-0.7, len(names) - 0.3), ylim=(0, 1.02), yticks=(0, 1))
        axes.set_xticks(names, [say("bob") if n == one.right else "" for n in names],
                        fontweight="bold")  # fmt: skip
        axes.tick_params(axis="x", length=3)
        title = say(FOUND, how=say(how), misled=round(10 * one.misled))
        axes.set_title(title, loc="left", fontsize=SMALL, fontweight="normal")
        whose = say("bob") if one.weights.argmax() == one.right else say("another name")
        facts = {"whose": whose, "weight": one.weights.max()}
        told.append(say(ONE, found=title.replace("\n", " "), **facts))
    pair[0].set_ylabel(say("weight"))
    return told
