"""The pictures of chapter 4 that stand still, each with its words."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.softmax.explorers.far_out import BASE, Landing, draw_paper
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import Share, share
from course_lib.figures.static import show_figure
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import GHOST, INK, KEY, SMALL, TEXT, TITLE, new_figure
from course_lib.kernels.softmax import softmax, softmax_jacobian
from course_lib.models.recall import (
    NONE,
    PAIRS,
    WIDTH,
    answer,
    fresh_parameters,
    questions_or_none,
    trained,
)
from course_lib.words import say

CONSTANTS = ("3e7", "6.3e7", "1e8")
HEADLINE = {"x": 0.012, "ha": "left", "fontsize": TITLE, "fontweight": "bold"}
SINK_SEED, SINK_STEPS, SINK_QUESTIONS, SINK_ROWS = 0, 600, 400, 12
SINK_ALT = (
    "A heat map of weights: queries in rows, {pairs} keys in columns, the key with the answer "
    "framed in each row. In the upper half the name is there: each row has one dark cell, in the "
    "frame, and the first key gets almost nothing. In the lower half it is not: the first key, "
    "framed, has {firsts} of the weight."
)
LEADS = np.linspace(0, 20, 81)


def show_rounding() -> None:
    """Where float32 puts 1, 2, 3 after a constant was added, for three constants."""
    figure = new_figure(7.0, 4.2)
    facts = []
    for axes, written in zip(figure.subplots(3, 1), CONSTANTS, strict=True):
        constant = np.float32(written)
        moved = BASE.astype(np.float32) + constant
        gap, largest = float(np.spacing(constant)), share(float(softmax(moved)[-1]))
        draw_paper(axes, named=not facts)
        Landing(axes).update({"spacing": gap, "landed": (moved - constant).astype(float)})
        facts.append({"constant": written, "gap": f"{gap:.0f}", "share": largest})
        text = say("+ {constant}\n{gap} apart\n3 gets {share}", **facts[-1])
        axes.text(-5.0, 0.6, text, fontsize=TEXT, ha="right", va="center")
        axes.set_xlim(-8, 10.5)
    figure.suptitle(say("The weight of 3 is decided by where it lands"), **HEADLINE)
    show_figure(
        figure,
        " ".join(
            say("After {constant} is added, the numbers of float32 stand {gap} apart, and the "
                "score 3 gets {share}.", **one)
            for one in facts
        )
        + " " + say("At 1e8 all three scores land on the same number."),
        colours=48,
    )  # fmt: skip


def show_row_sums(weights: np.ndarray, words: list[str]) -> None:
    """A table of weights with what its rows and columns add up to.

    weights: (n, n), of n words with themselves   words: their names
    """
    figure = new_figure(7.0, 4.2)
    axes = figure.subplots()
    draw_weights(axes, weights, rows=words, columns=words, number=Share())
    draw_sums(axes, weights)
    axes.set_ylabel(say("query"))
    axes.text((len(words) - 1) / 2, -1.0, say("key"), fontsize=TEXT, ha="center", va="bottom")
    heard = int(weights.sum(axis=0).argmax())
    facts = {"word": words[heard], "total": share(weights.sum(axis=0)[heard])}
    figure.suptitle(say("Along the rows or down the columns: which way is 1?"), **HEADLINE)
    column = ", ".join(share(weight) for weight in weights[:, heard])
    show_figure(
        figure,
        say("A table of {n} by {n} weights. Beside each row a bar that is 1 long. The column of "
            "{word} holds {column} and adds up to {total}.", n=len(words), column=column, **facts),
        colours=64,
    )  # fmt: skip


def show_learned_sink() -> None:
    """Train a model that may be asked for what is not there, and show where its queries look."""
    rng = np.random.default_rng(SINK_SEED)
    parameters, _ = trained(
        fresh_parameters(WIDTH, rng), WIDTH**-0.5, range(SINK_STEPS), rng, questions_or_none
    )
    asked = questions_or_none(SINK_QUESTIONS, rng)
    weights, missing = answer(parameters, asked, WIDTH**-0.5)["weights"], asked.answers == NONE
    right = (asked.names == asked.asked[:, None]).argmax(axis=1)  # the first where it is missing
    half = SINK_ROWS // 2
    rows = np.r_[np.flatnonzero(~missing)[:half], np.flatnonzero(missing)[:half]]
    firsts = [f"{weight:.1f}".removeprefix("0") for weight in weights[rows[half:], 0]]  # trained
    figure = new_figure(7.0, 3.9)
    axes = figure.subplots()
    draw_weights(axes, weights[rows], columns=[f"{place + 1}" for place in range(PAIRS)])
    for row, key in enumerate(right[rows]):
        frame = {"fill": False, "edgecolor": KEY, "linewidth": 2, "zorder": 3}
        axes.add_patch(Rectangle((key - 0.44, row - 0.44), 0.88, 0.88, **frame))
    axes.axhline(half - 0.5, color=INK, linewidth=1.2)
    whole = {"fill": False, "edgecolor": GHOST, "linewidth": 1}
    axes.add_patch(Rectangle((-0.5, -0.5), PAIRS, SINK_ROWS, **whole))
    for row, first in enumerate(firsts):
        axes.text(-0.7, half + row, first, fontsize=SMALL, ha="right", va="center")
    for middle, words in ((0, "the name\nis there"), (half, "the name\nis not there:\nkey 1 gets")):
        axes.text(-2.0, middle + (half - 1) / 2, say(words), fontsize=TEXT, ha="right", va="center")
    framed = say("framed: the key with the answer")
    axes.text(PAIRS - 0.5, -0.7, framed, color=KEY, fontsize=SMALL, ha="right", va="bottom")
    axes.set_xlabel(say("key: one of {pairs} pairs", pairs=PAIRS))
    axes.tick_params(length=0)
    figure.suptitle(say("Nothing to find: the first key gets the most"), **HEADLINE)
    alt = say(SINK_ALT, pairs=PAIRS, firsts=", ".join(firsts))
    show_figure(figure, alt, colours=64, exact=False)


def show_deafness() -> None:
    """How much the weight of the leading one of two keys answers to its score, for every lead."""
    slopes = [softmax_jacobian(np.array([lead, 0.0]))[0, 0] for lead in LEADS]
    figure = new_figure(7.0, 3.2)
    axes = figure.subplots()
    axes.semilogy(LEADS, slopes, color=INK)
    axes.plot([0], [slopes[0]], "o", color=INK, markersize=7, clip_on=False)
    axes.text(0.4, slopes[0] * 1.2, say("at a tie: .25"), fontsize=SMALL, va="bottom")
    ticks = [1, 1e-2, 1e-4, 1e-6, 1e-8]
    axes.set_yticks(ticks, labels=["1", "1/100", "1/10⁴", "1/10⁶", "1/10⁸"])
    axes.minorticks_off()
    axes.set(xticks=(0, 5, 10, 15, 20), ylim=(8e-10, 4))
    axes.set_xlabel(say("lead of one key over the other"))
    axes.set_ylabel(say("slope of its weight"))
    axes.text(12.5, 1e-4, say("each step up the axis:\n100 times as large"), fontsize=SMALL)
    title = say("Each 2.3 more of lead leaves a tenth of the slope")
    figure.suptitle(title, **HEADLINE)
    show_figure(
        figure,
        say("The slope falls from .25 at a tie to 2 in a thousand million at a lead of 20, from a "
            "lead of 3 on in a straight line."),
        colours=48,
    )  # fmt: skip
