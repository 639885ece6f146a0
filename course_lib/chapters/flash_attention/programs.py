"""Which program has which block of queries, and what a program keeps on its SM.

show_programs()        # tables in blocks of queries, the SMs that they run on, one SM enlarged
"""

from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.explorers.gpu import ACROSS, HEADS, PALE, ROWS, SMS
from course_lib.chapters.flash_attention.pixels import arrow, new_pixels, words
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, VALUE, WEIGHT
from course_lib.words import say

LENGTH = 4096
BANDS = LENGTH // ROWS  # of one head: a program each
SHOWN = (0, 1, None, BANDS - 1)  # of the front table; None: those between
WIDE, HIGH, SHEET = 100, 44, 8  # of a band, and how far a table behind stands off; pixels
LEFT, TOP = 8, 112  # the corner of the front table
CELL, CHIP, NEAR = 14, (168, 96), ACROSS - 1  # an SM's size, the first one's corner, the large one
ROOM = (376, 68, 318, 268)  # the enlarged SM: its corner, how wide and how high
TILE_X, TILE_Y, SIDE, THICK = 476, 164, 104, 26  # the tile of scores in it, and its strips
SUMS, SUM_Y, DIGIT = (
    (392, 458, 524),
    276,
    20,
)  # largest, total, mixed: left ends, top, a row's height

TITLE = "{programs} programs for {sms} SMs: q stays, k and v pass by"
WAITING = "{first} to {last} wait"
ALT = (
    "Left, the tables of scores of {heads} heads of {length} words, in blocks of {rows} queries: "
    "program 0 to program {last}, and so on. In the middle {sms} SMs, with a program each; {sms} "
    "to {final} wait. Right, program {near}, enlarged: q_tile and largest, total and mixed stay, "
    "while k and v pass by, tile by tile. Scores are used and forgotten. The output leaves, once."
)


def show_programs() -> None:
    """The blocks of the tables, the SMs of the chip, and what lies in one of them."""
    programs = HEADS * BANDS
    figure, axes = new_pixels(390, say(TITLE, programs=programs, sms=SMS))
    _tables(axes)
    arrow(axes, (LEFT + WIDE + 2 * SHEET + 6, 173), (CHIP[0] - 6, 173))
    _sms(axes, programs - 1)
    _room(axes)
    _passing_by(axes)
    _staying(axes)
    alt = say(
        ALT, heads=HEADS, length=LENGTH, last=BANDS - 1, rows=ROWS, sms=SMS,
        final=programs - 1, near=NEAR,
    )  # fmt: skip
    show_figure(figure, alt, colours=8)


def _tables(axes) -> None:
    """The table of head 0 in blocks of rows, and two of the others behind it."""
    deep = HIGH * len(SHOWN)
    for back in (2, 1):
        corner = LEFT + SHEET * back, TOP - SHEET * back
        axes.add_patch(Rectangle(corner, WIDE, deep, facecolor="white", edgecolor=INK))
    for place, band in enumerate(SHOWN):
        y = TOP + HIGH * place
        colour = "white" if band is None else PALE
        axes.add_patch(Rectangle((LEFT, y), WIDE, HIGH, facecolor=colour, edgecolor=INK))
        name = "⋮" if band is None else say("program {number}", number=band)
        words(axes, LEFT + WIDE / 2, y + HIGH / 2, name, ha="center")
    words(axes, LEFT, 68, say("scores: {heads} heads,\n{length} words", heads=HEADS, length=LENGTH))
    words(
        axes,
        LEFT,
        TOP + deep + 26,
        say("{bands} blocks of\n{rows} queries", bands=BANDS, rows=ROWS),
    )


def _sms(axes, last: int) -> None:
    """The SMs, as in the picture of the GPU; one of them is dark."""
    x, y = CHIP
    for sm in range(SMS):
        corner = x + CELL * (sm % ACROSS), y + CELL * (sm // ACROSS)
        colour = WEIGHT if sm == NEAR else PALE
        axes.add_patch(Rectangle(corner, CELL - 2, CELL - 2, facecolor=colour, linewidth=0))
    words(axes, x, 68, say("{sms} SMs, drawn with\na program each", sms=SMS))
    bottom = y + CELL * (SMS // ACROSS)
    words(axes, x, bottom + 28, say(WAITING, first=SMS, last=last))


def _room(axes) -> None:
    """The frame of the enlarged SM, and the arrow that leads to it."""
    x, y, wide, high = ROOM
    right, top = CHIP[0] + CELL * (NEAR + 1) - 2, CHIP[1]
    arrow(axes, (right + 4, top + CELL / 2 - 1), (x - 4, top + CELL / 2 - 1))
    axes.add_patch(Rectangle((x, y), wide, high, facecolor="white", edgecolor=INK, linewidth=1.6))
    words(axes, x + 10, y + 20, say("program {number}", number=NEAR))


def _passing_by(axes) -> None:
    """Keys and values come in from above; the tile of scores that they make."""
    words(axes, ROOM[0], 46, say("all k and v of its head, tile by tile"))
    middle = TILE_X + SIDE / 2
    arrow(axes, (middle, 56), (middle, TILE_Y - 2 * THICK - 14))
    for up, name, colour in ((2, "k_tile", KEY), (1, "v_tile", VALUE)):
        _block(axes, (TILE_X, TILE_Y - up * (THICK + 5)), (SIDE, THICK), name, colour)
    _block(axes, (TILE_X, TILE_Y), (SIDE, 66), say("scores"), WEIGHT)
    words(axes, TILE_X + SIDE + 10, TILE_Y - THICK - 5, say("pass by"))
    words(axes, TILE_X + SIDE + 10, TILE_Y + 33, say("used and\nforgotten"))


def _staying(axes) -> None:
    """q_tile and the three sums, and the arrow of what leaves."""
    _block(axes, (ROOM[0] + 16, TILE_Y), (62, 66), "q_tile", QUERY)
    words(axes, ROOM[0] + 47, TILE_Y - 12, say("stays"), ha="center")
    for x, name, cells in zip(SUMS, ("largest", "total", "mixed"), (1, 1, 4), strict=True):
        colour, wide = (OUTPUT, 21) if cells > 1 else (INK, 48)
        for row in range(2):
            for cell in range(cells):
                corner = x + wide * cell, SUM_Y + DIGIT * row
                look = {"facecolor": "white", "edgecolor": colour}
                axes.add_patch(Rectangle(corner, wide, DIGIT, **look))
        words(axes, x + wide * cells / 2, SUM_Y - 13, say(name), ha="center", color=colour)
    words(axes, SUMS[2] + 94, SUM_Y + DIGIT, say("stay"))
    middle = SUMS[2] + 42
    arrow(axes, (middle, SUM_Y + 2 * DIGIT + 2), (middle, 362))
    words(axes, middle, 374, say("mixed / total leaves, once"), ha="center", color=OUTPUT)


def _block(axes, corner, size, name: str, colour: str) -> None:
    """A tile with its name in it."""
    axes.add_patch(Rectangle(corner, *size, facecolor=colour, linewidth=0))
    x, y = corner[0] + size[0] / 2, corner[1] + size[1] / 2
    words(axes, x, y, name, ha="center", color="white")
