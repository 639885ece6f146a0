"""A sink that a small model has learned to use: where its queries look, and why."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, INK, KEY, SMALL, TEXT, TITLE, WEIGHT, new_figure
from course_lib.kernels.softmax import softmax
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

SEED, STEPS, QUESTIONS, HALF = 0, 600, 400, 6
FACTOR = WIDTH**-0.5
CLEAR = 0.8  # what key 1 gets in the row that is shown with its scores
CROWD, SINK = "#9aa2af", "#dfe2e7"  # as in the explorer of the sink
HEADLINE = {"x": 0.012, "ha": "left", "fontsize": TITLE, "fontweight": "bold"}
ALT = (
    "A heat map of weights: queries in rows, {pairs} keys in columns, the key with the answer "
    "framed in each row. In the upper half the name is there: each row has one dark cell, in the "
    "frame, and the first key gets almost nothing. In the lower half it is not: the first key, "
    "framed, has {firsts} of the weight. Below, one query's scores. Key 1 has {level} both times. "
    "Where the name is there, its key has {right}; the other keys lie below key 1."
)


class Digits:
    """One digit for a weight that has one; nothing where it would be 0."""

    def format(self, weight: float) -> str:
        """A weight of .05 or more as ".1"; else no text."""
        return f"{weight:.1f}".removeprefix("0") if weight >= 0.05 else ""


def learned() -> dict:
    """Train a model that may be asked for what is not there, and put questions to it.

    Shapes: weights, scores (2 HALF, n): the first half asks for a name that is there, and the
    second for one that is not. right (2 HALF,): the key with the answer.
    pair: two rows that ask for the same name.
    """
    rng = np.random.default_rng(SEED)
    parameters, _ = trained(
        fresh_parameters(WIDTH, rng), FACTOR, range(STEPS), rng, questions_or_none
    )
    asked = questions_or_none(QUESTIONS, rng)
    seen = answer(parameters, asked, FACTOR)
    scores = FACTOR * (seen["q"] @ seen["k"].T)[asked.asked[:, None], asked.names]
    there, missing = (np.flatnonzero((asked.answers == NONE) == none) for none in (False, True))
    _, first = np.unique(asked.asked[missing], return_index=True)  # no name twice
    below = missing[np.sort(first)[:HALF]]
    clear = [row for row in below if softmax(scores[row])[0] > CLEAR]
    both = next(row for row in clear if asked.asked[row] in asked.asked[there])
    same = there[asked.asked[there] == asked.asked[both]][0]
    rows = np.r_[there[there != same][: HALF - 1], same, below]
    right = (asked.names == asked.asked[:, None]).argmax(axis=1)  # the first where it is missing
    pair = (HALF - 1, int(np.flatnonzero(rows == both)[0]))
    return {
        "scores": scores[rows], "weights": softmax(scores[rows]), "right": right[rows],
        "pair": pair,
    }  # fmt: skip


def show_learned_sink() -> None:
    """Train a model that may be asked for what is not there, and show where its queries look."""
    data = learned()
    figure = new_figure(7.0, 5.7)
    above, below = figure.subplots(2, 1, height_ratios=(1.75, 1.0))
    _draw_table(above, data)
    _draw_levels(below, data)
    figure.suptitle(say("Key 1 wins where no other key scores higher"), **HEADLINE)
    there, _ = data["pair"]
    facts = {
        "pairs": PAIRS,
        "firsts": ", ".join(f"{one:.1f}" for one in data["weights"][HALF:, 0]),
        "level": f"{data['scores'][there, 0]:.0f}",
        "right": f"{data['scores'][there].max():.0f}",
    }
    show_figure(figure, say(ALT, **facts), colours=24, exact=False)


def _draw_table(axes, data) -> None:
    """Where twelve queries look, with the key that has the answer framed."""
    columns = [f"{place + 1}" for place in range(PAIRS)]
    shown = data["weights"].round(1)  # what the digits say
    draw_weights(axes, shown, columns=columns, number=Digits(), numbers=True)
    axes.set_aspect("auto")
    for row, key in enumerate(data["right"]):
        frame = {"fill": False, "edgecolor": KEY, "linewidth": 2, "zorder": 3}
        axes.add_patch(Rectangle((key - 0.46, row - 0.44), 0.92, 0.88, **frame))
        if shown[row, key] == 0:
            axes.text(key, row, ".0", fontsize=SMALL, ha="center", va="center", zorder=4)
    axes.axhline(HALF - 0.5, color=INK, linewidth=1.2)
    whole = {"fill": False, "edgecolor": GHOST, "linewidth": 1}
    axes.add_patch(Rectangle((-0.5, -0.5), PAIRS, 2 * HALF, **whole))
    for middle, words in ((0, "the name\nis there"), (HALF, "the name\nis not there")):
        place = middle + (HALF - 1) / 2
        axes.text(-0.8, place, say(words), fontsize=TEXT, ha="right", va="center")
    for row, letter in zip(data["pair"], "AB", strict=True):
        axes.text(PAIRS - 0.3, row, letter, fontsize=TEXT, fontweight="bold", va="center")
    framed = say("framed: the key with the answer")
    axes.text(PAIRS - 0.5, -0.7, framed, color=KEY, fontsize=SMALL, ha="right", va="bottom")
    axes.text(-0.8, 2 * HALF, say("key"), fontsize=SMALL, ha="right", va="center")


def _draw_levels(axes, data) -> None:
    """The scores of one query against its keys, where the name is there and where it is not."""
    axes.set(xlim=(-16.4, 16), ylim=(-0.35, 2.6), yticks=[])
    axes.set_xticks((-5, 0, 5, 10, 15), labels=["−5", "0", "5", "10", "15"])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(say("score with the query of rows A and B"))
    level = data["scores"][data["pair"][0], 0]
    axes.plot([level] * 2, [-0.35, 2.05], color=INK, linewidth=1.2, linestyle=":", zorder=0)
    look = {"fontsize": SMALL, "ha": "center", "va": "bottom"}
    for row, letter, height in zip(data["pair"], "AB", (1.45, 0.1), strict=True):
        scores, weights, best = (data[one][row] for one in ("scores", "weights", "right"))
        axes.text(-16.3, height, letter, fontsize=TEXT, fontweight="bold", va="center")
        name = say("name there") if best else say("name not there")
        axes.text(-15.3, height, name, fontsize=TEXT, va="center")
        axes.plot([-7.6, 15.6], [height] * 2, color="#d9d9d9", linewidth=1, zorder=0)
        others = np.delete(scores, [0, best]) if best else scores[1:]
        axes.plot(others, [height] * len(others), "o", color=CROWD, markersize=6)
        axes.plot([scores[0]], [height], "s", color=INK, markerfacecolor=SINK, markersize=10)
        key_1 = say("key 1 gets {share}", share=share(weights[0]))
        behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
        axes.text(scores[0] + 0.8, height + 0.3, key_1, bbox=behind, **(look | {"ha": "right"}))
        rest = say("the others {share}", share=share(1 - weights[0] - bool(best) * weights[best]))
        axes.text(np.mean(others) - 1.5, height + 0.3, rest, color="#555555", **look)
        if best:
            axes.plot(
                [scores[best]], [height], "o", color=INK, markerfacecolor=WEIGHT, markersize=9
            )
            found = say("its key {share}", share=share(weights[best]))
            axes.text(scores[best], height + 0.3, found, **look)
