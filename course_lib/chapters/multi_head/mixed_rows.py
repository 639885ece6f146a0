"""How W_O mixes one merged row, and that the result is a sum of what each head adds.

draw_mixed_rows(figure)

Each head's numbers of the merged row, its rows of W_O and what it adds have its tint, as in the
picture of two heads (split_and_merged), whose last row this is, framed here, too.
"""

import numpy as np

from course_lib.chapters.multi_head.split_and_merged import TINTS
from course_lib.chapters.multi_head.two_heads import MERGED, MIXES
from course_lib.figures.cells import Table, draw_cells, draw_frame, draw_word
from course_lib.figures.theme import INK, OUTPUT, SMALL
from course_lib.words import say

WIDE = 1.3
MIXED = 4 * WIDE + 1.0  # where W_O begins
EQUALS = MIXED + 3 * WIDE + 2.3  # the sign
ADDS = EQUALS + 4.9  # where the parts begin
FOOT = 4.6  # where the output begins


def draw_mixed_rows(figure):
    """Left the merged row times W_O; right, beside each head's rows, its part, and their sum.

    Returns the axes.
    """
    axes = figure.subplots()
    axes.set(xlim=(-0.2, ADDS + 3 * WIDE + 0.2), ylim=(FOOT + 1.1, -1.2), aspect="equal")
    axes.axis("off")
    merged, mixes = np.array(MERGED[-1]), np.array(MIXES)
    row, matrix = Table(0, 1.5, 1, 4, WIDE), Table(MIXED, 0, 4, 3, WIDE)
    draw_cells(axes, row, [[TINTS[0]] * 2 + [TINTS[1]] * 2], merged[None])
    draw_cells(axes, matrix, [[TINTS[0]] * 3] * 2 + [[TINTS[1]] * 3] * 2, mixes)
    draw_frame(axes, row, 0)
    draw_word(axes, (row.x + row.right) / 2, row.y - 0.65, say("merged"))
    draw_word(axes, (matrix.x + matrix.right) / 2, -0.65, "$W_O$")
    draw_word(axes, matrix.x - 0.5, row.middle, "·", fontsize=16)
    draw_word(axes, EQUALS, row.middle, "=")
    for head in range(2):
        own = slice(2 * head, 2 * head + 2)
        adds = Table(ADDS, 2 * head + 0.5, 1, 3, WIDE)
        draw_cells(axes, adds, [[TINTS[head]] * 3], (merged[own] @ mixes[own])[None])
        draw_word(axes, (matrix.right + EQUALS) / 2 - 0.1, adds.middle, f"$W_O^{{({head})}}$")
        name = say("{sign}head {head} adds", sign="+ " if head else "", head=head)
        _before(axes, adds, name)
    axes.plot([ADDS, ADDS + 3 * WIDE], [FOOT - 0.55] * 2, color=INK, linewidth=1.4)
    output = Table(ADDS, FOOT, 1, 3, WIDE)
    draw_cells(axes, output, [["white"] * 3], (merged @ mixes)[None], edge=OUTPUT)
    _before(axes, output, say("= output"), color=OUTPUT, fontweight="bold")
    return axes


def _before(axes, table: Table, name: str, **look) -> None:
    draw_word(axes, table.x - 0.3, table.middle, name, **{"ha": "right", "fontsize": SMALL, **look})
