"""Explorer `two_vectors`: dot product, cosine and projection at every angle and length."""

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, KEY, OUTPUT, QUERY
from course_lib.figures.vectors import (
    draw_angle,
    draw_ghost,
    draw_plane,
    draw_projection,
    draw_vector,
)
from course_lib.kernels import vectors
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

LONGEST = 4.0
TURN = np.radians(np.arange(0, 181, 3))
START_DOT = 3.0 * 2.0 * float(np.cos(np.radians(30)))


def _arrows(angle: float, length_a: float, length_b: float) -> tuple[np.ndarray, np.ndarray]:
    turn = np.radians(angle)
    return np.array([length_a, 0.0]), length_b * np.array([np.cos(turn), np.sin(turn)])


def _turn(x: float, y: float) -> float:
    """Degrees from the x axis to (x, y); below the axis, the nearer of its two ends."""
    return float(np.degrees(np.arctan2(y, x))) if y >= 0 else 180.0 * (x < 0)


def two_vectors(*, angle, length_a, length_b, dot) -> dict:
    """a along the x axis, b turned by `angle` degrees, and what `dot` says of them."""
    a, b = _arrows(angle, length_a, length_b)
    curve = [dot(*_arrows(degrees, length_a, length_b)) for degrees in np.degrees(TURN)]
    return {
        "a": a,
        "b": b,
        "angle": angle,
        "dot": np.asarray(dot(a, b), dtype=float),
        "curve": np.array(curve, dtype=float),
        "reach": float(vectors.projection_length(b, a)),
        "cosine": float(vectors.cosine(a, b)),
    }


def draw_two_vectors(figure, data) -> Drawing:
    """Left the arrows with the projection; right the dot product at every angle."""
    plane, right = figure.subplots(1, 2, width_ratios=(1.6, 1.0))
    draw_plane(plane, 1.15 * LONGEST)
    plane.set_ylim(-0.3 * LONGEST, 1.15 * LONGEST)
    reach, value = plane.set_title(""), right.set_title("")
    draw_ghost(plane, data["b"], "")
    fall = draw_projection(plane, data["b"], data["a"], KEY)
    a = draw_vector(plane, data["a"], QUERY, "a", side=-1)
    b = draw_vector(plane, data["b"], KEY, "b")
    arc = draw_angle(plane, data["a"], data["b"], radius=0.15)
    right.set(xlim=(-4, 184), ylim=(-17, 17), xlabel=say("angle in degrees"))
    right.set(xticks=(0, 45, 90, 135, 180), yticks=(-16, -8, 0, 8, 16))
    right.axhline(0, color=FAINT, linewidth=1, zorder=0)
    right.plot(np.degrees(TURN), data["curve"], color=GHOST, linewidth=1)
    (curve,) = right.plot([], [], color=OUTPUT)
    (here,) = right.plot([], [], "o", color=OUTPUT, markersize=9)

    def update(data) -> None:
        a.move(data["a"]), b.move(data["b"])
        fall.move(data["b"], data["a"]), arc.move(data["a"], data["b"])
        curve.set_data(np.degrees(TURN), data["curve"])
        here.set_data([data["angle"]], [data["dot"]])
        reach.set_text(say("b reaches {reach:.2f} along a", reach=data["reach"]))
        value.set_text(say("a · b = {dot:.2f}", dot=data["dot"]))

    parts = [*fall.artists, *a.artists, *b.artists, *arc.artists, curve, here]
    return Drawing(update, moving=[*parts, reach, value])


def describe_two_vectors(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "b is {length_b:.1f} long and turned {angle} degrees from a: it reaches {reach:.2f} along "
        "a, which is {length_a:.1f} long. The dot product is {dot:.2f}, the cosine {cosine:.2f}.",
        **{**params, **data},
    )


def numbers_two_vectors(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("a"), "[{:.2f}, {:.2f}]".format(*data["a"])),
        (say("b"), "[{:.2f}, {:.2f}]".format(*data["b"])),
        (say("length of a"), f"{params['length_a']:.2f}"),
        (say("length of b"), f"{params['length_b']:.2f}"),
        (say("reach of b along a"), f"{data['reach']:.2f}"),
        (say("cosine"), f"{data['cosine']:.2f}"),
        (say("dot product"), f"{data['dot']:.2f}"),
    ]


explore_two_vectors = Explorer(
    two_vectors,
    draw_two_vectors,
    describe_two_vectors,
    sliders={
        "angle": IntRange(0, 180, start=30, label="angle in degrees"),
        "length_a": FloatRange(0.5, LONGEST, start=3.0, step=0.1, label="length of a"),
        "length_b": FloatRange(0.5, LONGEST, start=2.0, step=0.1, label="length of b"),
    },
    handles={
        "a": Handle(
            at=lambda data: (0, *data["a"]),
            to=lambda xy, params: {"length_a": xy[0]},
            moves=("length_a",),
            label="tip of a",
            colour=QUERY,
        ),
        "b": Handle(
            at=lambda data: (0, *data["b"]),
            to=lambda xy, params: {"angle": _turn(*xy), "length_b": np.hypot(*xy)},
            moves=("angle", "length_b"),
            label="tip of b",
            colour=KEY,
        ),
    },
    functions={"dot": vectors.dot},
    numbers=numbers_two_vectors,
    goal=Goal(
        "Make b twice as long. Then turn it until the dot product is back at its first value, "
        "5.20 (to within 0.1), and leave a as it is.",
        lambda params, data: (
            params["length_a"] == 3.0
            and params["length_b"] == 4.0
            and abs(data["dot"] - START_DOT) < 0.1
        ),
        solution={"angle": 64, "length_b": 4.0},
    ),
)
