"""Explorer `far_out`: 1, 2, 3 plus a constant, on the numbers that float32 has there."""

import numpy as np

from course_lib.figures.numerals import share
from course_lib.figures.shares import Strip, strip_axes
from course_lib.figures.theme import FAINT, GHOST, INK, SMALL, TEXT, WEIGHT
from course_lib.kernels.softmax import softmax as course_softmax
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange
from course_lib.words import say

BASE = np.array([1.0, 2.0, 3.0])
POWERS = np.round(np.arange(0, 9.01, 0.1), 1)
PRECISIONS = {"float32": np.float32, "float64": np.float64}
POINTED_AT = 8  # a number of float32 as long as they stand at most 8 apart
WINDOW = np.arange(-4, 11)  # what is seen, counted from the constant


def _moved(power, dtype) -> np.ndarray:
    """1, 2, 3 plus 10^power in one precision; a row for each power."""
    constant = 10.0 ** np.asarray(power, dtype=float)[..., None]
    return BASE.astype(dtype) + constant.astype(dtype)


def _there(spacing: float) -> np.ndarray:
    """The steps of the window at which float32 has a number, nan at the others.

    Numbers less than 1 apart have no ticks of their own: the line is solid there.
    """
    return np.where((spacing >= 1) & (WINDOW % max(spacing, 1.0) == 0), WINDOW, np.nan)


def far_out(*, power, softmax) -> dict:
    """The weights of 1, 2, 3 plus 10^power, and the numbers that float32 made of the three."""
    data = {"power": power}
    constant = np.asarray(10.0**power).astype(np.float32)
    data["landed"] = (_moved(power, np.float32) - constant).astype(float)
    data["spacing"] = float(np.spacing(constant))
    for name, dtype in PRECISIONS.items():
        data[name] = np.asarray(softmax(_moved(power, dtype)), dtype=float)
    largest = course_softmax(_moved(POWERS, np.float32))[:, -1].astype(float)
    data["largest"] = largest  # all of them; drawn as far as the learner has come
    return data


def draw_paper(axes) -> list:
    """1, 2, 3 as they are on paper, above the line of the numbers that float32 has.

    Returns the words and the pointer to one of those numbers, POINTED_AT.
    """
    axes.set(xlim=(-4.5, 10.5), ylim=(-0.95, 2.3), yticks=[], xticks=[])
    axes.spines[:].set_visible(False)
    axes.plot([-4.4, 10.4], [0, 0], color=FAINT, linewidth=1.5, zorder=0)
    axes.plot(BASE, [1.3] * 3, "o", color=INK, markerfacecolor="white", markersize=8)
    for place in BASE:
        axes.text(place, 1.62, f"{place:.0f}", fontsize=SMALL, ha="center", va="bottom")
    axes.text(0.6, 1.3, say("on paper"), fontsize=SMALL, ha="right", va="center")
    axes.text(0, -0.85, say("the constant"), fontsize=SMALL, ha="center", va="bottom")
    look = {"fontsize": SMALL, "ha": "center", "va": "bottom"}
    words = axes.text(POINTED_AT, 0.75, say("numbers that float32 has"), **look)
    (pointer,) = axes.plot([POINTED_AT] * 2, [0.72, 0.3], color=GHOST, linewidth=1.2)
    return [words, pointer]


class Landing:
    """The numbers that float32 has around a constant, and where 1, 2, 3 land among them."""

    def __init__(self, axes):
        (self.there,) = axes.plot([], [], "|", color=INK, markersize=14, markeredgewidth=1.5)
        (self.solid,) = axes.plot([], [], color=GHOST, linewidth=9, solid_capstyle="butt")
        look = {"fontsize": SMALL, "ha": "right", "va": "center"}
        self.close = axes.text(10.4, -0.55, "", **look)
        self.falls = [axes.plot([], [], color=WEIGHT, linewidth=1.5)[0] for _ in BASE]
        (self.landed,) = axes.plot([], [], "o", color=WEIGHT, markersize=8)
        self.artists = [self.there, self.solid, self.close, *self.falls, self.landed]

    def update(self, data) -> None:
        """Show another constant."""
        gap = data["spacing"]
        self.there.set_data(_there(gap), 0 * WINDOW)
        self.solid.set_data([-4.4, 10.4] if gap < 1 else [], [0, 0] if gap < 1 else [])
        apart = f"{gap:.8f}".rstrip("0")
        self.close.set_text(say("at the constant {gap} apart", gap=apart) if gap < 1 else "")
        self.landed.set_data(data["landed"], 0 * BASE)
        for fall, start, end in zip(self.falls, BASE, data["landed"], strict=True):
            fall.set_data([start, end], [1.15, 0.1])


