"""Explorer `width`: how far scores spread at a width, and the weights of one row."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from course_lib.chapters.scaling.bell import BELL, heights
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, QUERY, SMALL
from course_lib.kernels.scaling import scale
from course_lib.kernels.softmax import effective_count, softmax
from course_lib.measures.random_scores import growing_scores
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Toggle
from course_lib.words import say

ROWS, KEYS, WIDEST = 1000, 10, 1024
REACH = 80  # scores to both sides: two and a half deviations at the widest
HALF_SHARP = 130  # the width at which half of the rows first have a top weight over .99


@lru_cache(maxsize=1)
def strangers() -> Callable[[int], np.ndarray]:
    """A function of the width d_k, up to WIDEST: scores of ROWS random queries with KEYS keys."""
    return growing_scores(ROWS // KEYS, KEYS, KEYS, WIDEST, np.random.default_rng(13))


def width(*, row, d_k, scaled, scale) -> dict:
    """All scores at width d_k, divided by `scale` or as they are, and the weights of one row."""
    raw = strangers()(d_k).astype(float)
    scores = np.asarray(scale(raw, d_k), dtype=float) if scaled else raw
    if scores.shape != raw.shape:
        raise ValueError(f"scale made shape {scores.shape} of scores of shape {raw.shape}")
    weights = softmax(scores)
    deviation = float(scores.std())
    ten = scores[row - 1]
    second, best = np.sort(ten)[-2:]
    edges = np.linspace(-4, 4, 33) * max(deviation, 1e-9)
    return {
        "d_k": d_k, "scaled": scaled, "row": row,
        "edges": edges, "heights": heights(scores, edges, max(deviation, 1e-9)),
        "deviation": deviation, "theory": 1.0 if scaled else float(np.sqrt(d_k)),
        "ten": ten, "best": float(best), "lead": float(best - second),
        "weights": weights[row - 1], "top": float(weights[row - 1].max()),
        "count": float(effective_count(weights[row - 1])),
        "sharp": float((weights.max(axis=-1) > 0.99).mean()),
    }  # fmt: skip


def _draw_spread(axes, data):
    """All scores with the bell of theory, and below them one query's; returns (artists, update)."""
    axes.axhline(0, color=FAINT, linewidth=1.5, zorder=0)
    axes.stairs(data["heights"], data["edges"], color=GHOST, linewidth=1, baseline=None)
    bars = axes.stairs(data["heights"], data["edges"], fill=True, color=INK, alpha=0.35)
    (bell,) = axes.plot([], [], color=QUERY)
    (reach,) = axes.plot([], [], "|-", color=QUERY, markersize=10, linewidth=3)
    (ten,) = axes.plot([], [], "|", color=KEY, markersize=13, markeredgewidth=2)
    (lead,) = axes.plot([], [], color=KEY, linewidth=5, solid_capstyle="butt")
    theory = axes.text(REACH, 1.27, "", color=QUERY, fontsize=SMALL, ha="right", va="top")
    one = axes.text(-REACH, -0.34, "", color=KEY, fontsize=SMALL, va="center")
    axes.set(xlim=(-REACH, REACH), ylim=(-0.45, 1.3), yticks=[], xticks=(-60, -30, 0, 30, 60))
    axes.set_xlabel(say("score"))
    axes.spines["left"].set_visible(False)
    title = axes.set_title("\n")

    def update(data) -> None:
        bars.set_data(data["heights"], data["edges"])
        bell.set_data(BELL * data["theory"], np.exp(-(BELL**2) / 2))
        reach.set_data([-data["theory"], data["theory"]], [np.exp(-0.5)] * 2)
        ten.set_data(data["ten"], np.full(KEYS, -0.13))
        lead.set_data([data["best"] - data["lead"], data["best"]], [-0.13] * 2)
        one.set_text(say("query {row}: best leads by {lead:.1f}", **data))
        root = say("√d_k/√d_k = 1") if data["scaled"] else say("√d_k = {theory:.1f}", **data)
        theory.set_text(say("theory:\n{root}", root=root))
        how = say("divided") if data["scaled"] else say("not divided")
        template = "d_k = {d_k}, {how}:\nscores spread by {deviation:.1f}"
        title.set_text(say(template, how=how, d_k=data["d_k"], deviation=data["deviation"]))

    return [bars, bell, reach, lead, ten, theory, one, title], update


