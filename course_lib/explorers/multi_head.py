"""The explorers of chapter 7, multi-head attention."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import FloatRange, IntRange, Options, Toggle
from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.kernels.head_cost import HEADS, head_cost
from course_lib.kernels.heads import attention_inside, multi_head_attention
from course_lib.models.copying import copying_batch, encode, load_copying
from course_lib.models.threads import one_thread
from course_lib.words import say

# Heads at fixed width: what stays and what grows

WIDTH, HEAD_WIDTH = 512, 64


def fixed_width(*, heads, words, keep_width) -> dict:
    """Learned numbers, operations and scores of a layer 512 wide; also as times the start's."""
    counts = head_cost(words, WIDTH, heads)
    parameters, flops = counts.parameters, counts.flops
    if keep_width:  # heads of 64 columns each, however many: all matrices grow with them
        factor = heads * HEAD_WIDTH / WIDTH
        parameters, flops = round(factor * parameters), round(factor * flops)
    first = head_cost(1024, WIDTH, 1)
    return {
        "heads": heads,
        "width": HEAD_WIDTH if keep_width else WIDTH // heads,
        "parameters": parameters,
        "gflop": flops / 1e9,
        "mib": counts.scores * 4 / 2**20,
        "times": np.array(
            [parameters / first.parameters, flops / first.flops, counts.scores / first.scores]
        ),
    }


def _counts_in_words(data) -> list[str]:
    return [
        say("{count:,} learned numbers", count=data["parameters"]),
        say("{gflop:.3g} billion operations", gflop=data["gflop"]),
        say("{mib:.4g} MiB of scores", mib=data["mib"]),
    ]


def draw_fixed_width(figure, data) -> Drawing:
    """Three bars on a scale of doublings, each with its number above it."""
    axes = figure.subplots()
    axes.set(xlim=(-7.3, 10.5), ylim=(2.5, -0.75), yticks=[])
    axes.set(xticks=(-6, -3, 0, 3, 6, 9), xticklabels=("1/64", "1/8", "1", "8", "64", "512"))
    axes.set_xlabel(say("times as much as 1 head on 1024 words"))
    axes.axvline(0, color=INK, linewidth=1)
    colours = (QUERY, KEY, OUTPUT)
    bars = axes.barh(range(3), [0.0] * 3, height=0.36, color=colours).patches
    dots = [axes.plot([], [], "o", color=colour, markersize=9)[0] for colour in colours]
    names = [axes.text(-7.1, i - 0.34, "", fontsize=SMALL, va="center") for i in range(3)]
    title = axes.set_title("")

    def update(data) -> None:
        for i, (times, text) in enumerate(zip(data["times"], _counts_in_words(data), strict=True)):
            bars[i].set_width(np.log2(times))
            dots[i].set_data([np.log2(times)], [i])
            names[i].set_text(text)
        title.set_text(_heads_in_words(data))

    return Drawing(update, moving=[*bars, *dots, *names, title])


def _heads_in_words(data) -> str:
    if data["heads"] == 1:
        return say("1 head, {width} wide", width=data["width"])
    return say("{heads} heads, each {width} wide", heads=data["heads"], width=data["width"])


def describe_fixed_width(params, data) -> str:
    """The picture in words."""
    return say(
        "{heads}, {words} words: {counts}.", heads=_heads_in_words(data), words=params["words"],
        counts=", ".join(_counts_in_words(data)),
    )  # fmt: skip


explore_fixed_width = Explorer(
    fixed_width,
    draw_fixed_width,
    describe_fixed_width,
    sliders={
        "heads": Options(list(HEADS), start=1, label="heads h"),
        "words": IntRange(128, 4096, start=1024, step=128, label="words n"),
        "keep_width": Toggle(start=False, label="each head stays 64 wide"),
    },
    numbers=lambda params, data: [
        (text, say("{times:.3g} times", times=times))
        for text, times in zip(_counts_in_words(data), data["times"], strict=True)
    ],
    size=(6.4, 3.0),
    goal=Goal(
        "Find more than one head whose scores take no more memory than those of 1 head on 1024 "
        "words.",
        lambda params, data: data["heads"] > 1 and data["times"][2] <= 1,
        solution={"heads": 4, "words": 512},
    ),
)

