"""Explorer `heat_map`: the scores of a sentence, and the weights along rows or columns."""

import numpy as np

from course_lib.chapters.softmax.hues import FOUR
from course_lib.figures.heat_map import draw_scores, draw_weights
from course_lib.figures.numerals import Share, Signed, share
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import TEXT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

WORDS = ("xiao", "shen", "yang", "invited")
ROOM = 0.3  # for the number below a column's sum of 2

HEAD = np.array([[2.5, 2, 0.5, -1], [0.5, 1, 3, -1], [0.5, 2.5, 1, -1.5], [0.5, 2, 0.5, 0]])


def heat_map(*, temperature, along, row, softmax) -> dict:
    """The weights of one head, shared out along the rows or along the columns."""
    scores = HEAD / temperature
    weights = softmax(scores) if along == "rows" else np.asarray(softmax(scores.T)).T
    weights = np.asarray(weights, dtype=float)
    return {"T": temperature, "along": along, "row": WORDS.index(row), "weights": weights}


def draw_heat_map(figure, data) -> Drawing:
    """Scores on the left, weights on the right, with the sums of rows and columns."""
    left, right = figure.subplots(1, 2, width_ratios=(4.0, 6.05))
    scores = draw_scores(left, HEAD, rows=WORDS, columns=WORDS, number=Signed())
    left.xaxis.tick_top()
    left.set_ylabel(say("query"), y=0.67)
    left.text(-0.62, -0.72, say("key:"), fontsize=TEXT, ha="right", va="center")
    weights = draw_weights(right, data["weights"], columns=WORDS, number=Share())
    right.set_label("weights")
    sums = draw_sums(right, data["weights"], colours=FOUR)
    bottom, top = right.get_ylim()
    right.set_ylim(bottom + ROOM, top)
    left.set_ylim(right.get_ylim())  # one height for both, and rows beside rows
    for axes, name in ((left, "scores"), (right, "weights")):
        axes.tick_params(length=0)
        axes.text(1.5, -1.02, say(name), fontsize=TEXT, ha="center", va="bottom")
    title = figure.headline()

    def update(data) -> None:
        weights.update(data["weights"]), sums.update(data["weights"])
        scores.highlight(row=data["row"]), weights.highlight(row=data["row"])
        title.set_text(_finding(data))

    return Drawing(update, moving=[*scores.frames, *weights.artists, *sums.artists, title])


def _finding(data) -> str:
    row = data["weights"][data["row"]]
    facts = {"query": WORDS[data["row"]], "key": WORDS[int(row.argmax())]}
    template = "{query} gives {most} to {key}, and {total} in all"
    return say(template, most=share(row.max()), total=share(round(row.sum(), 9)), **facts)


def describe_heat_map(params, data) -> str:
    """The picture in one sentence."""
    table = data["weights"]
    return say(
        "Softmax along the {along} at temperature {T:.3g}. The rows add up to {rows}; the columns "
        "(xiao, shen, yang, invited) to {columns}. In the framed row {query} looks most at {key}.",
        rows=_sums(table.sum(axis=1)), columns=_sums(table.sum(axis=0)),
        along=say(data["along"]), T=data["T"], query=params["row"],
        key=WORDS[int(table[data["row"]].argmax())],
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
        "row": Options(list(WORDS), start="xiao", label="which query"),
    },
    handles={
        "row": Chosen(
            at=lambda data: [("weights", data["weights"][i].argmax(), i) for i in range(4)],
            moves="row",
            label="which query",
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("row of {word}", word=word), "  ".join(f"{weight:.3f}" for weight in row))
        for word, row in zip(WORDS, data["weights"], strict=True)
    ],
    size=(7.0, 4.2),
    colours=12,
    goal=Goal(
        "Softmax along the rows makes the rows add up to 1. Find a temperature at which each "
        "column adds up to 1 as well, to within .05.",
        lambda params, data: (
            data["along"] == "rows" and np.abs(data["weights"].sum(axis=0) - 1).max() < 0.05
        ),
        solution={"temperature": 60.0},
    ),
    question="And at T = 0.1, the cold end: what do the sums of the columns count?",
    answer="How many queries choose each key: every row is nearly a single 1, so a column adds up "
    "to the number of its 1s.",
)
