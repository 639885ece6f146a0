"""A note and its reader: how two heads, one in each layer, find what followed earlier.

draw_note_and_reader(figure)
"""

from matplotlib.patches import FancyBboxPatch

from course_lib.figures.boxes import draw_arrow
from course_lib.figures.letters import SIDE, draw_letters
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, TEXT, WEIGHT
from course_lib.words import say

TEXT_SO_FAR, ASKS, FOUND = "cats ca", 6, 2  # the second a, and the first t
PAPER = "#fbf3d5"  # of a note
NOTES = -1.95  # the height of the notes
LEFT = -3.1  # where the words beside the rows begin
SKY = 2.2  # of the arc from the reader


def draw_note_and_reader(figure):
    """Letters in a row, each with its notes below; an arc from the second a to the note a.

    The letters, the notes and each layer's arrows are named at the left. Each step of the reader is
    told with the matrix that has learned it. Returns the axes.
    """
    axes = figure.subplots()
    count = len(TEXT_SO_FAR)
    draw_letters(axes, TEXT_SO_FAR.replace(" ", "_"), asks=(ASKS,), sky=SKY)
    for place in range(1, count):
        _draw_note(axes, place)
    _draw_reader(axes)
    _draw_said(axes, count)
    offers = {"color": KEY, "fontweight": "bold", "fontsize": SMALL}
    axes.text(FOUND, NOTES - 0.55, say("$W_K$ offers a note a"), ha="center", va="top", **offers)
    look = {"ha": "left", "va": "center", "fontsize": SMALL}
    named = {**look, "fontweight": "bold", "color": WEIGHT}
    axes.text(LEFT, 1.45, say("second layer:\na reader looks"), **named)
    axes.text(LEFT, 0, say("letters"), **look)
    axes.text(LEFT, (NOTES - 0.02) / 2 + 0.02, say("first layer:\nthe writer writes"), **named)
    axes.text(LEFT, NOTES, say("notes: the\nletter before"), **look)
    axes.set(xlim=(LEFT - 0.05, count + 1.0), ylim=(NOTES - 1.05, SKY))
    return axes


def _draw_note(axes, place: int) -> None:
    """A slip of paper below a letter, and a thin arrow from the letter before to it."""
    wanted = place == FOUND
    axes.add_patch(
        FancyBboxPatch(
            (place - 0.32, NOTES - 0.42), 0.64, 0.84, boxstyle="round,pad=0,rounding_size=0.06",
            facecolor=PAPER, edgecolor=KEY if wanted else GHOST, linewidth=2.4 if wanted else 1.0,
        )
    )  # fmt: skip
    line = {"color": KEY, "linewidth": 2.4} if wanted else {"color": GHOST, "linewidth": 1}
    axes.plot([place] * 2, [-SIDE / 2, NOTES + 0.42], zorder=0, **line)
    before = TEXT_SO_FAR[place - 1]
    axes.text(
        place, NOTES, before.replace(" ", "_"), ha="center", va="center", fontsize=TEXT,
        fontweight="bold" if wanted else "normal", color=KEY if wanted else INK,
    )  # fmt: skip
    axes.annotate(
        "", (place - 0.12, NOTES + 0.46), (place - 1 + 0.15, -SIDE / 2 - 0.04),
        arrowprops={"arrowstyle": "-|>", "color": WEIGHT, "linewidth": 1.0, "shrinkA": 0,
                    "shrinkB": 0},
    )  # fmt: skip


def _draw_reader(axes) -> None:
    """The thick arc of the second layer, with what is asked for."""
    foot, top = SIDE / 2 + 0.06, 1.45
    axes.plot([ASKS, ASKS], [foot, top], color=WEIGHT, linewidth=3.2, solid_capstyle="round")
    axes.plot([ASKS, FOUND], [top, top], color=WEIGHT, linewidth=3.2, solid_capstyle="round")
    axes.annotate(
        "", (FOUND, foot), (FOUND, top + 0.02),
        arrowprops={"arrowstyle": "-|>", "color": WEIGHT, "linewidth": 3.2, "shrinkA": 0,
                    "shrinkB": 0, "mutation_scale": 18},
    )  # fmt: skip
    begins, ends, below = FOUND + 0.25, ASKS - 0.25, top - 0.4  # the way of the letter, back
    axes.plot([begins, begins, ends], [foot, below, below], color=OUTPUT, linewidth=1.4)
    axes.annotate(
        "", (ends, foot), (ends, below + 0.02),
        arrowprops={"arrowstyle": "-|>", "color": OUTPUT, "linewidth": 1.4, "shrinkA": 0,
                    "shrinkB": 0},
    )  # fmt: skip
    axes.text(
        (ASKS + FOUND) / 2, top + 0.4, say("$W_Q$ asks: where is the note a?"), ha="center",
        va="center", fontsize=SMALL, color=QUERY, fontweight="bold",
    )  # fmt: skip


def _draw_said(axes, place: int) -> None:
    """The letter that is brought, where the text goes on."""
    axes.add_patch(
        FancyBboxPatch(
            (place + 0.2 - SIDE / 2, -SIDE / 2), SIDE, SIDE, facecolor="white", edgecolor=OUTPUT,
            boxstyle="round,pad=0,rounding_size=0.12", linewidth=1.8, linestyle=(0, (3, 2)),
        )
    )  # fmt: skip
    look = {"ha": "center", "va": "center", "color": OUTPUT, "fontweight": "bold"}
    axes.text(place + 0.2, -0.03, TEXT_SO_FAR[FOUND], fontsize=TEXT + 1, **look)
    axes.text(place + 0.2, -SIDE / 2 - 0.38, say("$W_V$ brings\nthe t"), fontsize=SMALL,
              **{**look, "va": "top"})  # fmt: skip
    draw_arrow(axes, (ASKS + SIDE / 2 + 0.06, 0), (place + 0.2 - SIDE / 2 - 0.04, 0))
