"""The picture of two keys of one's own: how far each reaches along a query.

show_two_keys([1, 0], (near, loud))
"""

import numpy as np
from matplotlib.patches import Arc, Polygon

from course_lib.figures.numerals import plain, signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, KEY, QUERY, SMALL, new_figure
from course_lib.figures.vectors import draw_vector
from course_lib.kernels.vectors import angle
from course_lib.words import say

TWO_KEYS = (
    "The query points to the right. The key {one} is {near_long:.2f} long and stands "
    "{near_away:.1f} degrees away from it; {other} is {loud_long:.2f} long and stands "
    "{loud_away:.1f} degrees away. Along the line of the query, {one} reaches {near:.2f} and "
    "{other} {loud:.2f}. A circle marks length 5, a dashed line 60 degrees; the field "
    "where {other} wins is grey. Squares 1 wide are numbered."
)

BELOW_LINE, APART = 0.8, 0.45  # from the line of q to the first strip; from one row to the next
BESIDE = 0.4  # from its line to the query, where near would lie on it and hide it

WINNER = {  # by the sign of how much further near reaches
    -1: "{near} < {loud}: {other} wins from {away:.0f} degrees away",
    0: "{near} = {loud}: neither wins",
    1: "{near} > {loud}: {one} wins",
}


def show_two_keys(q, keys, names=("near", "loud")) -> None:
    """Show how far two keys reach along a query that points to the right.

    q: (2,)   keys: near and loud, each (2,)   names: what they are called
    """
    one, other = map(say, names)
    q, near, loud = (np.asarray(one, dtype=float) for one in (q, *keys))
    figure = new_figure(6.2, 4.6)
    axes = figure.subplots()
    axes.set_aspect("equal")
    axes.set_axis_off()
    up = 1 if loud[1] >= 0 else -1  # where loud is; the strips stand on the other side of q's line
    first = max(0.0, -up * near[1]) + BELOW_LINE
    _draw_limits(axes, up, np.array([near, loud]), -up * (first + 2 * APART))
    _draw_field(axes, float(near @ q / np.hypot(*q)), float(angle(q, near)), up, other)
    draw_vector(axes, near, KEY, width=0.6, zorder=4)
    draw_vector(axes, loud, KEY, width=0.6, zorder=4)
    named = {"color": KEY, "fontweight": "bold", "va": "center"}
    axes.text(*_between_numbers(loud), other, ha="right", **named)
    clear = {"facecolor": "white", "linewidth": 0, "pad": 0.5}  # what falls from a tip stops here
    axes.text(*_beside(near, up, one), one, ha="center", bbox=clear, zorder=3, **named)
    reaches = [float(key @ q / np.hypot(*q)) for key in (near, loud)]
    rows = zip((near, loud), reaches, (one, other), (0, APART), strict=True)
    for key, reach, name, further in rows:
        level = -up * (first + further)
        axes.plot([reach, reach], [key[1], level], color=KEY, linewidth=1.3, linestyle=(0, (4, 3)))
        axes.plot([0, reach], [level, level], color=KEY, linewidth=9, solid_capstyle="butt")
        told = say("{name} reaches {reach}", name=name, reach=signed(reach, 2))
        axes.text(min(reach, 0) - 0.15, level, told, color=KEY, fontsize=SMALL, va="center",
                  ha="right")  # fmt: skip
    beside = np.array([0.0, -up * BESIDE if abs(near[1]) < BESIDE else 0.0])
    draw_vector(axes, q + beside, QUERY, tail=beside, width=1.2, zorder=3)
    axes.text(-0.15, beside[1], "q", color=QUERY, fontweight="bold", ha="right", va="center")
    numbers = _numbers_of_two_keys(q, near, loud, reaches)
    told = dict(zip(("near", "loud"), (signed(reach, 2) for reach in reaches), strict=True))
    called = {"one": one, "other": other}
    template = WINNER[np.sign(round(reaches[0] - reaches[1], 9))]
    figure.headline(say(template, **told, **called, away=numbers["loud_away"]))
    show_figure(figure, say(TWO_KEYS, **numbers, **called), colours=14)


