"""What heads look at: a table of weights, and above it the arcs of one row, in the same columns.

draw_maps(figure, model.maps(ids), lines=["first layer", "second layer"], names="cats cats_")
one = LookingMap(axes, weights, names)
one.update(weights, place=6)
Drawing(update, moving=one.artists)
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from course_lib.figures.theme import FAINT, GHOST, QUERY, SMALL, TEXT, WEIGHT
from course_lib.words import say

WIDEST_ARC, LEAST_SHOWN = 7.0, 0.05  # points for a weight of 1; a smaller weight has no arc
LETTER = 0.62  # cells that a letter of a name takes
SKY = 2.6  # cells for the arcs
LIFT = 0.35  # cells that an underscore is raised at the left of a row
VEIL = 0.7  # how much of the first round it hides
CURVE = np.linspace(0.0, np.pi, 33)
LOOKS = LinearSegmentedColormap.from_list("looks", ["#ffffff", "#000000"])  # one ramp, no tint


class LookingMap:
    """A table of weights with the names of its columns; above them arcs from one place.

    Rows are queries, columns keys; the row of the place that looks is framed. An arc is as thick
    as its weight.

    weights: (t, t)   names: of the t places.   place: the one that looks; none where it is None.
    rows: whether the names stand at the left, too.   sky: cells above for the arcs; 0, and there
        are none.
    first: how many rows are the first round of a text that repeats itself, and pale.
    held: whether there is room left of them for handles, at `row_of`.
    """

    def __init__(
        self, axes, weights, names: Sequence[str], *, place: int | None = None, rows: bool = True,
        sky: float = SKY, held: bool = False, first: int = 0,
    ):  # fmt: skip
        weights = np.asarray(weights, dtype=float)
        if weights.shape != (len(names), len(names)):
            raise ValueError(
                f"weights have shape {weights.shape}, but there are {len(names)} names"
            )
        count, longest = len(names), max(map(len, names))
        band = 1.2 if longest < 3 else 0.7 + LETTER * longest
        self._floor, self._sky = -0.5 - band, sky
        axes.axis("off")
        self._image = axes.imshow(
            weights, cmap=LOOKS, vmin=0, vmax=1, interpolation="none", aspect="equal"
        )
        left = (row_of(0, longest)[0] - 0.5) if held else -0.8 - LETTER * longest * rows
        axes.set(xlim=(left, count - 0.2), ylim=(count - 0.2, self._floor - sky - 0.3))
        axes.add_patch(Rectangle((-0.5, -0.5), count, count, fill=False, edgecolor=FAINT))
        self._name(axes, names, rows, longest)
        veil = _veil_first_round(axes, first, count) if first else None
        self._frame = axes.add_patch(
            Rectangle((-0.5, 0), count, 1, fill=False, edgecolor=QUERY, linewidth=2)
        )
        self._arcs = [
            axes.plot([], [], color=WEIGHT, solid_capstyle="butt")[0]
            for _ in range(count if sky else 0)
        ]
        self.artists = [self._image, *filter(None, [veil]), self._frame, *self._arcs]
        self.update(weights, place)

    def _name(self, axes, names, rows: bool, longest: int) -> None:
        style = {"fontsize": SMALL, "parse_math": False}
        turn = 90 if longest > 2 else 0
        for i, name in enumerate(names):
            axes.text(i, -0.6, name, ha="center", va="bottom", rotation=turn, **style)
            if rows:
                lift = LIFT if name == "_" else 0.0  # else it lies on the next row's name
                axes.text(-0.85, i - lift, name, ha="right", va="center_baseline", **style)

    def update(self, weights, place: int | None) -> None:
        """Show other weights, or the arcs of another place."""
        weights = np.asarray(weights, dtype=float)
        self._image.set_data(weights)
        self._frame.set_visible(place is not None)
        for j, arc in enumerate(self._arcs):
            share = 0.0 if place is None else float(weights[place, j])
            arc.set_visible(share >= LEAST_SHOWN)
            if place is None or share < LEAST_SHOWN:
                continue
            arc.set_data(*_bow(place, j, len(weights), self._floor, self._sky))
            arc.set_linewidth(WIDEST_ARC * share)
        if place is not None:
            self._frame.set_y(place - 0.5)


def _veil_first_round(axes, first: int, count: int):
    """The rows of the first round below a veil, which is returned, and above a line."""
    left, right, foot = -0.5, count - 0.5, first - 0.5
    (veil,) = axes.fill(
        [left, right, right, left], [-0.5, -0.5, foot, foot], color="white", alpha=VEIL, linewidth=0
    )
    axes.plot([left, right], [foot, foot], color=GHOST, linewidth=1, linestyle=(0, (3, 2)))
    return veil


def row_of(place: int, longest: int = 1) -> tuple[float, float]:
    """Left of the name of a row in a LookingMap whose names are so long: x, y of its axes."""
    return -1.7 - LETTER * longest, float(place)


def _bow(start: int, end: int, count: int, floor: float, sky: float) -> tuple:
    """A half ellipse above the names; above its own name, a small one."""
    far = abs(end - start)
    half = max(far / 2, 0.3)
    height = sky * (0.3 + 0.7 * far / max(count - 1, 1))
    return (start + end) / 2 + half * np.cos(CURVE), floor - height * np.sin(CURVE)


def draw_maps(
    figure, maps, *, lines: Sequence[str], names: Sequence[str] | None = None,
    place: int | None = None, first: Sequence[int] | None = None,
):  # fmt: skip
    """A table for each head, white for a weight of 0 to dark for 1; rows are queries.

    maps: (layers, h, t, s)   lines: the name of each layer.
    names: of the places, where they have room; then s = t.   place: whose row is framed.
    first: of each layer, how many rows are pale, as the first round; none, where names are none.
    Returns the axes. Raises: ValueError, if there is not a name for each layer, or place.
    """
    maps = np.asarray(maps, dtype=float)
    if maps.ndim != 4 or len(lines) != len(maps):
        raise ValueError(f"maps has shape {maps.shape}; expected ({len(lines)}, h, t, s)")
    axes = figure.subplots(*maps.shape[:2], squeeze=False)
    for layer, (line, name) in enumerate(zip(axes, lines, strict=True)):
        for head, one in enumerate(line):
            title = say("head {head}", head=head)
            if names is not None:
                round_ = first[layer] if first else 0
                LookingMap(one, maps[layer, head], names, place=place, sky=0, first=round_)
                if head == 0:
                    title = say("{layer}\nhead {head}", layer=name, head=head)
            else:
                one.imshow(maps[layer, head], cmap=LOOKS, vmin=0, vmax=1, interpolation="none")
                one.set(xticks=[], yticks=[])
                one.spines[:].set(visible=True, color=FAINT)
            one.set_title(title, fontweight="normal", fontsize=TEXT, loc="left")
        if names is None:
            line[0].set_ylabel(name, fontsize=TEXT)
    return axes
