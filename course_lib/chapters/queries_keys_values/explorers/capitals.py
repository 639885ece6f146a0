"""Explorer `capitals`: the weights of eight words, whose scores are sharpened.

explore_capitals()            # the plainest table: a capital scores 1 with its country, else 0
explore_capitals(w_q, w_k)    # the table of a learner's own matrices
"""

from functools import partial

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.queries_keys_values.exercises.strangers_match import WORDS
from course_lib.chapters.queries_keys_values.two_matrices import two_matrices
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import share, signed
from course_lib.figures.theme import GHOST, INK, KEY, QUERY, SMALL
from course_lib.kernels.softmax import softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

CAPITALS = np.arange(4)
SCORES = np.zeros((8, 8))
SCORES[CAPITALS, CAPITALS + 4] = 1.0  # each capital with its own country
SHARPEST, SURE = 8.0, 0.95
LEAST = 1e-6  # of a lead: below it, the scores are equal
NOT_THEIRS = (
    "With these matrices the capitals do not find their countries, so here is the plainest table: "
    "1 for a capital with its own country, and 0 elsewhere."
)
DASHED = (0, (3, 2))


def _digits(weight: float) -> str:
    """Three digits, without the zero in front: an eighth is .125, and nothing is rounded."""
    return share(weight, 3)


def capitals(*, asks, sharpness, scores=SCORES) -> dict:
    """The weights of eight words, whose scores are all multiplied by the sharpness."""
    return {"asks": asks, "weights": softmax(sharpness * scores)}


def scores_of(w_q, w_k) -> np.ndarray | None:
    """The scores of one-hot words with these matrices; None where a capital misses its country.

    w_q, w_k: (8, d), anything that holds numbers.   Returns: (8, 8), divided by the smallest lead
    of a country over the next best word, so that every answer begins equally sharp.
    """
    both = two_matrices((w_q, w_k), "w_q", "w_k")
    if isinstance(both, str) or any(one.ndim != 2 or len(one) != len(WORDS) for one in both):
        return None
    if both[0].shape != both[1].shape:
        return None
    scores = both[0] @ both[1].T
    others = scores[CAPITALS].copy()
    others[CAPITALS, CAPITALS + 4] = -np.inf
    lead = float((scores[CAPITALS, CAPITALS + 4] - others.max(axis=1)).min())
    return scores / lead if lead > LEAST else None


def _goal(axes) -> GoalMark:
    """The four cells that should hold nearly all of their rows: dashed until they do."""
    cells = [
        axes.add_patch(Rectangle(
            (i + 4 - 0.45, i - 0.45), 0.9, 0.9, fill=False, edgecolor=GHOST, linewidth=1.6,
            linestyle=DASHED, zorder=6,
        ))
        for i in CAPITALS
    ]  # fmt: skip

    def show(reached: bool) -> None:
        for cell in cells:
            cell.set(linestyle="solid" if reached else DASHED, linewidth=2.4 if reached else 1.6)

    return GoalMark(cells, show)


def draw_capitals(figure, data) -> Drawing:
    """A row of weights for each word; two have numbers and a frame: who asks, and who is meant."""
    names = [say(word) for word in WORDS]
    axes = figure.subplots()
    axes.set_label("weights")
    weights = draw_weights(axes, data["weights"], rows=names, number="")
    axes.set_xticks(range(8), labels=names, rotation=55, ha="right", rotation_mode="anchor")
    numbers = [
        [axes.text(i, 0, "", ha="center", va="center", fontsize=SMALL) for i in range(8)]
        for _ in range(2)
    ]
    way_back = axes.add_patch(
        Rectangle((-0.5, 0), 8, 1, fill=False, edgecolor=INK, linewidth=1.2, zorder=5,
                  clip_on=False)
    )  # fmt: skip
    axes.set_xlabel(say("the word that is asked"), color=KEY)
    axes.set_ylabel(say("the word that asks"), color=QUERY)
    goal = _goal(axes)
    title = figure.headline()

    def update(data) -> None:
        weights.update(data["weights"])
        rows = data["asks"], _partner(data["asks"])
        weights.highlight(row=rows[0])
        way_back.set_y(rows[1] - 0.5)
        for texts, row in zip(numbers, rows, strict=True):
            for text, weight in zip(texts, data["weights"][row], strict=True):
                text.set(y=row, text=_digits(weight), color="white" if weight > 0.5 else INK)
        title.set_text(_finding(data))

    written = [text for texts in numbers for text in texts]
    return Drawing(update, moving=[*weights.artists, way_back, *written, title], goal=goal)


