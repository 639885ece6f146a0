"""Arrows in a plane: what a dot product looks like.

    axes = draw_plane(figure.subplots(), reach=4)
    q = draw_vector(axes, (3, 1), QUERY, "q")
    k = draw_vector(axes, (1, 2), KEY, "k")
    arc = draw_angle(axes, (3, 1), (1, 2))
    drop = draw_projection(axes, (1, 2), (3, 1), KEY)       # of k on the line of q
    k.move((2, 2)); arc.move((3, 1), (2, 2)); drop.move((2, 2), (3, 1))

Each returned part has `artists`, for an explorer's `moving`, and `move`, for its `update`:
    Drawing(update, moving=[*k.artists, *arc.artists, *drop.artists, axes.title])
Sizes of heads, labels and marks follow the plane's reach. A ghost is a vector in theme.GHOST that
is not moved: `draw_vector(axes, tip, GHOST, "start")`.
"""

import math

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from course_lib.figures.theme import FAINT, GHOST, INK, SMALL


def draw_plane(axes, reach: float, *, ticks: bool = False):
    """Make `axes` a plane from -reach to reach, the same scale both ways; returns the axes."""
    axes.set_aspect("equal")
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
    axes.axhline(0, color=FAINT, linewidth=1, zorder=0)
    axes.axvline(0, color=FAINT, linewidth=1, zorder=0)
    axes.spines[:].set_color(FAINT)
    axes.spines[:].set_visible(True)
    axes.tick_params(length=0)
    if not ticks:
        axes.set(xticks=[], yticks=[])
    return axes


def _reach(axes) -> float:
    return max(abs(bound) for bound in (*axes.get_xlim(), *axes.get_ylim()))


