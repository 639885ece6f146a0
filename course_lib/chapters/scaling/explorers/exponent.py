"""Explorer `exponent`: what keeps the size of scores the same at every width."""

from functools import lru_cache

import numpy as np

from course_lib.figures.ghosts import goal_ring
from course_lib.figures.theme import FAINT, INK, SMALL
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

WIDTHS = 2 ** np.arange(4, 11)
FOLD = float(WIDTHS[-1] / WIDTHS[0])  # how many times as wide the widest is
PAIRS = {"strangers": "-", "twins": (0, (5, 2))}
FLAT = 0.1  # a line is flat when its end is this near to its beginning


@lru_cache(maxsize=2)
def _sizes(pairs: str) -> np.ndarray:
    """The mean of 1000 scores without their signs, at each of WIDTHS."""
    rng = np.random.default_rng(1)
    q = rng.normal(size=(1000, WIDTHS[-1]))
    k = q if pairs == "twins" else rng.normal(size=q.shape)
    sizes = np.abs(np.cumsum(q * k, axis=1)[:, WIDTHS - 1]).mean(axis=0)
    sizes.flags.writeable = False  # cached: nobody may change it
    return sizes


def exponent(*, a) -> dict:
    """How large scores are at each width, next to width 16, when they are divided by d^a."""
    grown = {pairs: _sizes(pairs) * WIDTHS**-a for pairs in PAIRS}
    return {
        "a": a,
        "sizes": {pairs: sizes / sizes[0] for pairs, sizes in grown.items()},
        "ends": {pairs: float(sizes[-1] / sizes[0]) for pairs, sizes in grown.items()},
    }


def exponent_of(pairs: str, end: float) -> float:
    """The exponent a that brings the end of a line to `end` times its beginning."""
    sizes = _sizes(pairs)
    return float(np.log(sizes[-1] / sizes[0] / max(end, 1e-6)) / np.log(FOLD))


def draw_exponent(figure, data) -> Drawing:
    """How many times as large as at width 16; on both axes each step multiplies."""
    axes = figure.subplots()
    axes.set_xscale("log", base=2), axes.set_yscale("log")
    axes.plot(WIDTHS[[0, -1]], [1, 1], color=FAINT, linewidth=1.5, zorder=0)
    lines, grips, names = {}, {}, {}
    for pairs, dashes in PAIRS.items():
        (lines[pairs],) = axes.plot(WIDTHS, data["sizes"][pairs], color=INK, linestyle=dashes)
        (grips[pairs],) = axes.plot([WIDTHS[-1]], [1], "o", color=INK, markersize=8, zorder=4)
        names[pairs] = axes.text(1.2 * WIDTHS[-1], 1, "", fontsize=SMALL, va="center")
    axes.set(xlim=(14, 4600), ylim=(0.03, 90), xlabel=say("width d (each step doubles it)"))
    axes.set_ylabel(say("times as large as at 16"))
    axes.set_xticks(WIDTHS, [str(d) for d in WIDTHS]), axes.minorticks_off()
    axes.set_yticks([1 / 16, 1 / 4, 1, 4, 16, 64], ["1/16", "1/4", "1", "4", "16", "64"])
    title = axes.set_title("", loc="left")

    def update(data) -> None:
        for pairs, line in lines.items():
            end = data["ends"][pairs]
            line.set_ydata(data["sizes"][pairs])
            grips[pairs].set_ydata([end])
            names[pairs].set_y(end)
            names[pairs].set_text(say("{pairs}: {end}", pairs=say(pairs), end=_times(end)))
        title.set_text(
            say(
                "divided by d^{a:.2f}, strangers end at {times} times",
                a=data["a"], times=_times(data["ends"]["strangers"]),
            )
        )  # fmt: skip

    moving = [*lines.values(), *grips.values(), *names.values(), title]
    goal = goal_ring(axes, float(WIDTHS[-1]), 1.0, INK)
    return Drawing(update, moving=moving, ghosts=[*lines.values()], goal=goal)


def _times(ratio: float) -> str:
    """A ratio with two digits that count."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}"


def describe_exponent(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "Scores divided by d to the power of {a:.2f}: at width 1024 those of strangers are "
        "{strangers} times as large as at width 16, those of twins {twins} times.",
        a=data["a"], **{pairs: _times(end) for pairs, end in data["ends"].items()},
    )  # fmt: skip


def _handle(pairs: str) -> Handle:
    return Handle(
        at=lambda data: (0, float(WIDTHS[-1]), data["ends"][pairs]),
        to=lambda xy, params: {"a": exponent_of(pairs, xy[1])},
        moves=("a",),
        label=f"end of the line of {pairs}",
    )


explore_exponent = Explorer(
    exponent,
    draw_exponent,
    describe_exponent,
    sliders={"a": FloatRange(0.0, 1.25, start=0.0, step=0.05, label="exponent a in d^a")},
    handles={pairs: _handle(pairs) for pairs in PAIRS},
    numbers=lambda params, data: [
        (
            say("times as large at width {d}: strangers, twins", d=d),
            f"{data['sizes']['strangers'][i]:.3g}, {data['sizes']['twins'][i]:.3g}",
        )
        for i, d in enumerate(WIDTHS)
    ],
    size=(7.0, 3.8),
    colours=32,
    goal=Goal(
        "Take the dot at the end of the strangers' line and lay the line flat: between .9 and 1.1 "
        "times.",
        lambda params, data: abs(data["ends"]["strangers"] - 1) < FLAT,
        solution={"a": 0.5},
    ),
    question="Now lay the twins' line flat. Which power of d is that, and what is left of the "
    "strangers?",
    answer="The power 1, which is d itself. From width 16 to 1024 the strangers' scores then "
    "shrink to about an eighth.",
)
