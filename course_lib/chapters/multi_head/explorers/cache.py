"""What a model keeps of a text: which heads share keys, and what fits on a card."""

import math

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle

from course_lib.chapters.multi_head.exercises.cache_size import cache_size
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL, TEXT, VALUE
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Chosen
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

MODELS = {  # layers, heads of queries, heads of keys, their width, weights in billions
    "Llama-3-8B": (32, 32, 8, 128, 8.03),
    "Llama-3-70B": (80, 64, 8, 128, 70.55),
    "Mistral-7B": (32, 32, 8, 128, 7.24),
}
SHARED = (1, 2, 4, 8, 16, 32)  # heads of keys to choose from
FEWEST = 2  # cards that the bar has room for, so that one card and two are drawn alike
CARD = 80.0  # GB, a graphics card of a server: an A100 or an H100
MOST_EDGES = 15  # between cards; where there are more, they would fill the bar
GB = 1e9


def cache(*, model, kv_heads, tokens, people, cache_size) -> dict:
    """What weights and caches take, in GB; and the caches, if nothing were shared."""
    layers, heads, own, d, billions = MODELS[model]
    size, unshared = (float(cache_size(tokens, layers, g, d)) for g in (kv_heads, heads))
    if not all(np.isfinite((size, unshared))):
        raise ValueError("cache_size gave a number that is not finite")
    weights = 2 * billions
    return {
        "model": model,
        "heads": heads,
        "kv_heads": kv_heads,
        "own": own,
        "people": people,
        "one": size / GB,
        "caches": people * size / GB,
        "unshared": people * unshared / GB,
        "weights": weights,
        "cards": max(math.ceil((weights + people * size / GB) / CARD), 1),
    }


def _amount(gb: float) -> str:
    if gb >= 1000:
        return say("{x:.3g} TB", x=gb / 1000)
    if gb >= 1:
        return say("{x:.3g} GB", x=gb)
    return say("{x:.3g} MB", x=gb * 1000)


def draw_cache(figure, data) -> Drawing:
    """Above, which heads of queries share which heads of keys; below, what lies on the cards."""
    title = figure.headline(_finding(data))
    above, below = figure.subplots(2, 1, height_ratios=(1.5, 1))
    asks, links, keys, chosen = _draw_sharing(above)
    bars, names, ghost = _draw_bars(below)
    card = below.text(0, -0.1, "", ha="center", va="top", fontsize=SMALL)
    edges = [below.plot([], [], color=INK, linewidth=1.4)[0] for _ in range(MOST_EDGES)]
    cards = below.set_title("", fontweight="normal", fontsize=TEXT, loc="left")

    def update(data) -> None:
        title.set_text(_finding(data))
        _share(asks, links, keys, data["heads"], data["kv_heads"])
        chosen.set_xdata([_choice(SHARED.index(data["kv_heads"]))])
        shown = max(2 ** math.ceil(math.log2(data["cards"])), FEWEST) * CARD  # the scale
        left = 0.0
        halves = (data["weights"], data["caches"] / 2, data["caches"] / 2)
        for bar, gb in zip(bars, halves, strict=True):
            bar.set_bounds(left / shown, 0, gb / shown, 1)
            left += gb
        ghost.set_bounds(0, 0, min((data["weights"] + data["unshared"]) / shown, 1), 1)
        for i, edge in enumerate(edges, 1):
            edge.set_data([i * CARD / shown] * 2, [0, 1])
            edge.set_visible(i * CARD < shown <= (MOST_EDGES + 1) * CARD)
        card.set(x=CARD / shown, text=say("80 GB") if edges[0].get_visible() else "")
        cards.set_text(say("the whole width: {n:.0f} cards of 80 GB", n=shown / CARD))
        names[0].set_text(say("parameters {amount}", amount=_amount(data["weights"])))
        names[1].set_text(say("keys and values {amount}", amount=_amount(data["caches"])))

    moving = [title, cards, card, asks, links, keys, chosen, *bars, *names, *edges, ghost]
    return Drawing(update, moving=moving)


def _finding(data) -> str:
    cards = say("1 card holds") if data["cards"] == 1 else say("{n} cards hold", n=data["cards"])
    texts = say("1 text") if data["people"] == 1 else say("{n} texts", n=data["people"])
    kv = _heads_of_keys(data["kv_heads"])
    return say("{kv}: {cards} the model and {texts}", cards=cards, kv=kv, texts=texts)


def _heads_of_keys(count: int) -> str:
    return say("1 head of keys") if count == 1 else say("{count} heads of keys", count=count)