# One head of the copying model, made quieter

TEXT = "giraffe " * 2
STRINGS = 10
LAYERS = {"the first layer": 0, "the second layer": 1}
CHANCE = 1 / 27


@lru_cache(maxsize=1)
def _model_and_strings():
    """The model; the text and some random strings, all as long; which letters can be known."""
    ids, periods = copying_batch(torch.Generator().manual_seed(7), STRINGS)
    return load_copying(), ids, torch.arange(1, ids.shape[1]) > periods[:, None]


def multi_head_of_course(x, w_q, w_k, w_v, w_o, heads, mask=None):
    """The course's `multi_head`."""
    return multi_head_attention(x, w_q, w_k, w_v, w_o, heads, mask=mask)


def quieter_head(*, layer, head, loudness, multi_head) -> dict:
    """Where the second layer looks on TEXT, what the model says, and how often it is right."""
    model, ids, known = _model_and_strings()
    loud = torch.ones(2, 4)
    loud[layer, head] = loudness
    text = torch.from_numpy(encode(TEXT))
    inside = attention_inside(lambda *args, mask: multi_head(*args, mask))
    options = {"attention": inside, "loudness": loud}
    with one_thread(), torch.no_grad():
        says = model(text, **options)[:-1].argmax(dim=-1)
        right = (model(ids[:, :-1], **options).argmax(dim=-1) == ids[:, 1:])[known]
        looks = model.maps(text, loudness=loud)[1].mean(dim=0).numpy()
    return {
        "looks": looks,
        "head": head,
        "layer": layer,
        "loud": loud.numpy(),
        "says": "".join("abcdefghijklmnopqrstuvwxyz "[i] for i in says),
        "share": float(right.double().mean()),
    }


