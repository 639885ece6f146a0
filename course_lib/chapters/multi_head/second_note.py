"""Two places with the same note, and the second note that tells them apart.

draw_second_note(figure)
"""

from matplotlib.patches import FancyBboxPatch

from course_lib.chapters.multi_head.note_and_reader import PAPER
from course_lib.figures.letters import draw_arc, draw_letters
from course_lib.figures.theme import GHOST, INK, KEY, QUERY, SMALL, TEXT, WEIGHT
from course_lib.words import say

TEXT_SO_FAR, ASKS = "cat map ca", 9  # the last a
BOTH, ONE = 2, 6  # the places with the note a: the t, and the p
BEFORE, TWO_BACK = -1.15, -2.05  # the heights of the two rows of notes
LEFT = -3.0  # where the words beside the rows begin


def draw_second_note(figure):
    """Letters in a row; two of them with both notes, the last with its own, from which arcs go.

    What the reader asks with has the colour of queries, and each note that it asks for that of
    keys. Returns the axes.
    """
    axes = figure.subplots()
    draw_letters(axes, TEXT_SO_FAR.replace(" ", "_"), asks=(ASKS,), sky=2.3)
    draw_arc(axes, ASKS, BOTH, width=3.2, colour=WEIGHT, peak=1.0)
    draw_arc(axes, ASKS, ONE, width=1.2, colour=GHOST, dashes="--", peak=0.5)
    for place, back, wanted in (
        (BOTH, 1, True), (BOTH, 2, True), (ONE, 1, True), (ONE, 2, False), (ASKS, 1, True),
    ):  # fmt: skip
        _draw_slip(axes, place, back, wanted)
    for place, said in ((BOTH, "both fit"), (ONE, "only the a fits"), (ASKS, "its own note")):
        height = BEFORE if place == ASKS else TWO_BACK
        axes.text(place, height - 0.62, say(said), ha="center", va="center", fontsize=SMALL)
    axes.text(
        (ASKS + BOTH) / 2, 1.9, say("reader: where are the notes a and c?"), ha="center",
        va="center", fontsize=SMALL, color=QUERY, fontweight="bold",
    )  # fmt: skip
    for y, name in (
        (0, "letters"), (BEFORE, "the writer's notes"), (TWO_BACK, "head 2's notes"),
    ):  # fmt: skip
        axes.text(LEFT, y, say(name), ha="left", va="center", fontsize=SMALL)
    axes.set(xlim=(LEFT - 0.05, len(TEXT_SO_FAR) - 0.1), ylim=(TWO_BACK - 0.95, 2.3))
    return axes


def _draw_slip(axes, place: int, back: int, wanted: bool) -> None:
    """A note with the letter that stands so many places back, framed where the reader wants it."""
    own = QUERY if place == ASKS else KEY
    y, look = (BEFORE, TWO_BACK)[back - 1], {"ha": "center", "va": "center", "fontsize": TEXT}
    axes.add_patch(
        FancyBboxPatch(
            (place - 0.3, y - 0.32), 0.6, 0.64, boxstyle="round,pad=0,rounding_size=0.06",
            facecolor=PAPER, edgecolor=own if wanted else GHOST, linewidth=2 if wanted else 1,
        )
    )  # fmt: skip
    colour, weight = (own, "bold") if wanted else (INK, "normal")
    axes.text(place, y, TEXT_SO_FAR[place - back], color=colour, fontweight=weight, **look)
