"""A sink that a small model has learned to use: where its queries look, and why."""

import functools

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.softmax.hues import FITS, SINK, STRANGER
from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import GHOST, INK, KEY, SMALL, TEXT, new_figure
from course_lib.kernels.softmax import softmax
from course_lib.models.recall import (
    FACTOR,
    NONE,
    PAIRS,
    Parameters,
    answer,
    hand_over,
    trained_or_none,
)
from course_lib.words import say

HALF = 6  # of the rows that are shown
MOST = 0.5  # of the 1: where key 0 gets less, though the name is missing, it has missed
HARDLY = 0.1  # where key 0 gets less, though the name is missing, the row says who has the rest
CLEAR = 0.8  # what key 0 gets in the row that is shown with its scores
ALT = (
    "A heat map of weights: twelve queries in rows, {pairs} keys in columns, the column of key 0 "
    "framed. Where the name is there, each row has one dark cell, the name's, "
    "and key 0 gets almost nothing. Where it is not there, key 0 gets {firsts}. The "
    "model's answer is right in {right} rows. A and B mark two rows that ask for the same name. "
    "In {texts} texts without the name key 0 gets more "
    "than half in {most} %, and the answer is right in {answered} %."
)
LEVELS = (
    "The scores of one query. Key 0 has {level} both times. In row A, where the name is there, its "
    "key has {right}; the other keys lie below key 0, which gets {there}. In row B, where the name "
    "is missing, all others lie below key 0, and it gets {missing}."
)


def second_model() -> Parameters:
    """The model that has learned to say "nothing"."""
    return trained_or_none()[0]


@functools.cache
def learned() -> dict:
    """Train a model that may be asked for what is not there, and put questions to it.

    Shapes: weights, scores (2 HALF, n): the first half asks for a name that is there, and the
    second for one that is not.   right (2 HALF,): the key with the answer.
    said (2 HALF,): whether the model's answer is right.   pair: two rows that ask for one name.
    texts: how many questions have a missing name.   most: the share of them in which key 0 takes
    more than half of the 1.   answered: the share that the model answers with "nothing".
    present: how many questions have their name in the text.   missed: how many of these the model
    answers with "nothing".   found: and how many with the right number.
    """
    parameters, asked = trained_or_none()
    seen = answer(parameters, asked, FACTOR)
    scores, said = seen["scores"], seen["logits"].argmax(axis=1)
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
        "said": (said == asked.answers)[rows],
        "pair": pair, "texts": len(missing),
        "most": float((softmax(scores[missing])[:, 0] > MOST).mean()),
        "answered": float((said[missing] == NONE).mean()),
        "present": len(there), "missed": int((said[there] == NONE).sum()),
        "found": int((said == asked.answers)[there].sum()),
    }  # fmt: skip


def answers_without_key_0() -> tuple[np.ndarray, np.ndarray]:
    """What the model answers when key 0 is forbidden, and what is right.

    Shapes: answers, right (b,), whole numbers below z
    """
    parameters, asked = trained_or_none()
    scores = answer(parameters, asked, FACTOR)["scores"]
    scores[:, 0] = -np.inf
    logits = hand_over(parameters, asked, softmax(scores))["logits"]
    return logits.argmax(axis=1), asked.answers


def ask_without_key_0() -> None:
    """Forbid key 0 in the texts without the name, and count the answers "nothing"."""
    answers, right = answers_without_key_0()
    missing = right == NONE
    print(say("key 0 forbidden: answer “nothing” in {right} of {texts} texts",
              right=(answers[missing] == NONE).sum(), texts=missing.sum()))  # fmt: skip


def _counts() -> dict:
    data = learned()
    percent = {one: f"{100 * data[one]:.0f}" for one in ("most", "answered")}
    return {one: data[one] for one in ("texts", "present", "missed", "found")} | percent


def told_of_all_texts() -> str:
    """How often key 0 takes over half, and the answer is "nothing", with and without the name."""
    template = (
        "In {texts} texts without the name: key 0 over half in {most} %, "
        "answer “nothing” in {answered} %\n"
        "In {present} texts with the name: the right number in {found}, “nothing” in {missed}"
    )
    return say(template, **_counts())


def show_learned_sink() -> None:
    """Train a model that may be asked for what is not there, and show where its queries look."""
    data = learned()
    figure = new_figure(7.0, 3.4)
    axes = figure.subplots()
    _draw_table(axes, data["weights"])
    _name_rows(axes, data), _tell_rows(axes, data)
    counts = _counts()
    title = say("After training: where do twelve queries look?")
    figure.headline(title)
    firsts = ", ".join(share(one) for one in data["weights"][HALF:, 0])
    show_figure(
        figure,
        say(ALT, pairs=PAIRS, firsts=firsts, right=int(data["said"].sum()), **counts),
        colours=16,
        exact=False,
    )
    print(told_of_all_texts())


