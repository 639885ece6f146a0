"""How W_O mixes one merged row, and that the result is a sum of what each head adds.

draw_mixed_rows(figure)

Each head's numbers of the merged row, its rows of W_O and what it adds have its tint, as in the
picture of two heads (split_and_merged), whose last row this is.
"""

import numpy as np

from course_lib.chapters.multi_head.split_and_merged import TINTS
from course_lib.chapters.multi_head.two_heads import MERGED, MIXES
from course_lib.figures.cells import Table, draw_cells, draw_word
from course_lib.figures.theme import INK, OUTPUT, SMALL
from course_lib.words import say

WIDE = 1.3
GAP = 0.5  # between the rows of two heads
MIXED = WIDE + 1.0  # where W_O begins
EQUALS = MIXED + 3 * WIDE + 2.1  # the sign
ADDS = EQUALS + 4.9  # where the parts begin
FOOT = 5.2  # where the output begins


def draw_mixed_rows(figure):
    """Left each number of the merged row beside its row of W_O; right what each head adds.

    Below the parts stands their sum. Returns the axes.
    """
    axes = figure.subplots()
    axes.set(xlim=(-0.9, ADDS + 3 * WIDE + 0.2), ylim=(FOOT + 1.1, -1.2), aspect="equal")
    axes.axis("off")
    merged, mixes = np.array(MERGED[-1]), np.array(MIXES)
    draw_word(axes, WIDE / 2, -0.65, say("merged"))
    draw_word(axes, MIXED + 1.5 * WIDE, -0.65, "$W_O$")
    for head in range(2):
        _draw_part(axes, head, merged, mixes)
    axes.plot([ADDS, ADDS + 3 * WIDE], [FOOT - 0.45] * 2, color=INK, linewidth=1.4)
    output = Table(ADDS, FOOT, 1, 3, WIDE)
    draw_cells(axes, output, [["white"] * 3], (merged @ mixes)[None], edge=OUTPUT)
    _before(axes, output, say("= output"), color=OUTPUT, fontweight="bold")
    return axes


def _draw_part(axes, head: int, merged, mixes) -> None:
    """A head's numbers upright, each beside its row of W_O, and the row that it adds."""
    own, tint, top = slice(2 * head, 2 * head + 2), TINTS[head], head * (2 + GAP)
    brings, rows = Table(0, top, 2, 1, WIDE), Table(MIXED, top, 2, 3, WIDE)
    adds = Table(ADDS, top + 0.5, 1, 3, WIDE)
    draw_cells(axes, brings, [[tint]] * 2, merged[own][:, None])
    draw_cells(axes, rows, [[tint] * 3] * 2, mixes[own])
    draw_cells(axes, adds, [[tint] * 3], (merged[own] @ mixes[own])[None])
    draw_word(axes, -0.5, top + 1.5, "+")
    for row in range(2):
        draw_word(axes, (brings.right + rows.x) / 2, top + row + 0.5, "·", fontsize=16)
    draw_word(axes, (rows.right + EQUALS) / 2 - 0.1, adds.middle, f"$W_O^{{({head})}}$")
    draw_word(axes, EQUALS, adds.middle, "=")
    name = say("{sign}head {head} adds", sign="+ " if head else "", head=head)
    _before(axes, adds, name)


def _before(axes, table: Table, name: str, **look) -> None:
    draw_word(axes, table.x - 0.3, table.middle, name, **{"ha": "right", "fontsize": SMALL, **look})
