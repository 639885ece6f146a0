"""A billion is not infinity: four ways to hide a key, four precisions."""

import numpy as np
import torch

from course_lib.figures.theme import FAINT, OUTPUT, SMALL
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

RAW = (1.0, 2.0, 3.0, 4.0)

TYPES = {
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
    "float64": torch.float64,
}

WAYS = {"minus infinity is put in": "inf", "-1e9 is put in": "put", "-1e9 is added": "add"}


def _in_words(way: str) -> str:
    return next(name for name, one in WAYS.items() if one == way)


def hidden_keys(*, way, dtype, hidden) -> dict:
    """Softmax of four scores of which the last `hidden` are hidden in one of three ways."""
    scores = torch.tensor(RAW, dtype=TYPES[dtype])
    forbidden = torch.arange(len(RAW)) >= len(RAW) - hidden
    if way == "inf":
        masked = scores.masked_fill(forbidden, -torch.inf)
    else:  # in float16 -1e9 becomes -inf; masked_fill would refuse it
        billion = torch.tensor(-1e9).to(scores.dtype)
        there = torch.where(forbidden, billion, torch.zeros_like(scores))
        masked = torch.where(forbidden, billion, scores) if way == "put" else scores + there
    with one_thread():
        weights = masked.softmax(dim=-1).double().numpy()
    return {
        "weights": weights,
        "hidden": hidden,
        "how": say("{dtype}, {way}", dtype=dtype, way=_in_words(way)),
        "number": bool(np.isfinite(weights).all()),
        "leaked": float(np.nan_to_num(weights)[len(RAW) - hidden :].sum()),
        "plain": np.exp(RAW) / np.exp(RAW).sum(),
    }


def draw_hidden_keys(figure, data) -> Drawing:
    """A bar for each key; the hidden ones stand on grey ground."""
    axes = figure.subplots()
    axes.set(xlim=(-0.6, 3.6), ylim=(0, 1.12), yticks=(0, 0.5, 1), xticks=range(4))
    axes.set_xticklabels([say("score {x:.0f}", x=x) for x in RAW])
    axes.set_ylabel(say("weight"))
    grounds = [
        axes.axvspan(j - 0.5, j + 0.5, color=FAINT, alpha=0.5, linewidth=0, visible=False)
        for j in range(4)
    ]
    bars = axes.bar(range(4), np.zeros(4), width=0.6, color=OUTPUT).patches
    labels = [axes.text(j, 0, "", ha="center", va="bottom", fontsize=SMALL) for j in range(4)]
    title = axes.set_title("")
    how = axes.text(0.5, -0.17, " ", transform=axes.transAxes, ha="center", va="top")

    def update(data) -> None:
        how.set_text(data["how"])
        for j, weight in enumerate(data["weights"]):
            bars[j].set_height(weight if data["number"] else 0)
            grounds[j].set_visible(j >= 4 - data["hidden"])
            labels[j].set_y((weight if data["number"] else 0) + 0.02)
            shown = f"{weight:.3f}" if data["number"] else "NaN"
            hidden = j >= 4 - data["hidden"]
            labels[j].set_text(say("hidden:\n{weight}", weight=shown) if hidden else shown)
        title.set_text(_verdict(data))

    return Drawing(update, moving=[*grounds, *bars, *labels, title, how])


def _verdict(data) -> str:
    if not data["number"]:
        return say("nothing left, and the row is not a number")
    if data["leaked"] > 1e-6:
        return say("hidden keys get {share:.2f} of the attention", share=data["leaked"])
    return say("hidden keys get exactly nothing") if data["hidden"] else say("nothing is hidden")


def describe_hidden_keys(params, data) -> str:
    """The picture in one sentence."""
    shown = " ".join(f"{w:.3f}" for w in data["weights"]) if data["number"] else say("not numbers")
    return say(
        "In {dtype}, where {way}, with {hidden} of 4 keys hidden, the weights are {shown}: "
        "{verdict}.",
        dtype=params["dtype"], hidden=params["hidden"], shown=shown, verdict=_verdict(data),
        way=_in_words(params["way"]),
    )  # fmt: skip


explore_hidden_keys = Explorer(
    hidden_keys,
    draw_hidden_keys,
    describe_hidden_keys,
    sliders={
        "way": Options(WAYS, start="inf", label="how keys are hidden"),
        "dtype": Options(list(TYPES), start="float32", label="precision"),
        "hidden": IntRange(0, 4, start=2, label="hidden keys, from the right"),
    },
    numbers=lambda params, data: [
        (
            say("score {x:.0f}", x=x),
            say("{weight:.4f}, without a mask {plain:.4f}", weight=weight, plain=plain),
        )
        for x, weight, plain in zip(RAW, data["weights"], data["plain"], strict=True)
    ],
    size=(6.0, 3.4),
    goal=Goal(
        "Hide all four keys, and get the weights of no mask at all: .032 .087 .237 .644.",
        lambda params, data: (
            data["hidden"] == 4 and bool(np.allclose(data["weights"], data["plain"], atol=1e-3))
        ),
        solution={"way": "add", "dtype": "float64", "hidden": 4},
    ),
)
