"""A mask from switches: weights, row sums, empty rows."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.chapters.masks.exercises.padding_mask import padding_mask
from course_lib.figures.hatched import draw_cell_frames, draw_hatched, only_open, staircase
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.theme import INK, KEY, QUERY, SMALL
from course_lib.kernels.attention import masked_softmax
from course_lib.kernels.masks import Mask, document, empty_rows, may_attend, sliding_window
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options, Toggle
from course_lib.words import say

WORDS = ("cats", "like", "apples")

FILLING = "(fill)"

PLACES = 5

KNOB = {"marker": "o", "markersize": 8, "color": INK, "markerfacecolor": "white", "zorder": 6}
SCORES = torch.tensor(
    [[2.0, 1, 1, 0, 0], [1, 0, 2, 0, 1], [0, 1, 1, 2, 0], [1, 2, 0, 1, 0], [0, 0, 1, 2, 1]]
)


@lru_cache(maxsize=3)
def _scores(filling: str) -> torch.Tensor:
    """The scores of five words, or of three and filling, whose vectors are zeros."""
    if filling == "none":
        return SCORES
    scores = torch.zeros_like(SCORES)
    n = len(WORDS)
    at = slice(PLACES - n, None) if filling == "left" else slice(n)
    scores[at, at] = SCORES[:n, :n]
    return scores


@lru_cache(maxsize=4 * PLACES * PLACES)
def _rules(ahead: int, window: int, texts: bool) -> torch.Tensor:
    """The rules that need no lengths, as one boolean table; nobody may change it."""
    rule = sliding_window(window)  # with a window of all places, everything
    rule = rule & Mask("ahead", lambda b, i, j: j <= i + ahead)  # with 0 the causal one
    return may_attend(rule & document([0, 0, 1, 1, 1]) if texts else rule, PLACES)


def switched_mask(*, ahead, window, filling, texts, padding_mask) -> dict:
    """The weights of five places under the rules that are switched on."""
    length = len(WORDS) if filling != "none" else PLACES
    words = torch.as_tensor(padding_mask(torch.tensor([length]), PLACES))
    if words.shape != (1, 1, PLACES):
        raise ValueError(f"padding_mask gave shape {tuple(words.shape)}, not {(1, 1, PLACES)}")
    words = words.flip(-1) if filling == "left" else words
    allowed = _rules(ahead, window, bool(texts)) & words[0].bool()
    with one_thread():
        weights = masked_softmax(_scores(filling), allowed).numpy()
    names = (
        [*WORDS, *[FILLING] * (PLACES - length)] if length < PLACES else [*WORDS, "and", "pears"]
    )
    return {
        "names": names[3:] + names[:3] if filling == "left" else names,
        "weights": weights,
        "allowed": allowed.numpy(),
        "ahead": ahead,
        "window": window,
        "open": int(allowed.sum()),
        "empty": int(empty_rows(allowed).sum()),
    }


def draw_switched_mask(figure, data) -> Drawing:
    """Weights with the words above and at the left, hidden cells hatched, each row's sum."""
    axes = figure.subplots()
    draw_hatched(axes, rows=PLACES, columns=PLACES)
    table = draw_weights(axes, data["weights"], number="{:.2f}")
    draw_cell_frames(axes, rows=PLACES, columns=PLACES)
    axes.set(xlim=(-1.95, PLACES + 2.5), ylim=(PLACES + 0.02, -1.0))
    look = {"va": "center", "fontsize": SMALL}
    above = [axes.text(j, -0.75, "", ha="center", color=KEY, **look) for j in range(PLACES)]
    left = [axes.text(-0.65, i, "", ha="right", color=QUERY, **look) for i in range(PLACES)]
    sums = [axes.text(PLACES - 0.35, i, "", **look) for i in range(PLACES)]
    axes.text(-0.65, -0.75, say("query ↓"), ha="right", color=QUERY, **look)
    axes.text(PLACES - 0.35, -0.75, say("← key"), color=KEY, **look)
    edges = [axes.plot([], [], color=INK, linewidth=3, zorder=5)[0] for _ in range(2)]
    for x, y, name in ((PLACES + 1.3, 0, say("future")), (-0.5, PLACES - 0.22, say("window"))):
        axes.plot([x], [y], **KNOB)
        axes.text(x + 0.22, y, name, fontweight="bold", **look)
    knobs = [axes.plot([], [], **KNOB)[0] for _ in edges]
    title = figure.headline()

    def update(data) -> None:
        table.update(only_open(data["weights"], data["allowed"]))
        for place, name in enumerate(data["names"]):
            above[place].set_text(name), left[place].set_text(name)
            total = data["weights"][place].sum()
            sums[place].set_text(say("sum {total:.2f}", total=total) if total else say("empty"))
            sums[place].set(weight="normal" if total else "bold")
        edges[0].set_data(*_inside(data["ahead"] + 0.5))
        edges[1].set_data(*_inside(0.5 - data["window"]))
        knobs[0].set_data([data["ahead"] + 0.5], [0])
        knobs[1].set_data([PLACES - 0.5 - data["window"]], [PLACES - 1])
        title.set_text(say("{open} of 25 pairs are open, empty rows: {empty}", **_counts(data)))

    return Drawing(update, moving=[*table.artists, *above, *left, *sums, *edges, *knobs, title])


