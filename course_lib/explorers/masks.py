"""The explorers of chapter 6, masks and positions."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import IntRange, Options, Toggle
from course_lib.figures.heat_map import draw_weights
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL
from course_lib.kernels.attention import masked_softmax
from course_lib.kernels.masks import causal, document, empty_rows, may_attend, sliding_window
from course_lib.kernels.positions import frequencies, sinusoidal
from course_lib.models.threads import one_thread
from course_lib.words import say

# A mask from switches: weights, row sums, empty rows

WORDS = ("cats", "like", "apples")
FILLING = "(fill)"
PLACES = 5
SCORES = torch.tensor(
    [[2.0, 1, 1, 0, 0], [1, 0, 2, 0, 1], [0, 1, 1, 2, 0], [1, 2, 0, 1, 0], [0, 0, 1, 2, 1]]
)


def padding_of(lengths, s):
    """The course's `padding_mask`: (b, 1, s), True where the key is a word."""
    return torch.arange(s) < lengths[:, None, None]


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


@lru_cache(maxsize=4 * PLACES)
def _rules(causal_on: bool, window: int, texts: bool) -> torch.Tensor:
    """The rules that need no lengths, as one boolean table; nobody may change it."""
    rule = sliding_window(window)  # with a window of all places, everything
    rule = rule & causal if causal_on else rule
    return may_attend(rule & document([0, 0, 1, 1, 1]) if texts else rule, PLACES)


def switched_mask(*, causal_on, window, filling, texts, padding_mask) -> dict:
    """The weights of five places under the rules that are switched on."""
    length = len(WORDS) if filling != "none" else PLACES
    words = torch.as_tensor(padding_mask(torch.tensor([length]), PLACES))
    if words.shape != (1, 1, PLACES):
        raise ValueError(f"padding_mask gave shape {tuple(words.shape)}, not {(1, 1, PLACES)}")
    words = words.flip(-1) if filling == "left" else words
    allowed = _rules(causal_on, window, texts) & words[0].bool()
    with one_thread():
        weights = masked_softmax(_scores(filling), allowed).numpy()
    names = (
        [*WORDS, *[FILLING] * (PLACES - length)] if length < PLACES else [*WORDS, "and", "pears"]
    )
    return {
        "names": names[3:] + names[:3] if filling == "left" else names,
        "weights": weights,
        "open": int(allowed.sum()),
        "empty": int(empty_rows(allowed).sum()),
    }


def draw_switched_mask(figure, data) -> Drawing:
    """Weights with the words above and at the left, and the sum of each row at the right."""
    axes = figure.subplots()
    table = draw_weights(axes, data["weights"], number="{:.2f}")
    axes.set(xlim=(-1.6, PLACES + 0.9), ylim=(PLACES - 0.4, -1.0))
    look = {"va": "center", "fontsize": SMALL}
    above = [axes.text(j, -0.75, "", ha="center", color=KEY, **look) for j in range(PLACES)]
    left = [axes.text(-0.65, i, "", ha="right", color=QUERY, **look) for i in range(PLACES)]
    sums = [axes.text(PLACES - 0.35, i, "", **look) for i in range(PLACES)]
    axes.text(-0.65, -0.75, say("query ↓"), ha="right", color=QUERY, **look)
    axes.text(PLACES - 0.35, -0.75, say("← key"), color=KEY, **look)
    title = axes.set_title("")

    def update(data) -> None:
        table.update(data["weights"])
        for place, name in enumerate(data["names"]):
            above[place].set_text(name), left[place].set_text(name)
            total = data["weights"][place].sum()
            sums[place].set_text(say("sum {total:.2f}", total=total) if total else say("empty"))
            sums[place].set(color=INK if total else OUTPUT, weight="normal" if total else "bold")
        title.set_text(say("{open} of 25 pairs are open, empty rows: {empty}", **_counts(data)))

    return Drawing(update, moving=[*table.artists, *above, *left, *sums, title])


def _counts(data) -> dict:
    return {name: data[name] for name in ("open", "empty")}


def describe_switched_mask(params, data) -> str:
    """The picture in one sentence."""
    rules = [say("causal")] if params["causal_on"] else []
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
        (say("{place}: {name}", place=place, name=name), " ".join(f"{w:.2f}" for w in row))
        for place, (name, row) in enumerate(zip(data["names"], data["weights"], strict=True))
    ]


explore_mask = Explorer(
    switched_mask,
    draw_switched_mask,
    describe_switched_mask,
    sliders={
        "causal_on": Toggle(start=False, label="causal: no later words"),
        "window": IntRange(1, PLACES, start=PLACES, label="window w: fewer than w places away"),
        "filling": Options(
            {"no filling": "none", "filling on the right": "right", "filling on the left": "left"},
            start="right", label="three words, and",
        ),
        "texts": Toggle(start=False, label="two texts, the second from place 2 on"),
    },
    functions={"padding_mask": padding_of},
    numbers=numbers_switched_mask,
    size=(6.0, 4.0),
    goal=Goal(
        "Make exactly two rows empty: two queries that may look at nothing. Use no more than two "
        "of the four rules.",
        lambda params, data: (
            data["empty"] == 2
            and params["causal_on"]
            + (params["window"] < PLACES)
            + (params["filling"] != "none")
            + params["texts"]
            <= 2
        ),
        solution={"causal_on": True, "filling": "left"},
    ),
)  # fmt: skip

