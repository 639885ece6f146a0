"""Explorer `two_vectors`: the dot product as an area, length of a times reach of b along a.

So that length and reach span a rectangle, a copy of a is turned down by a right angle.
"""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.chapters.dot_product.explorers.curve_of_angles import DEGREES, CurveOfAngles
from course_lib.chapters.dot_product.explorers.name_of_start import NameOfStart
from course_lib.figures.ghosts import GoalMark
from course_lib.figures.numerals import signed
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL
from course_lib.figures.vectors import (
    draw_angle,
    draw_ghost,
    draw_projection,
    draw_vector,
)
from course_lib.kernels import vectors
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import FloatRange, IntRange
from course_lib.words import say

LONGEST_A, LONGEST_B = 3.5, 4.0
START = {"angle": 70, "length_a": 3.0, "length_b": 4.0}  # at 60 it would show where half is left
LARGEST = START["length_a"] * START["length_b"]  # of all areas, at 0 degrees
HALF_REACH = START["length_b"] / 2  # with it half of the largest area is left
CLOSE = 0.2  # so close to the half of it that b is within a degree
FULL_LENGTH = 3.5  # a tip that is dragged further out stands at the longest: turning keeps it
FULL, EMPTY = "#d5d9df", "white"  # an area above zero, and one below


def _arrows(angle: float, length_a: float, length_b: float) -> tuple[np.ndarray, np.ndarray]:
    turn = np.radians(angle)
    return np.array([length_a, 0.0]), length_b * np.array([np.cos(turn), np.sin(turn)])


def _long(x: float, y: float) -> float:
    """How long b is with its tip there: near its full length it has all of it."""
    length = float(np.hypot(x, y))
    return LONGEST_B if length > FULL_LENGTH else length


def _turn(x: float, y: float) -> float:
    """Degrees from the x axis to (x, y); below the axis, the nearer of its two ends."""
    return float(np.degrees(np.arctan2(y, x))) if y >= 0 else 180.0 * (x < 0)


def two_vectors(*, angle, length_a, length_b, dot) -> dict:
    """a along the x axis, b turned by `angle` degrees, and what `dot` says of them."""
    a, b = _arrows(angle, length_a, length_b)
    curve = [dot(*_arrows(degrees, length_a, length_b)) for degrees in DEGREES]
    return {
        "a": a,
        "b": b,
        "angle": angle,
        "dot": np.asarray(dot(a, b), dtype=float),
        "curve": np.array(curve, dtype=float),
        "reach": float(vectors.projection_length(b, a)),
        "share": float(vectors.cosine(a, b)),
    }


def draw_two_vectors(figure, data) -> Drawing:
    """Left the arrows and the area under them; right the dot product over the angle."""
    plane, right = figure.subplots(1, 2, width_ratios=(1.75, 1.0))
    title = plane.set_title("", loc="left")
    curve = CurveOfAngles(right, LARGEST, START["angle"])
    area = _Area(plane, data)
    draw_ghost(plane, data["b"], "")
    began = NameOfStart(plane, data["b"])
    fall = draw_projection(plane, data["b"], data["a"], KEY)
    a = draw_vector(plane, data["a"], QUERY, "a", side=-1, zorder=4)
    b = draw_vector(plane, data["b"], KEY, "b", zorder=4)
    arc = draw_angle(plane, data["a"], data["b"], radius=0.17)

    def update(data) -> None:
        a.move(data["a"]), b.move(data["b"]), area.update(data), began.update(data["b"])
        fall.move(data["b"], data["a"]), arc.move(data["a"], data["b"])
        _keep_clear(arc.artists[1], data["angle"], data["reach"])
        _keep_inside(b.artists[1], data["b"])
        curve.update(data, whole=_has_half(data))
        title.set_text(
            say(
                "length {length:.1f} times reach {reach} is {dot}",
                length=data["a"][0], reach=_reach_of(data), dot=signed(data["dot"]),
            )
        )  # fmt: skip

    parts = [
        *area.artists,
        began.text,
        *fall.artists,
        *a.artists,
        *b.artists,
        *arc.artists,
        *curve.artists,
    ]
    return Drawing(update, moving=[*parts, title], goal=area.goal)


