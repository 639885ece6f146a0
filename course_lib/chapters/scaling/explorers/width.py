"""Explorer `width`: ten scores, each with its weight as a bar, not divided and divided."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from matplotlib.collections import LineCollection

from course_lib.figures.ghosts import goal_band
from course_lib.figures.numerals import share, signed
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, WEIGHT
from course_lib.kernels.scaling import scale
from course_lib.kernels.softmax import softmax
from course_lib.measures.random_scores import growing_scores
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

ROWS, KEYS, WIDEST = 1000, 10, 1024
SHOWN = 924  # the row that is drawn, here and in show_widths: about as sure as most rows
HALF_SHARP = 135  # the width at which half of very many rows have a top weight over .99
# Scores to both sides: the widest still fit. At width 64, the start, both rulers fall together.
REACH = {"raw": 68.0, "scaled": 8.5}
# Heights: a weight of 1, the foot of the upper row (the lower row's is 0), both spreads' lines.
UNIT, UP, RAW_LINE, SCALED_LINE = 1.4, 2.05, 4.0, -0.4
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # behind a word on thin lines


@lru_cache(maxsize=1)
def strangers() -> Callable[[int], np.ndarray]:
    """A function of the width d_k, up to WIDEST: scores of ROWS random queries with KEYS keys."""
    return growing_scores(ROWS // KEYS, KEYS, KEYS, WIDEST, np.random.default_rng(13))


def width(*, d_k, scale) -> dict:
    """One row's scores and weights at width d_k, as they are and after `scale`, and all rows'."""
    raw = strangers()(d_k).astype(float)
    scaled = np.asarray(scale(raw, d_k), dtype=float)
    if scaled.shape != raw.shape:
        raise ValueError(f"scale made shape {scaled.shape} of scores of shape {raw.shape}")
    return {"d_k": d_k, "raw": _row(raw), "scaled": _row(scaled)}


def _row(scores: np.ndarray) -> dict:
    weights = softmax(scores)
    second, best = np.sort(scores[SHOWN])[-2:]
    return {
        "scores": scores[SHOWN], "weights": weights[SHOWN], "top": float(weights[SHOWN].max()),
        "lead": float(best - second), "deviation": float(scores.std()),
        "mean": float(weights.max(axis=-1).mean()),
        "sharp": float((weights.max(axis=-1) > 0.99).mean()),
    }  # fmt: skip


class _Row:
    """One row: a tick and a bar for each score, the usual spread, and what stands beside them.

    start: of its bars only the winner's stays, dashed
    """

    def __init__(self, axes, reach: float, base: float, line: float, start: dict):
        self._reach, self._base, self._line = reach, base, line
        for height in (0, UNIT):
            axes.axhline(base + height, color=FAINT, linewidth=1, zorder=0)
        first = [self._bars_of(start)[int(np.argmax(start["weights"]))]]
        look = {"color": GHOST, "linewidth": 2.4, "linestyle": (0, (2, 1)), "zorder": 1.2}
        self._start = LineCollection(first, **look)
        axes.add_collection(self._start, autolim=False)
        ((self._began, _), (_, high)) = first[0]
        look = {"color": GHOST, "fontsize": SMALL, "va": "center", "zorder": 1.3, "bbox": CLEAR}
        self._name = axes.text(0, base + 0.6 * (high - base), say("start"), **look)
        self._bars = LineCollection([], color=WEIGHT, linewidth=6, alpha=0.8, zorder=2)
        axes.add_collection(self._bars, autolim=False)
        (self._ticks,) = axes.plot([], [], "|", color=INK, markersize=9, zorder=3)
        (self._usual,) = axes.plot(
            [], [], "|-", color=INK, markersize=10, linewidth=1.4, zorder=1.5
        )
        bold = {"fontsize": SMALL, "fontweight": "bold"}
        self._spread = axes.text(0, line, "", va="center", **bold)
        self._top = axes.text(0, base, "", va="bottom", bbox=CLEAR, **bold)
        self.artists = [self._start, self._name, self._bars, self._ticks, self._usual]
        self.artists += [self._spread, self._top]

    def places(self, row: dict) -> np.ndarray:
        """Where the scores stand on this row's axis; one that lies beyond stands at its end."""
        return np.clip(np.nan_to_num(row["scores"]), -self._reach, self._reach)

    def _bars_of(self, row: dict) -> list:
        """A line upwards from each score, as long as its weight."""
        tops = self._base + UNIT * np.nan_to_num(row["weights"])
        return [[(x, self._base), (x, top)] for x, top in zip(self.places(row), tops, strict=True)]

    def move(self, row: dict) -> None:
        """Draw the row."""
        places = self.places(row)
        self._bars.set_segments(self._bars_of(row))
        self._ticks.set_data(places, np.full(KEYS, self._base))
        spread = np.clip(row["deviation"], 0, self._reach)
        self._usual.set_data([-spread, spread], [self._line] * 2)
        far = spread > 0.7 * self._reach  # no room at the line's end: then the name is above it
        x, y = (0.95 * self._reach, self._line + 0.2) if far else (spread, self._line)
        self._spread.set(
            x=x if far else x + 0.035 * self._reach, y=y, ha="right" if far else "left"
        )
        self._spread.set_text(say("spread {size:.1f}", size=row["deviation"]))
        weights = np.nan_to_num(row["weights"])
        best = int(np.argmax(weights))
        self._name_start(places[best])
        x, y = places[best], self._base + UNIT * weights[best] + 0.03
        beyond = abs(x) == self._reach  # as after a wrong division
        side = ("right" if x > 0 else "left") if beyond else "center"
        self._top.set(x=x, y=y, ha=side)
        self._top.set_text(share(row["top"]))

    def _name_start(self, best: float) -> None:
        """Write beside the dashed bar, away from the bar of the best score."""
        right = best < self._began
        aside = 0.02 * self._reach * (1 if right else -1)
        self._name.set(x=self._began + aside, ha="left" if right else "right")
        for artist in (self._start, self._name):  # at the start both bars are one
            artist.set_visible(abs(best - self._began) > 0.02 * self._reach)