def draw_quieter_head(figure, data) -> Drawing:
    """Left where the second layer looks, right the share of right letters, below what is said."""
    above, below = figure.subfigures(2, 1, height_ratios=(4.6, 1.0))
    grid = above.add_gridspec(2, 2, width_ratios=(2.3, 1), height_ratios=(3.6, 1))
    left, right = above.add_subplot(grid[:, 0]), above.add_subplot(grid[0, 1])
    dots, chosen = _draw_levels(above.add_subplot(grid[1, 1]))
    letters = [letter.replace(" ", "_") for letter in TEXT]
    table = left.imshow(data["looks"], cmap=WEIGHTS, vmin=0, vmax=1, interpolation="none")
    left.set_xticks(range(len(letters)), letters), left.set_yticks(range(len(letters)), letters)
    left.tick_params(length=0)
    left.spines[:].set_visible(False)
    left.set_title(say("where the second layer looks"))
    right.set(xlim=(-0.6, 0.6), ylim=(0, 1.08), xticks=[], yticks=(0, 0.5, 1))
    right.axhline(1, color=FAINT, linewidth=1, zorder=0)
    right.axhline(CHANCE, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    right.text(0.58, CHANCE + 0.02, say("chance"), ha="right", fontsize=SMALL)
    right.axhline(data["share"], color=GHOST, linewidth=1.5)
    (bar,) = right.bar([-0.1], [0], width=0.5, color=OUTPUT).patches
    share = right.set_title("")
    said = _draw_text(below.subplots(), letters)

    def update(data) -> None:
        table.set_data(data["looks"])
        bar.set_height(data["share"])
        share.set_text(say("{share:.0%} right", share=data["share"]))
        for dot, loud in zip(dots, data["loud"].flat, strict=True):
            dot.set_markersize(1 + 11 * loud)
        chosen.set_data([data["head"]], [data["layer"]])
        for place, (text, letter) in enumerate(zip(said, data["says"], strict=True), 1):
            known, hit = place > len(TEXT) // 2, letter == TEXT[place]
            text.set_text(letter.replace(" ", "_"))
            text.set(color=(VALUE if hit else KEY) if known else GHOST,
                     weight="bold" if known and hit else "normal")  # fmt: skip

    return Drawing(update, moving=[table, bar, share, *dots, chosen, *said])


def _draw_text(axes, letters: list[str]) -> list:
    """The letters of the text, and below them room for what the model says."""
    axes.set(xlim=(-3.4, len(letters)), ylim=(1.75, -0.6))
    axes.axis("off")
    look = {"va": "center", "family": "monospace"}
    axes.text(-0.8, 0, say("text"), ha="right", va="center", fontsize=SMALL)
    axes.text(-0.8, 1.1, say("says"), ha="right", va="center", fontsize=SMALL)
    for place, letter in enumerate(letters):
        axes.text(place, 0, letter, ha="center", **look)
    return [axes.text(place, 1.1, "", ha="center", **look) for place in range(1, len(letters))]


def _draw_levels(axes):
    """A dot for each head, as large as it is loud, and a frame around the one that is turned."""
    axes.set(xlim=(-1.9, 3.6), ylim=(1.6, -0.6))
    axes.axis("off")
    for layer, name in enumerate((say("first"), say("second"))):
        axes.text(-0.65, layer, name, ha="right", va="center", fontsize=SMALL)
    dots = [axes.plot([head], [layer], "o", color=QUERY, markersize=12)[0]
            for layer in range(2) for head in range(4)]  # fmt: skip
    (chosen,) = axes.plot([], [], "s", markerfacecolor="none", markeredgecolor=INK, markersize=17)
    return dots, chosen


def _name_of(layer: int) -> str:
    return next(name for name, one in LAYERS.items() if one == layer)


def describe_quieter_head(params, data) -> str:
    """The picture in words."""
    half = len(TEXT) // 2
    return say(
        "Head {head} of {layer} is {loudness:.0%} loud. The model gets {share:.0%} of the "
        'letters right. The last {count} letters of "{text}" are "{truth}"; it says "{says}".',
        head=data["head"], layer=_name_of(data["layer"]), loudness=params["loudness"], text=TEXT,
        share=data["share"], says=data["says"][half:], truth=TEXT[half + 1 :], count=half - 1,
    )  # fmt: skip


explore_quieter_head = Explorer(
    quieter_head,
    draw_quieter_head,
    describe_quieter_head,
    sliders={
        "layer": Options(LAYERS, start=1, label="a head of"),
        "head": IntRange(0, 3, start=0, label="head"),
        "loudness": FloatRange(0.0, 1.0, start=1.0, step=0.05, label="how loud it is"),
    },
    functions={"multi_head": multi_head_of_course},
    numbers=lambda params, data: [
        (say("letters that are right"), f"{data['share']:.0%}"),
        *[
            (
                say("after {text}", text=TEXT[:place]),
                say("{said}, it is {letter}", said=data["says"][place - 1], letter=TEXT[place]),
            )
            for place in range(len(TEXT) // 2 + 1, len(TEXT))
        ],
    ],
    size=(7.0, 5.4),
    goal=Goal(
        "Make one head quieter until the model gets about half of the letters right: 40 to 60 %.",
        lambda params, data: 0.4 <= data["share"] <= 0.6,
        solution={"layer": 0, "head": 1, "loudness": 0.25},
    ),
)

# What a model keeps of a text

MODELS = {  # layers, heads of queries, heads of keys, their width, weights in billions
    "Llama-3-8B": (32, 32, 8, 128, 8.03),
    "Llama-3-70B": (80, 64, 8, 128, 70.55),
    "Mistral-7B": (32, 32, 8, 128, 7.24),
}
GIB = 2**30


def size_of_cache(tokens, layers, kv_heads, d):
    """The course's `cache_size`: bytes, in half precision."""
    return 2 * tokens * layers * kv_heads * d * 2


def cache(*, model, tokens, people, cache_size) -> dict:
    """The cache with as many heads of keys as of queries, with groups of them, and with one."""
    layers, heads, groups, d, billions = MODELS[model]
    kinds = {"multi-head": heads, "grouped": groups, "one": 1}
    sizes = [people * float(cache_size(tokens, layers, g, d)) for g in kinds.values()]
    if not all(np.isfinite(sizes)):
        raise ValueError("cache_size gave a number that is not finite")
    return {
        "heads": list(kinds.values()),
        "gib": np.array(sizes) / GIB,
        "weights": billions * 1e9 * 2 / GIB,
        "model": model,
    }


def _amount(gib: float) -> str:
    if gib >= 1024:
        return say("{x:.3g} TiB", x=gib / 1024)
    if gib >= 1:
        return say("{x:.3g} GiB", x=gib)
    return say("{x:.3g} MiB", x=gib * 1024)


def draw_cache(figure, data) -> Drawing:
    """A line for the weights, and for each number of heads of keys a bar."""
    axes = figure.subplots()
    axes.set(xscale="log", xlim=(2e-4, 4e6), ylim=(3.5, -0.6), yticks=range(4))
    axes.set(xticks=(2**-10, 1, 2**10), xticklabels=("1 MiB", "1 GiB", "1 TiB"))
    axes.minorticks_off()
    axes.tick_params(axis="y", length=0)
    colours = (GHOST, KEY, OUTPUT, VALUE)
    bars = axes.barh(range(4), [1] * 4, left=2e-4, height=0.5, color=colours).patches
    names = [axes.text(3e-4, i - 0.42, "", va="center", fontsize=SMALL) for i in range(4)]
    axes.set_yticks([])
    line = axes.axvline(1, color=INK, linewidth=1.2, linestyle=(0, (4, 3)))
    title = axes.set_title("")

    def update(data) -> None:
        labels = [say("the weights of {model}", model=data["model"])] + [
            say("cache, {g} heads of keys", g=g) if g > 1 else say("cache, 1 head of keys")
            for g in data["heads"]
        ]
        for i, (gib, label) in enumerate(zip([data["weights"], *data["gib"]], labels, strict=True)):
            bars[i].set_width(max(gib - 2e-4, 0))
            names[i].set_text(f"{label}: {_amount(gib)}")
        line.set_xdata([data["weights"]] * 2)
        title.set_text(say("with its {g} heads of keys the cache takes {amount}",
                           g=data["heads"][1], amount=_amount(data["gib"][1])))  # fmt: skip

    return Drawing(update, moving=[*bars, *names, line, title])


def describe_cache(params, data) -> str:
    """The picture in words."""
    parts = ", ".join(
        say("{amount} with {g}", amount=_amount(gib), g=g)
        for gib, g in zip(data["gib"], data["heads"], strict=True)
    )
    return say(
        "{model}, texts of {tokens} tokens, {people} at once. By the number of heads of keys the "
        "caches take {parts}. The weights take {weights}.",
        **params, parts=parts, weights=_amount(data["weights"]),
    )  # fmt: skip


explore_cache = Explorer(
    cache,
    draw_cache,
    describe_cache,
    sliders={
        "model": Options(list(MODELS), start="Llama-3-8B", label="model"),
        "tokens": IntRange(128, 131072, start=8192, log=True, label="tokens in a text"),
        "people": IntRange(1, 64, start=1, log=True, label="texts at once"),
    },
    functions={"cache_size": size_of_cache},
    numbers=lambda params, data: [
        (say("the weights"), _amount(data["weights"])),
        *[
            (say("heads of keys: {g}", g=g), _amount(gib))
            for gib, g in zip(data["gib"], data["heads"], strict=True)
        ],
    ],
    size=(6.4, 3.4),
    goal=Goal(
        "One text: with its own 8 heads of keys, let the cache outgrow the weights.",
        lambda params, data: params["people"] == 1 and data["gib"][1] > data["weights"],
        solution={"tokens": 131072},
    ),
)
