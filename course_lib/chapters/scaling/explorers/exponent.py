"""Explorer `exponent`: what keeps the size of scores the same at every width."""

from functools import lru_cache

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, OUTPUT
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

WIDTHS = 2 ** np.arange(4, 11)
PAIRS = {"strangers": "strangers", "twins (k = q)": "twins"}


@lru_cache(maxsize=2)
def _sizes(pairs: str) -> np.ndarray:
    """The root mean square of 1000 scores at each of WIDTHS."""
    rng = np.random.default_rng(1)
    q = rng.normal(size=(1000, WIDTHS[-1]))
    k = q if pairs == "twins" else rng.normal(size=q.shape)
    sizes = np.sqrt((np.cumsum(q * k, axis=1)[:, WIDTHS - 1] ** 2).mean(axis=0))
    sizes.flags.writeable = False  # cached: nobody may change it
    return sizes


def exponent(*, a, pairs) -> dict:
    """How large scores are at each width when they are divided by d to the power of a."""
    sizes = _sizes(pairs) * WIDTHS**-a
    return {"a": a, "pairs": pairs, "sizes": sizes, "ratio": float(sizes[-1] / sizes[0])}


def draw_exponent(figure, data) -> Drawing:
    """Size against width, both on scales where each step doubles."""
    axes = figure.subplots()
    axes.set_xscale("log", base=2), axes.set_yscale("log")
    axes.axhline(1, color=FAINT, linewidth=1.5, zorder=0)
    axes.plot(WIDTHS, data["sizes"], "o-", color=GHOST, linewidth=1, markersize=4)
    (line,) = axes.plot(WIDTHS, data["sizes"], "o-", color=OUTPUT)
    axes.set(xlim=(13, 1260), ylim=(0.004, 2500), xlabel=say("width d"))
    axes.set(ylabel=say("size of a score"))
    axes.set_xticks(WIDTHS, [str(d) for d in WIDTHS]), axes.minorticks_off()
    axes.set_yticks([0.01, 0.1, 1, 10, 100, 1000], ["0.01", "0.1", "1", "10", "100", "1000"])
    title = axes.set_title("")

    def update(data) -> None:
        line.set_ydata(data["sizes"])
        title.set_text(
            say(
                "{pairs}, a = {a:.2f}: {ratio} times as large at 1024 as at 16",
                **{"pairs": data["pairs"], "a": data["a"], "ratio": _times(data["ratio"])},
            )
        )

    return Drawing(update, moving=[line, title])


def _times(ratio: float) -> str:
    """A ratio with two digits that count."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2g}"


def describe_exponent(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "Scores of {pairs} divided by d to the power of {a:.2f}: their typical size is {first:.2g} "
        "at width 16 and {last} at width 1024, {ratio} times as large.",
        first=data["sizes"][0], last=_times(data["sizes"][-1]), ratio=_times(data["ratio"]),
        pairs=data["pairs"], a=data["a"],
    )  # fmt: skip


explore_exponent = Explorer(
    exponent,
    draw_exponent,
    describe_exponent,
    sliders={
        "a": FloatRange(0.0, 1.25, start=0.0, step=0.05, label="exponent a in d^a"),
        "pairs": Options(PAIRS, start="strangers", label="whose scores"),
    },
    numbers=lambda params, data: [
        (say("size at width {d}", d=d), f"{size:.3g}")
        for d, size in zip(WIDTHS, data["sizes"], strict=True)
    ],
    goal=Goal(
        "Lay the line of the strangers flat. Then take the twins, and lay theirs flat too: at 1024 "
        "between .9 and 1.1 times as large as at 16.",
        lambda params, data: params["pairs"] == "twins" and abs(data["ratio"] - 1) < 0.1,
        solution={"a": 1.0, "pairs": "twins"},
    ),
)
