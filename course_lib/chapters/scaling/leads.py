"""The picture of what training must move: where the right key's leads lie under the curve.

show_leads(looks_of_both(64))    # one curve, and a hill below it for each of the two ways to train
"""

from collections.abc import Mapping

from course_lib.chapters.scaling.push import draw_curve, draw_edges, draw_hill
from course_lib.chapters.scaling.situations import FAR, Looks
from course_lib.figures.static import show_figure
from course_lib.figures.theme import SMALL, new_figure
from course_lib.words import say

LEFT, RIGHT = -46, 16
STEP = FAR / 3  # of the lead, a bar of each hill
BEHIND = (-1,)  # the side of the curve that counts here
FEET = -0.98, -1.8  # where the hills stand, below the curve, which runs from 0 to 1
LEADS = (
    "The curve of the weight over the lead, flat from {edge} behind on. Below it two hills, drawn "
    "equally high, show the leads of the right key over the best wrong one before training; what "
    "lies below that flat part is dark. {rows}."
)
ROW = (
    "{name}: {behind} of 100 right keys start far behind, and after {end} steps of training "
    "{later} are"
)


def show_leads(looks: Mapping[tuple[str, int], Looks]) -> None:
    """Show how far the right key is ahead of the best wrong one before training.

    looks: from (name, steps) to what its models look at; two counts of steps for each name
    """
    names = list(dict.fromkeys(name for name, _ in looks))
    axes = (figure := new_figure(7.0, 4.6)).subplots()
    draw_curve(axes, (LEFT, RIGHT), 10)
    look = {"va": "center", "fontsize": SMALL}
    flat = say("far behind, by {edge} or more:\na push does almost nothing", edge=FAR)
    axes.text(-FAR - 1, 0.4, flat, ha="right", **look)
    told = []
    for foot, name in zip(FEET, names, strict=True):
        seen = {steps: looks[of, steps] for of, steps in looks if of == name}
        (_, first), (end, last) = seen.items()
        behind, later = (f"{100 * one.behind:.0f}" for one in (first, last))
        draw_hill(axes, first.leads, foot, STEP, (LEFT, RIGHT), BEHIND)
        many = say("{name}: {behind} of 100 far behind", name=say(name), behind=behind)
        axes.text(LEFT + 0.8, foot + 0.62, many, fontweight="bold", **look)
        more = say("after {end} steps: {later}", end=end, later=later)
        axes.text(LEFT + 0.8, foot + 0.4, more, **look)
        told.append(say(ROW, name=say(name), end=end, behind=behind, later=later))
    draw_edges(axes, FEET[-1], BEHIND)
    axes.set(ylim=(FEET[-1] - 0.02, 1.08), ylabel=say("weight"))
    axes.yaxis.set_label_coords(-0.06, 0.8)
    axes.set_xlabel(say("lead of the right key over the best wrong key"))
    figure.headline(say("Not divided, most right keys start where the curve is flat"))
    show_figure(figure, say(LEADS, rows="; ".join(told), edge=FAR), colours=24,
                exact=False)  # fmt: skip
