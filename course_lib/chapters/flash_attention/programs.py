"""Which program has which block of queries, and on which piece of the chip it runs.

show_programs()                  # 32 tables in bands, and 132 pieces with the numbers they have
"""

from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.explorers.gpu import ACROSS, HEADS, PALE, PIECES, ROWS
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, SMALL, VALUE, WEIGHT, new_figure
from course_lib.words import say

LENGTH = 4096
BANDS = LENGTH // ROWS  # of one head: a program each
SHOWN = (0, 1, 2, 3, None, BANDS - 2, BANDS - 1)  # bands of the front table; None: those between
WIDE, HIGH, SHEET = 190, 28, 9  # of a band, and how far a table behind stands off; pixels
LEFT, TOP = 12, 84  # the corner of the front table
CELL, TALL, CHIP = 27, 20, (368, 62)  # how large a piece is, and the corner of the first

TITLE = "{length} words, blocks of {rows}, {heads} heads: {programs} programs for {pieces} pieces"
ALT = (
    "Left, the table of scores of head 0 in front of those of the other heads. It is cut into "
    "{bands} horizontal bands of {rows} queries; each band is a program with a number, from 0 to "
    "{last}. Right, the {pieces} pieces of the chip with the numbers 0 to {busy}, a program each. "
    "Into each piece go all keys and values of its head. {programs} programs wait for them."
)


def show_programs() -> None:
    """The bands of the tables, the pieces of the chip, and what passes by in each of them."""
    figure = new_figure(7.0, 3.7)
    axes = figure.subplots()
    axes.set(xlim=(0, 700), ylim=(370, 0), aspect="equal")
    axes.axis("off")
    told = {"length": LENGTH, "rows": ROWS, "heads": HEADS, "pieces": PIECES}
    title = say(TITLE, programs=HEADS * BANDS, **told)
    axes.text(2, 12, title, fontsize=13, fontweight="bold", va="center")
    _tables(axes)
    _pieces(axes)
    _arrow(axes, (LEFT + WIDE + 30, 180), (CHIP[0] - 12, 180), INK)
    middle = (LEFT + WIDE + CHIP[0]) / 2 + 10
    _words(axes, middle, 146, say("each program\non one piece"), ha="center")
    _passing_by(axes)
    show_figure(
        figure,
        say(ALT, bands=BANDS, last=BANDS - 1, busy=PIECES - 1, programs=HEADS * BANDS,
            rows=ROWS, pieces=PIECES),
        colours=8,
    )  # fmt: skip


def _tables(axes) -> None:
    """The table of head 0 in bands, and two of the others behind it."""
    deep = HIGH * len(SHOWN)
    for back in (2, 1):
        corner = LEFT + SHEET * back, TOP - SHEET * back
        axes.add_patch(Rectangle(corner, WIDE, deep, facecolor="white", edgecolor=INK))
    for place, band in enumerate(SHOWN):
        y = TOP + HIGH * place
        colour = "white" if band is None else PALE
        axes.add_patch(Rectangle((LEFT, y), WIDE, HIGH, facecolor=colour, edgecolor=INK))
        name = "⋮" if band is None else say("program {number}", number=band)
        _words(axes, LEFT + WIDE / 2, y + HIGH / 2, name, ha="center")
    _words(axes, LEFT, TOP - 2.9 * SHEET - 8, say("scores of {heads} heads", heads=HEADS))
    _words(axes, LEFT, TOP + deep + 16, say("a band: {rows} queries, all keys", rows=ROWS))


def _pieces(axes) -> None:
    """The pieces, as in the picture of the GPU; in the first row each has its program's number."""
    x, y = CHIP
    for piece in range(PIECES):
        corner = x + CELL * (piece % ACROSS), y + TALL * (piece // ACROSS)
        axes.add_patch(
            Rectangle(corner, CELL - 2, TALL - 2, facecolor=PALE, edgecolor=WEIGHT, linewidth=0.8)
        )
        if piece < ACROSS:
            _words(axes, corner[0] + CELL / 2 - 1, corner[1] + TALL / 2, str(piece), ha="center")
    _words(axes, x, y - 14, say("the chip: {pieces} pieces", pieces=PIECES))


def _passing_by(axes) -> None:
    """Keys and values as two strips, with an arrow into the pieces."""
    y = CHIP[1] + TALL * (PIECES // ACROSS) + 34
    for x, colour, name in ((CHIP[0], KEY, "k"), (CHIP[0] + 36, VALUE, "v")):
        axes.add_patch(Rectangle((x, y - 11), 32, 22, color=colour))
        axes.text(
            x + 16, y, name, color="white", fontweight="bold", fontsize=SMALL,
            ha="center", va="center",
        )  # fmt: skip
    _arrow(axes, (CHIP[0] + 34, y - 13), (CHIP[0] + 34, y - 34), INK)
    _words(axes, CHIP[0] + 78, y, say("all keys and values of its head\npass by in each piece"))


def _arrow(axes, begin, end, colour) -> None:
    axes.annotate(
        "", xy=end, xytext=begin,
        arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.6, "shrinkA": 0,
                    "shrinkB": 0},
    )  # fmt: skip


def _words(axes, x, y, text, ha="left") -> None:
    axes.text(x, y, text, fontsize=SMALL, va="center", ha=ha)
