"""Explorer `two_measures`: which of two vectors is nearer, by distance and by cosine."""

import numpy as np

from course_lib.figures.ghosts import goal_words
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.vectors import norm, normalize, pairwise_cosines
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

A = np.array([1.0, 0.0])
BREAK_EVEN = 1 + np.sqrt(2)  # the length of B from which on a C at 90 degrees is nearer
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.5}  # no line runs through a number
AROUND = np.linspace(0, 2 * np.pi, 121)


def two_measures(*, length, angle, unit_rows) -> dict:
    """A; B in its direction, of `length`; C of length 1, turned by `angle`: which one is nearer?"""
    turn = np.radians(angle)
    free = np.array([A, length * A, [np.cos(turn), np.sin(turn)]])
    units = np.array(unit_rows(free), dtype=float)
    if units.shape != free.shape:
        raise ValueError(f"unit_rows gave shape {units.shape} for {free.shape}")
    return {
        "free": free,
        "units": units,
        "far": norm(free[1:] - free[0]),
        "far_units": np.sqrt(((units[1:] - units[0]) ** 2).sum(axis=1)),
        "cosine": pairwise_cosines(free[:1], free[1:])[0],
    }


def draw_two_measures(figure, data) -> Drawing:
    """The arrows with the circle of length 1, and how far the tips of B and C are from A's."""
    axes = draw_plane(figure.subplots(), 2.2)  # arrowheads of this size, in a wider plane
    axes.spines[:].set_visible(False)
    axes.plot(np.cos(AROUND), np.sin(AROUND), color=FAINT, linewidth=1.2, zorder=0.5)
    draw_ghost(axes, data["free"][1], "")
    b, c = (
        draw_vector(axes, data["free"][i], KEY, name, side=side, width=0.6)
        for i, (name, side) in ((1, ("B", -1)), (2, ("C", 1)))
    )
    draw_vector(axes, A, QUERY, "A", side=-1, width=0.6, zorder=4)
    axes.set(xlim=(-1.4, 4.4), ylim=(-0.6, 1.45))
    lines = [
        axes.plot([], [], color=INK, linewidth=2, linestyle=style, zorder=6)[0]
        for style in ((0, (1, 1)), (0, (4, 2)))
    ]
    ring = {"markersize": 17, "markerfacecolor": "none", "markeredgewidth": 1.5, "zorder": 5}
    (shrunk,) = axes.plot([], [], "o", color=KEY, **ring)
    near = {"fontsize": SMALL, "ha": "center", "va": "center", "bbox": CLEAR, "zorder": 7}
    far = [axes.text(0, 0, "", **near) for _ in lines]
    title = figure.headline()

    def update(data) -> None:
        points = data["free"]
        b.move(points[1]), c.move(points[2])
        shrunk.set_data(*data["units"][1:2].T)
        ends = (points[0] + [0, 0.12], points[1] + [0, 0.12]), (points[0], points[2])
        for line, text, pair, value in zip(lines, far, ends, data["far"], strict=True):
            line.set_data(*np.transpose(pair))
            text.set_text(f"{value:.2f}")
            text.set_position(np.mean(pair, axis=0) + np.array([0.16, 0.13]))
        title.set_text(_finding(data))

    moving = [*b.artists, *c.artists, *lines, shrunk, *far, title]
    told = say("goal: the shortest B that is farther than C")
    goal = goal_words(axes, [(1.5, 1.2, told)], INK)
    return Drawing(update, moving=moving, goal=goal)


def _finding(data) -> str:
    """Which one is nearer to A, as they are and on the circle."""
    names = []
    for far in (data["far"], data["far_units"]):
        tie = np.isclose(far[0], far[1], atol=1e-6)
        names.append(say("neither") if tie else "C" if far[1] < far[0] else "B")
    return say("nearer to A by distance: {near}; by angle: {unit}", near=names[0], unit=names[1])


def describe_two_measures(params, data) -> str:
    """The picture in words."""
    return say(
        "B points as A does and is {length:g} long, C is turned by {angle} degrees. Distances from "
        "A: B {b:.2f}, C {c:.2f}. At length 1: B {x:.2f}, C {y:.2f}. Cosines with A: B {p:.2f}, C "
        "{q:.2f}.",
        length=params["length"], angle=params["angle"],
        **dict(zip("bc", map(float, data["far"]), strict=True)),
        **dict(zip("xy", map(float, data["far_units"]), strict=True)),
        **dict(zip("pq", map(float, data["cosine"]), strict=True)),
    )  # fmt: skip


def _turned(xy, params) -> dict:
    return {"angle": float(np.degrees(np.arctan2(max(xy[1], 0.0), xy[0])))}


explore_two_measures = Explorer(
    two_measures,
    draw_two_measures,
    describe_two_measures,
    sliders={
        "length": FloatRange(0.5, 4, start=2.0, step=0.05, label="length of B"),
        "angle": IntRange(10, 170, start=90, label="angle of C in degrees"),
    },
    handles={
        "b": Handle(
            at=lambda data: (0, *data["free"][1]),
            to=lambda xy, params: {"length": float(xy[0])},
            moves=("length",),
            label="tip of B",
            colour=KEY,
        ),
        "c": Handle(
            at=lambda data: (0, *data["free"][2]),
            to=_turned,
            moves=("angle",),
            label="tip of C",
            colour=KEY,
        ),
    },
    functions={"unit_rows": normalize},
    numbers=lambda params, data: [
        (
            say("{name}: distance, distance at length 1, cosine", name=name),
            f"{far:.2f}, {unit:.2f}, {cos:.2f}",
        )
        for name, far, unit, cos in zip(
            "BC", data["far"], data["far_units"], data["cosine"], strict=True
        )
    ],
    size=(7.0, 3.2),
    colours=8,
    goal=Goal(
        "Leave C at 90 degrees. Find the shortest B that distance puts behind C, although B points "
        "exactly as A does.",
        lambda params, data: (
            params["angle"] == 90 and BREAK_EVEN < params["length"] < BREAK_EVEN + 0.05
        ),
        solution={"length": 2.45},
    ),
)
