"""The picture of chapter 2 in which arrows come to length 1: their tips meet one circle.

show_onto_circle(arrows, unit_rows(arrows))
"""

import numpy as np

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, new_figure
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.words import say

COLOURS = (QUERY, KEY, INK)
AROUND = np.linspace(0, 2 * np.pi, 121)
HEADLINE = "dot product of a and b: {before}; on the circle: {after}"
NOT_ONTO = "these tips are not all on the circle"
ARROWS = (
    "A circle of length 1 and {count} arrows that are {before} long. Along each of them lies a "
    "pale band of the same direction, {after} long, that ends in a dot."
)


def show_onto_circle(before, after) -> None:
    """Show each arrow, and as a pale band what came out of it: its end is a dot on the circle.

    before: (n, 2), 2 or 3 arrows   after: (n, 2), the same ones at length 1
    """
    before, after = (np.asarray(rows, dtype=float) for rows in (before, after))
    figure = new_figure(7.0, 3.0)
    axes = draw_plane(figure.subplots(), 1.6)  # by this reach heads get their size
    axes.spines[:].set_visible(False)
    axes.plot(np.cos(AROUND), np.sin(AROUND), color=INK, linewidth=1, zorder=0.5)
    axes.text(0.9, -0.72, say("length 1"), fontsize=SMALL, ha="left", va="top")
    for tip, end, colour, name in zip(before, after, COLOURS, "abc", strict=False):
        band = {"color": colour, "alpha": 0.35, "solid_capstyle": "butt", "zorder": 2}
        axes.plot(*np.transpose([(0, 0), end]), linewidth=11, **band)
        axes.plot(*end, "o", color=colour, markersize=9, zorder=5)
        draw_vector(axes, tip, colour, width=0.5)
        far = float(np.hypot(*tip))
        label = say("{name}: {length:.1f} long", name=name, length=far)
        outside = far > 1
        beside = tip + np.array([0.14, 0.05]) if outside else end + np.array([-0.16, 0.05])
        look = {"fontsize": SMALL, "fontweight": "bold", "va": "center_baseline", "color": INK}
        axes.text(*beside, label, ha="left" if outside else "right", **look)
    axes.set(xlim=(-2.6, 3.4), ylim=(-1.1, 2.0))
    lengths = [np.hypot(*rows.T) for rows in (before, after)]
    dots = {"before": signed(before[0] @ before[1], 2), "after": signed(after[0] @ after[1], 2)}
    template = HEADLINE if np.allclose(lengths[1], 1) else NOT_ONTO
    axes.set_title(say(template, **dots), loc="left")
    told = {
        name: ", ".join(f"{one:.1f}" for one in row)
        for name, row in zip(("before", "after"), lengths, strict=True)
    }
    show_figure(figure, say(ARROWS, count=len(before), **told), colours=32)
