"""Explorer `width`: the ten weights, not divided and divided, and how many queries are sure."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from course_lib.figures.ghosts import goal_band
from course_lib.figures.numerals import share
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, WEIGHT
from course_lib.kernels.scaling import scale
from course_lib.kernels.softmax import softmax
from course_lib.measures.random_scores import growing_scores
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

ROWS, KEYS, WIDEST = 1000, 10, 1024
SHOWN = 924  # the row that show_widths draws: about as sure as most rows
HALF_SHARP = 135  # the width at which half of very many rows have a top weight over .99
# The goal: what counts is the share as it is shown, in whole percents. Each width has one random
# number more, so the share goes up and down a little. It passes these two once, and not back.
LOW, HIGH = 0.43, 0.57
PIXELS = (51.2, 164.0)  # of one step along the axes of the share: twice the width, and 100 %
FLOOR, CEILING = -0.2, 1.04  # of the axis of the share; a name stands below the 0
OVER, UNDER = 0.07, 0.12  # the names of the two dots: so far over the upper and under the lower one
APART = 0.11  # these two names, at least, as a share of all queries
FIRST, ENDS = 2.85, (9.0, 8.3)  # no name ends further left; there the short, the long begins last
HIGHER = 0.05  # a name that stands right over its dot
NEAR = 0.08, 0.45  # of the share, from a plate to the goal; in doublings, from a dot to the start
CROWDED = 0.1  # of the share: a name so near hides the start's mark
HIGHEST = 0.86  # no number of a bar touches the line at 1
MARKS = 8  # of the trail, at most, while the width doubles
TRAIL = "#777777"
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # behind a word on thin lines


@lru_cache(maxsize=1)
def strangers() -> Callable[[int], np.ndarray]:
    """A function of the width d_k, up to WIDEST: scores of ROWS random queries with KEYS keys."""
    return growing_scores(ROWS // KEYS, KEYS, KEYS, WIDEST, np.random.default_rng(13))


def width(*, d_k, scale) -> dict:
    """What all rows' weights are at width d_k, from the scores as they are and after `scale`."""
    raw = strangers()(d_k).astype(float)
    scaled = np.asarray(scale(raw, d_k), dtype=float)
    if scaled.shape != raw.shape:
        raise ValueError(f"scale made shape {scaled.shape} of scores of shape {raw.shape}")
    return {"d_k": d_k, "raw": _row(raw), "scaled": _row(scaled)}


def _row(scores: np.ndarray) -> dict:
    weights = np.sort(softmax(scores), axis=-1)[:, ::-1]  # best first
    return {
        "ranked": weights.mean(axis=0), "mean": float(weights[:, 0].mean()),
        "deviation": float(scores.std()), "sharp": float((weights[:, 0] > 0.99).mean()),
    }  # fmt: skip


def _draw_weights(axes, row: dict, how: str):
    """Ten bars, the mean weights of all rows from the best key to the last; (artists, update)."""
    axes.set(xlim=(-0.7, KEYS - 0.3), ylim=(0, 1.18), yticks=(0, 0.5, 1))
    axes.set_yticklabels(["0", ".5", "1"])
    axes.set_xticks([0, KEYS - 1], [say("best"), say("last")])
    axes.tick_params(axis="x", length=0)
    axes.axhline(1, color=FAINT, linewidth=1, zorder=0)
    bars = axes.bar(range(KEYS), row["ranked"], 0.75, color=WEIGHT)
    top = axes.text(0.6, 0, "", va="center", fontweight="bold", bbox=CLEAR)
    title = axes.set_title("", loc="left", fontsize=SMALL)

    def update(row) -> None:
        weights = np.nan_to_num(row["ranked"])
        for bar, weight in zip(bars, weights, strict=True):
            bar.set_height(weight)
        top.set(y=min(max(weights[0] - 0.03, weights[1] + 0.15), HIGHEST))
        top.set_text(share(row["mean"]))
        title.set_text(say("{how}: spread {size:.1f}", how=how, size=row["deviation"]))

    return [*bars, top, title], update


def _heights(x: float, sharp: dict[str, float], passed: float) -> dict[str, float]:
    """How high the names of the two dots stand, the higher dot's first: clear of lines and goal.

    passed: how high the marks are that lie behind a name that stands right over its dot
    """
    high, low = sorted(sharp, key=lambda name: -sharp[name])  # level: as they are, above
    above = sharp[high] + OVER
    if x < FIRST:  # the name stands right over its dot, and the trail may climb behind it
        above = max(above + HIGHER, passed + OVER)
    above = min(above, CEILING - OVER)
    if LOW - NEAR[0] < above < HIGH + NEAR[0]:  # no plate lies over the goal
        above = LOW - NEAR[0] if sharp[high] < LOW - NEAR[0] else HIGH + NEAR[0]
    return {high: above, low: min(sharp[low] - UNDER, above - APART)}


