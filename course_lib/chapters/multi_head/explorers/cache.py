"""What a model keeps of a text."""

import numpy as np

from course_lib.chapters.multi_head.exercises.cache_size import cache_size
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, SMALL, VALUE
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

MODELS = {  # layers, heads of queries, heads of keys, their width, weights in billions
    "Llama-3-8B": (32, 32, 8, 128, 8.03),
    "Llama-3-70B": (80, 64, 8, 128, 70.55),
    "Mistral-7B": (32, 32, 8, 128, 7.24),
}

GIB = 2**30


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
    functions={"cache_size": cache_size},
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
