"""Numbers moved: plain, keys outside, queries outside."""

from functools import lru_cache

import numpy as np

from course_lib.chapters.flash_attention.exercises.flash_traffic import flash_traffic
from course_lib.figures.theme import GHOST, INK, SMALL
from course_lib.measures.loop_order import elements_moved
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

SECOND = "#5a5a5a"

LOWEST = 0.03

BLOCK_SIZES = np.unique(np.geomspace(4, 512, 57).round().astype(int))


@lru_cache(maxsize=256)
def _other_orders(n: int, d: int) -> tuple[np.ndarray, float]:
    first = [elements_moved("keys", n, d, block_k=int(size)) for size in BLOCK_SIZES]
    return np.array(first, dtype=float), float(elements_moved("naive", n, d))


def traffic(*, n, d, block, flash_traffic) -> dict:
    """Numbers moved against the block size, as a multiple of plain attention's."""
    first, naive = _other_orders(n, d)
    second = np.array([float(flash_traffic(n, d, int(size))) for size in BLOCK_SIZES])
    here = float(flash_traffic(n, d, block))
    return {
        "n": n,
        "d": d,
        "block": block,
        "first": first / naive,
        "second": second / naive,
        "here": here / naive,
        "first_here": elements_moved("keys", n, d, block_k=block) / naive,
        "moved": here,
        "naive": naive,
    }


def draw_traffic(figure, data) -> Drawing:
    """Both orders of loops against the block size; 1 is plain attention."""
    axes = _axes(figure)
    axes.axhline(1, color=INK, linewidth=1.2)
    axes.text(4.2, 1.1, say("plain attention"), fontsize=SMALL, va="bottom")
    axes.plot(BLOCK_SIZES, data["second"], color=GHOST, linewidth=1)
    (first,) = axes.plot([], [], color=SECOND, linestyle=(0, (5, 2)))
    (second,) = axes.plot([], [], color=INK, linewidth=2.6)
    (dot,) = axes.plot([], [], "o", color=INK, markersize=10)
    (square,) = axes.plot([], [], "s", color=SECOND, markersize=7)
    (foot,) = axes.plot([], [], color=INK, linestyle=(0, (3, 2)), linewidth=1.2)
    names = [
        axes.text(560, 1, text, color=colour, va=side, fontsize=SMALL)
        for text, colour, side in (
            (say("FA1, keys outside"), SECOND, "bottom"),
            (say("FA2, queries outside"), INK, "center"),
        )
    ]
    title = axes.set_title("")

    def update(data) -> None:
        first.set_data(BLOCK_SIZES, data["first"])
        second.set_data(BLOCK_SIZES, data["second"])
        dot.set_data([data["block"]], [data["here"]])
        square.set_data([data["block"]], [data["first_here"]])
        foot.set_data([data["block"]] * 2, [LOWEST, data["here"]])
        for name, line in zip(names, ("first", "second"), strict=True):
            name.set_y(data[line][-1])
        title.set_text(
            say(
                "blocks of {block}: FA2 moves {here:.2f} times plain",
                block=data["block"], here=data["here"],
            )
        )  # fmt: skip

    return Drawing(update, moving=[first, second, dot, square, foot, *names, title])


def _axes(figure):
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlim=(3.7, 3600), ylim=(LOWEST, 40), label="traffic")
    axes.set_xticks([4, 16, 64, 256], ["4", "16", "64", "256"])
    axes.set_yticks([0.1, 1, 10], [".1", "1", "10"])
    axes.minorticks_off()
    axes.set(xlabel=say("rows in the outer block"), ylabel=say("moved, plain = 1"))
    return axes


def describe_traffic(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{n:,} words, width {d}, {block} rows in a block. FlashAttention with queries outside "
        "moves {moved:,.0f} numbers, plain attention {naive:,.0f}: {here:.2f} times as many. With "
        "keys outside it is {first_here:.2f} times.",
        **{k: data[k] for k in ("n", "d", "block", "moved", "naive", "here", "first_here")},
    )


explore_traffic = Explorer(
    traffic,
    draw_traffic,
    describe_traffic,
    sliders={
        "block": IntRange(4, 512, start=16, label="rows in the outer block", log=True),
        "n": IntRange(256, 65536, start=4096, label="words n", log=True),
        "d": Options([64, 128], start=64, label="width of a head d"),
    },
    handles={
        "block": Handle(
            at=lambda data: ("traffic", data["block"], LOWEST),
            to=lambda xy, params: {"block": xy[0]},
            moves=("block",),
            label="rows in the outer block",
            colour=INK,
        ),
    },
    functions={"flash_traffic": flash_traffic},
    numbers=lambda params, data: [
        (say("plain attention"), f"{data['naive']:,.0f}"),
        (say("FA2, queries outside"), f"{data['moved']:,.0f}"),
        (say("FA1, keys outside, times plain"), f"{data['first_here']:.3f}"),
        (say("FA2, queries outside, times plain"), f"{data['here']:.3f}"),
    ],
    size=(7.0, 3.4),
    colours=32,  # lines, marks and words
    goal=Goal(
        "4096 words, width 64: find the smallest block with which FA2 moves less than plain "
        "attention.",
        lambda params, data: params["n"] == 4096 and params["d"] == 64 and params["block"] == 32,
        solution={"block": 32},
    ),
)
