"""Explorer `assumptions`: scores that the root of d does not bring to mean 0, deviation 1."""

from functools import lru_cache

import numpy as np

from course_lib.chapters.scaling.bell import BELL, heights
from course_lib.figures.theme import GHOST, INK, QUERY, SMALL
from course_lib.kernels.scaling import scale, score_moments
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

COUNT = 4000  # pairs
EDGES = np.linspace(-20, 40, 121)


@lru_cache(maxsize=4)
def _sums(d_k: int) -> tuple[np.ndarray, ...]:
    """For COUNT pairs of normal vectors z, y: the sums of z, of y, of z z and of z y."""
    rng = np.random.default_rng(5)
    z, y = rng.normal(size=(COUNT, d_k)), rng.normal(size=(COUNT, d_k))
    sums = z.sum(axis=1), y.sum(axis=1), (z * z).sum(axis=1), (z * y).sum(axis=1)
    for one in sums:
        one.flags.writeable = False  # cached: nobody may change it
    return sums


def assumptions(*, correlation, mean, sigma, d_k, scale) -> dict:
    """Scaled scores of q = mean + sigma z and k = mean + sigma (c z + sqrt(1 - c^2) y)."""
    z, y, zz, zy = _sums(d_k)
    rest = np.sqrt(1 - correlation**2)
    # The product of q and k multiplied out, so that a slider's step costs no new vectors.
    raw = d_k * mean**2 + mean * sigma * ((1 + correlation) * z + rest * y)
    raw = raw + sigma**2 * (correlation * zz + rest * zy)
    scores = np.asarray(scale(raw, d_k), dtype=float)
    if scores.shape != raw.shape:
        raise ValueError(f"scale made shape {scores.shape} of scores of shape {raw.shape}")
    middle, spread = score_moments(d_k, sigma, mean, correlation)
    return {
        "heights": heights(scores, EDGES, 1.0), "middle": round(float(scores.mean()), 3) + 0.0,
        "spread": float(scores.std()), "theory": (middle / d_k**0.5, spread / d_k**0.5),
    }  # fmt: skip


def draw_assumptions(figure, data) -> Drawing:
    """The histogram of scaled scores, the bell of theory, and the bell that was promised."""
    axes = figure.subplots()
    axes.plot(BELL, np.exp(-(BELL**2) / 2), color=GHOST, linewidth=1)
    axes.text(-1.3, 0.9, say("promised: 0 ± 1"), color=INK, fontsize=SMALL, ha="right")
    bars = axes.stairs(data["heights"], EDGES, fill=True, color=INK, alpha=0.35)
    (bell,) = axes.plot([], [], color=QUERY)
    axes.set(xlim=(EDGES[0], EDGES[-1]), ylim=(0, 2.15), yticks=[])
    axes.set_xlabel(say("score after division by the square root of d_k"))
    axes.spines["left"].set_visible(False)
    title = axes.set_title("")

    def update(data) -> None:
        middle, spread = data["theory"]
        bars.set_data(data["heights"])
        bell.set_data(middle + BELL * spread, np.exp(-(BELL**2) / 2) / max(spread, 1e-9))
        template = (
            "scaled scores: mean {middle:.1f}, deviation {spread:.1f}"
            if data["middle"] < EDGES[-1]
            else "scaled scores: mean {middle:.1f}, beyond the picture"
        )
        middle = round(data["middle"], 1) + 0.0  # no -0.0
        title.set_text(say(template, middle=middle, spread=data["spread"]))

    return Drawing(update, moving=[bars, bell, title])


def describe_assumptions(params, data) -> str:
    """The picture in one sentence."""
    middle, spread = data["theory"]
    return say(
        "Entries of mean {mean:.2f} and deviation {sigma:.2f}, correlation {correlation:.2f} "
        "between q and k, width {d_k}: the scaled scores have mean {m:.2f} and deviation {s:.2f} "
        "(theory {middle:.2f} and {spread:.2f}). Promised were 0 and 1.",
        m=round(data["middle"], 2) + 0.0, s=data["spread"], middle=middle, spread=spread, **params,
    )  # fmt: skip


explore_assumptions = Explorer(
    assumptions,
    draw_assumptions,
    describe_assumptions,
    sliders={
        "correlation": FloatRange(0.0, 1.0, start=0.0, step=0.05, label="correlation of q and k"),
        "mean": FloatRange(0.0, 1.0, start=0.0, step=0.05, label="mean of the entries"),
        "sigma": FloatRange(0.7, 2.0, start=1.0, step=0.1, label="deviation of the entries"),
        "d_k": Options([16, 64, 256], start=64, label="width d_k"),
    },
    functions={"scale": scale},
    numbers=lambda params, data: [
        (say("mean"), f"{data['middle']:.2f}"),
        (say("mean in theory"), f"{data['theory'][0]:.2f}"),
        (say("deviation"), f"{data['spread']:.2f}"),
        (say("deviation in theory"), f"{data['theory'][1]:.2f}"),
    ],
    goal=Goal(
        "Leave the entries at mean 0 and deviation 1, and bring the mean of the scaled scores to 4 "
        "or more.",
        lambda params, data: (
            params["mean"] == 0 and params["sigma"] == 1 and data["theory"][0] >= 4 - 1e-9
        ),
        solution={"correlation": 0.5},
    ),
)
