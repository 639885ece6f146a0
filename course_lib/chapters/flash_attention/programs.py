"""Which program has which block of queries, and on which SM of the chip it runs.

show_programs()        # tables in blocks of queries, and the SMs that they run on
"""

from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.explorers.gpu import ACROSS, HEADS, PALE, ROWS, SMS
from course_lib.chapters.flash_attention.pixels import arrow, new_pixels, words
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, SMALL, VALUE
from course_lib.words import say

LENGTH = 4096
BANDS = LENGTH // ROWS  # of one head: a program each
SHOWN = (0, 1, 2, None, BANDS - 1)  # of the front table; None: those between
WIDE, HIGH, SHEET = 140, 45, 9  # of a band, and how far a table behind stands off; pixels
LEFT, TOP = 8, 86  # the corner of the front table
CELL, TALL, CHIP = 33, 21, (300, 68)  # how large an SM is, and the corner of the first

TITLE = "{length} words, {heads} heads: {programs} programs for {sms} SMs"
WAITING = "{first} to {last} wait; an SM that is done takes the next"
ALT = (
    "Left, the tables of scores of {heads} heads; the first is cut into {bands} blocks of {rows} "
    "queries: program 0 to program {last}. Right, the {sms} SMs of the chip, with one of the "
    "first {sms} programs in each. Programs {sms} to {final} wait; an SM that is done "
    "takes the next. All keys and values of its head pass by there."
)


def show_programs() -> None:
    """The blocks of the tables, the SMs of the chip, and what passes by in each of them."""
    title = say(TITLE, length=LENGTH, heads=HEADS, programs=HEADS * BANDS, sms=SMS)
    figure, axes = new_pixels(390, title)
    _tables(axes)
    _sms(axes)
    arrow(axes, (LEFT + WIDE + 28, 180), (CHIP[0] - 12, 180))
    middle = (LEFT + WIDE + CHIP[0]) / 2 + 9
    words(axes, middle, 152, say("each program\non one SM"), ha="center")
    _passing_by(axes)
    show_figure(
        figure,
        say(ALT, heads=HEADS, bands=BANDS, last=BANDS - 1, rows=ROWS, sms=SMS,
            final=HEADS * BANDS - 1),
        colours=6,
    )  # fmt: skip


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
    words(axes, LEFT, TOP - 2.9 * SHEET - 8, say("the scores of {heads} heads", heads=HEADS))
    words(axes, LEFT, TOP + deep + 16, say("in blocks of {rows} queries", rows=ROWS))


def _sms(axes) -> None:
    """The SMs, as in the picture of the GPU; some have their program's number."""
    x, y = CHIP
    for sm in range(SMS):
        corner = x + CELL * (sm % ACROSS), y + TALL * (sm // ACROSS)
        axes.add_patch(Rectangle(corner, CELL - 2, TALL - 2, facecolor=PALE, linewidth=0))
        if sm < ACROSS or sm == SMS - 1:  # enough to see how it goes on
            words(axes, corner[0] + CELL / 2 - 1, corner[1] + TALL / 2 - 1, str(sm), "center")
    words(axes, x, y - 14, say("the first {sms} programs, one in each SM", sms=SMS))
    last = HEADS * BANDS - 1
    words(axes, x + CELL * ACROSS - 2, 372, say(WAITING, first=SMS, last=last), ha="right")


def _passing_by(axes) -> None:
    """Keys and values as two strips, with an arrow into the SMs."""
    y = CHIP[1] + TALL * (SMS // ACROSS) + 34
    for x, colour, name in ((CHIP[0], KEY, "k"), (CHIP[0] + 36, VALUE, "v")):
        axes.add_patch(Rectangle((x, y - 11), 32, 22, color=colour))
        axes.text(
            x + 16, y, name, color="white", fontweight="bold", fontsize=SMALL,
            ha="center", va="center",
        )  # fmt: skip
    arrow(axes, (CHIP[0] + 34, y - 13), (CHIP[0] + 34, y - 34))
    words(axes, CHIP[0] + 78, y, say("all keys and values of its head pass by"))
