"""The parts of the model from top to bottom, and the chapter in which each is written.

draw_road_map(new_figure(7.0, 5.4).subplots())
"""

from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch

from course_lib.figures.theme import FAINT, INK, OUTPUT, QUERY, SMALL, TEXT
from course_lib.words import say

PARTS = (  # what happens; the chapters in which it is written, none where it is given
    ("letters and places become vectors", (6,)),
    ("queries, keys and values are made", (5,)),
    ("scores: each query meets each key", (1, 2)),
    ("the scores are scaled", (3,)),
    ("later letters are hidden", (6,)),
    ("scores become weights", (4,)),
    ("the weights mix the values", (1,)),
    ("heads side by side make a block", (7,)),
    ("a score for each letter", ()),
)
NAMES = {
    1: "Dot product", 2: "Cosine or dot product?", 3: "Scaling", 4: "Softmax",
    5: "Queries, keys, values", 6: "Masks and positions", 7: "Multi-head attention",
    8: "FlashAttention",
}  # fmt: skip
ONE_HEAD = (1, 6)  # the first and the last part of a head
FAST = (2, 6)  # what chapter 8 computes in tiles
BESIDE = 5  # the row whose chapter has the shortest name: there is room for that of chapter 8
BOX, RIGHT, STEP = 3.75, 4.35, 0.6  # inches: width of a box, where the chapters stand, a row


def draw_road_map(axes) -> None:
    """A box for each part, and beside it the number and the name of its chapter."""
    axes.set(xlim=(-0.15, 7.75), ylim=(-STEP * len(PARTS) + 0.1, 0.45), aspect="equal")
    axes.set_axis_off()
    top, bottom = (-STEP * row for row in ONE_HEAD)
    axes.add_patch(
        FancyBboxPatch(
            (-0.1, bottom - 0.29), BOX + 0.3, top - bottom + 0.58, facecolor="#eef4fa",
            edgecolor=FAINT, boxstyle="round,pad=0,rounding_size=0.1", zorder=0,
        )
    )  # fmt: skip
    for row, (part, chapters) in enumerate(PARTS):
        _part(axes, -STEP * row, say(part), chapters, row == len(PARTS) - 1)
    _fast(axes)


def _part(axes, y: float, part: str, chapters: tuple[int, ...], last: bool) -> None:
    axes.add_patch(
        FancyBboxPatch((0.05, y - 0.21), BOX - 0.05, 0.42, facecolor="white", edgecolor="#666666",
                       boxstyle="round,pad=0,rounding_size=0.08", zorder=2)
    )  # fmt: skip
    axes.text(0.2, y, part, va="center", fontsize=SMALL, color=INK, zorder=3)
    if not last:
        axes.add_patch(
            FancyArrowPatch((BOX / 2, y - 0.2), (BOX / 2, y - STEP + 0.2), color="#666666",
                            arrowstyle="-|>", mutation_scale=10, shrinkA=0, shrinkB=0, zorder=3)
        )  # fmt: skip
    for place, chapter in enumerate(chapters):
        _badge(axes, RIGHT + 0.5 * place, y, chapter, QUERY)
    name = say(NAMES[chapters[-1]]) if chapters else say("given")
    axes.text(RIGHT + 0.5 * max(len(chapters) - 1, 0) + 0.27, y, name, va="center", fontsize=SMALL)


def _badge(axes, x: float, y: float, chapter: int, color: str) -> None:
    axes.add_patch(Circle((x, y), 0.19, facecolor=color, edgecolor="none", zorder=3))
    axes.text(x, y - 0.01, f"{chapter}", ha="center", va="center", color="white", fontsize=TEXT,
              fontweight="bold", zorder=4)  # fmt: skip


def _fast(axes) -> None:
    """A bracket at the right edge around what chapter 8 makes fast."""
    top, bottom = -STEP * FAST[0] + 0.2, -STEP * FAST[1] - 0.2
    axes.plot([7.3, 7.4, 7.4, 7.3], [top, top, bottom, bottom], color=OUTPUT, linewidth=1.5)
    y = -STEP * BESIDE
    axes.text(7.1, y, say(NAMES[8]), ha="right", va="center", fontsize=SMALL, color=OUTPUT)
    _badge(axes, 7.4, y, 8, OUTPUT)
