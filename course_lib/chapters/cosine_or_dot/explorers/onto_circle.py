"""Explorer `onto_circle`: two arrows, and where they stand at length 1."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.ghosts import LINE, GoalMark, leave_ghosts
from course_lib.figures.numerals import signed
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.vectors import norm, normalize
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

LONGEST = 2.5
MOST = 7.6  # beyond the largest dot product, with room for a number
AROUND = np.linspace(0, 2 * np.pi, 121)
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # no line runs through a number


def arrow(length: float, angle: float) -> np.ndarray:
    """The vector of that length, turned by `angle` degrees."""
    return length * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])


def onto_circle(*, length_a, angle_a, length_b, angle_b, unit_rows) -> dict:
    """a and b as they are and after `unit_rows`, with both dot products."""
    free = np.stack([arrow(length_a, angle_a), arrow(length_b, angle_b)])
    units = np.array(unit_rows(free), dtype=float)
    if units.shape != free.shape:
        raise ValueError(f"unit_rows gave shape {units.shape} for {free.shape}")
    return {
        "free": free, "units": units, "lengths": norm(free),
        "dot": round(float(free[0] @ free[1]), 9) + 0.0,
        "cosine": round(float(units[0] @ units[1]), 9) + 0.0,
    }  # fmt: skip


def draw_onto_circle(figure, data) -> Drawing:
    """Left the arrows, the circle, and the tips that shrank onto it; right dot product, cosine."""
    left, right = figure.subplots(1, 2, width_ratios=(3.4, 2))
    draw_plane(left, LONGEST + 0.15).set(xlim=(-2.7, 2.7), ylim=(-1.25, 2.65))
    left.spines[:].set_visible(False)
    left.plot(np.cos(AROUND), np.sin(AROUND), color=INK, linewidth=1, zorder=0.5)
    left.text(-0.78, -0.86, say("length 1"), fontsize=SMALL, ha="right", va="top")
    left.text(1.05, -0.45, say("dots: the way\nonto the circle"), fontsize=SMALL, va="top")
    arrows, paths, units = [], [], []
    for which, (name, colour, side) in enumerate((("a", QUERY, -1), ("b", KEY, 1))):
        draw_ghost(left, data["free"][which], "").artists[0].set_alpha(0.5)
        (path,) = left.plot([], [], ":", color=INK, linewidth=2.6, zorder=5.5)
        (unit,) = left.plot([], [], "-o", color=colour, linewidth=5, markersize=9, zorder=5)
        unit.set_markevery([1])
        arrows.append(draw_vector(left, data["free"][which], colour, name, side=side, width=0.5))
        shaft, label = arrows[-1].artists
        shaft.set_alpha(0.25), label.set_zorder(6)
        paths.append(path), units.append(unit)
    bars, numbers = _draw_products(right, data)
    title = figure.headline()

    def update(data) -> None:
        for which, (one, path, unit) in enumerate(zip(arrows, paths, units, strict=True)):
            one.move(data["free"][which])
            path.set_data(*np.transpose([data["free"][which], data["units"][which]]))
            unit.set_data(*np.transpose([(0, 0), data["units"][which]]))
        values = (data["dot"], data["cosine"])
        for bar, number, value in zip(bars, numbers, values, strict=True):
            bar.set_height(value)
            number.set_text(signed(value, 2))
            number.set_y(value + (0.15 if value >= 0 else -1.05))
        template = "Dot product {dot:.2f}, on the circle {cosine:.2f}"
        shown = {name: round(data[name], 2) + 0.0 for name in ("dot", "cosine")}
        title.set_text(say(template, **shown).replace("-", "−"))

    moving = [artist for one in arrows for artist in one.artists]
    goal = _goal_from(right, 2 * data["dot"])
    return Drawing(update, goal=goal, moving=[*moving, *paths, *units, *bars, *numbers, title])


def _goal_from(axes, low: float) -> GoalMark:
    """A hatched column over the dot product that begins at `low` and has no upper end."""
    look = {"facecolor": "none", "edgecolor": INK, "zorder": 0.5, **LINE}
    column = axes.add_patch(Rectangle((-0.42, low), 0.84, 2 * MOST, **look))
    told = say("goal: from\n{low} upwards", low=signed(low, 2))
    word = axes.text(0.55, low, told, color=INK, fontsize=SMALL, va="bottom")

    def show(reached: bool) -> None:
        column.set(facecolor=(INK, 0.3) if reached else "none", hatch=None if reached else "//")

    show(False)
    return GoalMark([column, word], show)


def _draw_products(axes, data):
    """Two bars on one scale: the dot product of the arrows, and that of the tips, the cosine."""
    values = (data["dot"], data["cosine"])
    axes.set(xlim=(-0.6, 1.6), ylim=(-MOST, MOST), xticks=(0, 1))
    axes.set_xticklabels([say("dot product"), say("cosine")])
    axes.set_yticks((-6, -3, -1, 0, 1, 3, 6), ("−6", "−3", "−1", "0", "1", "3", "6"))
    axes.tick_params(axis="x", length=0)
    axes.axhline(0, color=INK, linewidth=1)
    axes.add_patch(Rectangle((0.6, -1), 0.8, 2, facecolor=FAINT, linewidth=0, zorder=0.5))
    room = say("all the room\na cosine has")
    axes.text(1, -2.4, room, fontsize=SMALL, ha="center", va="top")
    bars = axes.bar((0, 1), values, width=0.55, color=INK, alpha=0.75)
    write = {"ha": "center", "va": "bottom", "fontsize": SMALL}
    numbers = [axes.text(0, 0, "", bbox=CLEAR, **write), axes.text(1, 0, "", **write)]
    leave_ghosts(bars)
    return bars, numbers


def describe_onto_circle(params, data) -> str:
    """The picture in words."""
    return say(
        "a is {a:.1f} long and b {b:.1f}, {apart:.0f} degrees apart. Their dot product is "
        "{dot:.2f}; that of the two tips that unit_rows brings onto the circle is {cosine:.2f}.",
        a=params["length_a"], b=params["length_b"],
        apart=abs((params["angle_a"] - params["angle_b"] + 180) % 360 - 180),
        dot=round(data["dot"], 2) + 0.0, cosine=round(data["cosine"], 2) + 0.0,
    )  # fmt: skip


def _handle(name: str, which: int, colour: str) -> Handle:
    def to(xy, params):
        degrees = np.degrees(np.arctan2(xy[1], xy[0])) if xy[1] >= 0 else 180.0 * (xy[0] < 0)
        return {f"length_{name}": float(np.hypot(*xy)), f"angle_{name}": float(degrees)}

    return Handle(
        at=lambda data: (0, *data["free"][which]), to=to, colour=colour,
        moves=(f"length_{name}", f"angle_{name}"), label=f"tip of {name}",
    )  # fmt: skip


def _reached(params, data) -> bool:
    start = onto_circle(**START, unit_rows=normalize)
    return data["dot"] >= 2 * start["dot"] - 0.005 and abs(data["cosine"] - start["cosine"]) < 0.005


START = {"length_a": 1.8, "angle_a": 20, "length_b": 1.5, "angle_b": 65}
explore_onto_circle = Explorer(
    onto_circle,
    draw_onto_circle,
    describe_onto_circle,
    sliders={
        "length_a": FloatRange(0.5, LONGEST, start=1.8, step=0.1, label="length of a"),
        "angle_a": IntRange(0, 180, start=20, label="direction of a in degrees"),
        "length_b": FloatRange(0.5, LONGEST, start=1.5, step=0.1, label="length of b"),
        "angle_b": IntRange(0, 180, start=65, label="direction of b in degrees"),
    },
    handles={"a": _handle("a", 0, QUERY), "b": _handle("b", 1, KEY)},
    functions={"unit_rows": normalize},
    numbers=lambda params, data: [
        (say("a, and at length 1"), _places(data, 0)),
        (say("b, and at length 1"), _places(data, 1)),
        (say("dot product of the arrows"), f"{data['dot']:.2f}"),
        (say("dot product on the circle: the cosine"), f"{data['cosine']:.2f}"),
    ],
    size=(7.0, 3.9),
    colours=16,
    goal=Goal(
        "Double the dot product of the arrows, at least, and leave the one on the circle as it is.",
        _reached,
        solution={"length_a": 2.5, "length_b": 2.2},
    ),
    question="And how do you make the dot product on the circle 1, whatever the lengths are?",
    answer="Turn one arrow until both point the same way. On the circle the dot product is the "
    "cosine, and that is 1 only at an angle of 0.",
)


def _places(data, which: int) -> str:
    pairs = (data["free"][which], data["units"][which])
    return ", ".join("[{:.2f} {:.2f}]".format(*(pair.round(2) + 0.0)) for pair in pairs)
