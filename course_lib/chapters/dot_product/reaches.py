"""The picture of the bet `louder`: a close key, and a far one at several lengths, along one query.

show_reaches([1, 0], key_a, [5 * towards_b, 6 * towards_b])
"""

import numpy as np

from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TEXT, new_figure
from course_lib.figures.vectors import draw_angle, draw_vector
from course_lib.words import say

REACHES = (
    "Left, the query q lies flat and is {long:g} long. Key A points the same way; "
    "key B stands {away:.0f} degrees away, and from each of its tips a dashed line falls onto "
    "the line of q. Right, a strip for each reach along q: {reaches}. "
    "A dashed line marks the reach of A."
)


def show_reaches(q, a, bs) -> None:
    """Show how far key A and several keys B of one direction reach along a query that lies flat.

    q: (2,), along the x axis   a: (2,)   bs: (n, 2), each steeper than A
    """
    q, a, bs = (np.asarray(one, dtype=float) for one in (q, a, bs))
    reaches = np.array([a, *bs]) @ q / np.hypot(*q)
    lengths = [float(np.hypot(*one)) for one in (a, *bs)]
    names = [say("A, {long:.3g} long", long=lengths[0])]
    names += [say("B, {long:.3g} long", long=long) for long in lengths[1:]]
    figure = new_figure(7.0, 3.3)
    plane, strips = figure.subplots(1, 2, width_ratios=(1, 1.55))
    _draw_keys(plane, q, a, bs, names[1:])
    _draw_strips(strips, reaches, names)
    told = zip(names, reaches, strict=True)
    words = {"long": np.hypot(*q), "away": np.degrees(np.arctan2(bs[0][1], bs[0][0]))}
    words["reaches"] = "; ".join(f"{name}: {signed(reach, 2)}" for name, reach in told)
    show_figure(figure, say(REACHES, **words), colours=16)


def _draw_keys(axes, q, a, bs, names) -> None:
    """The query, A beside it, and each B, with what falls from its tip."""
    axes.set_aspect("equal")
    axes.set_axis_off()
    top = max(bs[:, 1])
    axes.set(xlim=(-0.75, 3.9), ylim=(-0.75, top + 0.35))
    axes.plot([-0.6, 3.7], [0, 0], color=FAINT, linewidth=1, zorder=0)
    for b, name in zip(bs, names, strict=True):
        draw_vector(axes, b, KEY, width=0.6, zorder=3)
        axes.plot([b[0], b[0]], [0, b[1]], color=KEY, linewidth=1.1, linestyle=(0, (3, 2)))
        axes.text(max(bs[:, 0]) + 0.25, b[1] - 0.2, name, color=KEY, fontsize=SMALL,
                  va="center")  # fmt: skip
    draw_angle(axes, q, bs[0], radius=0.28)
    below = np.array([0.0, -0.42])  # beside A: on the same line one would hide the other
    draw_vector(axes, q + below, QUERY, tail=below, width=0.6, zorder=4)
    draw_vector(axes, a, KEY, width=0.6, zorder=5)
    look = {"va": "center", "fontsize": TEXT, "fontweight": "bold", "ha": "center"}
    axes.text(q[0] + 0.3, below[1], "q", color=QUERY, **look)
    axes.text(a[0] + 0.36, 0.3, "A", color=KEY, **look)


def _draw_strips(axes, reaches, names) -> None:
    """A strip for each reach, one below the other, and a line where that of A ends."""
    for row, (reach, name) in enumerate(zip(reaches, names, strict=True)):
        axes.plot([0, reach], [row, row], color=KEY, linewidth=16, solid_capstyle="butt", zorder=2)
        axes.text(-0.04, row, name, ha="right", va="center", fontsize=SMALL, color=KEY)
        axes.text(max(reach, reaches[0]) + 0.05, row, signed(reach, 2), va="center",
                  fontsize=TEXT, fontweight="bold")  # fmt: skip
    end = len(names) - 0.45
    axes.plot([reaches[0]] * 2, [-0.45, end], color=INK, linewidth=1.3, linestyle=(0, (3, 2)),
              zorder=3)  # fmt: skip
    widest = float(reaches.max())
    axes.set(xlim=(-0.62 * widest, 1.3 * widest), ylim=(end + 0.25, -0.75))
    axes.set_axis_off()
    axes.set_title(_finding(reaches, names))


def _finding(reaches, names) -> str:
    """Which keys reach further than A."""
    further = [name for name, reach in zip(names, reaches, strict=True) if reach > reaches[0]]
    if not further:
        return say("none reaches further than A")
    if len(further) == len(names) - 1 > 1:
        return say("each B reaches further than A")
    return say("{names}, reaches further than A", names="; ".join(further))