def _partner(asks: int) -> int:
    return (asks + 4) % 8


def _finding(data) -> str:
    asks, other = data["asks"], _partner(data["asks"])
    return say(
        "{word} gives {other} {there}, {other} gives {word} {back}",
        word=WORDS[asks], other=WORDS[other], there=_digits(data["weights"][asks, other]),
        back=_digits(data["weights"][other, asks]),
    )  # fmt: skip


def describe_capitals(params, data) -> str:
    """The picture in words."""
    found = data["weights"][CAPITALS, CAPITALS + 4]
    back = data["weights"][CAPITALS + 4]
    level = say("Each country gives {share} to everybody.", share=_digits(back[0, 0]))
    if np.ptp(back) > LEAST:
        level = say("The countries have preferences of their own.")
    return say(
        "At sharpness {sharpness} each capital gives its own country {least} of its attention or "
        "more. {level} {finding}.",
        sharpness=signed(params["sharpness"]), least=_digits(found.min()), level=level,
        finding=_finding(data),
    )  # fmt: skip


class _Capitals(Explorer):
    """The explorer of one table of scores, (8, 8); called with two matrices, it shows theirs."""

    def __init__(self, scores: np.ndarray):
        level = np.ptp(scores[CAPITALS + 4], axis=1).max() < LEAST
        super().__init__(
            partial(capitals, scores=scores), draw_capitals, describe_capitals,
            sliders=SLIDERS, handles=HANDLES, numbers=_numbers, goal=GOAL, size=(6.0, 4.9),
            question=WHY_LEVEL if level else WHOM, answer=NO_LEAD if level else ROW_4, colours=8,
        )  # fmt: skip

    def __call__(self, w_q=None, w_k=None) -> None:
        """Show picture and sliders for the scores of two matrices, or for the plainest table.

        w_q, w_k: (8, d), a row for each word of WORDS; where the capitals do not find their
        countries with them, a sentence says so, and the plainest table is shown.
        """
        scores = SCORES if w_q is None else scores_of(w_q, w_k)
        if scores is None:
            print(say(NOT_THEIRS))
        Explorer.__call__(_Capitals(SCORES if scores is None else scores))


def _numbers(params, data) -> list[tuple[str, str]]:
    return [
        (
            say("{word} gives {other}", word=WORDS[i], other=WORDS[_partner(i)]),
            f"{data['weights'][i, _partner(i)]:.3f}",
        )
        for i in range(8)
    ]


SLIDERS = {
    "asks": Options({word: i for i, word in enumerate(WORDS)}, start=0, label="the word that asks"),
    "sharpness": FloatRange(
        0, SHARPEST, start=1.0, step=0.5, label="sharpness: what every score is multiplied by"
    ),
}
HANDLES = {
    "asks": Chosen(
        at=lambda data: [("weights", -0.5, i) for i in range(8)],
        moves="asks",
        label="the word that asks",
        colour=QUERY,
    ),
}
GOAL = Goal(
    "Sharpen the scores until each capital gives its country .95 or more: the dashed cells.",
    lambda params, data: bool((data["weights"][CAPITALS, CAPITALS + 4] >= SURE).all()),
    solution={"sharpness": 6.0},
)
WHY_LEVEL = "Choose France as the word that asks. Why has its row not moved at all?"
NO_LEAD = (
    "All its scores are equal, so no word is ahead of another. The sharpness multiplies leads, and "
    "here there is none."
)
ROW_4 = (
    "The darkest cell of its row says whom. Its query is row 4 of w_q, as France is word 4, "
    "counted from 0."
)
WHOM = "Choose France as the word that asks. Whom does it look at, and which row of w_q says so?"

explore_capitals = _Capitals(SCORES)