def _draw_sharing(axes) -> tuple:
    """A row of heads of queries, links, a row of heads of keys; below, the choices."""
    axes.set(xlim=(-0.19, 1.0), ylim=(-1.3, 2.3), label="sharing")
    axes.axis("off")
    for y, name in ((2.0, "queries"), (0.6, "keys, values"), (-0.35, "choose")):
        axes.text(-0.19, y, say(name), va="center", fontsize=SMALL)
    asks = axes.add_collection(PolyCollection([], facecolors=QUERY), autolim=False)
    links = axes.add_collection(LineCollection([], colors=FAINT, linewidths=1), autolim=False)
    keys = axes.add_collection(
        PolyCollection([], facecolors=KEY, edgecolors=VALUE, linewidths=2), autolim=False
    )
    for i, count in enumerate(SHARED):
        axes.plot([_choice(i)], [-0.35], "o", markerfacecolor="white", color=GHOST, markersize=9)
        axes.text(_choice(i), -1.0, str(count), ha="center", va="center", fontsize=SMALL)
    look = {"markerfacecolor": KEY, "color": INK, "markersize": 10}
    (chosen,) = axes.plot([_choice(0)], [-0.35], "o", **look)
    return asks, links, keys, chosen


def _choice(i: int) -> float:
    return 0.08 + 0.84 * i / (len(SHARED) - 1)


def _share(asks, links, keys, heads: int, kv_heads: int) -> None:
    places = (np.arange(heads) + 0.5) / heads
    shared = (np.arange(kv_heads) + 0.5) / kv_heads
    asks.set_verts([_box(x, 1.8, heads) for x in places])
    keys.set_verts([_box(x, 0.4, heads) for x in shared])
    ends = np.repeat(shared, heads // kv_heads)
    links.set_segments([((x, 1.75), (end, 0.88)) for x, end in zip(places, ends, strict=True)])


def _box(x: float, y: float, heads: int) -> list[tuple[float, float]]:
    half = 0.35 / heads
    return [(x - half, y), (x + half, y), (x + half, y + 0.4), (x - half, y + 0.4)]


def _draw_bars(axes) -> tuple:
    axes.set(xlim=(-0.01, 1.03), ylim=(-0.95, 1.1))
    axes.axis("off")
    axes.add_patch(Rectangle((0, 0), 1, 1, fill=False, edgecolor=INK, linewidth=1.4, zorder=3))
    bars = [axes.add_patch(Rectangle((0, 0), 0, 1, color=colour))
            for colour in (FAINT, KEY, VALUE)]  # fmt: skip
    ghost = axes.add_patch(
        Rectangle((0, 0), 0, 1, fill=False, edgecolor=GHOST, linestyle=(0, (3, 2)), linewidth=1.2)
    )
    for x, name, colour in (
        (0.53, "parameters", FAINT),
        (0.76, "keys", KEY),
        (0.88, "values", VALUE),
    ):
        axes.add_patch(Rectangle((x, 1.16), 0.02, 0.2, color=colour, clip_on=False))
        axes.text(x + 0.03, 1.26, say(name), va="center", fontsize=SMALL)
    names = [axes.text(0, -0.68, "", va="center", fontsize=SMALL),
             axes.text(1, -0.68, "", va="center", ha="right", fontsize=SMALL)]  # fmt: skip
    return bars, names, ghost


def describe_cache(params, data) -> str:
    """The picture in words."""
    return say(
        "{model}, texts of {tokens} tokens, {people} at once, {heads} heads of queries and {kv}. "
        "The parameters take {weights}, the caches {caches}, together {cards} of 80 GB. With a "
        "head of keys for each head of queries the caches would take {unshared}.",
        model=data["model"], tokens=params["tokens"], people=params["people"],
        heads=data["heads"], kv=_heads_of_keys(data["kv_heads"]),
        weights=_amount(data["weights"]), caches=_amount(data["caches"]),
        unshared=_amount(data["unshared"]),
        cards=say("1 card") if data["cards"] == 1 else say("{n} cards", n=data["cards"]),
    )  # fmt: skip


def _full(params, data) -> bool:
    """Whether Llama-3-8B, with its own heads, has a card to itself, and no text more has room."""
    asked = params["model"] == "Llama-3-8B" and params["tokens"] == 8192
    room = CARD - data["weights"] - data["caches"]
    return asked and data["kv_heads"] == data["own"] and 0 <= room < data["one"]


explore_cache = Explorer(
    cache,
    draw_cache,
    describe_cache,
    sliders={
        "model": Options(list(MODELS), start="Llama-3-8B", label="model"),
        "kv_heads": Options(list(SHARED), start=32, label="heads of keys g"),
        "tokens": IntRange(128, 131072, start=8192, log=True, label="tokens in a text"),
        "people": IntRange(1, 64, start=16, label="texts at once"),
    },
    handles={
        "kv_heads": Chosen(
            at=lambda data: [("sharing", _choice(i), -0.35) for i in range(len(SHARED))],
            moves="kv_heads",
            label="heads of keys",
            colour=KEY,
        ),
    },
    functions={"cache_size": cache_size},
    numbers=lambda params, data: [
        (say("the parameters"), _amount(data["weights"])),
        (say("a text, with {g}", g=_heads_of_keys(data["kv_heads"])), _amount(data["one"])),
        (say("all texts"), _amount(data["caches"])),
        (say("all texts, nothing shared"), _amount(data["unshared"])),
    ],
    size=(7.0, 4.0),
    colours=8,
    goal=Goal(
        "Llama-3-8B has 8 heads of keys. Find out how many texts of 8192 tokens fit on one card "
        "beside its parameters: fill the card.",
        _full,
        solution={"kv_heads": 8, "people": 59},
    ),
)
