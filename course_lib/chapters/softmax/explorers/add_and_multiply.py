"""Explorer `add_and_multiply`: what a factor does to the weights, and a constant in float32."""

from functools import lru_cache

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, SMALL
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

BASE = np.array([1.0, 2.0, 3.0])
POWERS = np.round(np.arange(0, 9.01, 0.1), 1)
PRECISIONS = {"float32": np.float32, "float64": np.float64}
HALF_BAR = 0.38


def _moved(factor, power, dtype) -> np.ndarray:
    """1, 2, 3 times `factor`, plus 10^power, in one precision; a row for each power."""
    constant = 10.0 ** np.asarray(power, dtype=float)[..., None]
    return dtype(factor) * BASE.astype(dtype) + constant.astype(dtype)


@lru_cache(maxsize=64)
def _largest_weights(factor, dtype) -> np.ndarray:
    """The largest weight at every power: the course's, so that yours need not survive them all."""
    largest = course_softmax(_moved(factor, POWERS, dtype))[:, -1].astype(float)
    largest.flags.writeable = False  # cached: nobody may change it
    return largest


def add_and_multiply(*, factor, power, softmax) -> dict:
    """The weights of 1, 2, 3 times `factor` plus 10^power, in float32 and float64."""
    data = {"factor": factor, "power": power}
    for name, dtype in PRECISIONS.items():
        weights = np.asarray(softmax(_moved(factor, power, dtype)), dtype=float)
        data[name] = {"largest": _largest_weights(factor, dtype), "weights": weights}
    return data


def draw_add_and_multiply(figure, data) -> Drawing:
    """Left the three weights in both precisions; right the largest against the constant."""
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1.0))
    looks = {
        "float32": {"color": OUTPUT, "edgecolor": OUTPUT},
        "float64": {"color": FAINT, "edgecolor": INK},
    }
    bars, numbers, lines, dots = {}, {}, {}, {}
    for side, name in ((-1, "float32"), (1, "float64")):
        places = np.arange(3) + side * HALF_BAR / 2
        left.bar(places, data[name]["weights"], HALF_BAR, fill=False, edgecolor=GHOST)
        bars[name] = left.bar(places, [0, 0, 0], HALF_BAR, linewidth=1, **looks[name])
        colour = OUTPUT if side < 0 else INK
        numbers[name] = [
            left.text(x, 0, "", ha="center", va="bottom", fontsize=SMALL, color=colour)
            for x in places
        ]
        style = {"linestyle": "-" if side < 0 else (0, (5, 2)), "color": colour}
        (lines[name],) = right.plot([], [], **style)
        shape, size = ("o", 12) if side < 0 else ("s", 6)  # both are seen where they meet
        (dots[name],) = right.plot([], [], shape, color=colour, markersize=size)
    _label_add_and_multiply(left, right)
    title, heading = left.set_title(""), right.set_title("")

    def update(data) -> None:
        moved = {name: data[name] for name in ("factor", "power")}
        for name in PRECISIONS:
            weights = data[name]["weights"]
            for bar, text, weight in zip(bars[name], numbers[name], weights, strict=True):
                bar.set_height(weight)
                text.set_y(min(max(weight, 0), 1) + 0.015)
                text.set_text(f"{weight:.2f}")
            lines[name].set_data(POWERS, data[name]["largest"])
            dots[name].set_data([data["power"]], [weights[-1]])
        title.set_text(say("[1, 2, 3] · {factor:g} + 10^{power:g}", **moved))
        both = {name: data[name]["weights"][-1] for name in PRECISIONS}
        heading.set_text(say("largest: {float32:.3f} and {float64:.3f}", **both))

    parts = [part for group in (*bars.values(), *numbers.values()) for part in group]
    return Drawing(update, moving=[*parts, *lines.values(), *dots.values(), title, heading])


def _label_add_and_multiply(left, right) -> None:
    left.set(ylim=(0, 1.14), yticks=(0, 0.5, 1), xticks=range(3))
    left.set_xticks(range(3), labels=[say("of 1"), say("of 2"), say("of 3")])
    left.set_ylabel(say("weight"))
    left.text(-0.45, 1.09, say("purple: float32"), color=OUTPUT, fontsize=SMALL, va="top")
    left.text(-0.45, 0.99, say("framed: float64"), color=INK, fontsize=SMALL, va="top")
    right.set(xlim=(-0.3, 9.3), ylim=(0, 1.14), yticks=(0, 0.5, 1), xticks=(0, 3, 6, 9))
    right.set_xlabel(say("10 to which power is added"))
    right.axhline(1 / 3, color=FAINT, linewidth=1, zorder=0)


def describe_add_and_multiply(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "1, 2, 3 times {factor:g}, plus 10 to the power {power:g}. In float32 the weights are "
        "{small}, in float64 {large}.",
        small=listed(data["float32"]["weights"]), large=listed(data["float64"]["weights"]),
        **params,
    )  # fmt: skip


def listed(weights) -> str:
    """The weights in words."""
    return ", ".join(f"{weight:.3f}" for weight in weights)


explore_add_and_multiply = Explorer(
    add_and_multiply,
    draw_add_and_multiply,
    describe_add_and_multiply,
    sliders={
        "factor": FloatRange(1, 10, start=1, step=0.5, label="multiply by"),
        "power": FloatRange(0, 9, start=0, step=0.1, label="add 10 to the power of"),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("{name}: weights of 1, 2, 3", name=name), listed(data[name]["weights"]))
        for name in PRECISIONS
    ],
    goal=Goal(
        "Multiply by 1. Find a constant at which float32 gives the same weight to all three, "
        "while float64 still gives .090, .245, .665.",
        lambda params, data: (
            params["factor"] == 1
            and np.ptp(data["float32"]["weights"]) < 1e-3
            and np.abs(data["float64"]["weights"] - course_softmax(BASE)).max() < 1e-3
        ),
        solution={"power": 8.0},
    ),
)