def _axes(figure):
    grid = figure.add_gridspec(2, 2, width_ratios=(1.35, 1.0), height_ratios=(1.0, 1.3))
    above = figure.add_subplot(grid[0, :])
    left, right = figure.add_subplot(grid[1, 0]), figure.add_subplot(grid[1, 1])
    pointers = draw_paper(above)
    strip_axes(left, "strips", low=-0.3, high=3.6)
    for bottom, name in ((2.1, "float32"), (0.0, "float64")):
        left.text(
            0, bottom + 1.05, say("weights in {name}", name=name), fontsize=SMALL, va="bottom"
        )
    right.set_label("largest")
    right.set(xlim=(-0.3, 9.3), ylim=(0, 1.14), xticks=(0, 3, 6, 9))
    right.set_yticks((0, 1 / 3, 1), labels=["0", "⅓", "1"])
    right.set_xlabel(say("10 to which power is added"))
    right.set_title(say("weight of 3, in float32"), fontsize=TEXT, fontweight="normal")
    right.axhline(1 / 3, color=INK, linewidth=1.2, linestyle=(0, (3, 2)), zorder=0)
    right.text(0, 1 / 3 - 0.04, say("goal: a third each"), fontsize=SMALL, va="top")
    return above, left, right, pointers


def draw_far_out(figure, data) -> Drawing:
    """Above where the three scores land; below their strips, and the largest weight so far."""
    above, left, right, pointers = _axes(figure)
    landing = Landing(above)
    names = [f"{place:.0f}:" for place in BASE]
    strips = {
        name: Strip(left, names, data[name], bottom=bottom, ghost=False, letter=0.032)
        for name, bottom in (("float32", 2.1), ("float64", 0.0))
    }
    (curve,) = right.plot([], [], color=INK)
    (dot,) = right.plot([data["power"]], [data["float32"][-1]], "o", color=INK, markersize=9)
    title = figure.headline()

    def update(data) -> None:
        landing.update(data)
        for one in pointers:
            one.set_visible(data["spacing"] <= POINTED_AT)
        for name, strip in strips.items():
            strip.update(data[name])
        seen = round(10 * data["power"]) + 1
        curve.set_data(POWERS[:seen], data["largest"][:seen])
        dot.set_data([data["power"]], [data["float32"][-1]])
        title.set_text(_finding(data))

    moving = [*landing.artists, *pointers, curve, dot, title]
    moving += [artist for strip in strips.values() for artist in strip.artists]
    return Drawing(update, moving=moving, ghosts=[dot])


def _finding(data) -> str:
    facts = {"gap": f"{data['spacing']:.0f}", "share": share(data["float32"][-1])}
    if data["spacing"] < 1:
        return say("float32 still tells 1, 2 and 3 apart: 3 gets {share}", **facts)
    return say("float32 numbers stand {gap} apart: 3 gets {share}", **facts)


def describe_far_out(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "1, 2, 3 plus 10 to the power {power:g}. The numbers of float32 stand {gap:.2g} apart "
        "there. The weights are {small} in float32 and {large} in float64.",
        gap=data["spacing"], small=_listed(data["float32"]), large=_listed(data["float64"]),
        **params,
    )  # fmt: skip


def _listed(weights) -> str:
    return ", ".join(f"{weight:.3f}" for weight in weights)


explore_far_out = Explorer(
    far_out,
    draw_far_out,
    describe_far_out,
    sliders={"power": FloatRange(0, 9, start=0, step=0.1, label="add 10 to the power of")},
    handles={
        "power": Handle(
            at=lambda data: ("largest", data["power"], data["float32"][-1]),
            to=lambda xy, params: {"power": xy[0]},
            moves=("power",),
            label="the constant",
        ),
    },
    functions={"softmax": course_softmax},
    numbers=lambda params, data: [
        (say("{name}: weights of 1, 2, 3", name=name), _listed(data[name])) for name in PRECISIONS
    ],
    goal=Goal(
        "Find a constant at which float32 gives the same weight to all three, while float64 still "
        "gives .090, .245, .665.",
        lambda params, data: (
            np.ptp(data["float32"]) < 1e-3
            and np.abs(data["float64"] - course_softmax(BASE)).max() < 1e-3
        ),
        solution={"power": 8.0},
    ),
    question="A float64 keeps the first 53 binary digits. Which constant would make its three "
    "weights equal?",
    size=(7.0, 4.4),
    colours=6,
)
