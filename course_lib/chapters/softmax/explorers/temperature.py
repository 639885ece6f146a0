"""Explorer `temperature`: four weights, and over how many keys they spread."""

import numpy as np

from course_lib.chapters.softmax.explorers.add_and_multiply import listed
from course_lib.figures.theme import GHOST, INK, OUTPUT, SMALL
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

SCORES = np.array([3.5, -2.1, 8.7, 0.3])
PRINTED = np.array([0.05, 0.00, 0.94, 0.01])  # the weights of a table in print
TEMPERATURES = np.geomspace(0.2, 20, 61)


def _count(weights: np.ndarray) -> np.ndarray:
    """exp(entropy) of each row; for any numbers, since a learner's rows may not add up to 1."""
    kept = np.where(weights > 0, weights, 1)
    return np.exp(-(kept * np.log(kept)).sum(axis=-1))


def temperature(*, temperature, softmax) -> dict:
    """The weights of four scores at a temperature, and over how many keys they spread."""
    weights = np.asarray(softmax(SCORES / temperature), dtype=float)
    rows = np.asarray(softmax(SCORES / TEMPERATURES[:, None]), dtype=float)
    counts = _count(rows)
    return {"T": temperature, "weights": weights, "count": _count(weights), "counts": counts}


def draw_temperature(figure, data) -> Drawing:
    """Left the weights beside the printed ones; right over how many keys they spread."""
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1.0))
    places = np.arange(len(SCORES))
    left.bar(places, data["weights"], 0.6, fill=False, edgecolor=GHOST)
    bars = left.bar(places, 0 * SCORES, 0.6, color=OUTPUT, alpha=0.75)
    left.hlines(PRINTED, places - 0.42, places + 0.42, color=INK, linestyle=(0, (3, 1.5)), zorder=4)
    numbers = [left.text(x, 1.08, "", ha="center", va="bottom", fontsize=SMALL) for x in places]
    left.set(ylim=(0, 1.2), yticks=(0, 0.5, 1), ylabel=say("weight"), xlabel=say("score"))
    left.set_xticks(places, labels=[f"{score:g}" for score in SCORES])
    left.text(-0.4, 0.85, say("dashed: as printed"), fontsize=SMALL, va="top")
    right.set(xscale="log", xlim=(0.16, 26), ylim=(0.8, 4.2), yticks=(1, 2, 3, 4))
    right.set_xticks([0.2, 1, 5, 20], labels=["0.2", "1", "5", "20"])
    right.minorticks_off()
    right.set_xlabel(say("temperature T"))
    (curve,) = right.plot([], [], color=INK)
    (dot,) = right.plot([], [], "o", color=OUTPUT, markersize=9)
    title, heading = left.set_title(""), right.set_title("")

    def update(data) -> None:
        for bar, text, weight in zip(bars, numbers, data["weights"], strict=True):
            bar.set_height(weight)
            text.set_text(f"{weight:.3f}")
        curve.set_data(TEMPERATURES, data["counts"])
        dot.set_data([data["T"]], [data["count"]])
        title.set_text(say("T = {T:.2f}: the weights", T=data["T"]))
        heading.set_text(say("as if over {count:.2f} keys", count=data["count"]))

    return Drawing(update, moving=[*bars, *numbers, curve, dot, title, heading])


def describe_temperature(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "At temperature {T:.2f} the scores 3.5, -2.1, 8.7, 0.3 get the weights {weights}: as if "
        "spread evenly over {count:.2f} keys.",
        T=data["T"], weights=listed(data["weights"]), count=float(data["count"]),
    )  # fmt: skip


explore_temperature = Explorer(
    temperature,
    draw_temperature,
    describe_temperature,
    sliders={
        "temperature": FloatRange(0.2, 20, start=1, label="temperature T", log=True),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("weight of score {score:g}", score=score), f"{weight:.5f}")
        for score, weight in zip(SCORES, data["weights"], strict=True)
    ],
    goal=Goal(
        "Find a temperature at which all four weights round to the printed .05, .00, .94, .01.",
        lambda params, data: bool((np.round(data["weights"], 2) == PRINTED).all()),
        solution={"temperature": 1.75},
    ),
)
