"""One tile on the chip: whose scores it holds, what stays beside it, and where both loops lead.

show_one_tile()        # blocks of queries and of keys, the tile where two of them meet, three sums
"""

from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.pixels import arrow, new_pixels, words
from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, VALUE, WEIGHT
from course_lib.words import say

BLOCKS, NOW = 4, (1, 2)  # of queries as of keys; the tile on the chip: row, column
WIDE, HIGH, ROWS = 80, 48, 3  # of a tile, and how many queries a block has; pixels
LEFT, TOP, STRIP = 118, 112, 18  # the corner of the table, and how thick a strip is
CELL, KEPT = 56, (456, 520, 584)  # how wide a number is; where largest, total and mixed stand
ENTRIES = 4  # of a value, and so of each row of `mixed`
PALE, FAR = "#c9ced6", 8  # a tile that was forgotten; how far things stand off each other

TITLE = "Tile {now} of {tiles}: the {before} before it are used and forgotten"
ALT = (
    "4 by 4 tiles of scores, with q at the left, k and v above. Tile 7 is on the chip, where the "
    "second block of queries meets the third of keys; 1 to 6 are done. The inner loop leads right, "
    "the outer loop down. Beside the tile stand largest, total and mixed, a row for each query: "
    "one number, one number, e numbers."
)


def show_one_tile() -> None:
    """The tiles, the strips around them with an arrow for each loop, and what is kept."""
    before = NOW[0] * BLOCKS + NOW[1]
    title = say(TITLE, now=before + 1, tiles=BLOCKS**2, before=before)
    figure, axes = new_pixels(310, title, title_y=14)
    _tiles(axes)
    _strips(axes)
    _loops(axes)
    _sums(axes)
    show_figure(figure, say(ALT), colours=7)


def _tiles(axes) -> None:
    """The table, with the number of each tile in the order of the loops."""
    for row in range(BLOCKS):
        for column in range(BLOCKS):
            x, y, place = LEFT + WIDE * column, TOP + HIGH * row, (row, column)
            colour = PALE if place < NOW else WEIGHT if place == NOW else "white"
            axes.add_patch(Rectangle((x, y), WIDE, HIGH, facecolor=colour, edgecolor=INK))
            number = str(row * BLOCKS + column + 1)
            name = say("tile {number}", number=number) if place == NOW else number
            look = {"ha": "center", "color": "white" if place == NOW else INK}
            words(axes, x + WIDE / 2, y + HIGH / 2, name, **look)


def _strips(axes) -> None:
    """q at the side, k and v above, in blocks; the one on the chip is filled."""
    for name, colour, up in (("k", KEY, 2), ("v", VALUE, 1)):
        y = TOP - up * (STRIP + FAR)
        for block in range(BLOCKS):
            _block(axes, LEFT + WIDE * block, y, WIDE, STRIP, colour, block == NOW[1])
        words(axes, LEFT - FAR, y + STRIP / 2, name, ha="right", color=colour, fontweight="bold")
    x = LEFT - STRIP - FAR
    for block in range(BLOCKS):
        _block(axes, x, TOP + HIGH * block, STRIP, HIGH, QUERY, block == NOW[0])
    bottom = TOP + HIGH * BLOCKS - 4
    words(axes, x - FAR, bottom, "q", ha="right", color=QUERY, fontweight="bold")


def _loops(axes) -> None:
    """An arrow for each loop, along the strip whose blocks it takes."""
    y, x = TOP - 2 * STRIP - 3 * FAR - 2, LEFT - STRIP - 2 * FAR - 2
    arrow(axes, (LEFT, y), (LEFT + WIDE * BLOCKS, y))
    words(axes, LEFT + WIDE * BLOCKS + 10, y, say("inner loop"))
    arrow(axes, (x, TOP), (x, TOP + HIGH * BLOCKS - 16))
    words(axes, x - 10, TOP + HIGH * BLOCKS / 2, say("outer\nloop"), ha="right")


def _sums(axes) -> None:
    """largest, total and mixed, in the rows of the tile's queries."""
    y, tall = TOP + HIGH * NOW[0], HIGH / ROWS
    for x, name, cells in zip(KEPT, ("largest", "total", "mixed"), (1, 1, ENTRIES), strict=True):
        colour, wide = (OUTPUT, CELL / 2) if cells > 1 else (INK, CELL)
        for row in range(ROWS):
            for cell in range(cells):
                corner = x + wide * cell, y + tall * row
                look = {"facecolor": "white", "edgecolor": colour}
                axes.add_patch(Rectangle(corner, wide, tall, **look))
        words(axes, x + wide * cells / 2, y - 12, say(name), ha="center", color=colour)
    words(axes, KEPT[0], y + HIGH + 28, say("kept on the chip: a row\nfor each query of the block"))


def _block(axes, x, y, wide, high, colour, filled: bool) -> None:
    face = colour if filled else "white"
    axes.add_patch(Rectangle((x, y), wide, high, facecolor=face, edgecolor=colour))