def _last_before(end: float, places, heights) -> float:
    """How high the last mark up to a place stands; 0 where there is none."""
    return max((height for x, height in zip(places, heights, strict=True) if x <= end), default=0.0)


def _draw_share(axes, names: dict[str, str], start: dict):
    """The share of all rows that are saturated over the width, a dot each; (artists, update)."""
    axes.set(xlim=(-0.4, 11.3), ylim=(FLOOR, CEILING), yticks=(0, 0.25, 0.5, 0.75, 1))
    axes.set_xticks(range(11), [str(2**n) for n in range(11)])
    axes.set_yticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_xlabel(say("width"))
    (stem,) = axes.plot([], [], color=GHOST, linewidth=1.4, zorder=1)
    began, share_then = float(np.log2(start["d_k"])), start["raw"]["sharp"]
    (mark,) = axes.plot([began], [share_then], "o", color=GHOST, markersize=6, zorder=1.2)
    word = axes.text(began - 0.16, share_then + 0.03, say("you began here"), va="center",
                     ha="right", fontsize=SMALL, zorder=1.2)  # fmt: skip
    looks = ({}, {"markerfacecolor": "white", "markeredgewidth": 1.8})
    trails, leave_marks = _draw_trails(axes, look_of := dict(zip(names, looks, strict=True)))
    dots, said = {}, {}
    for (name, look), size in zip(look_of.items(), (10, 14), strict=True):  # level: a ring around
        (dots[name],) = axes.plot([], [], "o", color=INK, markersize=size, zorder=5 - size / 10,
                                  clip_on=False, **look)  # fmt: skip
        said[name] = axes.text(0, 0, "", va="center", fontsize=SMALL, fontweight="bold",
                               bbox=CLEAR, zorder=3)  # fmt: skip

    def update(data) -> None:
        x = float(np.log2(data["d_k"]))
        sharp = {name: data[name]["sharp"] for name in names}
        stem.set_data([x, x], [FLOOR, max(sharp.values())])
        leave_marks(x, sharp)
        passed = max(_last_before(FIRST, *trail.get_data()) for trail in trails)
        heights = _heights(x, sharp, passed)
        high, low = heights
        last = ENDS[low == "raw"]
        beside = (x + 0.2, "left") if x + 0.2 <= last else (x - 0.25, "right")  # clear of the stem
        places = {high: (max(x - 0.25, FIRST), "right"), low: beside}
        for name, words in names.items():
            dots[name].set_data([x], [sharp[name]])
            said[name].set(x=places[name][0], y=heights[name], ha=places[name][1])
            said[name].set_text(f"{words} {sharp[name]:.0%}".replace("%", " %"))
        clear = all(abs(height - word.get_position()[1]) > CROWDED for height in heights.values())
        for one in (mark, word):
            one.set_visible(clear and abs(x - began) > NEAR[1])

    return [stem, *trails, mark, word, *dots.values(), *said.values()], update


def _draw_trails(axes, looks: dict[str, dict]):
    """A mark for each width that was tried, not joined: between them nothing is measured.

    Returns (artists, update).
    """
    small = {"color": TRAIL, "markersize": 5, "zorder": 1.1}
    trails = {}
    for name, look in looks.items():
        (trails[name],) = axes.plot([], [], "o", **{**look, **small, "markeredgewidth": 1.2})
    tried: dict[int, tuple[float, dict[str, float]]] = {}

    def leave_marks(x: float, sharp: dict[str, float]) -> None:
        tried[round(MARKS * x)] = x, sharp
        for name, trail in trails.items():
            trail.set_data(
                *zip(*sorted((at, was[name]) for at, was in tried.values()), strict=True)
            )

    return list(trails.values()), leave_marks