def _between_numbers(loud: np.ndarray) -> np.ndarray:
    """Where the name of loud ends: left of its arrow, half way between two numbers beside it."""
    height = abs(float(loud[1]))
    along = (np.floor(0.7 * height) + 0.5) / height if height > 0.7 else 0.7
    return along * loud - (0.25, 0)


def _beside(near: np.ndarray, up: int, name: str) -> np.ndarray:
    """Where the name of near stands: above its arrow, or right of its tip, off the query."""
    length = np.hypot(*near)
    if not -0.15 <= up * near[1] <= 0.3 * length:  # steep as loud, or on the other side
        return near + np.array([0.5, 0.0])
    across = np.array([-near[1], near[0]]) / length * up
    along = max(0.6, 0.8 / length) if len(name) > 1 else 0.45  # one letter clears the fall of loud
    return along * near + across * (0.3 + 0.2 * abs(across[0]))


def _draw_limits(axes, up: int, arrows, numbered: float) -> None:
    """The line of q, the circle of the longest key, and 60 degrees, on the side where loud is."""
    low, high = arrows.min(axis=0) - 0.6, arrows.max(axis=0) + 0.6
    bottom, top = (-2.0, 5.6) if up > 0 else (-5.6, 2.0)
    bottom, top = min(bottom, low[1] - 1.7 * (up > 0)), max(top, high[1] + 1.7 * (up < 0))
    axes.set(xlim=(min(-3.0, low[0] - 2.4), max(5.7, high[0])), ylim=(bottom, top))
    grey = "#666666"
    axes.plot([-2.5, 5.6], [0, 0], color=FAINT, linewidth=1, zorder=0)
    _draw_grid(axes, up, numbered)
    from_, to = (0, 120) if up > 0 else (-120, 0)
    axes.add_patch(Arc((0, 0), 10, 10, theta1=from_, theta2=to, color=grey, linewidth=1.2))
    way = np.array([0.5, up * np.sqrt(0.75)])
    axes.plot(*np.outer([0, 5], way).T, color=grey, linewidth=1.2, linestyle=(0, (4, 3)))
    axes.text(*(5.15 * way), "60°", color=grey, fontsize=SMALL, ha="left",
              va="bottom" if up > 0 else "top")  # fmt: skip
    axes.text(4.15, up * 3.1, say("length 5"), color=grey, fontsize=SMALL)


def _draw_grid(axes, up: int, numbered: float) -> None:
    """Squares as wide as near's own 1 within the circle, each numbered under the strips."""
    look = {"color": "#666666", "fontsize": SMALL, "va": "center", "zorder": 3}
    for step in range(6):
        far = np.sqrt(25 - step**2)
        axes.plot(
            [step, step], [numbered + 0.2 * up, up * far], color=FAINT, linewidth=0.8, zorder=0.5
        )
        axes.plot([0, far], [up * step, up * step], color=FAINT, linewidth=0.8, zorder=0.5)
        if step:
            axes.text(step, numbered, f"{step}", ha="center", **look)
        if 0 < step < 5:  # at 5 stands the circle, which is named
            axes.text(-0.12, up * step, plain(up * step), ha="right", **look)


def _draw_field(axes, least: float, away: float, up: int, name: str) -> None:
    """Where loud may end and win: it reaches further than near, from further away than near."""
    away = max(np.pi / 3, away)
    if not 0 <= least < 5 * np.cos(away):
        return
    turn = np.linspace(away, np.arccos(least / 5), 40)
    rim = 5 * np.column_stack([np.cos(turn), np.sin(turn)])
    corners = np.vstack([[least, least * np.tan(away)], rim]) * (1, up)
    axes.add_patch(Polygon(corners, facecolor="#ececec", zorder=0))
    middle = (least + 5 * np.cos(away)) / 2  # over the field's own part of the rim
    told = say("tip in the grey: {name} wins", name=name)
    axes.text(middle, up * 5.12, told, color="#666666", fontsize=SMALL, ha="center",
              va="bottom" if up > 0 else "top")  # fmt: skip


def _numbers_of_two_keys(q, near, loud, reaches) -> dict[str, float]:
    """Reach, length and angle of both, by name."""
    told = {"near": reaches[0], "loud": reaches[1]}
    for name, key in (("near", near), ("loud", loud)):
        told[f"{name}_long"] = float(np.hypot(*key))
        told[f"{name}_away"] = float(np.degrees(angle(q, key)))
    return told
