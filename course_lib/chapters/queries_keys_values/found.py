"""Picture: whom each of the eight words finds with a learner's own matrices."""

import numpy as np
from matplotlib.figure import Figure

from course_lib.chapters.queries_keys_values.explorers.capitals import (
    CAPITALS,
    NOT_THEIRS,
    SCORES,
    WORDS,
    capitals,
    scores_of,
)
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import share
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, TITLE, new_figure
from course_lib.words import say

SHARPNESS = 4.0  # the weakest country leads by this much: .89 where the other seven are level
PARIS, FRANCE = 0, 4


def _digits(weight: float) -> str:
    """Two digits, without the zero in front; a half is rounded up, so an eighth is .13."""
    return share(np.floor(100 * float(weight) + 0.5) / 100)


def draw_found(figure: Figure, weights: np.ndarray) -> None:
    """A table of weights, with the words that ask on its left; the rows of two have numbers."""
    names = [say(word) for word in WORDS]
    axes = figure.subplots()
    draw_weights(axes, weights, rows=names, number="").highlight(row=FRANCE)
    at = {"ha": "center", "va": "center", "fontsize": SMALL}
    for row in (PARIS, FRANCE):
        for column, weight in enumerate(weights[row]):
            colour = "white" if weight > 0.5 else INK
            axes.text(column, row, _digits(weight), color=colour, **at)
    axes.set_xticks(range(8), labels=names, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_xlabel(say("the word that is asked"), color=KEY)
    axes.set_ylabel(say("the word that asks"), color=QUERY)
    figure.suptitle(_finding(weights), x=0.012, ha="left", fontsize=TITLE, fontweight="bold")


def _finding(weights: np.ndarray) -> str:
    return say(
        "{word} gives {other} {there}, {other} gives {word} {back}",
        word=WORDS[PARIS], other=WORDS[FRANCE], there=_digits(weights[PARIS, FRANCE]),
        back=_digits(weights[FRANCE, PARIS]),
    )  # fmt: skip


def describe_found(weights: np.ndarray) -> str:
    """The table in words."""
    least = float(weights[CAPITALS, CAPITALS + 4].min())
    return say(
        "A table of weights. Each capital gives its own country {least} or more. {finding}.",
        least=_digits(least), finding=_finding(weights),
    )  # fmt: skip


def show_capitals(w_q, w_k) -> None:
    """Show the weights of capitals and countries with two matrices.

    w_q, w_k: (8, d), a row for each word; where the capitals do not find their countries with
    them, a sentence says so, and the plainest table is shown.
    """
    scores = scores_of(w_q, w_k)
    if scores is None:
        print(say(NOT_THEIRS))
        scores = SCORES
    weights = capitals(asks=PARIS, sharpness=SHARPNESS, scores=scores)["weights"]
    figure = new_figure(5.0, 3.9)
    draw_found(figure, weights)
    show_figure(figure, describe_found(weights), colours=8)