def _keep_clear(degrees_text, angle: float, reach: float) -> None:
    """Move the degrees aside: off the arrow left behind, above a flat b, and off b's fall."""
    if angle > 86 or angle < 29:
        turn = np.radians(START["angle"] / 2 if angle > 29 else angle + 16)
        degrees_text.set_position((1.3 * np.cos(turn), 1.3 * np.sin(turn)))
    x, y = degrees_text.get_position()
    if 29 <= angle < 86 and abs(x - reach) < 0.45:
        degrees_text.set_position((reach + 0.5, y))


def _has_half(data) -> bool:
    """Whether half of the largest area is left, with a as long as at the start."""
    return data["a"][0] == START["length_a"] and bool(abs(data["dot"] - LARGEST / 2) < CLOSE)


def _off_the_goal(middle: float, half: float) -> float:
    """Where a text of that half width stands, so that the goal's right edge does not cross it."""
    crossed = abs(middle - HALF_REACH) <= half + 0.08
    return HALF_REACH - half - 0.1 if crossed else middle


def _keep_inside(name, b) -> None:
    """Let the name of b stand clear of the frame on the left, and of the goal's line."""
    along = b / np.hypot(*b)
    if along[0] < -0.75:  # above its arrow: below it the frame is too near
        x, y = b + 0.22 * along + 0.4 * np.array([along[1], -along[0]])
        name.set_position((max(x, -4.0), y))
    elif 0.4 < along[0] < 0.85:
        name.set_position(b + 0.05 * along + 0.38 * np.array([-along[1], along[0]]))


def _draw_same_reach(axes) -> list:
    """The line of all tips that reach as far as the half needs: it shows where a short b does."""
    (line,) = axes.plot([HALF_REACH] * 2, [0, 4.3], color=KEY, linewidth=1.3, visible=False,
                        linestyle=(0, (4, 3)), zorder=2.4)  # fmt: skip
    told = say("every tip\non this line:\nsame area")
    text = axes.text(HALF_REACH + 0.2, 3.7, told, color=KEY, fontsize=SMALL, va="center",
                     visible=False)  # fmt: skip
    return [line, text]


def _reach_of(data) -> str:
    """The reach in two digits, or more: as shown, length times reach is the area as shown."""
    length, area = float(data["a"][0]), float(data["a"] @ data["b"])
    for digits in (2, 3, 4):
        shown = signed(data["reach"], digits)
        if signed(length * round(data["reach"], digits)) == signed(area):
            break
    return shown


