"""The picture of chapter 2 in which arrows come to length 1, and another tip is the nearest.

show_onto_circle(arrows, unit_rows(arrows))
"""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, new_figure
from course_lib.figures.vectors import draw_plane, draw_vector
from course_lib.words import say

QUARTER = np.linspace(0, np.pi / 2, 46)  # of the circle, from axis to axis: nothing is cut off
OTHER = "As stored, {before} is nearer to a; on the circle, {after} is"
SAME = "As stored and on the circle, {before} is nearer to a"
NOT_ONTO = "These tips are not all on the circle"
NAMES = "abc"
ON_THE_WAY = (0.5, 0.74)  # where a number may stand on its line: the middle, or nearer its end
SHORT = 0.8  # a line so short would be lost below its number, which then stands beside it
ARROWS = (
    "Twice a quarter of the circle of length 1. Left three arrows as they are stored, {before} "
    "long: from the tip of a it is {far} to the tips of b and c. Right the same directions, "
    "{after} long: from tip to tip it is {near}."
)


def show_onto_circle(before, after) -> None:
    """Show three arrows and what came out of them, with the distances from the first tip.

    before: (3, 2), the first one is the question   after: (3, 2), the same ones at length 1
    """
    before, after = (np.asarray(rows, dtype=float) for rows in (before, after))
    figure = new_figure(7.0, 2.9)
    figure.set_layout_engine("none")
    far, near = (np.linalg.norm(rows[1:] - rows[0], axis=1) for rows in (before, after))
    nearest = {"before": NAMES[1 + int(far.argmin())], "after": NAMES[1 + int(near.argmin())]}
    template = OTHER if nearest["before"] != nearest["after"] else SAME
    lengths = [np.hypot(*rows.T) for rows in (before, after)]
    if not np.allclose(lengths[1], 1):
        template = NOT_ONTO
    figure.headline(say(template, **nearest))
    low, high = np.minimum(before.min(axis=0), 0), np.maximum(before.max(axis=0), 1)
    frames = [(low[0] - 0.15, high[0] + 0.2), (low[0] - 0.25, 1.4)]
    edges = {"left": 0.01, "right": 0.99, "top": 0.83, "bottom": 0.01, "wspace": 0.03}
    ratios = [right - left for left, right in frames]
    planes = figure.subplots(1, 2, width_ratios=ratios, gridspec_kw=edges)
    heads = (say("as stored"), say("after unit_rows"))
    for plane, rows, head, frame in zip(planes, (before, after), heads, frames, strict=True):
        draw_plane(plane, 1.4)  # by this reach heads get their size
        plane.spines[:].set_visible(False)
        plane.set_anchor("W")
        plane.plot(np.cos(QUARTER), np.sin(QUARTER), color=INK, linewidth=1, zorder=0.5)
        _draw_arrows(plane, rows)
        plane.set(xlim=frame, ylim=(low[1] - 0.2, high[1] + 0.25))
        plane.set_title(head, loc="left", fontsize=SMALL, fontweight="normal", pad=3)
    told = {
        name: ", ".join(f"{one:.2f}" for one in numbers)
        for name, numbers in zip(("before", "after"), lengths, strict=True)
    }
    apart = {name: " and ".join(f"{one:.2f}" for one in row)
             for name, row in (("far", far), ("near", near))}  # fmt: skip
    show_figure(figure, say(ARROWS, **told, **apart), colours=8)


def _draw_arrows(plane, rows) -> None:
    """The arrows, and from the first tip a dashed line to each other one with its length."""
    look = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center_baseline"}
    for tip, name in zip(rows, NAMES, strict=True):
        draw_vector(plane, tip, QUERY if name == "a" else KEY, width=0.7)
        beyond = tip + 0.13 * tip / max(float(np.linalg.norm(tip)), 1e-9)
        plane.text(*beyond, name, fontweight="bold", **look)
    for tip in rows[1:]:
        plane.plot(*np.transpose([rows[0], tip]), "--", color=INK, linewidth=1.2, zorder=1.5)
        far = float(np.linalg.norm(tip - rows[0]))
        places = [rows[0] + part * (tip - rows[0]) for part in ON_THE_WAY]
        at, side = max(places, key=lambda place: _from_arrows(place, rows)), "center"
        if far < SHORT:
            at, side = (rows[0] + tip) / 2 + (0.11, 0.02), "left"
        clear = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        plane.text(*at, f"{far:.2f}", bbox=clear, zorder=6, **{**look, "ha": side})


def _from_arrows(place, rows) -> float:
    """How far a place is from the nearest of the arrows."""
    squared = np.maximum((rows**2).sum(axis=1, keepdims=True), 1e-12)
    along = np.clip((rows @ place)[:, None] / squared, 0, 1) * rows
    return float(np.linalg.norm(place - along, axis=1).min())
