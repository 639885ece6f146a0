"""The pictures of chapter 4 that stand still, each with its words."""

import numpy as np

from course_lib.chapters.softmax.explorers.far_out import BASE, Landing, draw_paper
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import Share, share
from course_lib.figures.static import show_figure
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import INK, SMALL, TEXT, TITLE, new_figure
from course_lib.kernels.softmax import softmax, softmax_jacobian
from course_lib.words import say

CONSTANTS = ("3e7", "6.3e7", "1e8")
HEADLINE = {"x": 0.012, "ha": "left", "fontsize": TITLE, "fontweight": "bold"}
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
        colours=24,
    )  # fmt: skip


def show_row_sums(weights: np.ndarray, words: list[str]) -> None:
    """A table of weights with what its rows and columns add up to.

    weights: (n, n), of n words with themselves   words: their names
    """
    figure = new_figure(7.0, 4.8)
    axes = figure.subplots()
    draw_weights(axes, weights, rows=words, columns=words, number=Share())
    draw_sums(axes, weights)
    axes.set_ylabel(say("query"), y=0.67)
    axes.text((len(words) - 1) / 2, -1.0, say("key"), fontsize=TEXT, ha="center", va="bottom")
    heard = int(weights.sum(axis=0).argmax())
    facts = {"word": words[heard], "total": share(weights.sum(axis=0)[heard])}
    figure.suptitle(say("Each row spends 1; the columns do not"), **HEADLINE)
    column = ", ".join(share(weight) for weight in weights[:, heard])
    show_figure(
        figure,
        say("A table of {n} by {n} weights. Beside each row a bar that is 1 long. Below the "
            "columns bars of different lengths: that of {word} holds {column}, in all {total}.",
            n=len(words), column=column, **facts),
        colours=32,
    )  # fmt: skip


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
        colours=24,
    )  # fmt: skip
