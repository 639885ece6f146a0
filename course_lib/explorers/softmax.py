"""The explorers of chapter 4, softmax."""

from functools import lru_cache

import numpy as np

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import FloatRange, IntRange, Options
from course_lib.figures.heat_map import draw_scores, draw_weights
from course_lib.figures.sums import draw_sums
from course_lib.figures.theme import FAINT, GHOST, INK, OUTPUT, SMALL
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.words import say

# Add or multiply: what float32 makes of a constant

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
        small=_listed(data["float32"]["weights"]), large=_listed(data["float64"]["weights"]),
        **params,
    )  # fmt: skip


def _listed(weights) -> str:
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
        (say("{name}: weights of 1, 2, 3", name=name), _listed(data[name]["weights"]))
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

# One against a crowd

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

# Temperature

SCORES = np.array([3.5, -2.1, 8.7, 0.3])
PRINTED = np.array([0.05, 0.00, 0.94, 0.01])
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
        T=data["T"], weights=_listed(data["weights"]), count=float(data["count"]),
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

# The heat map of the running sentence: scores against weights

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
