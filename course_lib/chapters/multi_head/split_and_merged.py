"""How a table of queries is cut into heads, and how the heads are joined again.

draw_split_and_merged(figure, q)      # q (3, 4): three words, two heads of two columns each

Each head has a tint of its own: its columns of Q, its band with its strips of Q and V, and its
columns of what is merged. Where the framed row can be followed, the shapes stand below. What is
taken is two_heads.VALUES, at the words that two_heads.LOOKS_AT names. The row of
the last word is framed.
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch

from course_lib.chapters.multi_head.two_heads import LOOKS_AT, VALUES
from course_lib.figures.boxes import draw_arrow
from course_lib.figures.cells import Table, draw_cells, draw_frame, draw_word
from course_lib.figures.theme import INK, KEY, QUERY, SMALL, VALUE, WEIGHT
from course_lib.words import say

TINTS = ("#f7e6b5", "#c3dbf5", "#ecd3dc")  # of head 0, head 1 and, where there is one, head 2
TITLES = ("head 0: looks at the word itself", "head 1: looks one word back")
UPPER, LOWER = 0.0, 7.0  # where the tables of the two heads begin
HEAD, FOOT = 2.2, 4.35  # from there to the upper and the lower edge of a head's band
WIDE = 1.25  # of a cell with two digits
BAND = 4 * WIDE + 1.75  # where the bands begin; then the tables of a band, from left to right
ASKS = BAND + 0.4
LOOKS = ASKS + 2 * WIDE + 1.9
HOLDS = LOOKS + 3 + 0.85
HEARD = HOLDS + 2 * WIDE + 0.95
BAND_END = HEARD + 2 * WIDE + 0.4
JOINED = BAND_END + 1.5


def draw_split_and_merged(figure, q):
    """Q is cut; each head's weights meet its strip of V; what they gathered stands side by side.

    Shapes: q (3, 4).   Returns the axes.
    """
    axes = figure.subplots()
    axes.set(xlim=(-0.2, JOINED + 4 * WIDE + 0.2), ylim=(LOWER + FOOT + 0.1, UPPER - HEAD - 0.1),
             aspect="equal")  # fmt: skip
    axes.axis("off")
    q, values = np.asarray(q, dtype=float), np.array(VALUES)
    middle = (UPPER - HEAD + LOWER + FOOT) / 2 - 1.5
    whole, joined = Table(0, middle, 3, 4, WIDE), Table(JOINED, middle, 3, 4, WIDE)
    both = [[TINTS[0]] * 2 + [TINTS[1]] * 2] * 3
    draw_cells(axes, whole, both, q, QUERY)
    _named(axes, whole, "$Q$", QUERY)
    heard = []
    for head, top in enumerate((UPPER, LOWER)):
        own = slice(2 * head, 2 * head + 2)
        heard.append(_draw_head(axes, head, top, q[:, own], values[:, own]))
        draw_arrow(axes, (whole.right + 0.1, whole.middle), (BAND - 0.1, top + 1.5))
        draw_arrow(axes, (BAND_END + 0.1, top + 1.5), (joined.x - 0.15, joined.middle))
    draw_cells(axes, joined, both, np.hstack(heard))
    _named(axes, joined, say("merged"), INK)
    for table in (whole, joined):
        draw_frame(axes, table, 2), _sized(axes, table)
    return axes


def _draw_head(axes, head: int, top: float, queries, values) -> np.ndarray:
    """A band with what one head asks, its weights and what it gathered, which is returned."""
    band = FancyBboxPatch((BAND, top - HEAD), BAND_END - BAND, HEAD + FOOT, facecolor=TINTS[head],
                          edgecolor="none", boxstyle="round,pad=0,rounding_size=0.4",
                          alpha=0.45, zorder=0)  # fmt: skip
    axes.add_patch(band)
    asks, looks = Table(ASKS, top, 3, 2, WIDE), Table(LOOKS, top, 3, 3)
    holds, heard = Table(HOLDS, top, 3, 2, WIDE), Table(HEARD, top, 3, 2, WIDE)
    weights, tint = np.eye(3)[list(LOOKS_AT[head])], [[TINTS[head]] * 2] * 3
    gathered = weights @ values
    draw_cells(axes, asks, tint, queries, QUERY)
    draw_cells(axes, looks, [[WEIGHT if one else "white" for one in row] for row in weights],
               weights, [["white" if one else INK for one in row] for row in weights])  # fmt: skip
    draw_cells(axes, holds, tint, values, VALUE)
    draw_cells(axes, heard, tint, gathered)
    for table, name, colour in (
        (asks, f"$Q_{head}$", QUERY), (looks, say("weights"), INK),
        (holds, f"$V_{head}$", VALUE), (heard, say("output"), INK),
    ):  # fmt: skip
        _named(axes, table, name, colour)
    draw_word(axes, ASKS, top - 1.6, say(TITLES[head]), ha="left", fontweight="bold")
    between = (asks.right + looks.x) / 2
    draw_word(axes, between, top + 0.35, say("with"))
    draw_word(axes, between, top + 1.15, f"$K_{head}$", color=KEY)
    draw_arrow(axes, (asks.right + 0.2, top + 2), (looks.x - 0.2, top + 2))
    draw_word(axes, holds.x - 0.42, holds.middle, "·", fontsize=16)
    draw_word(axes, heard.x - 0.48, heard.middle, "=")
    for table in (asks, looks, heard):
        draw_frame(axes, table, 2)
    _sized(axes, asks), _sized(axes, heard)
    return gathered


def _named(axes, table: Table, name: str, colour: str) -> None:
    """Its name above a table."""
    draw_word(axes, (table.x + table.right) / 2, table.y - 0.6, name, color=colour)


def _sized(axes, table: Table) -> None:
    """Its shape below a table."""
    shape = f"({table.rows}, {table.columns})"
    draw_word(axes, (table.x + table.right) / 2, table.foot + 0.7, shape, fontsize=SMALL)
