"""Explorer `random_directions`: how far from perpendicular random directions come to lie."""

from functools import lru_cache

import numpy as np

from course_lib.figures.ghosts import GoalMark
from course_lib.figures.theme import GHOST, INK, SMALL
from course_lib.measures.directions import largest_cosine, random_directions
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

BINS = np.linspace(0, 90, 46)
ALLOWED = 30  # degrees off perpendicular: the goal


@lru_cache(maxsize=256)
def _strangers(d: int) -> tuple[np.ndarray, float, float]:
    """Pairs at each angle, of the most frequent one; degrees off 90 of the half, of the worst."""
    directions = random_directions(10 * d, d, np.random.default_rng(0))
    some = directions[: max(1, 60_000 // len(directions))]  # enough pairs for the histogram
    cosines = np.clip(some @ directions.T, -1, 1)[~np.eye(len(some), len(directions), dtype=bool)]
    off = np.abs(90 - np.degrees(np.arccos(cosines)))
    counts, _ = np.histogram(off, bins=len(BINS) - 1, range=(0, 90))  # quicker than with BINS
    heights = counts / counts.max()
    heights.flags.writeable = False  # cached: nobody may change it
    worst = 90 - float(np.degrees(np.arccos(largest_cosine(directions))))
    return heights, float(np.median(off)), worst


def strangers(*, d) -> dict:
    """10 d random directions in d dimensions: how far off perpendicular their pairs are.

    half, worst: degrees from 90 within which half of the pairs stay, and all of them.
    """
    heights, half, worst = _strangers(d)
    return {"d": d, "count": 10 * d, "heights": heights, "half": half, "worst": worst}


def draw_random_directions(figure, data) -> Drawing:
    """How many pairs are how far off perpendicular, with the worst pair marked."""
    axes = figure.subplots()
    zone = axes.axvspan(0, ALLOWED, facecolor="#eef0f3", zorder=0)
    goal = GoalMark([zone], lambda done: zone.set_facecolor("#c3cad6" if done else "#eef0f3"))
    axes.text(ALLOWED - 1, 1.2, say("goal: all pairs in here"), ha="right", va="center",
              fontsize=SMALL, color="#666666")  # fmt: skip
    axes.stairs(data["heights"], BINS, color=GHOST, linewidth=1.2, baseline=None)
    bars = axes.stairs(data["heights"], BINS, fill=True, color=INK, alpha=0.6)
    (worst,) = axes.plot([], [], color=INK, linewidth=2, marker="v", markevery=[0])
    label = axes.text(0, 0.88, "", fontsize=SMALL, va="center", linespacing=1.3)
    axes.set(xlim=(0, 90), xticks=(0, 15, 30, 45, 60, 75, 90), ylim=(0, 1.32))
    axes.set_xlabel(say("degrees off perpendicular (0: perpendicular, 90: on one line)"))
    axes.set_yticks([0, 0.5, 1])
    axes.set_ylabel(say("pairs (highest bar: 1)"))
    axes.spines["left"].set_bounds(0, 1)
    title = figure.headline()

    def update(data) -> None:
        bars.set_data(data["heights"])
        worst.set_data([data["worst"]] * 2, [0.8, 0])
        label.set_x(data["worst"] + (-1 if data["worst"] > 60 else 1))
        label.set_ha("right" if data["worst"] > 60 else "left")
        label.set_text(say("worst pair: {worst:.1f}° off", worst=data["worst"]))
        title.set_text(
            say(
                "d = {d}: of {count} directions, the worst two are {worst:.1f}° off",
                **{name: data[name] for name in ("d", "count", "worst")},
            )
        )

    return Drawing(update, moving=[bars, worst, label, title], goal=goal)


def describe_random_directions(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{count} random directions in {d} dimensions: half of the pairs are within {half:.1f} "
        "degrees of perpendicular, and the worst pair is {worst:.1f} degrees off.",
        **{name: data[name] for name in ("d", "count", "half", "worst")},
    )


def numbers_random_directions(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("dimensions d"), f"{data['d']}"),
        (say("directions, 10 · d"), f"{data['count']}"),
        (say("pairs"), f"{data['count'] * (data['count'] - 1) // 2}"),
        (say("worst pair, degrees off perpendicular"), f"{data['worst']:.1f}"),
        (
            say("typical pair: cosine 1 / sqrt(d), in degrees off"),
            f"{np.degrees(np.arcsin(data['d'] ** -0.5)):.1f}",
        ),
    ]


explore_random_directions = Explorer(
    strangers,
    draw_random_directions,
    describe_random_directions,
    sliders={"d": IntRange(2, 256, start=3, label="dimensions d", log=True)},
    numbers=numbers_random_directions,
    colours=24,
    goal=Goal(
        "Find a number of dimensions below 100 in which all 10 · d directions stay within 30 "
        "degrees of perpendicular. (One draw for each d, so neighbours may differ.)",
        lambda params, data: data["worst"] <= ALLOWED and params["d"] < 100,
        solution={"d": 76},
    ),
)
