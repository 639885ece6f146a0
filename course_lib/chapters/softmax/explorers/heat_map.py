"""Explorer `heat_map`: the scores of a sentence, and the weights along rows or columns."""

import numpy as np

from course_lib.figures.heat_map import draw_scores, draw_weights
from course_lib.figures.sums import draw_sums
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

WORDS = ("xiao", "shen", "yang", "invited")

HEAD = np.array([[0.5, 2, 3, -1], [1, 0, 2.5, -2], [1.5, 1, 0.5, 0], [-0.5, 0.5, 2, -1]])


def heat_map(*, temperature, along, softmax) -> dict:
    """The weights of one head, shared out along the rows or along the columns."""
    scores = HEAD / temperature
    weights = softmax(scores) if along == "rows" else np.asarray(softmax(scores.T)).T
    return {"T": temperature, "along": along, "weights": np.asarray(weights, dtype=float)}


def draw_heat_map(figure, data) -> Drawing:
    """Scores on the left, weights on the right, with the sums of rows and columns."""
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.0))
    draw_scores(left, HEAD, rows=WORDS, columns=WORDS, number="{:.1f}")
    draw_sums(left, HEAD, number="{:.1f}")
    left.set(title=say("scores add up to anything"), ylabel=say("query"), xlabel=say("key"))
    weights = draw_weights(right, data["weights"], rows=WORDS, columns=WORDS)
    sums = draw_sums(right, data["weights"])
    right.set_xlabel(say("key"))
    title = right.set_title("")

    def update(data) -> None:
        weights.update(data["weights"]), sums.update(data["weights"])
        title.set_text(_what_adds_up(data["weights"]))

    return Drawing(update, moving=[*weights.artists, *sums.artists, title])


def _what_adds_up(weights) -> str:
    if np.allclose(weights.sum(axis=1), 1):
        return say("each row adds up to 1")
    if np.allclose(weights.sum(axis=0), 1):
        return say("each column adds up to 1")
    return say("neither adds up to 1")


def describe_heat_map(params, data) -> str:
    """The picture in one sentence."""
    table = data["weights"]
    return say(
        "Softmax along the {along} at temperature {T:.3g}. The rows add up to {rows}; the columns "
        "(xiao, shen, yang, invited) to {columns}.",
        rows=_sums(table.sum(axis=1)), columns=_sums(table.sum(axis=0)),
        along=say(data["along"]), T=data["T"],
    )  # fmt: skip


def _sums(totals) -> str:
    return ", ".join(f"{total:.2f}" for total in totals)


explore_heat_map = Explorer(
    heat_map,
    draw_heat_map,
    describe_heat_map,
    sliders={
        "temperature": FloatRange(0.1, 100, start=1, label="temperature T", log=True),
        "along": Options(
            {"rows: each query shares out": "rows", "columns: each key does": "columns"},
            start="rows",
            label="softmax along the",
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("row of {word}", word=word), "  ".join(f"{weight:.3f}" for weight in row))
        for word, row in zip(WORDS, data["weights"], strict=True)
    ],
    size=(7.0, 3.7),
    goal=Goal(
        "Softmax along the rows makes the rows add up to 1. Find a temperature at which each "
        "column adds up to 1 as well, to within .05.",
        lambda params, data: (
            data["along"] == "rows" and np.abs(data["weights"].sum(axis=0) - 1).max() < 0.05
        ),
        solution={"temperature": 60.0},
    ),
)
