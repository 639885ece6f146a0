"""The share of attention in a block."""

from functools import lru_cache

import numpy as np

from course_lib.chapters.flash_attention.exercises.break_even import break_even
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, YOURS
from course_lib.measures.attention_cost import (
    block_flops,
)
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options, Toggle
from course_lib.words import say

SPAN = np.unique(np.geomspace(64, 1_000_000, 70).round().astype(int))


def _parts(n: int, m: int, feed_forward: bool) -> tuple[int, int]:
    cost = block_flops(n, m)
    return cost.core, cost.projections + feed_forward * cost.feed_forward


def _share(n: int, m: int, feed_forward: bool) -> float:
    core, others = _parts(n, m, feed_forward)
    return core / (core + others)


@lru_cache(maxsize=16)
def _shares(m: int, feed_forward: bool) -> np.ndarray:
    shares = np.array([_share(int(n), m, feed_forward) for n in SPAN])
    shares.flags.writeable = False  # cached: nobody may change it
    return shares


def share(*, n, m, feed_forward, break_even) -> dict:
    """The core's share in the operations, and what ten times the length costs."""
    before, after = (sum(_parts(x, m, feed_forward)) for x in (n, 10 * n))
    return {
        "n": n,
        "m": m,
        "share": _share(n, m, feed_forward),
        "shares": _shares(m, feed_forward),
        "growth": after / before,
        "even": float(break_even(m)),
    }


def draw_share(figure, data) -> Drawing:
    """The share of the core against the length."""
    axes = figure.subplots()
    axes.set(xscale="log", xlim=(57, 1_200_000), ylim=(0, 1.04), yticks=(0, 0.5, 1), label="share")
    axes.set_xticks([100, 1000, 10_000, 100_000, 1_000_000])
    axes.set_xticklabels(["100", "1,000", "10,000", "100,000", "1,000,000"])
    axes.minorticks_off()
    axes.set(xlabel=say("words n"), ylabel=say("share of the core"))
    axes.axhline(0.5, color=FAINT, linewidth=1, zorder=0)
    axes.plot(SPAN, data["shares"], color=GHOST, linewidth=1)
    (line,) = axes.plot([], [], color=INK)
    (foot,) = axes.plot([], [], color=INK, linestyle=(0, (3, 2)), linewidth=1.2)
    (dot,) = axes.plot([], [], "o", color=INK, markersize=10)
    (even,) = axes.plot([], [], color=YOURS, linestyle=(0, (4, 3)), linewidth=1.5)
    label = axes.text(0, 0.9, "", color=YOURS, ha="right", fontsize=SMALL)
    title = figure.headline()

    def update(data) -> None:
        line.set_data(SPAN, data["shares"])
        dot.set_data([data["n"]], [data["share"]])
        even.set_data([data["even"]] * 2, [0, 1])
        foot.set_data([data["n"]] * 2, [0, data["share"]])
        label.set_text(say(" break_even: {even:,g} ", even=data["even"]))
        label.set_x(min(data["even"], 1_200_000))
        label.set_ha("left" if data["even"] < 3000 else "right")
        title.set_text(
            say("{n:,} words: {share:.1%}; tenfold costs {growth:.1f} times", **_of(data))
        )

    return Drawing(update, moving=[line, dot, foot, even, label, title])


def _of(data) -> dict:
    return {name: data[name] for name in ("n", "share", "growth")}


def describe_share(params, data) -> str:
    """The picture in one sentence."""
    what = (
        say("with the feed-forward part")
        if params["feed_forward"]
        else say("without the feed-forward part")
    )
    return say(
        "{n:,} words in a model of width {m}, {what}: scores and weighted values are {share:.1%} "
        "of the operations, and ten times as many words cost {growth:.1f} times as many. The "
        "dashed line stands at {even:,g} words.",
        what=what, m=params["m"], even=data["even"], **_of(data),
    )  # fmt: skip


explore_share = Explorer(
    share,
    draw_share,
    describe_share,
    sliders={
        "n": IntRange(64, 1_000_000, start=1000, label="words n", log=True),
        "m": Options([512, 1024, 4096, 8192], start=4096, label="width of the model m"),
        "feed_forward": Toggle(start=False, label="count the feed-forward part"),
    },
    handles={
        "n": Handle(
            at=lambda data: ("share", data["n"], 0),
            to=lambda xy, params: {"n": xy[0]},
            moves=("n",),
            label="words",
            colour=INK,
        ),
    },
    functions={"break_even": break_even},
    numbers=lambda params, data: [
        (say("share of the core"), f"{data['share']:.4f}"),
        (say("ten times as many words cost"), f"{data['growth']:.2f}"),
    ],
    size=(5.6, 2.8),
    colours=6,  # lines, marks and words
    goal=Goal(
        "Width 4096, without the feed-forward part: find the length at which the core is half.",
        lambda params, data: (
            params["m"] == 4096 and not params["feed_forward"] and abs(data["share"] - 0.5) < 0.005
        ),
        solution={"n": 8192},
    ),
)
