"""Bars around zero: what each part adds to a sum, or takes from it.

draw_contributions(figure.subplots(), ["animal", "barks"], [4.0, -2.0])
"""

import numpy as np

from course_lib.figures.heat_map import SIGNS
from course_lib.figures.theme import FAINT, INK, SMALL


def draw_contributions(axes, names: list[str], parts: np.ndarray, sums: list[str] | None = None):
    """One horizontal bar a part, its number at its end: right of 0 adds, left of 0 takes away.

    Grey is above 0, gold below.

    names: what each part is called, top to bottom.   parts: (d,)   sums: what is written at the
    end of each bar; the part itself where it is None.   Returns the axes.
    Raises: ValueError, if there are not as many names as parts.
    """
    parts = np.asarray(parts, dtype=float)
    if parts.shape != (len(names),):
        raise ValueError(f"parts has shape {parts.shape}, but there are {len(names)} names")
    places = np.arange(len(names))
    axes.barh(places, parts, height=0.6, color=SIGNS(np.where(parts < 0, 0.17, 0.8)))
    axes.axvline(0, color=INK, linewidth=1)
    reach = max(1e-12, float(np.abs(parts).max())) * (1.3 if sums is None else 1.5)
    written = [f"{part:+g}" if part else "0" for part in parts] if sums is None else sums
    for place, part, text in zip(places, parts, written, strict=True):
        side = -1 if part < 0 else 1
        axes.text(
            part + side * reach * 0.03, place, text.replace("-", "\N{MINUS SIGN}"),
            ha="right" if side < 0 else "left", va="center", fontsize=SMALL, fontweight="bold",
        )  # fmt: skip
    axes.set(xlim=(-reach, reach), yticks=places, yticklabels=names, xticks=[])
    axes.invert_yaxis()
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    return axes