def draw_width(figure, data) -> Drawing:
    """Above the ten weights, twice; below the share of rows with one over .99, over the width."""
    names = {"raw": say("not divided"), "scaled": say("divided")}
    axes = figure.subplot_mosaic([["raw", "scaled"], ["share", "share"]], height_ratios=(1, 1.35))
    axes["scaled"].sharey(axes["raw"])
    axes["raw"].set_ylabel(say("mean weight"))
    above = [_draw_weights(axes[name], data[name], how) for name, how in names.items()]
    axes["share"].set_label("share")  # the handle stands in these axes
    below, update_share = _draw_share(axes["share"], names, data)
    axes["share"].set_ylabel(say("share saturated"))
    title = figure.headline()

    def update(data) -> None:
        for (_, update_weights), name in zip(above, names, strict=True):
            update_weights(data[name])
        update_share(data)
        sharp = f"{data['raw']['sharp']:.0%}".replace("%", " %")
        title.set_text(
            say(
                "width {d_k}, not divided: {sharp} of the queries are saturated",
                d_k=data["d_k"], sharp=sharp,
            )
        )  # fmt: skip

    moving = [title, *below]
    for artists, _ in above:
        moving += artists
    goal = goal_band(axes["share"], LOW, HIGH, INK, across="y", ends=(0, 0.945))
    return Drawing(update, moving=moving, goal=goal)


@lru_cache(maxsize=1)
def _way() -> np.ndarray:
    """Where the dot stands at each width from 1 to WIDEST, about, in PIXELS. Shapes: (WIDEST, 2)"""
    widths, some = np.arange(1, WIDEST + 1), np.unique(np.geomspace(1, WIDEST, 64).round())
    sharp = [(softmax(strangers()(int(d))).max(axis=-1) > 0.99).mean() for d in some]
    return np.stack([np.log2(widths), np.interp(widths, some, sharp)], axis=1) * PIXELS


def _nearest(x: float, y: float) -> int:
    """The width whose dot stands nearest to a place."""
    return 1 + int(np.square(_way() - np.multiply((x, y), PIXELS)).sum(axis=1).argmin())


def describe_width(params, data) -> str:
    """The picture in words."""
    raw, scaled = data["raw"], data["scaled"]
    return say(
        "Width {d_k}. Not divided, the scores spread by {spread:.1f}, the best of ten keys gets "
        "{mean:.2f} on average, and {sharp:.0%} of 1000 queries have a top weight over .99. "
        "Divided, the scores spread by {scaled_spread:.1f}, the best key gets {scaled_mean:.2f}, "
        "and {scaled_sharp:.0%} of the queries are so sure.",
        d_k=data["d_k"], spread=raw["deviation"], mean=raw["mean"], sharp=raw["sharp"],
        scaled_spread=scaled["deviation"], scaled_mean=scaled["mean"],
        scaled_sharp=scaled["sharp"],
    )  # fmt: skip


def numbers_width(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each: as they are, and divided."""
    raw, scaled = data["raw"], data["scaled"]
    pairs = [
        (say("key {i}, best first: mean weight; divided", i=i + 1), f"{w:.3f}; {x:.3f}")
        for i, (w, x) in enumerate(zip(raw["ranked"], scaled["ranked"], strict=True))
    ]
    return [
        (say("width, and its square root"), f"{data['d_k']}, {np.sqrt(data['d_k']):.2f}"),
        (
            say("spread of the scores; divided"),
            f"{raw['deviation']:.2f}; {scaled['deviation']:.2f}",
        ),
        (
            say("queries with a top weight over .99; divided"),
            f"{raw['sharp']:.0%}; {scaled['sharp']:.0%}",
        ),
        *pairs,
    ]


explore_width = Explorer(
    width,
    draw_width,
    describe_width,
    sliders={"d_k": IntRange(1, WIDEST, start=64, label="width d_k", log=True)},
    handles={
        "width": Handle(
            at=lambda data: ("share", float(np.log2(data["d_k"])), data["raw"]["sharp"]),
            to=lambda xy, params: {"d_k": _nearest(*xy)},
            moves=("d_k",),
            label="the width",
            colour=INK,
        )
    },
    functions={"scale": scale},
    numbers=numbers_width,
    size=(7.0, 5.0),
    colours=32,
    goal=Goal(
        "Find a width at which about half of the 1000 queries, 43 to 57 %, have a top weight over "
        ".99 where nothing is divided.",
        lambda params, data: LOW <= float(f"{data['raw']['sharp']:.2f}") <= HIGH,
        solution={"d_k": HALF_SHARP},
    ),
    question="Go to width 1, where the root is 1. Why is no query saturated there, though nothing "
    "is divided?",
    answer="At width 1 a score is a single product, so the scores spread by 1 as they are. (The "
    "best key gets .27 there, a little less than at other widths: where the query's only number is "
    "near 0, all its scores are.)",
)