def _inside(first: float) -> tuple[np.ndarray, np.ndarray]:
    """What of the staircase from `first` in row 0 lies inside the table."""
    x, y = staircase(PLACES, first)
    inside = (x > -0.6) & (x < PLACES - 0.4)
    return x[inside], y[inside]


def _counts(data) -> dict:
    return {name: data[name] for name in ("open", "empty")}


def describe_switched_mask(params, data) -> str:
    """The picture in one sentence."""
    rules = [say("causal")] if not params["ahead"] else []
    if 0 < params["ahead"] < PLACES - 1:
        rules = [say("{n} words ahead at most", n=params["ahead"])]
    rules += [say("a window of {w}", w=params["window"])] if params["window"] < PLACES else []
    rules += [say("filling on the {side}", side=params["filling"])] * (params["filling"] != "none")
    rules += [say("two texts")] if params["texts"] else []
    sums = ", ".join(f"{total:.2f}" for total in data["weights"].sum(axis=1))
    return say(
        "Rules: {rules}. {open} of the 25 pairs are open. The rows add up to {sums}; empty rows: "
        "{empty}.",
        rules=", ".join(rules) or say("none"), sums=sums, **_counts(data),
    )  # fmt: skip


def numbers_switched_mask(params, data) -> list[tuple[str, str]]:
    """Each row of weights."""
    return [
        (
            say("{place}: {name}", place=place, name=name),
            " ".join(f"{w:.2f}" if seen else say("hidden") for w, seen in zip(*row, strict=True)),
        )
        for place, (name, *row) in enumerate(
            zip(data["names"], data["weights"], data["allowed"], strict=True)
        )
    ]


def _rules_in_use(params) -> int:
    return (
        (params["ahead"] < PLACES - 1)
        + (params["window"] < PLACES)
        + (params["filling"] != "none")
        + params["texts"]
    )


explore_mask = Explorer(
    switched_mask,
    draw_switched_mask,
    describe_switched_mask,
    sliders={
        "ahead": IntRange(
            0, PLACES - 1, start=PLACES - 1, label="words ahead that are seen (0: causal)"
        ),
        "window": IntRange(1, PLACES, start=PLACES, label="window w: fewer than w places away"),
        "filling": Options(
            {"no filling": "none", "filling on the right": "right", "filling on the left": "left"},
            start="right", label="three words, and",
        ),
        "texts": Toggle(start=False, label="two texts, the second from place 2 on"),
    },
    handles={
        "ahead": Handle(
            at=lambda data: (0, data["ahead"] + 0.5, 0),
            to=lambda xy, params: {"ahead": xy[0] - 0.5},
            moves=("ahead",), label="edge of the future", colour=INK,
        ),
        "window": Handle(
            at=lambda data: (0, PLACES - 0.5 - data["window"], PLACES - 1),
            to=lambda xy, params: {"window": PLACES - 0.5 - xy[0]},
            moves=("window",), label="edge of the window", colour=INK,
        ),
    },
    functions={"padding_mask": padding_mask},
    numbers=numbers_switched_mask,
    size=(6.4, 3.6),
    colours=12,
    goal=Goal(
        "Make exactly two rows empty: two queries that may look at nothing. Use no more than two "
        "of the four rules.",
        lambda params, data: data["empty"] == 2 and _rules_in_use(params) <= 2,
        solution={"ahead": 0, "filling": "left"},
    ),
)  # fmt: skip
