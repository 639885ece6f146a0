"""How a table of queries is cut into heads, and how the heads are joined again.

draw_split_and_merged(figure, q)      # q (3, 4): three words, two heads of two columns each

Each head has a tint of its own: its columns of W_Q and of Q, its band with its strips of K and V,
its columns of what is joined, and its rows of W_O. The keys are KEYS below, for weights of nearly 0
or 1, so that no shade is taken for a tint. The values are VALUES: what arrives says where it was
taken, its first digit the word and its second the column. The row of the last word is framed.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.figures.boxes import draw_arrow
from course_lib.figures.heat_map import WEIGHTS
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.words import say

TINTS = ("#f7e6b5", "#c3dbf5", "#ecd3dc")  # of head 0, head 1 and, where there is one, head 2
KEYS = np.sqrt(2) * np.array([[-16.0, 12, -2, 1.6], [-4, 4, 0, 0], [16, -12, 2, -2]])
VALUES = np.array([[11.0, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34]])  # word, column
LOOKS_AT = ("the word itself", "one back (word 1: itself)")  # where each head looks
UPPER, LOWER = 0.0, 7.8  # where the tables of the two heads begin
FOOT = 4.95  # from the top of a head's tables to the foot of its band
LEFT, BAND = 0.0, 7.5  # where Q begins, and the band of a head
WIDE, NARROW, TINY = 1.25, 0.8, 0.65  # of a cell with a number, without, and of X, W_Q and W_O
ASKS = BAND + 0.4  # then the tables of a band, from left to right
OFFERS = ASKS + 2 * WIDE + 0.5
LOOKS = OFFERS + 2 * NARROW + 1.4
HOLDS = LOOKS + 3 * NARROW + 0.9
HEARD = HOLDS + 2 * WIDE + 0.9
BAND_END = HEARD + 2 * WIDE + 0.4
JOINED = BAND_END + 1.6
MIXES = JOINED + 4 * WIDE + 0.9
END = MIXES + 4 * TINY


@dataclass(frozen=True)
class Table:
    """A small table of cells: where its corner is, how many cells, how wide they are."""

    x: float
    y: float
    rows: int
    columns: int
    wide: float = 1.0
    high: float = 1.0

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.columns * self.wide

    @property
    def middle(self) -> float:
        """Half way down."""
        return self.y + self.rows * self.high / 2

    @property
    def foot(self) -> float:
        """Its lower edge."""
        return self.y + self.rows * self.high


def draw_split_and_merged(figure, q):
    """X times W_Q is Q; then the two heads, what they gathered side by side, W_O, the output.

    Shapes: q (3, 4).   Returns the axes.
    """
    axes = figure.subplots()
    axes.set(xlim=(LEFT - 0.3, END + 0.2), ylim=(LOWER + FOOT, -2.35), aspect="equal")
    axes.axis("off")
    q = np.asarray(q, dtype=float)
    whole = Table(LEFT + 0.35, LOWER - 0.7, 3, 4, WIDE)
    joined = Table(JOINED, UPPER, 3, 4, WIDE)
    _cells(axes, whole, [[TINTS[0]] * 2 + [TINTS[1]] * 2] * 3, q, QUERY)
    _named(axes, whole, "$Q$", "(3, 4)", QUERY)
    _draw_projection(axes, whole)
    heard = []
    for head, top in enumerate((UPPER, LOWER)):
        own = slice(2 * head, 2 * head + 2)
        heard.append(_draw_head(axes, head, top, q[:, own], KEYS[:, own], VALUES[:, own]))
        draw_arrow(axes, (whole.right + 0.1, whole.middle), (BAND - 0.1, top + 1.5))
        draw_arrow(axes, (BAND_END + 0.1, top + 1.5), (joined.x - 0.15, joined.middle))
    _word(axes, BAND - 1.15, whole.foot + 0.5, say("split"))
    _cells(axes, joined, [[TINTS[0]] * 2 + [TINTS[1]] * 2] * 3, np.hstack(heard))
    _named(axes, joined, say("merged"), "(3, 4)", INK)
    output = _draw_mixing(axes, joined)
    for table in (whole, joined, output):
        _frame_last_row(axes, table)
    return axes


def _draw_head(axes, head: int, top: float, queries, keys, values) -> np.ndarray:
    """A band with the strips of one head, its weights and what it gathered, which is returned."""
    band = FancyBboxPatch((BAND, top - 2.25), BAND_END - BAND, 2.05 + FOOT, facecolor=TINTS[head],
                          edgecolor="none", boxstyle="round,pad=0,rounding_size=0.4",
                          alpha=0.45, zorder=0)  # fmt: skip
    axes.add_patch(band)
    asks, offers = Table(ASKS, top, 3, 2, WIDE), Table(OFFERS, top, 3, 2, NARROW)
    looks = Table(LOOKS, top, 3, 3, NARROW)
    holds, heard = Table(HOLDS, top, 3, 2, WIDE), Table(HEARD, top, 3, 2, WIDE)
    weights, tint = _weights(queries, keys), [[TINTS[head]] * 2] * 3
    gathered = (weights @ values).round()
    _cells(axes, asks, tint, queries, QUERY)
    _cells(axes, offers, tint, edge=KEY)
    _cells(axes, looks, WEIGHTS(weights))
    _cells(axes, holds, tint, values, VALUE)
    _cells(axes, heard, tint, gathered)
    for table, name, colour in (
        (asks, f"$Q_{head}$", QUERY), (offers, f"$K_{head}$", KEY), (looks, say("weights"), INK),
        (holds, f"$V_{head}$", VALUE), (heard, say("output"), INK),
    ):  # fmt: skip
        _word(axes, (table.x + table.right) / 2, top - 0.6, name, color=colour)
    name = _word(
        axes, ASKS, top - 1.65, say("head {head}:", head=head), ha="left", fontweight="bold"
    )
    axes.annotate(say(LOOKS_AT[head]), (1, 0), (5, 0), xycoords=name, va="bottom",
                  textcoords="offset points", fontsize=SMALL)  # fmt: skip
    _draw_softmax(axes, head, asks, offers, looks)
    _word(axes, holds.x - 0.4, holds.middle, "·", fontsize=16)
    _word(axes, heard.x - 0.45, heard.middle, "=")
    for table in (asks, looks, heard):
        _frame_last_row(axes, table)
    return gathered


def _draw_softmax(axes, head: int, asks: Table, offers: Table, looks: Table) -> None:
    """What the strips of Q and K do together, below both, and an arrow to the weights."""
    foot = asks.foot + 0.35
    axes.plot([asks.x, asks.x, offers.right, offers.right], [foot - 0.2, foot, foot, foot - 0.2],
              color=INK, linewidth=1.2)  # fmt: skip
    product = f"$Q_{head} K_{head}^T / \\sqrt{{d}}$"
    _word(axes, asks.x, foot + 0.85, say("softmax of {product}", product=product), ha="left")
    draw_arrow(axes, (offers.right + 0.15, offers.middle), (looks.x - 0.15, looks.middle))


def _draw_projection(axes, whole: Table) -> None:
    """Above Q, the words and W_Q, whose columns have the tints of the heads that get them."""
    words = Table(LEFT + 0.1, 0.0, 3, 4, TINY, TINY)
    mixes = Table(words.right + 0.9, 0.0, 4, 4, TINY, TINY)
    _cells(axes, words, [["white"] * 4] * 3)
    _cells(axes, mixes, [[TINTS[0]] * 2 + [TINTS[1]] * 2] * 4)
    _word(axes, (words.right + mixes.x) / 2, words.middle, "·", fontsize=16)
    for table, name in ((words, "$X$"), (mixes, "$W_Q$")):
        _named(axes, table, name, f"({table.rows}, {table.columns})", INK)
    x = (whole.x + whole.right) / 2
    draw_arrow(axes, (x, mixes.foot + 0.6), (x, whole.y - 1.25))
    _word(axes, x - 0.45, (mixes.foot + whole.y) / 2 - 0.3, say("K, V too"), ha="right")


def _draw_mixing(axes, joined: Table) -> Table:
    """Beside what is merged W_O, whose rows have the tints of the heads that meet them, and below
    both the output: its table.
    """
    mixes = Table(MIXES, joined.middle - 2 * TINY, 4, 4, TINY, TINY)
    x = (joined.x + mixes.right) / 2
    output = Table(x - 2 * TINY, LOWER - 0.1, 3, 4, TINY, TINY)
    _cells(axes, mixes, [[TINTS[0]] * 4] * 2 + [[TINTS[1]] * 4] * 2)
    _cells(axes, output, [["white"] * 4] * 3, edge=OUTPUT)
    _word(axes, MIXES - 0.45, mixes.middle, "·", fontsize=16)
    _named(axes, mixes, "$W_O$", "(4, 4)", INK)
    _named(axes, output, say("output"), "(3, 4)", OUTPUT)
    draw_arrow(axes, (x, joined.foot + 0.6), (x, output.y - 1.25))
    return output


def _frame_last_row(axes, table: Table) -> None:
    """A dark frame around the row of the last word."""
    corner, wide = (table.x, table.foot - table.high), table.right - table.x
    axes.add_patch(Rectangle(corner, wide, table.high, fill=False, edgecolor=INK, linewidth=1.8,
                             zorder=4))  # fmt: skip


def _cells(axes, table: Table, fills, numbers=None, ink=INK, edge=GHOST) -> None:
    for i in range(table.rows):
        for j in range(table.columns):
            corner = (table.x + j * table.wide, table.y + i * table.high)
            axes.add_patch(Rectangle(corner, table.wide, table.high, facecolor=to_rgba(fills[i][j]),
                                     edgecolor=edge,
                                     linewidth=1.0, zorder=2))  # fmt: skip
            if numbers is not None:
                x, y = corner[0] + table.wide / 2, corner[1] + 0.5
                _word(axes, x, y, f"{numbers[i][j]:g}", color=ink)


def _named(axes, table: Table, name: str, shape: str, colour: str) -> None:
    """Its name above a table, its shape below it."""
    x = (table.x + table.right) / 2
    _word(axes, x, table.y - 0.65, name, color=colour, fontweight="bold")
    _word(axes, x, table.foot + 0.65, shape)


def _word(axes, x: float, y: float, text: str, **look):
    look = {"ha": "center", "fontsize": SMALL, **look}
    return axes.text(x, y, text, va="center", zorder=3, **look)


def _weights(queries, keys) -> np.ndarray:
    scores = np.exp(np.asarray(queries) @ keys.T / np.sqrt(keys.shape[1]))
    return scores / scores.sum(axis=1, keepdims=True)
