"""How a table of queries is cut into heads, and how the heads are joined again.

draw_split_and_merged(figure, q)      # q (3, 4): three words, two heads of two columns each

Each head has a tint of its own: its columns of W_Q and of Q, its band, its columns of what is
joined, and its rows of W_O. Keys and values are cut alike; here they come in as words, and the
weights are those of KEYS below: nearly 0 or 1, so that no shade is taken for a tint.
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
KEYS = np.array([[-16.0, 12, -2, 1.6], [-4, 4, 0, 0], [16, -12, 2, -2]])  # itself; the one before
UPPER, LOWER = 0.0, 6.3  # where the tables of the two heads begin
MIDDLE = (UPPER + LOWER + 3) / 2
LEFT, BAND = 0.0, 8.0  # where Q begins, and the band of a head
QUERIES, LOOKS, HEARD = BAND + 0.4, BAND + 4.9, BAND + 9.7  # the three tables in a band
BAND_END = HEARD + 2.4
NARROW = 0.85  # of a cell without a number
TINY = 0.62  # of a cell of X and W_Q
JOINED = BAND_END + 2.3
MIXES = JOINED + 4 * NARROW + 1.0
OUTPUTS = MIXES + 4 * NARROW + 1.0


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
    axes.set(
        xlim=(LEFT - 0.3, OUTPUTS + 4 * NARROW + 0.2), ylim=(LOWER + 4.15, -1.25), aspect="equal"
    )
    axes.axis("off")
    q = np.asarray(q, dtype=float)
    whole = Table(LEFT + 0.35, 6.2, 3, 4, 1.25)
    joined = Table(JOINED, MIDDLE - 1.5, 3, 4, NARROW)
    _cells(axes, whole, [[TINTS[0]] * 2 + [TINTS[1]] * 2] * 3, q, QUERY)
    _named(axes, whole, "$Q$", "(3, 4)", QUERY)
    _draw_projection(axes, whole)
    for head, top in enumerate((UPPER, LOWER)):
        _draw_head(axes, head, top, q[:, 2 * head : 2 * head + 2])
        start, end = (whole.right + 0.1, whole.middle), (BAND - 0.1, top + 1.5)
        draw_arrow(axes, start, end)
        draw_arrow(axes, (BAND_END + 0.1, top + 1.5), (JOINED - 0.15, joined.middle))
    _word(axes, BAND - 1.1, whole.y + 0.4, say("split"))
    _draw_what_comes_in(axes)
    _cells(axes, joined, [[TINTS[0]] * 2 + [TINTS[1]] * 2] * 3)
    _named(axes, joined, say("merged"), "(3, 4)", INK)
    _draw_mixing(axes)
    return axes


def _draw_head(axes, head: int, top: float, queries) -> None:
    """A band with one head's queries, its weights and what it gathered."""
    band = FancyBboxPatch((BAND, top - 1.2), BAND_END - BAND, 5.3, facecolor=TINTS[head],
                          edgecolor="none", boxstyle="round,pad=0,rounding_size=0.4",
                          alpha=0.45, zorder=0)  # fmt: skip
    axes.add_patch(band)
    asks = Table(QUERIES, top, 3, 2, 1.25)
    looks, heard = Table(LOOKS, top, 3, 3), Table(HEARD, top, 3, 2)
    _cells(axes, asks, [[TINTS[head]] * 2] * 3, queries, QUERY)
    shades = WEIGHTS(_weights(queries, KEYS[:, 2 * head : 2 * head + 2]))
    _cells(axes, looks, shades)
    _cells(axes, heard, [[TINTS[head]] * 2] * 3)
    for table, name in ((asks, say("head {i}", i=head)), (looks, say("weights")),
                        (heard, say("output"))):  # fmt: skip
        look = {"fontweight": "bold"} if table is asks else {}
        _word(axes, (table.x + table.right) / 2, top - 0.6, name, **look)
    for one, other in ((asks, looks), (looks, heard)):
        draw_arrow(axes, (one.right + 0.15, one.middle), (other.x - 0.15, other.middle))


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


def _draw_what_comes_in(axes) -> None:
    """Keys before the weights, values behind them, in each head its own."""
    for left, right, name, colour in (
        (QUERIES + 2.5, LOOKS, say("its keys"), KEY),
        (LOOKS + 3, HEARD, say("its values"), VALUE),
    ):
        x = (left + right) / 2
        for top in (UPPER, LOWER):  # a label in each band: no head shares them
            _word(axes, x, top + 3.6, name, color=colour, fontweight="bold")
            axes.annotate("", (x, top + 1.65), (x, top + 3.2),
                          arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.3,
                                      "shrinkA": 0, "shrinkB": 0})  # fmt: skip


def _draw_mixing(axes) -> None:
    """Times W_O, whose rows have the tints of the heads that meet them, is the output."""
    mixes = Table(MIXES, MIDDLE - 2, 4, 4, NARROW)
    output = Table(OUTPUTS, MIDDLE - 1.5, 3, 4, NARROW)
    _cells(axes, mixes, [[TINTS[0]] * 4] * 2 + [[TINTS[1]] * 4] * 2)
    _cells(axes, output, [["white"] * 4] * 3, edge=OUTPUT)
    _word(axes, MIXES - 0.5, MIDDLE, "·", fontsize=16)
    _word(axes, OUTPUTS - 0.5, MIDDLE, "=")
    _named(axes, mixes, "$W_O$", "(4, 4)", INK)
    _named(axes, output, say("output"), "(3, 4)", OUTPUT)


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


def _word(axes, x: float, y: float, text: str, **look) -> None:
    axes.text(x, y, text, ha="center", va="center", zorder=3, **{"fontsize": SMALL, **look})


def _weights(queries, keys) -> np.ndarray:
    scores = np.exp(np.asarray(queries) @ keys.T)
    return scores / scores.sum(axis=1, keepdims=True)
