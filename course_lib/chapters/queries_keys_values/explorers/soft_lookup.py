"""Explorer `soft_lookup`: weights on a beam, and the output where the beam balances."""

import numpy as np
from matplotlib.patches import Polygon, Rectangle

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights
from course_lib.figures.numerals import share
from course_lib.figures.theme import GHOST, INK, OUTPUT, QUERY, SMALL, VALUE, WEIGHT
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

DRAWERS = np.array([10.0, 20.0, 30.0, 40.0])

SHARPEST = 12.0

GOAL, NEAR = 30.0, 0.01

DASHED = (0, (3, 2))
SIDE = 10.0  # of the square of a weight of 1, in the units of the beam
VALUES_AT, QUERY_AT = 13.0, 15.6  # heights
WEDGE = np.array([[0.0, -0.4], [-1.6, -4.0], [1.6, -4.0]])  # below the beam, its tip at 0


def soft_lookup(*, sharpness, lean, attend) -> dict:
    """Four keys at right angles; the query leans from the third to the fourth."""
    keys = np.eye(len(DRAWERS))
    fit = (1 - lean) * keys[2] + lean * keys[3]
    # attend divides by the root of the width; this takes it back, so that sharpness is the score.
    asked = sharpness * fit[None] * np.sqrt(len(DRAWERS))
    outputs, weights = outputs_and_weights(attend, asked, keys, DRAWERS[:, None])
    return {
        "sharpness": sharpness,
        "lean": lean,
        "fit": fit,
        "weights": weights[0],
        "output": float(outputs[0, 0]),
    }


def _square(place: float, weight: float) -> tuple[float, float, float, float]:
    """Left, bottom, width, height of a square on the beam whose area is the weight."""
    side = SIDE * float(np.sqrt(np.clip(weight, 0, 1)))
    return place - side / 2, 0.3, side, side


def _wedge(at: float) -> np.ndarray:
    """The corners of the wedge that holds the beam at a place."""
    return WEDGE + np.array([at, 0.0])


def _beam(figure):
    """The axes with the beam and what is written beside it."""
    axes = figure.subplots()
    axes.set(xlim=(0.0, 51.0), ylim=(-7.6, 17.0), aspect="equal", label="beam")
    axes.set_axis_off()
    axes.plot([4, 46], [0, 0], color=INK, linewidth=3, solid_capstyle="round")
    axes.plot([30, 40], [QUERY_AT] * 2, color=GHOST, linewidth=1.2, zorder=1)
    look = {"ha": "center", "va": "center"}
    for value in DRAWERS:
        axes.text(value, VALUES_AT, f"{value:.0f}", color=VALUE, fontweight="bold", **look)
    for text, height, colour in (
        ("query", QUERY_AT, QUERY), ("values", VALUES_AT, VALUE), ("weights", 1.2, WEIGHT),
    ):  # fmt: skip
        axes.text(46.4, height, say(text), color=colour, fontsize=SMALL, ha="left", va="center")
    axes.add_patch(
        Polygon(_wedge(GOAL), fill=False, edgecolor=OUTPUT, linestyle=DASHED, linewidth=1.4)
    )
    axes.text(GOAL, -5.3, say("goal: 30"), color=OUTPUT, fontsize=SMALL, **look)
    axes.text(4, -6.6, say("grey, dashed: the start"), fontsize=SMALL, ha="left", va="center")
    return axes