# A position's likeness to all others

COUNT, WIDTH = 64, 32
FREQUENCIES = frequencies(WIDTH)[None]
ANGLES = torch.arange(COUNT)[:, None] * FREQUENCIES
PATTERN = torch.ones(COUNT, WIDTH, dtype=torch.float64)


@lru_cache(maxsize=COUNT)
def _waves(place: int) -> np.ndarray:
    """The dot product of one position's waves with those of all, as a share of its own."""
    waves = sinusoidal(COUNT, WIDTH).double()
    likeness = (waves @ waves[place]).numpy() / (WIDTH / 2)
    likeness.flags.writeable = False  # cached: nobody may change it
    return likeness


def rotary_by_angles(x, angles):
    """The course's `rotate`: each pair of neighbours turned by its angle."""
    first, second = x[:, 0::2], x[:, 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack((first * cos - second * sin, first * sin + second * cos), -1).flatten(1)


def likeness(*, place, back, rotate) -> dict:
    """Waves of `place` with all waves; a query there with the same key at all places."""
    with one_thread():
        keys = torch.as_tensor(rotate(PATTERN, ANGLES)).double()
        ahead = torch.as_tensor(rotate(PATTERN[:1], (place - back) * FREQUENCIES)).double()
    if keys.shape != PATTERN.shape or ahead.shape != (1, WIDTH):
        raise ValueError(f"rotate gave shape {tuple(keys.shape)}, not {tuple(PATTERN.shape)}")
    scores = keys.numpy() @ ahead.numpy()[0] / WIDTH
    return {
        "place": place,
        "waves": _waves(place),
        "scores": scores,
        "best": int(scores.round(9).argmax()),
    }


def draw_likeness(figure, data) -> Drawing:
    """Above what waves say, below what rotated queries and keys score, at every place."""
    above, below = figure.subplots(2, 1)
    parts = []
    for axes, name, colour in ((above, "waves", QUERY), (below, "scores", OUTPUT)):
        axes.set(xlim=(-1, COUNT), ylim=(-0.05, 1.15), yticks=(0, 0.5, 1))
        axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
        axes.plot(data[name], color=GHOST, linewidth=1)
        (line,) = axes.plot([], [], color=colour)
        (peak,) = axes.plot([], [], "o", color=colour, markersize=8)
        here = axes.axvline(0, color=INK, linewidth=1.5, linestyle=(0, (4, 2)))
        parts.append((name, line, peak, here, axes.set_title("")))
    above.set_xticks([])
    above.set_ylabel(say("likeness"))
    below.set_ylabel(say("score"))
    below.set_xlabel(say("place in the text"))

    def update(data) -> None:
        for name, line, peak, here, _ in parts:
            line.set_data(range(COUNT), data[name])
            best = data["place"] if name == "waves" else data["best"]
            peak.set_data([best], [data[name][best]])
            here.set_xdata([data["place"]] * 2)
        place, best = data["place"], data["best"]
        parts[0][-1].set_text(say("sinusoidal: place {place} is most like itself", place=place))
        parts[1][-1].set_text(
            say("rotary: the query at {place} scores best at {best}", place=place, best=best)
        )

    return Drawing(update, moving=[artist for part in parts for artist in part[1:]])


def describe_likeness(params, data) -> str:
    """The picture in one sentence."""
    near = data["place"] + (3 if data["place"] + 3 < COUNT else -3)
    return say(
        "By their waves, place {place} is 1.00 like itself and {near_value:.2f} like place {near}. "
        "The query at {place} looks {back} places back and scores best with the key at {best}.",
        near=near, near_value=data["waves"][near], back=params["back"],
        place=data["place"], best=data["best"],
    )  # fmt: skip


def numbers_likeness(params, data) -> list[tuple[str, str]]:
    """Both curves at every eighth place."""
    return [
        (
            say("place {place}", place=j),
            say("waves {w:.2f}, rotary {r:.2f}", w=data["waves"][j], r=data["scores"][j]),
        )
        for j in range(0, COUNT, 8)
    ]


explore_likeness = Explorer(
    likeness,
    draw_likeness,
    describe_likeness,
    sliders={
        "place": IntRange(16, COUNT - 1, start=20, label="place of the query"),
        "back": IntRange(0, 16, start=0, label="the query looks this many places back"),
    },
    functions={"rotate": rotary_by_angles},
    numbers=numbers_likeness,
    size=(7.0, 4.6),
    colours=48,  # lines and words
    goal=Goal(
        "Let the query at place 40 score best with the key at place 31.",
        lambda params, data: params["place"] == 40 and data["best"] == 31,
        solution={"place": 40, "back": 9},
    ),
)

# A billion is not infinity: four ways to hide a key, four precisions

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
