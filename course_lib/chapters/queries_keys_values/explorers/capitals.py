"""Explorer `capitals`: the weights of eight words, whose scores are sharpened."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.ghosts import GoalMark
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.numerals import signed
from course_lib.figures.theme import GHOST, INK, KEY, QUERY, SMALL, TITLE
from course_lib.kernels.softmax import softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

WORDS = ("Paris", "Rome", "Tokyo", "Cairo", "France", "Italy", "Japan", "Egypt")
CAPITALS = np.arange(4)
SCORES = np.zeros((8, 8))
SCORES[CAPITALS, CAPITALS + 4] = 1.0  # each capital with its own country
SHARPEST, SURE = 8.0, 0.95
DASHED = (0, (3, 2))


class _NoNumber:
    """The cells are shades alone: only the row that asks has numbers, and they are texts apart."""

    def format(self, value: float) -> str:
        return ""


def _digits(weight: float) -> str:
    """Three digits, without the zero in front: an eighth is .125, and nothing is rounded."""
    return signed(weight, 3).removeprefix("0")


def capitals(*, asks, sharpness) -> dict:
    """The weights of eight words, whose scores are all multiplied by the sharpness."""
    return {"asks": asks, "weights": softmax(sharpness * SCORES)}


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
    """A row of weights for each word; that of the word that asks has a frame."""
    names = [say(word) for word in WORDS]
    axes = figure.subplots()
    axes.set_label("weights")
    weights = draw_weights(axes, data["weights"], rows=names, number=_NoNumber())
    axes.set_xticks(range(8), labels=names, rotation=55, ha="right", rotation_mode="anchor")
    numbers = [axes.text(i, 0, "", ha="center", va="center", fontsize=SMALL) for i in range(8)]
    axes.set_xlabel(say("the word that is asked"), color=KEY)
    axes.set_ylabel(say("the word that asks"), color=QUERY)
    goal = _goal(axes)
    title = figure.suptitle("", x=0.012, ha="left", fontsize=TITLE)

    def update(data) -> None:
        weights.update(data["weights"])
        weights.highlight(row=data["asks"])
        for text, weight in zip(numbers, data["weights"][data["asks"]], strict=True):
            text.set(y=data["asks"], text=_digits(weight), color="white" if weight > 0.5 else INK)
        title.set_text(_finding(data))

    return Drawing(update, moving=[*weights.artists, *numbers, title], goal=goal)


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
    return say(
        "At sharpness {sharpness} each capital scores {sharpness} with its own country and gives "
        "it {there} of its attention. Each country has scores of 0 alone and gives {back} to "
        "everybody. {finding}.",
        sharpness=signed(params["sharpness"]), there=_digits(data["weights"][0, 4]),
        back=_digits(data["weights"][4, 0]), finding=_finding(data),
    )  # fmt: skip


explore_capitals = Explorer(
    capitals,
    draw_capitals,
    describe_capitals,
    sliders={
        "asks": Options(
            {word: i for i, word in enumerate(WORDS)}, start=0, label="the word that asks"
        ),
        "sharpness": FloatRange(
            0, SHARPEST, start=1.0, step=0.5, label="sharpness: what every score is multiplied by"
        ),
    },
    handles={
        "asks": Chosen(
            at=lambda data: [("weights", -0.5, i) for i in range(8)],
            moves="asks",
            label="the word that asks",
            colour=QUERY,
        ),
    },
    numbers=lambda params, data: [
        (
            say("{word} gives {other}", word=WORDS[i], other=WORDS[_partner(i)]),
            f"{data['weights'][i, _partner(i)]:.3f}",
        )
        for i in range(8)
    ],
    goal=Goal(
        "Sharpen the scores until each capital gives its country .95 or more: the dashed cells.",
        lambda params, data: bool((data["weights"][CAPITALS, CAPITALS + 4] >= SURE).all()),
        solution={"sharpness": 6.0},
    ),
    question="Choose France as the word that asks. Why has its row not moved at all?",
    size=(6.0, 4.9),
    colours=20,
)