def draw_soft_lookup(figure, data) -> Drawing:
    """Each value's weight as a square on a beam; the wedge below stands where it balances."""
    axes = _beam(figure)
    squares, numbers = [], []
    ghost = {"fill": False, "edgecolor": GHOST, "linestyle": DASHED, "linewidth": 1.2}
    for value, weight in zip(DRAWERS, data["weights"], strict=True):
        left, bottom, side, _ = _square(value, weight)
        axes.add_patch(Rectangle((left, bottom), side, side, zorder=4, **ghost))
        squares.append(axes.add_patch(Rectangle((left, bottom), side, side, color=WEIGHT)))
        numbers.append(axes.text(value, 0, "", ha="center", va="bottom", fontsize=SMALL, zorder=5))
    begins = data["output"]
    first = [
        _square(value, weight)[3] for value, weight in zip(DRAWERS, data["weights"], strict=True)
    ]
    (query,) = axes.plot([], [], "o", color=QUERY, markersize=9, zorder=3)
    axes.add_patch(Polygon(_wedge(data["output"]), zorder=4, **ghost))
    wedge = axes.add_patch(Polygon(_wedge(data["output"]), color=OUTPUT))
    name = axes.text(0, -2.6, "", color=OUTPUT, fontweight="bold", ha="right", va="center")
    title = figure.headline()

    def update(data) -> None:
        for i, (value, weight) in enumerate(zip(DRAWERS, data["weights"], strict=True)):
            bounds = _square(value, weight)
            squares[i].set_bounds(*bounds)
            numbers[i].set_text(_digits(weight))
            numbers[i].set_y(max(bounds[3], first[i]) + 0.6)
        query.set_data([30 + 10 * data["lean"]], [QUERY_AT])
        wedge.set_xy(_wedge(np.clip(data["output"], 5, 45)))
        name.set_x(min(data["output"], begins) - 2.2)
        name.set_text(say("output {output:.2f}", output=data["output"]))
        title.set_text(_finding(data))

    return Drawing(update, moving=[*squares, *numbers, query, wedge, name, title])


def _digits(weight: float) -> str:
    """Three digits: with two, the four would seem to miss a sum of 1."""
    return share(weight, 3)


def _finding(data) -> str:
    if data["sharpness"] == 0:
        return say("Nobody is preferred: the output is the mean, {o:.2f}", o=data["output"])
    return say("The output is where the weights balance: {o:.2f}", o=data["output"])


def describe_soft_lookup(params, data) -> str:
    """The picture in one sentence."""
    weights = ", ".join(_digits(weight) for weight in data["weights"])
    return say(
        "The query fits the key of 30 by {third:.2f} and that of 40 by {fourth:.2f}. At sharpness "
        "{sharpness:.1f} the drawers 10, 20, 30 and 40 have the weights {weights}, and the output "
        "is {output:.2f}.",
        third=data["fit"][2], fourth=data["fit"][3], weights=weights,
        sharpness=params["sharpness"], output=data["output"],
    )  # fmt: skip


explore_soft_lookup = Explorer(
    soft_lookup,
    draw_soft_lookup,
    describe_soft_lookup,
    sliders={
        "sharpness": FloatRange(
            0, SHARPEST, start=1.0, step=0.1, label="sharpness: what the fit is multiplied by"
        ),
        "lean": FloatRange(
            0, 1, start=0.0, step=0.05, label="query: from the third key (0) to the fourth (1)"
        ),
    },
    handles={
        "query": Handle(
            at=lambda data: ("beam", 30 + 10 * data["lean"], QUERY_AT),
            to=lambda xy, params: {"lean": (xy[0] - 30) / 10},
            moves=("lean",),
            label="the query",
            colour=QUERY,
        ),
    },
    functions={"attend": attention},
    numbers=lambda params, data: [
        *(
            (say("weight of {value:.0f}", value=value), f"{weight:.4f}")
            for value, weight in zip(DRAWERS, data["weights"], strict=True)
        ),
        (say("output"), f"{data['output']:.3f}"),
    ],
    goal=Goal(
        "Make a lookup of it: bring the wedge to the dashed place, the output to within .01 of 30.",
        lambda params, data: abs(data["output"] - GOAL) < NEAR,
        solution={"sharpness": 8.0},
    ),
    question="And if the query stands halfway between the third and the fourth key: what does a "
    "very sharp lookup return?",
    size=(7.0, 3.9),
    colours=9,
)
