"""Explorer `two_measures`: which of two vectors is nearer, by distance and by cosine."""

import numpy as np

from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY
from course_lib.figures.vectors import draw_ghost, draw_plane, draw_vector
from course_lib.kernels.vectors import norm, normalize, pairwise_cosines
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

A = np.array([1.0, 0.0])
BREAK_EVEN = 1 + np.sqrt(2)  # the length of B from which on a C at 90 degrees is nearer


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
    """Above the three arrows as they are, below at length 1, with the distances from A."""
    names = say("as they are"), say("at length 1")
    panels = [
        _Distances(axes, name) for axes, name in zip(figure.subplots(2, 1), names, strict=True)
    ]
    draw_ghost(panels[0].axes, data["free"][1], "")

    def update(data) -> None:
        for panel, points, far in zip(panels, ("free", "units"), ("far", "far_units"), strict=True):
            panel.move(data[points], data[far])

    return Drawing(update, moving=[artist for panel in panels for artist in panel.artists])


class _Distances:
    """Three arrows in a plane, and dashed lines from the tip of A to those of B and C."""

    def __init__(self, axes, name):
        self.axes, self._name = draw_plane(axes, 4.4), name
        axes.set(xlim=(-1.4, 4.4), ylim=(-0.75, 1.35))
        self._lines = [
            axes.plot([], [], color=color, linewidth=1.8, linestyle=style, zorder=6)[0]
            for color, style in ((INK, (0, (1, 1))), (OUTPUT, (0, (4, 2))))
        ]
        self._arrows = [
            draw_vector(axes, (1, 0), color, name, side=side, width=0.7)
            for color, name, side in ((KEY, "B", 1), (KEY, "C", 1), (QUERY, "A", -1))
        ]
        self._title = axes.set_title("")
        moving = [artist for arrow in self._arrows for artist in arrow.artists]
        self.artists = [*moving, *self._lines, self._title]

    def move(self, points, far) -> None:
        for arrow, tip in zip(self._arrows, (points[1], points[2], points[0]), strict=True):
            arrow.move(tip)
        below = np.array([0, -0.16])  # beside the arrows, which lie upon each other
        self._lines[0].set_data(*np.transpose([points[0] + below, points[1] + below]))
        self._lines[1].set_data(*np.transpose([points[0], points[2]]))
        template = "{how}: B is {b:.2f} from A, C is {c:.2f}: {name} is nearer"
        if np.isclose(far[0], far[1], atol=1e-6):
            template = "{how}: B and C are both {b:.2f} from A"
        name = "C" if far[1] < far[0] else "B"
        self._title.set_text(say(template, how=self._name, b=far[0], c=far[1], name=name))


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


explore_two_measures = Explorer(
    two_measures,
    draw_two_measures,
    describe_two_measures,
    sliders={
        "length": FloatRange(0.5, 4, start=2.0, step=0.05, label="length of B"),
        "angle": IntRange(10, 170, start=90, label="angle of C in degrees"),
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
    size=(6.5, 4.4),
    goal=Goal(
        "Leave C at 90 degrees. Find the shortest B that distance puts behind C, although B points "
        "exactly as A does.",
        lambda params, data: (
            params["angle"] == 90 and BREAK_EVEN < params["length"] < BREAK_EVEN + 0.05
        ),
        solution={"length": 2.45},
    ),
)
