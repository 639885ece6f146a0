"""Explorer `assumptions`: scores that the root of d does not bring to mean 0, spread 1."""

from functools import lru_cache

import numpy as np

from course_lib.figures.ghosts import goal_band
from course_lib.figures.numerals import signed
from course_lib.figures.theme import FAINT, INK, SMALL
from course_lib.kernels.scaling import scale, score_moments
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange, Options
from course_lib.words import say

COUNT = 4000  # pairs
EDGES = np.linspace(-7, 36, 173)
SMOOTH = np.exp(-0.5 * np.arange(-3, 4) ** 2)  # what a bin lends to its neighbours
LEVEL = 1.18  # the height of the arrow
END = EDGES[-1] - 1  # where the dot stays, when the mean is farther to the right
GOAL = 4.0


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
        "heights": _peaked(scores), "middle": round(float(scores.mean()), 3) + 0.0,
        "spread": float(scores.std()), "theory": (middle / d_k**0.5, spread / d_k**0.5),
    }  # fmt: skip


def _peaked(scores: np.ndarray) -> np.ndarray:
    """How many scores lie near each bin, next to the fullest."""
    counts, _ = np.histogram(scores, EDGES)
    counts = np.convolve(counts, SMOOTH, "same")
    return counts / max(counts.max(), 1)


def draw_assumptions(figure, data) -> Drawing:
    """The scaled scores, the outline of the promised ones, and a line from mean to mean."""
    axes = figure.subplots()
    bars = axes.stairs(data["heights"], EDGES, fill=True, color=INK, alpha=0.35)
    places = np.linspace(EDGES[0], 6, 200)
    axes.plot(places, np.exp(-(places**2) / 2), color=INK, linewidth=1.6, linestyle=(0, (4, 2)))
    axes.text(-1.6, 0.62, say("promised:\n0 ± 1"), fontsize=SMALL, ha="right", va="center")
    (way,) = axes.plot([], [], color=INK, linewidth=3, solid_capstyle="butt")
    (mean,) = axes.plot([], [], "o", color=INK, markersize=9)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    axes.text(-0.7, LEVEL, say("mean"), fontsize=SMALL, ha="right", va="center")
    ticks = range(-4, 33, 4)
    axes.set(xlim=(EDGES[0], EDGES[-1]), ylim=(0, 1.4), yticks=[], xticks=ticks)
    axes.set_xticklabels([signed(tick, 0) for tick in ticks])
    axes.set_xlabel(say("score after division by the square root of d_k"))
    axes.spines["left"].set_visible(False)
    title = axes.set_title("", loc="left")

    def update(data) -> None:
        place = min(data["middle"], END)
        bars.set_data(data["heights"])
        way.set_data([0, place], [LEVEL] * 2), mean.set_data([place], [LEVEL])
        template = "promised 0 ± 1; here it is {middle:.1f} ± {spread:.1f}"
        middle = round(data["middle"], 1) + 0.0  # no -0.0
        title.set_text(say(template, middle=middle, spread=data["spread"]))

    # "4 or more" goes on to the right, a lane for the dot alone
    goal = goal_band(axes, GOAL, EDGES[-1], INK, ends=(LEVEL / 1.4 - 0.06, LEVEL / 1.4 + 0.06))
    goal.artists[-1].set(ha="right", position=(-4, 0))
    return Drawing(update, moving=[bars, way, mean, title], goal=goal)


def describe_assumptions(params, data) -> str:
    """The picture in one sentence."""
    middle, spread = data["theory"]
    return say(
        "Entries of mean {mean:.2f} and spread {sigma:.2f}, correlation {correlation:.2f} "
        "between q and k, width {d_k}: the scaled scores have mean {m:.2f} and spread {s:.2f} "
        "(theory {middle:.2f} and {spread:.2f}). Promised were 0 and 1.",
        m=round(data["middle"], 2) + 0.0, s=data["spread"], middle=middle, spread=spread, **params,
    )  # fmt: skip


def _correlation(xy, params) -> dict:
    """The correlation at which theory puts the mean of the scaled scores there."""
    product = float(np.clip(xy[0], EDGES[0], EDGES[-1])) / params["d_k"] ** 0.5
    return {"correlation": (product - params["mean"] ** 2) / params["sigma"] ** 2}


explore_assumptions = Explorer(
    assumptions,
    draw_assumptions,
    describe_assumptions,
    sliders={
        "correlation": FloatRange(0.0, 1.0, start=0.0, step=0.05, label="correlation of q and k"),
        "mean": FloatRange(0.0, 0.5, start=0.0, step=0.05, label="mean of the entries"),
        "sigma": FloatRange(0.7, 1.3, start=1.0, step=0.1, label="spread of the entries"),
        "d_k": Options([16, 64, 256], start=64, label="width d_k"),
    },
    handles={
        "mean": Handle(
            at=lambda data: (0, min(data["theory"][0], END), LEVEL),
            to=_correlation,
            moves=("correlation",),
            label="mean of the scaled scores",
        )
    },
    functions={"scale": scale},
    colours=32,
    numbers=lambda params, data: [
        (say("mean"), f"{data['middle']:.2f}"),
        (say("mean in theory"), f"{data['theory'][0]:.2f}"),
        (say("spread"), f"{data['spread']:.2f}"),
        (say("spread in theory"), f"{data['theory'][1]:.2f}"),
    ],
    goal=Goal(
        "Leave the entries at mean 0 and spread 1, and bring the mean of the scaled scores to 4 "
        "or more.",
        lambda params, data: (
            params["mean"] == 0 and params["sigma"] == 1 and data["theory"][0] >= GOAL - 1e-9
        ),
        solution={"correlation": 0.5},
    ),
)
