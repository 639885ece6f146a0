"""Boxes and arrows: the parts of a model, and how they are joined.

draw_box(axes, 0, 1, "norm"); draw_arrow(axes, (0, 0), (0, 0.7)); draw_sum(axes, 0, 2)
"""

from matplotlib.patches import FancyBboxPatch

from course_lib.figures.theme import FAINT, INK, SMALL

HALF = 0.3  # of a box's height


def draw_box(axes, x: float, y: float, text: str, *, width=2.6, colour=FAINT, half=HALF):
    """A box with its name, its middle at x, y."""
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - half), width, 2 * half, boxstyle="round,pad=0,rounding_size=0.12",
            facecolor="white", edgecolor=colour, linewidth=1.8, zorder=2,
        )
    )  # fmt: skip
    axes.text(x, y, text, ha="center", va="center", fontsize=SMALL, zorder=3)


def draw_arrow(axes, start, end, *bends):
    """A line from start over bends to end, with a head at its end."""
    points = [start, *bends, end]
    axes.plot(*zip(*points[:-1], strict=True), color=INK, linewidth=1.3, zorder=1)
    axes.annotate(
        "", end, points[-2], arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.3,
                                         "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip


def draw_sum(axes, x: float, y: float):
    """A plus in a circle: what arrives is added."""
    axes.plot([x], [y], "o", markersize=15, markerfacecolor="white", markeredgecolor=INK, zorder=2)
    axes.text(x, y, "+", ha="center", va="center_baseline", fontsize=14, zorder=3)
