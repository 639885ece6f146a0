"""Soft lookup: from the mean of all values to the value of the best key."""

import numpy as np

from course_lib.chapters.queries_keys_values.attend_on_arrays import outputs_and_weights
from course_lib.figures.theme import FAINT, GHOST, OUTPUT, SMALL, VALUE
from course_lib.kernels.attention import attention
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

DRAWERS = np.array([10.0, 20.0, 30.0, 40.0])

SHARPEST = 12.0

SHARPNESSES = np.linspace(0, SHARPEST, 49)


def soft_lookup(*, sharpness, lean, attend) -> dict:
    """Four keys at right angles; the query leans from the third to the fourth."""
    keys = np.eye(len(DRAWERS))
    fit = (1 - lean) * keys[2] + lean * keys[3]
    # attend divides by the root of the width; this takes it back, so that sharpness is the score.
    asked = np.append(SHARPNESSES, sharpness)[:, None] * fit * np.sqrt(len(DRAWERS))
    outputs, weights = outputs_and_weights(attend, asked, keys, DRAWERS[:, None])
    return {
        "sharpness": sharpness,
        "fit": fit,
        "weights": weights[-1],
        "output": float(outputs[-1, 0]),
        "curve": outputs[:-1, 0],
    }


def draw_soft_lookup(figure, data) -> Drawing:
    """Left the weight of each drawer; right the output at every sharpness."""
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.25))
    places = np.arange(len(DRAWERS))
    left.set(xlim=(-0.6, 3.6), ylim=(0, 1.12), yticks=(0, 0.5, 1))
    left.set_xticks(places, labels=[f"{value:.0f}" for value in DRAWERS])
    left.set_xlabel(say("value in the drawer"))
    left.set_title(say("weights"))
    bars = left.bar(places, data["weights"], width=0.7, color=VALUE)
    numbers = [left.text(place, 0, "", ha="center", fontsize=SMALL) for place in places]
    right.set(xlim=(-0.3, SHARPEST + 0.3), ylim=(8, 42), yticks=DRAWERS)
    right.set_xlabel(say("sharpness"))
    for value in DRAWERS:
        right.axhline(value, color=FAINT, linewidth=1, zorder=0)
    right.plot(SHARPNESSES, data["curve"], color=GHOST, linewidth=1)
    (curve,) = right.plot([], [], color=OUTPUT)
    (here,) = right.plot([], [], "o", color=OUTPUT, markersize=9)
    title = right.set_title("")

    def update(data) -> None:
        for bar, number, weight in zip(bars, numbers, data["weights"], strict=True):
            bar.set_height(weight)
            number.set_text(f"{weight:.2f}")
            number.set_y(np.clip(weight, 0, 1) + 0.02)
        curve.set_data(SHARPNESSES, data["curve"])
        here.set_data([data["sharpness"]], [data["output"]])
        title.set_text(say("output {output:.2f}", output=data["output"]))

    return Drawing(update, moving=[*bars, *numbers, curve, here, title])


def describe_soft_lookup(params, data) -> str:
    """The picture in one sentence."""
    weights = ", ".join(f"{weight:.2f}" for weight in data["weights"])
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
    functions={"attend": attention},
    numbers=lambda params, data: [
        *(
            (say("weight of {value:.0f}", value=value), f"{weight:.4f}")
            for value, weight in zip(DRAWERS, data["weights"], strict=True)
        ),
        (say("output"), f"{data['output']:.3f}"),
    ],
    goal=Goal(
        "Make a lookup of it: bring the output to within 0.01 of 30.",
        lambda params, data: abs(data["output"] - 30) < 0.01,
        solution={"sharpness": 8.0},
    ),
)
