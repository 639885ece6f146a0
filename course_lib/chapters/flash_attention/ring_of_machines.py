"""Four machines in a ring: who holds what in each step, what travels, what is merged so far.

    show_ring(run)                   # a Run of course_lib/measures/four_processes.py

Queries stay. Keys and values that come from another machine lie on a grey plate, so that a guest is
seen at once.
"""

from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.pixels import arrow, new_pixels
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.measures.four_processes import Run
from course_lib.words import say

PLATE = "#cbcbcb"  # under a guest
WIDE, HIGH, ACROSS, DOWN = 140, 72, 50, 36  # a machine, and the gaps between two; pixels
PANEL_X, PANEL_Y, TOP = 362, 230, 30  # from panel to panel, and the heading of one
CELL, SLOT, ROW = 31, 23, 24  # how wide a part and a place of the output are, and how high
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))  # of the machines, clockwise

ALL_MET = "After {steps} steps every query has met every key"
WRONG = "All have met, and the output is another one: is merge right?"
ALT = (
    "Four machines in a ring, {steps} steps. Each keeps its queries, and after each step it passes "
    "keys and values to the next one. {each} The outputs are {same}."
)
ONE_ALT = "Machine {rank} merges the parts {owners}."


def show_ring(run: Run) -> None:
    """A panel for each step of the run."""
    steps = len(run.owners[0])
    title = say(ALL_MET, steps=steps) if run.same else say(WRONG)
    figure, axes = new_pixels(480, title)
    for step in range(steps):
        corner = 2 + PANEL_X * (step % 2), 34 + PANEL_Y * (step // 2)
        _panel(axes, corner, run, step)
    show_figure(figure, described(run), colours=11)


def described(run: Run) -> str:
    """The picture in words."""
    each = " ".join(
        say(ONE_ALT, rank=rank, owners=", ".join(map(str, owners)))
        for rank, owners in enumerate(run.owners)
    )
    same = say("those of one machine") if run.same else say("other ones than on one machine")
    return say(ALT, steps=len(run.owners[0]), each=each, same=same)


def _panel(axes, corner, run: Run, step: int) -> None:
    x, y = corner
    last = step == len(run.owners[0]) - 1
    what = (say("each machine has its own k, v") if step == 0
            else say("every out is complete") if last
            else say("all k, v moved on by one") if step == 1
            else say("and by one more"))  # fmt: skip
    heading = say("step {step}: {what}", step=step + 1, what=what)
    axes.text(x, y + 14, heading, fontsize=12, va="center", color=INK)
    places = [(x + i * (WIDE + ACROSS), y + TOP + j * (HIGH + DOWN)) for i, j in CORNERS]
    for rank, place in enumerate(places):
        _machine(axes, place, rank, run.owners[rank][: step + 1])
    if not last:
        _arrows(axes, x, y + TOP)


def _machine(axes, place, rank: int, merged: list[int]) -> None:
    """A box with its queries, the keys and values that it has now, and its output so far."""
    x, y = place
    _box(axes, x, y, WIDE, HIGH, "white", edge=INK)
    row, owner = y + 11, merged[-1]
    _cell(axes, x + 8, row, CELL, QUERY, f"q {rank}")
    if owner != rank:
        _box(axes, x + 58, row - 5, 2 * CELL + 12, ROW + 10, PLATE)
    _cell(axes, x + 63, row, CELL, KEY, f"k {owner}")
    _cell(axes, x + 65 + CELL, row, CELL, VALUE, f"v {owner}")
    row = y + HIGH - ROW - 4
    axes.text(x + 7, row + ROW / 2, say("out"), color=OUTPUT, fontsize=SMALL, va="center")
    for part in range(len(CORNERS)):
        left, known = x + 43 + part * SLOT, part in merged
        _box(axes, left, row, SLOT - 3, ROW, OUTPUT if known else "white", edge=OUTPUT)


def _arrows(axes, x, y) -> None:
    """From each machine to the next: keys and values."""
    right, low = x + WIDE, y + HIGH
    across = ((right + 8, right + ACROSS - 8), (y + HIGH / 2, y + HIGH / 2))
    back = (across[0][::-1], tuple(one + HIGH + DOWN for one in across[1]))
    side = x + WIDE / 2
    down = ((side + WIDE + ACROSS,) * 2, (low + 5, low + DOWN - 5))
    up = ((side, side), down[1][::-1])
    for (x0, x1), (y0, y1) in (across, back, down, up):
        arrow(axes, (x0, y0), (x1, y1), width=2)


def _cell(axes, x, y, wide, colour, text) -> None:
    _box(axes, x, y, wide, ROW, colour, edge=colour)
    axes.text(
        x + wide / 2, y + ROW / 2 + 1, text, color="white", fontsize=SMALL, ha="center", va="center"
    )


def _box(axes, x, y, wide, high, colour, edge="none") -> None:
    axes.add_patch(Rectangle((x, y), wide, high, facecolor=colour, edgecolor=edge, linewidth=1.2))
