"""The picture of chapter 6 of the throw that a place has to look at, to name the next one.

show_one_back()   # a row of throws; arrows to the one that is copied, two back and one back
"""

from course_lib.figures.static import show_figure
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TITLE, new_figure
from course_lib.models.dice_in_pairs import eight_throws
from course_lib.words import say

ASKS = 6  # the place that must name the next throw
DASHED = (0, (3, 2))
HALF = 0.5  # of a cell
LOW, HIGH, APART = 0.95, 1.6, 0.15  # of the two arrows; how far from the middle each ends


def show_one_back() -> None:
    """The throws that place 6 sees, the hidden one that it must name, and where it has to look."""
    throws = [str(side + 1) for side in eight_throws()[0, : ASKS + 1].tolist()]
    figure = new_figure(6.2, 2.0)
    axes = figure.subplots()
    axes.set(xlim=(-1.6, ASKS + 1.6), ylim=(-1.15, 2.1))
    axes.axis("off")
    for place, side in enumerate([*throws, "?"]):
        _draw_cell(axes, place, side, FAINT)
    _draw_cell(axes, ASKS + 1, "", INK, linestyle=DASHED)
    _draw_cell(axes, ASKS, "", QUERY, linewidth=2.2)
    for height, name in ((0, say("side")), (-0.85, say("throw"))):
        axes.text(-0.7, height, name, ha="right", va="center", fontsize=SMALL)
    _arrow_back(
        axes,
        (ASKS, ASKS - 1 + APART),
        LOW,
        KEY,
        say("place {i} has to look here: one back", i=ASKS),
    )
    copies = say("throw {n} copies it: two back", n=ASKS + 1)
    _arrow_back(axes, (ASKS + 1, ASKS - 1 - APART), HIGH, INK, copies, linestyle=DASHED)
    figure.headline(say("Throw {n} most likely copies throw {m}", n=ASKS + 1, m=ASKS - 1))
    words = say(
        "Throws 0 to {i}: {throws}. Throw {next} is a question mark. Two arrows end at throw "
        "{before}: one from throw {next}, two back, and one from place {i}, one back.",
        i=ASKS, throws=" ".join(throws), next=ASKS + 1, before=ASKS - 1,
    )  # fmt: skip
    show_figure(figure, words, colours=8)


def _arrow_back(axes, ends, height: float, colour: str, what: str, **look) -> None:
    """From one place up, back and down to another; what it means stands at its left."""
    start, end = ends
    look |= {"color": colour, "linewidth": 2}
    axes.plot([start, start, end, end], [HALF + 0.05, height, height, HALF + 0.3], **look)
    axes.annotate("", (end, HALF + 0.02), (end, HALF + 0.3),
                  arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0,
                              "linewidth": 2})  # fmt: skip
    axes.text(
        ASKS - 1 - 2.2 * APART, height, what, ha="right", va="center", color=colour, fontsize=SMALL
    )


def _draw_cell(axes, place: int, side: str, colour: str, **look) -> None:
    """A throw in its frame, and its number below."""
    left, right = place - HALF, place + HALF
    axes.plot([left, right, right, left, left], [-HALF, -HALF, HALF, HALF, -HALF], color=colour,
              **look)  # fmt: skip
    axes.text(place, 0, side, ha="center", va="center", fontsize=TITLE)
    if side:
        axes.text(place, -0.85, str(place), ha="center", va="center", fontsize=SMALL)
