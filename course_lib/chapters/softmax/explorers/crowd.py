"""Explorer `crowd`: the weight of one key that leads a crowd of others."""

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

CROWDS = np.geomspace(10, 100_000, 61)


def crowd(*, s, lead, softmax) -> dict:
    """The weight of one key that scores `lead` above each of s - 1 others."""
    scores = np.zeros(s)
    scores[0] = lead
    weight = np.asarray(softmax(scores), dtype=float)[0]
    curve = 1 / (1 + (CROWDS - 1) * np.exp(-lead))
    return {"s": s, "lead": lead, "weight": float(weight), "curve": curve}


def draw_crowd(figure, data) -> Drawing:
    """The weight of the one key against the number of keys."""
    axes = figure.subplots()
    axes.plot(CROWDS, data["curve"], color=GHOST, linewidth=1)
    axes.axhline(0.5, color=FAINT, linewidth=1, zorder=0)
    (curve,) = axes.plot([], [], color=INK)
    (dot,) = axes.plot([], [], "o", color=OUTPUT, markersize=10)
    axes.set(xscale="log", xlim=(9, 1.25e5), ylim=(-0.04, 1.06), yticks=(0, 0.5, 1))
    axes.set_xticks([10, 100, 1000, 10_000, 100_000], ["10", "100", "1000", "10,000", "100,000"])
    axes.minorticks_off()
    axes.set(xlabel=say("number of keys s"), ylabel=say("weight of the one"))
    title = axes.set_title("")

    def update(data) -> None:
        curve.set_data(CROWDS, data["curve"])
        dot.set_data([data["s"]], [data["weight"]])
        title.set_text(
            say("a lead of {lead:.1f} among {s} keys: weight {weight:.4f}", **_of_crowd(data))
        )

    return Drawing(update, moving=[curve, dot, title])


def _of_crowd(data) -> dict:
    return {name: data[name] for name in ("s", "lead", "weight")}


def describe_crowd(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "One key scores {lead:.1f} more than each of the {others} others. It has the weight "
        "{weight:.4f}; the others share {rest:.4f}.",
        others=data["s"] - 1, rest=1 - data["weight"], **_of_crowd(data),
    )  # fmt: skip


explore_crowd = Explorer(
    crowd,
    draw_crowd,
    describe_crowd,
    sliders={
        "s": IntRange(10, 100_000, start=10, label="number of keys s", log=True),
        "lead": FloatRange(0, 15, start=5, step=0.1, label="lead of the one key"),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("weight of the one"), f"{data['weight']:.5f}"),
        (say("weight of all others together"), f"{1 - data['weight']:.5f}"),
        (say("e to the power of the lead"), f"{np.exp(data['lead']):.0f}"),
        (say("other keys"), f"{data['s'] - 1}"),
    ],
    goal=Goal(
        "Go to 1000 keys. Find the smallest lead, to one digit behind the point, that still gets "
        "half of the weight.",
        lambda params, data: data["s"] == 1000 and round(params["lead"], 3) == 7.0,
        solution={"s": 1000, "lead": 7.0},
    ),
)
