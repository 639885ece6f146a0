"""Heads at fixed width: what stays and what grows."""

import numpy as np

from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, SMALL
from course_lib.measures.head_cost import HEADS, head_cost
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Options, Toggle
from course_lib.words import say

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
