"""A billion is not infinity: four ways to hide a key, four precisions."""

import numpy as np
import torch

from course_lib.figures.hatched import draw_hatched
from course_lib.figures.theme import GHOST, KEY, SMALL, TITLE, WEIGHT
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Painted
from course_lib.sliding.held import Cells
from course_lib.sliding.sliders import Options
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
    """Softmax of four scores of which some are hidden in one of three ways."""
    scores = torch.tensor(RAW, dtype=TYPES[dtype])
    forbidden = torch.tensor(hidden[0])
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
        "masked": [_in_digits(score) for score in masked.double().tolist()],
        "hidden": forbidden.numpy(),
        "number": bool(np.isfinite(weights).all()),
        "leaked": float(np.nan_to_num(weights)[forbidden.numpy()].sum()),
        "plain": np.exp(RAW) / np.exp(RAW).sum(),
    }


def _in_digits(score: float) -> str:
    """A score with all its digits, as its precision holds it."""
    text = "\N{INFINITY}" if np.isinf(score) else f"{abs(score):,.0f}"
    return f"\N{MINUS SIGN}{text}" if score < 0 else text


def draw_hidden_keys(figure, data) -> Drawing:
    """Above the scores after the mask, in that precision, below a bar of weight for each."""
    axes = figure.subplots()
    axes.set(xlim=(-1.05, 3.95), ylim=(-0.02, 1.75), yticks=(), xticks=range(4))
    axes.set_xticklabels([say("key {n}", n=j) for j in range(4)], color=KEY)
    axes.tick_params(length=0)
    axes.spines["left"].set_visible(False)
    for text, height in ((say("score"), 1.64), (say("masked"), 1.4), (say("weight"), 0.5)):
        axes.text(-0.55, height, text, ha="right", va="center", fontsize=SMALL)
    for j, raw in enumerate(RAW):
        axes.text(j, 1.64, f"{raw:g}", ha="center", va="center", fontsize=SMALL)
        axes.plot([j - 0.3, j + 0.3], [data["plain"][j]] * 2, color=GHOST, linestyle=(0, (3, 2)))
    grounds = [draw_hatched(axes, rows=1, columns=1, left=j - 0.5, top=1.28) for j in range(4)]
    for ground in grounds:
        ground.set_height(0.24)
    look = {"ha": "center", "fontsize": SMALL}
    boxed = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    masked = [axes.text(j, 1.4, "", va="center", bbox=boxed, **look) for j in range(4)]
    bars = axes.bar(range(4), np.zeros(4), width=0.6, color=WEIGHT).patches
    labels = [axes.text(j, 0, "", va="bottom", bbox=boxed, **look) for j in range(4)]
    axes.text(3.33, data["plain"][3], say("no mask"), va="center", fontsize=SMALL)
    title = figure.suptitle("", x=0.01, ha="left", fontsize=TITLE, fontweight="bold")

    def update(data) -> None:
        for j, weight in enumerate(data["weights"]):
            height = weight if data["number"] else 0
            bars[j].set_height(height)
            grounds[j].set_visible(bool(data["hidden"][j]))
            masked[j].set_text(data["masked"][j])
            labels[j].set(y=height + 0.04, text=f"{weight:.3f}" if data["number"] else "NaN")
        title.set_text(_verdict(data))

    return Drawing(update, moving=[*grounds, *bars, *masked, *labels, title])


def _verdict(data) -> str:
    if not data["number"]:
        return say("nothing left, and the row is not a number")
    if data["leaked"] > 1e-6:
        return say("hidden keys get {share:.2f} of the attention", share=data["leaked"])
    any_hidden = data["hidden"].any()
    return say("hidden keys get exactly nothing") if any_hidden else say("nothing is hidden")


def describe_hidden_keys(params, data) -> str:
    """The picture in one sentence."""
    shown = " ".join(f"{w:.3f}" for w in data["weights"]) if data["number"] else say("not numbers")
    return say(
        "In {dtype}, where {way}, with {hidden} of 4 keys hidden, the scores are {masked}, and the "
        "weights {shown}: {verdict}.",
        dtype=params["dtype"], hidden=int(data["hidden"].sum()), shown=shown,
        verdict=_verdict(data), way=_in_words(params["way"]), masked="; ".join(data["masked"]),
    )  # fmt: skip


explore_hidden_keys = Explorer(
    hidden_keys,
    draw_hidden_keys,
    describe_hidden_keys,
    sliders={
        "way": Options(WAYS, start="inf", label="how keys are hidden"),
        "dtype": Options(list(TYPES), start="float32", label="precision"),
        "hidden": Cells(
            start=((False, False, True, True),),
            label="hidden keys",
            labels=(["hidden"], [f"key {j}" for j in range(4)]),
        ),
    },
    handles={
        "hidden": Painted(
            at=lambda data: [(0, j, 1.4) for j in range(4)], moves="hidden", label="hide this key"
        )
    },
    numbers=lambda params, data: [
        (
            say("score {x:.0f}", x=x),
            say("{weight:.4f}, without a mask {plain:.4f}", weight=weight, plain=plain),
        )
        for x, weight, plain in zip(RAW, data["weights"], data["plain"], strict=True)
    ],
    size=(7.0, 3.8),
    colours=14,
    goal=Goal(
        "Hide all four keys, and get the weights of no mask at all: .032 .087 .237 .644.",
        lambda params, data: (
            data["hidden"].all() and bool(np.allclose(data["weights"], data["plain"], atol=1e-3))
        ),
        solution={"way": "add", "dtype": "float64", "hidden": ((True,) * 4,)},
    ),
)