def _draw_share(axes):
    """Two bars: the share of all rows that are saturated; (artists, update)."""
    names = {"raw": say("not divided"), "scaled": say("divided")}
    axes.set(xlim=(0, 1), ylim=(1.6, -1.5), xticks=(0, 0.25, 0.5, 0.75, 1))
    axes.set_yticks(range(len(names)), names.values())
    axes.tick_params(axis="y", length=0)
    axes.set_xticklabels(["0 %", "25 %", "50 %", "75 %", "100 %"])
    axes.set_xlabel(say("of 1000 queries: top weight over .99"))
    axes.spines["left"].set_visible(False)
    looks = ({"color": WEIGHT}, {"facecolor": "none", "edgecolor": WEIGHT, "linewidth": 1.6})
    bars, said = [], []
    for place, look in enumerate(looks):
        bars.append(axes.barh([place], [0], height=0.7, **look)[0])
        said.append(axes.text(0, place, "", va="center", fontsize=SMALL, fontweight="bold"))

    def update(data) -> None:
        for name, bar, text in zip(names, bars, said, strict=True):
            sharp = data[name]["sharp"]
            within = sharp > 0.12  # room for the number in the bar, at its beginning: off the goal
            bar.set_width(sharp)
            text.set(x=0.01 if within else sharp + 0.01)
            text.set_text(f"{sharp:.0%}".replace("%", " %"))
            text.set_color("white" if within and name == "raw" else INK)

    return [*bars, *said], update


def _rulers(figure) -> tuple:
    """Three axes: the scores as they are, the same after the division below them, the shares.

    The first two are one frame with a ruler above and another below.
    """
    scaled, lower = figure.subplots(2, 1, height_ratios=(4.6, 1.2))
    raw = scaled.twiny()
    raw.set_label("raw")  # the handle stands in these axes
    for axes, name, ticks in (
        (raw, "raw", range(-64, 65, 16)),
        (scaled, "scaled", range(-8, 9, 2)),
    ):
        axes.set(xlim=(-REACH[name], REACH[name]), ylim=(-0.75, 4.3))
        axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
        axes.spines["left"].set_visible(False)
    raw.spines["top"].set_visible(True)
    raw.spines["bottom"].set_visible(False)
    feet = [base + part * UNIT for base in (0, UP) for part in (0, 0.5, 1)]
    scaled.set_yticks(feet, 2 * ["0", ".5", "1"])
    scaled.tick_params(axis="y", length=0)
    scaled.set_ylabel(say("weight"), fontsize=SMALL, labelpad=2)
    above = say("ten scores of one query, not divided")
    raw.set_xlabel(above, fontsize=SMALL, loc="left", labelpad=8)
    below = say("the same after your scale, on a ruler {times:.0f} times as fine",
                times=REACH["raw"] / REACH["scaled"])  # fmt: skip
    scaled.set_xlabel(below, fontsize=SMALL, loc="left", labelpad=6)
    return raw, scaled, lower