class Vector:
    """An arrow with its name beside the tip."""

    def __init__(
        self, axes, tip, color, label="", *, tail=(0.0, 0.0), side=1, zorder=3, width=1.0,
        weight="bold",
    ):  # fmt: skip
        self._axes, self._unit = axes, _reach(axes) / 100
        self._side, self._width, self._tail = side, width, np.asarray(tail, dtype=float)
        self._arrow = Polygon([(0, 0)] * 7, closed=True, facecolor=color, linewidth=0)
        self._arrow.set_zorder(zorder)
        axes.add_patch(self._arrow)
        self._label = axes.text(
            0,
            0,
            label,
            color=color,
            ha="center",
            va="center",
            zorder=zorder + 1,
            clip_on=False,
            fontweight=weight,
        )
        self.artists = [self._arrow, self._label]
        self.move(tip)

    def move(self, tip, tail=None, label=None, named_at=None) -> None:
        """Let the arrow end at `tip` (and start at `tail`); a vector of length 0 is a dot.

        named_at: another tip, beside which the name stands: where it would be crossed beside this.
        """
        self._tail = self._tail if tail is None else np.asarray(tail, dtype=float)
        tip = np.asarray(tip, dtype=float)
        length, along, across = self._directions(tip)
        head, half = min(7 * self._unit, length), 0.9 * self._unit * self._width
        wing = max(3.2 * self._unit * head / (7 * self._unit), half) if length > 0 else half
        neck = tip - head * along
        self._arrow.set_xy(
            [
                self._tail + half * across,
                neck + half * across,
                neck + wing * across,
                tip,
                neck - wing * across,
                neck - half * across,
                self._tail - half * across,
            ]
        )
        if named_at is not None:
            tip = np.asarray(named_at, dtype=float)
            _, along, across = self._directions(tip)
        place = tip + self._unit * (5 * along + 7 * self._side * across)
        low, high = np.sort([self._axes.get_xlim(), self._axes.get_ylim()], axis=1).T
        margin = 7 * self._unit  # the name stays inside of the frame
        self._label.set_position(np.clip(place, low + margin, high - margin))
        if label is not None:
            self._label.set_text(label)

    def _directions(self, tip: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
        """How far it is to a tip, the direction there, and the one across it, both of length 1."""
        length = float(math.hypot(*(tip - self._tail)))
        along = (tip - self._tail) / length if length > 0 else np.array([1.0, 0.0])
        return length, along, np.array([-along[1], along[0]])


class Angle:
    """An arc between two directions with the angle written at its middle."""

    def __init__(self, axes, a, b, *, radius=0.22, color=INK, template="{degrees:.0f}°"):
        self._radius, self._template = radius * _reach(axes), template
        (self._arc,) = axes.plot([], [], color=color, linewidth=1.5, zorder=2)
        self._label = axes.text(
            0, 0, "", color=color, ha="center", va="center", fontsize=SMALL, zorder=4
        )
        self.artists = [self._arc, self._label]
        self.move(a, b)

    def move(self, a, b) -> None:
        """Draw the arc from the direction of `a` the short way to that of `b`."""
        start, end = math.atan2(a[1], a[0]), math.atan2(b[1], b[0])
        turn = (end - start + math.pi) % (2 * math.pi) - math.pi
        turn = math.pi if math.isclose(turn, -math.pi) else turn
        around = start + np.linspace(0, turn, 48)
        self._arc.set_data(self._radius * np.cos(around), self._radius * np.sin(around))
        middle, out = start + turn / 2, 1.55 * self._radius
        if abs(turn) < 0.5:  # too narrow for the number: it stands outside, beside the first arm
            middle = start - math.copysign(0.5, turn)
        self._label.set_position((out * math.cos(middle), out * math.sin(middle)))
        self._label.set_text(self._template.format(degrees=math.degrees(abs(turn))))


class Projection:
    """The shadow of one vector on the line of another, with the right angle marked."""

    def __init__(self, axes, a, onto, color, *, zorder=2.5):
        self._size = 0.045 * _reach(axes)
        line = {"color": color, "solid_capstyle": "butt"}
        self._drop = axes.add_line(
            Line2D([], [], color=color, linewidth=1.3, linestyle=(0, (4, 3)), zorder=zorder)
        )
        self._shadow = axes.add_line(Line2D([], [], linewidth=8, alpha=0.35, zorder=zorder, **line))
        self._corner = axes.add_line(Line2D([], [], linewidth=1.3, zorder=zorder, **line))
        self.artists = [self._drop, self._shadow, self._corner]
        self.move(a, onto)

    def move(self, a, onto) -> None:
        """Let `a` fall on the line of `onto`; on a vector of length 0 nothing falls."""
        a, onto = np.asarray(a, dtype=float), np.asarray(onto, dtype=float)
        length = float(math.hypot(*onto))
        if length == 0:
            for line in self.artists:
                line.set_data([], [])
            return
        along = onto / length
        foot = (a @ along) * along
        up = a - foot
        height = float(math.hypot(*up))
        self._drop.set_data(*np.transpose([a, foot]))
        self._shadow.set_data(*np.transpose([(0, 0), foot]))
        size = min(self._size, height)
        up = up / height if height > 0 else up
        inward = -along if a @ along > 0 else along
        corner = [foot + size * inward, foot + size * (inward + up), foot + size * up]
        self._corner.set_data(*np.transpose(corner))


def draw_vector(axes, tip, color, label="", **options) -> Vector:
    """An arrow from the origin (or `tail=`) to `tip`, named `label` at its tip.

    side: 1 or -1: on which side of the arrow the label stands. width: 1 is the usual thickness.
    """
    return Vector(axes, tip, color, label, **options)


def draw_ghost(axes, tip, label="start", **options) -> Vector:
    """A vector left behind where it started: grey, thin, below everything that moves."""
    usual = {"zorder": 1.2, "width": 0.5, "side": -1, "weight": "normal"}
    return Vector(axes, tip, GHOST, label, **{**usual, **options})


def draw_angle(axes, a, b, **options) -> Angle:
    """The angle between the directions of `a` and `b` as an arc with its degrees."""
    return Angle(axes, a, b, **options)


def draw_projection(axes, a, onto, color, **options) -> Projection:
    """The projection of `a` on the line of `onto`: dashed drop, right-angle mark, broad shadow."""
    return Projection(axes, a, onto, color, **options)