class _Area:
    """A rectangle below the line of a: as long as the shadow of b, as high as a is long."""

    def __init__(self, axes, data):
        axes.set_aspect("equal")
        axes.set(xlim=(-4.3, 4.3), ylim=(-4.2, 4.4))
        axes.set_axis_off()
        axes.plot([-4.2, 4.2], [0, 0], color=FAINT, linewidth=1, zorder=0)
        self._box = axes.add_patch(
            Rectangle((0, 0), 0, 0, edgecolor="#666666", linewidth=0.8, zorder=1)
        )
        length = START["length_a"]
        half = Rectangle((0, -length), HALF_REACH, length, fill=False, zorder=1.2, linewidth=1.8,
                         edgecolor="#666666", linestyle=(0, (3, 2)))  # fmt: skip
        axes.add_patch(half)
        self._upright = _draw_same_reach(axes)
        self.goal = GoalMark([half], lambda done: half.set_edgecolor(INK if done else "#666666"))
        wanted = say("dashed: half of {largest:g}", largest=LARGEST)
        axes.text(HALF_REACH / 2, -LONGEST_A - 0.4, wanted, ha="center", va="center",
                   fontsize=SMALL, color="#666666")  # fmt: skip
        look = {"va": "center", "fontsize": SMALL}
        self._copy = draw_vector(axes, (0.0, -data["a"][0]), QUERY, width=0.55, zorder=1.4)
        self._number = axes.text(0, 0, "", ha="center", fontweight="bold", **look)
        self._height = axes.text(0, 0, say("copy\nof a"), color=QUERY, **look)
        self._width = axes.text(0, 0, "", color=KEY, ha="center", **look)
        moving = [self._box, self._number, self._height, self._width]
        self.artists = [*moving, *self._copy.artists, *self._upright]

    def update(self, data) -> None:
        """The rectangle of other data, empty where the product is below zero."""
        reach, length = float(data["reach"]), float(data["a"][0])
        found = _has_half(data) and bool(np.hypot(*data["b"]) < FULL_LENGTH)
        for part in self._upright:
            part.set_visible(found)
        self._box.set_bounds(min(reach, 0.0), -length, abs(reach), length)
        self._box.set_facecolor(FULL if data["dot"] > 0 else EMPTY)
        self._copy.move((0.0, -length))
        wide = abs(reach) > 1.25
        below = -0.5 * length - 0.3
        centre = _off_the_goal(reach / 2, 0.62)  # of the word reach
        meets_a = abs(centre - length - 0.22) < 0.95  # its name would stand in "reach"
        met = wide and (length < 1.5 or meets_a)
        within = -0.7 * length if met else below
        outside = min(reach, 0.0) - 0.75  # of a narrow rectangle, and not in the goal's
        inside = _off_the_goal(reach / 2, 0.6)
        left = reach > 0.05  # else the rectangle is there, or nothing
        middle = min(-0.55 * length, -1.2) if wide or not left else min(-0.3 * length, -0.55)
        beside = -0.25 if left else 0.17  # by its arrow, within the goal's rectangle
        self._height.set(x=beside, y=middle, ha="right" if left else "left")
        lower = min(below - 0.35, middle - 0.75 if left else 0.0)  # under the name of the copy
        self._number.set_position((inside, within) if wide else (outside, lower))
        self._number.set_text(signed(data["dot"]))
        self._width.set_position((centre, -length - 0.3 if met else -0.43))
        self._width.set_text(say("reach") if wide else "")


def describe_two_vectors(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "b is {length_b:.1f} long and turned {angle} degrees from a: it reaches {reached} along "
        "a, {part} of its own length. Below, a copy of a, {length_a:.1f} long, is turned down "
        "by a right angle. With that reach it makes a rectangle: the dot product {product}.",
        **{**params, **data},
        reached=_reach_of(data),
        part=signed(data["share"], 2),
        product=signed(data["dot"]),
    )


def numbers_two_vectors(params, data) -> list[tuple[str, str]]:
    """The numbers of the picture, a row each."""
    return [
        (say("a"), "[{:.2f}, {:.2f}]".format(*data["a"])),
        (say("b"), "[{:.2f}, {:.2f}]".format(*data["b"])),
        (say("length of a"), f"{params['length_a']:.2f}"),
        (say("length of b"), f"{params['length_b']:.2f}"),
        (say("reach of b along a"), signed(data["reach"], 4)),
        (say("share of b's length that reaches"), f"{data['share']:.2f}"),
        (say("dot product"), f"{data['dot']:.2f}"),
    ]


explore_two_vectors = Explorer(
    two_vectors,
    draw_two_vectors,
    describe_two_vectors,
    sliders={
        "angle": IntRange(0, 180, start=START["angle"], label="angle in degrees"),
        "length_a": FloatRange(
            1.0, LONGEST_A, start=START["length_a"], step=0.1, label="length of a"
        ),
        "length_b": FloatRange(
            1.0, LONGEST_B, start=START["length_b"], step=0.1, label="length of b"
        ),
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
            to=lambda xy, params: {"angle": _turn(*xy), "length_b": _long(*xy)},
            moves=("angle", "length_b"),
            label="tip of b",
            colour=KEY,
        ),
    },
    functions={"dot": vectors.dot},
    numbers=numbers_two_vectors,
    size=(7.0, 4.6),
    colours=48,
    goal=Goal(
        "Turn b until the grey rectangle fills the dashed one: half of 12, which is 6 (to within "
        "0.2). Leave a as it is, and b 4 long.",
        lambda params, data: _has_half(data),
        solution={"angle": 60},
    ),
    question="Now you may make b shorter: 2.5 long. Turn it until the area is 6 again. Where may "
    "its tip lie?",
    answer="On the line that stands upright on a, where the reach ends. From there, every tip "
    "falls onto the same point of a. So arrows of many lengths and angles have one dot product "
    "with a.",
)