def draw_width(figure, data) -> Drawing:
    """Above ten scores with their weights, twice; below the share of rows with one over .99."""
    raw, scaled, lower = _rulers(figure)
    upper = _Row(raw, REACH["raw"], UP, RAW_LINE, data["raw"])
    under = _Row(scaled, REACH["scaled"], 0, SCALED_LINE, data["scaled"])
    joined = LineCollection([], color=GHOST, linewidth=0.8, zorder=0.8)
    scaled.add_collection(joined, autolim=False)
    (grip,) = raw.plot([], [], "o", color=INK, markersize=8, zorder=4)
    title = raw.set_title("", loc="left")
    bars, update_bars = _draw_share(lower)

    def update(data) -> None:
        upper.move(data["raw"])
        above = upper.places(data["raw"]) * REACH["scaled"] / REACH["raw"]
        under.move(data["scaled"])
        pairs = zip(above, under.places(data["scaled"]), strict=True)
        joined.set_segments([[(x, UP), (below, 0)] for x, below in pairs])
        grip.set_data([np.clip(data["raw"]["deviation"], 0, REACH["raw"])], [RAW_LINE])
        update_bars(data)
        title.set_text(
            say(
                "width {d_k}: top weight {top} on average; divided, {less}",
                d_k=data["d_k"], top=share(data["raw"]["mean"]), less=share(data["scaled"]["mean"]),
            )
        )  # fmt: skip

    artists = [*upper.artists, *under.artists, joined, grip]
    goal = goal_band(lower, 0.46, 0.54, INK)
    return Drawing(update, moving=[*artists, *bars, title], goal=goal)


def describe_width(params, data) -> str:
    """The picture in words."""
    raw, scaled = data["raw"], data["scaled"]
    return say(
        "Width {d_k}. Not divided, the scores of all queries spread by {spread:.1f}; the best "
        "score of this one leads by {lead:.1f}, and its key gets {top:.2f}. Divided, they spread "
        "by {scaled_spread:.1f}, the lead is {scaled_lead:.1f}, and the key gets "
        "{scaled_top:.2f}. Of 1000 queries, {sharp:.0%} have a top weight over .99 where nothing "
        "is divided, and {scaled_sharp:.0%} where it is; on average the top weight is {mean:.2f}, "
        "and {scaled_mean:.2f}.",
        d_k=data["d_k"], spread=raw["deviation"], lead=raw["lead"], top=raw["top"],
        sharp=raw["sharp"], scaled_spread=scaled["deviation"], scaled_lead=scaled["lead"],
        scaled_top=scaled["top"], scaled_sharp=scaled["sharp"], mean=raw["mean"],
        scaled_mean=scaled["mean"],
    )  # fmt: skip


def numbers_width(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each: as they are, and divided."""
    raw, scaled = data["raw"], data["scaled"]
    pairs = [
        (say("key {i}: score, weight; divided", i=i + 1), f"{s:.1f}, {w:.3f}; {t:.2f}, {x:.3f}")
        for i, (s, w, t, x) in enumerate(
            zip(raw["scores"], raw["weights"], scaled["scores"], scaled["weights"], strict=True)
        )
    ]
    return [
        (say("width d_k, and its square root"), f"{data['d_k']}, {np.sqrt(data['d_k']):.2f}"),
        (
            say("spread of the scores; divided"),
            f"{raw['deviation']:.2f}; {scaled['deviation']:.2f}",
        ),
        (say("lead of the best score; divided"), f"{raw['lead']:.2f}; {scaled['lead']:.2f}"),
        (
            say("top weight, mean of all queries; divided"),
            f"{raw['mean']:.2f}; {scaled['mean']:.2f}",
        ),
        (
            say("queries with a top weight over .99; divided"),
            f"{raw['sharp']:.1%}; {scaled['sharp']:.1%}",
        ),
        *pairs,
    ]


explore_width = Explorer(
    width,
    draw_width,
    describe_width,
    sliders={"d_k": IntRange(1, WIDEST, start=64, label="width d_k", log=True)},
    handles={
        "spread": Handle(
            at=lambda data: (
                "raw",
                float(np.clip(data["raw"]["deviation"], 0, REACH["raw"])),
                RAW_LINE,
            ),
            to=lambda xy, params: {"d_k": max(float(xy[0]), 1.0) ** 2},
            moves=("d_k",),
            label="the spread of the scores",
            colour=INK,
        )
    },
    functions={"scale": scale},
    numbers=numbers_width,
    size=(7.0, 5.6),
    goal=Goal(
        "Find the width, to within a fifth, from which on about half of the 1000 queries have a "
        "top weight over .99 where nothing is divided.",
        lambda params, data: HALF_SHARP / 1.2 <= params["d_k"] <= HALF_SHARP * 1.2,
        solution={"d_k": HALF_SHARP},
    ),
    question="Go to width 1, where the root is 1. Why is no query saturated there, though nothing "
    "is divided?",
)