def draw_width(figure, data) -> Drawing:
    """Left the spread of the scores, right the weights that one row of them becomes."""
    left, right = figure.subplots(1, 2, width_ratios=(1.0, 1.05))
    spread, update_spread = _draw_spread(left, data)
    places = np.arange(1, KEYS + 1)
    right.axhline(1 / KEYS, color=FAINT, linewidth=1.5, zorder=0)
    right.stairs(data["weights"], np.arange(KEYS + 1) + 0.5, color=GHOST, linewidth=1)
    bars = right.vlines(places, 0, 0, color=KEY, linewidth=13)
    right.set(xlim=(0.4, KEYS + 0.6), ylim=(0, 1.45), xticks=places, yticks=(0, 0.5, 1))
    ends, height, thick = (0.5, KEYS + 0.5), 1.17, {"linewidth": 9, "solid_capstyle": "butt"}
    right.plot(ends, [height] * 2, color=FAINT, **thick)
    (share,) = right.plot([], [], color=INK, alpha=0.6, **thick)
    right.plot([np.mean(ends)], [height], "|", color=INK, markersize=15, markeredgewidth=2)
    right.set_ylabel(say("weight"))
    right.set_xlabel(say("key"))
    count = right.text(KEYS / 2 + 0.5, 1.34, "", fontsize=SMALL, ha="center", va="center")
    title = right.set_title("\n")

    def update(data) -> None:
        update_spread(data)
        bars.set_segments([[(x, 0), (x, w)] for x, w in zip(places, data["weights"], strict=True)])
        title.set_text(
            say(
                "query {row}: top weight {top:.2f},\nas if spread over {count:.1f} keys",
                **{name: data[name] for name in ("row", "top", "count")},
            )
        )
        share.set_data([ends[0], ends[0] + KEYS * data["sharp"]], [height] * 2)
        count.set_text(say("top weight over .99: {sharp:.0%} of rows", sharp=data["sharp"]))

    return Drawing(update, moving=[*spread, bars, title, share, count])


def describe_width(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "Width {d_k}, scores {how}: they spread by {deviation:.2f} (theory {theory:.2f}). Query "
        "{row}: the best score leads by {lead:.1f} and gets a weight of {top:.3f}, as if spread "
        "over {count:.1f} of 10 keys. In {sharp:.1%} of 1000 rows the top weight is over .99.",
        how=say("divided by scale") if data["scaled"] else say("not divided"),
        **{n: data[n] for n in data if n not in ("edges", "heights", "weights", "ten")},
    )


def numbers_width(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("width d_k"), f"{data['d_k']}"),
        (say("square root of d_k"), f"{np.sqrt(data['d_k']):.2f}"),
        (say("deviation of all scores"), f"{data['deviation']:.2f}"),
        (say("deviation in theory"), f"{data['theory']:.2f}"),
        (say("rows with a top weight over .99"), f"{data['sharp']:.1%}"),
        (say("lead of the best score"), f"{data['lead']:.2f}"),
        (say("as if spread over"), f"{data['count']:.2f}"),
        *[(say("weight of key {i}", i=i + 1), f"{w:.4f}") for i, w in enumerate(data["weights"])],
    ]


explore_width = Explorer(
    width,
    draw_width,
    describe_width,
    sliders={
        "d_k": IntRange(1, WIDEST, start=4, label="width d_k", log=True),
        "scaled": Toggle(start=True, label="divide by the root of d_k (scale)"),
        "row": IntRange(1, 20, start=15, label="which query"),
    },
    functions={"scale": scale},
    numbers=numbers_width,
    size=(7.0, 3.9),
    goal=Goal(
        "Take the tick away. Then find the smallest d_k, to within a fifth, at which half of all "
        "rows have a top weight over .99.",
        lambda params, data: (
            not params["scaled"] and data["sharp"] >= 0.5 and params["d_k"] <= HALF_SHARP * 1.2
        ),
        solution={"scaled": False, "d_k": 152},
    ),
)
