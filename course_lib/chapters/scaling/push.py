"""The curve of a weight over the lead of its key, and the hills of leads that lie under it.

show_strangers_leads()  # where the leads of strangers lie under that curve, at two widths
"""

import numpy as np

from course_lib.chapters.scaling.explorers.width import KEYS, strangers
from course_lib.chapters.scaling.situations import FAR
from course_lib.figures.numerals import signed
from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, SMALL, WEIGHT, new_figure
from course_lib.kernels.softmax import softmax
from course_lib.words import say

STRANGERS = (
    "The weight of the first of two keys over its lead, an S from 0 to 1, flat beyond {edge} to "
    "both sides. Two hills under the curve show the leads of strangers, with the parts on the flat "
    "ends dark: {spreads}."
)
HILL = "at width {d_k} they spread by {spread:.1f}, and {far:.0f} % lie there"
SATURATED = FAR  # the lead that gives a weight of .99
FEET, HIGH = {4: -0.78, 64: -1.5}, 0.6  # where the hills of two widths stand, and how high
END = 26  # the axis of strangers' leads reaches so far to both sides
DARK, PALE = "#8a8a8a", "#e2e2e2"


def show_strangers_leads() -> None:
    """Show how many leads of strangers lie where the curve of the weight is flat."""
    axes = (figure := new_figure(7.0, 4.2)).subplots()
    draw_curve(axes, (-END, END), 5)
    spreads = _draw_hills_of_leads(axes)
    axes.set(ylim=(FEET[64] - 0.02, 1.08), ylabel=say("weight of the first key"))
    axes.yaxis.set_label_coords(-0.06, 0.71)
    figure.headline(say("The wider the vectors, the more leads lie where it is flat"))
    show_figure(figure, say(STRANGERS, edge=SATURATED, spreads=spreads), colours=24)


def draw_curve(axes, ends: tuple[float, float], pitch: int, level=(0, 1)) -> None:
    """The weight of the first of two keys over its lead, and the axis of leads between `ends`.

    pitch: from one number of the axis to the next
    level: from where to where the line at a lead of 0 goes, as shares of the height
    """
    leads = np.linspace(*ends, 601)
    axes.plot(leads, weight_at(leads), color=WEIGHT, linewidth=3, alpha=0.45)
    axes.axvline(0, *level, color=FAINT, linewidth=1, zorder=0)
    ticks = [tick for tick in range(-50, 51, pitch) if ends[0] < tick < ends[1]]
    axes.set(xlim=ends, yticks=(0, 0.5, 1), yticklabels=("0", ".5", "1"))
    axes.set_xticks(ticks, [signed(tick, 0) for tick in ticks])
    axes.set_xlabel(say("lead of the first score"))


def _draw_hills_of_leads(axes) -> str:
    """A hill of strangers' leads for each width, its flat ends dark; told in words."""
    told = []
    for d_k, foot in FEET.items():
        scores = strangers()(d_k)
        leads = (scores[:, :, None] - scores[:, None, :])[:, ~np.eye(KEYS, dtype=bool)]
        draw_hill(axes, leads, foot, SATURATED / (8 if d_k < 16 else 4), (-END, END))
        spread, far = float(leads.std()), float((np.abs(leads) > SATURATED).mean())
        look = {"va": "center", "fontsize": SMALL}
        name = say("strangers, width {d_k}:\nspread {spread:.1f}", d_k=d_k, spread=spread)
        axes.text(0.6 - END, foot + 0.43, name, **look)
        name = say("{far:.0f} % of the leads lie\non the flat ends", far=100 * far)
        axes.text(END - 0.4, foot + 0.43, name, ha="right", fontweight="bold", **look)
        told.append(say(HILL, far=100 * far, spread=spread, d_k=d_k))
    draw_edges(axes, FEET[64])
    return "; ".join(told)


def draw_hill(
    axes, leads: np.ndarray, foot: float, step: float, ends: tuple[float, float], sides=(-1, 1)
) -> None:
    """A hill of leads, HIGH over its `foot`, whose bars on flat ends of the curve are dark.

    step: of the lead, a bar; some of them make SATURATED   ends: from where to where bars stand
    sides: which flat ends: -1 behind, 1 ahead
    """
    edges = step * np.arange(np.floor(ends[0] / step), np.ceil(ends[1] / step) + 1)
    counts, _ = np.histogram(leads, edges)
    heights = HIGH * counts / counts.max()
    flat = np.isin(np.sign(middles := edges[:-1] + step / 2), sides) & (np.abs(middles) > SATURATED)
    for part, colour in ((heights, PALE), (np.where(flat, heights, 0), DARK)):
        axes.stairs(foot + part, edges, baseline=foot, fill=True, facecolor=colour)
    axes.stairs(foot + heights, edges, baseline=foot, color=INK, linewidth=1)


def draw_edges(axes, foot: float, sides=(-1, 1)) -> None:
    """A dashed line where each flat end of the curve begins, down to the foot of the last hill."""
    for edge in (SATURATED * side for side in sides):
        axes.vlines(edge, foot, weight_at(edge), color=INK, linewidth=1.2,
                    linestyle=(0, (3, 2)), zorder=4)  # fmt: skip


def weight_at(lead):
    """The weight of the first of two keys whose score is so far ahead."""
    return softmax(np.stack([lead, np.zeros_like(lead)], axis=-1).astype(float))[..., 0]


def gain_at(lead, push):
    """How much a push of its score adds to the weight of a key that is so far ahead of another."""
    return weight_at(lead + push) - weight_at(lead)