def show_rows_a_and_b() -> None:
    """The scores of one query, in a text where its name is there and in one where it is not."""
    data = learned()
    there, missing = data["pair"]
    figure = new_figure(7.0, 2.7)
    _draw_levels(figure.subplots(), data)
    title = say("Rows A and B: what each of their keys scores")
    figure.headline(title)
    facts = {
        "level": f"{data['scores'][there, 0]:.0f}",
        "right": f"{data['scores'][there].max():.0f}",
        "there": share(data["weights"][there, 0]),
        "missing": share(data["weights"][missing, 0]),
    }
    show_figure(figure, say(LEVELS, **facts), colours=16, exact=False)


def _draw_table(axes, weights) -> None:
    """Where twelve queries look, with a frame around the column of key 0."""
    axes.imshow(weights.round(2), cmap=WEIGHTS, vmin=0, vmax=1, aspect="auto", interpolation="none")
    axes.set_yticks([])
    axes.set_xticks([0, 5, 10, 15])
    axes.tick_params(length=0)
    axes.spines[:].set(visible=True, color=GHOST)
    for row in range(2 * HALF - 1):
        axes.axhline(row + 0.5, color="white", linewidth=1.5)
    axes.axhline(HALF - 0.5, color=INK, linewidth=1.2)
    frame = {"fill": False, "edgecolor": KEY, "linewidth": 2, "zorder": 3, "clip_on": False}
    axes.add_patch(Rectangle((-0.5, -0.5), 1, 2 * HALF, **frame))
    axes.text(0, -0.7, say("key 0"), color=KEY, fontsize=TEXT, ha="center", va="bottom")


def _name_rows(axes, data) -> None:
    """To the left, what the two halves of the rows ask for, and the letters of two rows."""
    for middle, words in ((0, say("the name\nis there")), (HALF, say("the name\nis not there"))):
        axes.text(-1.6, middle + (HALF - 1) / 2, words, fontsize=TEXT, ha="right", va="center")
    badge = {"facecolor": INK, "edgecolor": "none", "pad": 2.5}
    look = {"fontsize": TEXT, "fontweight": "bold", "color": "white", "ha": "right", "va": "center"}
    for row, letter in zip(data["pair"], "AB", strict=True):
        axes.text(-1.0, row, letter, bbox=badge, **look)
    axes.text(-0.9, 2 * HALF + 0.1, say("key"), fontsize=SMALL, ha="right", va="center")


def _tell_rows(axes, data) -> None:
    """To the right of each row, what key 0 gets."""
    axes.text(PAIRS - 0.2, -0.7, say("key 0 gets"), color=KEY, fontsize=TEXT, va="bottom")
    for row, first in enumerate(data["weights"][:, 0]):
        words = share(first)
        if row >= HALF and first < HARDLY:
            words = say("{share}, strangers {rest}", share=words, rest=share(1 - first))
        axes.text(PAIRS - 0.2, row, words, fontsize=TEXT, va="center")


def _draw_levels(axes, data) -> None:
    """The scores of one query against its keys, where the name is there and where it is not."""
    axes.set(xlim=(-17.6, 16), ylim=(-0.35, 2.2), yticks=[])
    axes.set_xticks((-5, 0, 5, 10, 15), labels=["−5", "0", "5", "10", "15"])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(say("score with the query of rows A and B"))
    level = data["scores"][data["pair"][0], 0]
    axes.plot([level] * 2, [-0.35, 1.45], color=INK, linewidth=1.2, linestyle=":", zorder=0)
    look = {"fontsize": SMALL, "ha": "center", "va": "bottom"}
    for row, letter, height in zip(data["pair"], "AB", (1.45, 0.1), strict=True):
        scores, weights, best = (data[one][row] for one in ("scores", "weights", "right"))
        axes.text(-17.5, height, letter, fontsize=TEXT, fontweight="bold", va="center")
        name = say("name there") if best else say("name missing")
        axes.text(-16.3, height, name, fontsize=TEXT, va="center")
        axes.plot([-7.4, 15.6], [height] * 2, color="#d9d9d9", linewidth=1, zorder=0)
        others = np.delete(scores, [0, best]) if best else scores[1:]
        axes.plot(others, [height] * len(others), "o", color=STRANGER, markersize=6)
        axes.plot([scores[0]], [height], "s", color=INK, markerfacecolor=SINK, markersize=10)
        key_0 = say("key 0 gets {share}", share=share(weights[0]))
        behind = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
        axes.text(scores[0] - 0.4, height + 0.3, key_0, bbox=behind, **(look | {"ha": "right"}))
        rest = say("the others {share}", share=share(1 - weights[0] - bool(best) * weights[best]))
        axes.text(-7.4, height + 0.3, rest, color="#555555", **(look | {"ha": "left"}))
        if best:
            axes.plot([scores[best]], [height], "o", color=INK, markerfacecolor=FITS, markersize=9)
            found = say("the name's key {share}", share=share(weights[best]))
            axes.text(scores[best], height - 0.58, found, **look)  # below: key 0 has the room above
