"""Picture: how the eight words score each other with a learner's own matrices."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from course_lib.chapters.queries_keys_values.exercises.strangers_match import WORDS
from course_lib.chapters.queries_keys_values.explorers.capitals import (
    CAPITALS,
    NOT_THEIRS,
    SCORES,
    scores_of,
)
from course_lib.chapters.queries_keys_values.two_matrices import two_matrices
from course_lib.figures.heat_map import draw_scores
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, TITLE, new_figure
from course_lib.words import say

PARIS, FRANCE = 0, 4
SIZE = (6.2, 3.1)  # inches


def _digits(score: float) -> str:
    return f"{float(score) + 0.0:.3g}".replace("-", "−")


def draw_found(figure: Figure, scores: np.ndarray) -> None:
    """A table of scores; a number for each capital with its country, and a frame for the title."""
    names = [say(word) for word in WORDS]
    axes = figure.subplots()
    limit = float(np.abs(scores).max())
    draw_scores(axes, scores, rows=names, columns=names, limit=1.6 * limit, number="")
    axes.set_aspect("auto")
    axes.xaxis.set(ticks_position="top", label_position="top")
    axes.tick_params(length=0)
    for edge in range(9):
        axes.axhline(edge - 0.5, color=FAINT, linewidth=0.8, zorder=2, clip_on=False)
        axes.axvline(edge - 0.5, color=FAINT, linewidth=0.8, zorder=2, clip_on=False)
    at = {"ha": "center", "va": "center", "fontsize": TITLE}
    for i in CAPITALS[1:]:
        axes.text(i + 4, i, _digits(scores[i, i + 4]), **at)
    for row, other in ((PARIS, FRANCE), (FRANCE, PARIS)):
        axes.text(other, row, _digits(scores[row, other]), fontweight="bold", **at)
        axes.add_patch(
            Rectangle((other - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=INK, linewidth=2.5,
                      zorder=5, clip_on=False)
        )  # fmt: skip
    axes.set_xlabel(say("the word that is asked"), color=KEY)
    axes.set_ylabel(say("the word that asks"), color=QUERY)
    figure.headline(_finding(scores))


def _finding(scores: np.ndarray) -> str:
    return say(
        "{word} asks {other}: {there}; {other} asks {word}: {back}",
        word=WORDS[PARIS], other=WORDS[FRANCE], there=_digits(scores[PARIS, FRANCE]),
        back=_digits(scores[FRANCE, PARIS]),
    )  # fmt: skip


def describe_found(scores: np.ndarray) -> str:
    """The table in words."""
    least = float(scores[CAPITALS, CAPITALS + 4].min())
    return say(
        "A table of scores. Each capital scores {least} or more with its own country. {finding}.",
        least=_digits(least), finding=_finding(scores),
    )  # fmt: skip


def show_capitals(w_q, w_k) -> None:
    """Show the scores of capitals and countries with two matrices.

    w_q, w_k: (8, d), a row for each word; where the capitals do not find their countries with
    them, a sentence says so, and the plainest table is shown.
    """
    if scores_of(w_q, w_k) is None:
        print(say(NOT_THEIRS))
        scores = SCORES
    else:
        asks, answers = two_matrices((w_q, w_k), "w_q", "w_k")
        scores = np.round(asks @ answers.T, 6)
    figure = new_figure(*SIZE)
    draw_found(figure, scores)
    show_figure(figure, describe_found(scores), colours=8)
