"""Explorer `random_directions`: how far from perpendicular random directions come to lie."""

from functools import lru_cache

import numpy as np

from course_lib.figures.theme import GHOST, INK, OUTPUT, SMALL
from course_lib.measures.directions import largest_cosine, random_directions
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange
from course_lib.words import say

BINS = np.linspace(0, 180, 91)


@lru_cache(maxsize=256)
def _strangers(d: int) -> tuple[np.ndarray, float, float]:
    """The shares of pairs at each angle; how near to 90 half of them are; the worst angle."""
    directions = random_directions(10 * d, d, np.random.default_rng(0))
    some = directions[: max(1, 300_000 // len(directions))]  # enough pairs for the histogram
    cosines = np.clip(some @ directions.T, -1, 1)[~np.eye(len(some), len(directions), dtype=bool)]
    counts, _ = np.histogram(np.degrees(np.arccos(cosines)), BINS)
    shares = counts / counts.sum()
    half = float(np.median(np.abs(90 - np.degrees(np.arccos(cosines)))))
    shares.flags.writeable = False  # cached: nobody may change it
    return shares, half, float(np.degrees(np.arccos(largest_cosine(directions))))


def strangers(*, d) -> dict:
    """10 d random directions in d dimensions: the angles of their pairs and the worst pair."""
    shares, half, worst = _strangers(d)
    return {"d": d, "count": 10 * d, "shares": shares, "half": half, "worst": worst}


def draw_random_directions(figure, data) -> Drawing:
    """A histogram of the angles, with the worst pair marked at equal distance on both sides."""
    axes = figure.subplots()
    axes.stairs(data["shares"], BINS, color=GHOST, linewidth=1, baseline=None)
    bars = axes.stairs(data["shares"], BINS, fill=True, color=INK, alpha=0.6)
    worst = [axes.axvline(0, color=OUTPUT, linewidth=2, linestyle=(0, (4, 2))) for _ in range(2)]
    label = axes.text(
        0, 0.97, "", color=OUTPUT, fontsize=SMALL, fontweight="bold", va="top",
        transform=axes.get_xaxis_transform(),
    )  # fmt: skip
    axes.set(xlim=(0, 180), xticks=(0, 30, 60, 90, 120, 150, 180), ylim=(0, 0.24), yticks=[])
    axes.set_xlabel(say("angle between two directions, in degrees"))
    axes.set_ylabel(say("share of the pairs"))
    axes.spines["left"].set_visible(False)
    title = axes.set_title("")

    def update(data) -> None:
        bars.set_data(data["shares"])
        for line, place in zip(worst, (data["worst"], 180 - data["worst"]), strict=True):
            line.set_xdata([place, place])
        inside = data["worst"] < 40  # no room for words on the left
        label.set(x=data["worst"] + (2 if inside else -2), ha="left" if inside else "right")
        label.set_text(say("worst pair\n{worst:.0f}°", worst=data["worst"]))
        title.set_text(
            say(
                "d = {d}: {count} directions, all pairs within {off:.0f}° of perpendicular",
                off=90 - data["worst"],
                **{name: data[name] for name in ("d", "count")},
            )
        )

    return Drawing(update, moving=[bars, *worst, label, title])


def describe_random_directions(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{count} random directions in {d} dimensions: half of the pairs are within {half:.1f} "
        "degrees of perpendicular. The worst pair is {worst:.1f} degrees apart, or 180 minus that.",
        **{name: data[name] for name in ("d", "count", "half", "worst")},
    )


def numbers_random_directions(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("dimensions d"), f"{data['d']}"),
        (say("directions, 10 · d"), f"{data['count']}"),
        (say("pairs"), f"{data['count'] * (data['count'] - 1) // 2}"),
        (say("worst pair, degrees from 90"), f"{90 - data['worst']:.1f}"),
        (say("1 / sqrt(d) as an angle from 90"), f"{np.degrees(np.arcsin(data['d'] ** -0.5)):.1f}"),
    ]


explore_random_directions = Explorer(
    strangers,
    draw_random_directions,
    describe_random_directions,
    sliders={"d": IntRange(2, 256, start=3, label="dimensions d")},
    numbers=numbers_random_directions,
    goal=Goal(
        "Find a number of dimensions below 100 in which all 10 · d directions stay within 30 "
        "degrees of perpendicular. (One draw for each d, so neighbours may differ.)",
        lambda params, data: data["worst"] >= 60 and params["d"] < 100,
        solution={"d": 96},
    ),
)
