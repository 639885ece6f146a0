"""A whole transformer with pre-LN blocks, and beside it the inside of its multi-head attention.

draw_transformer(figure)
"""

from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.figures.boxes import HALF, draw_arrow, draw_box, draw_sum
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE
from course_lib.words import say


def draw_transformer(figure):
    """Left from tokens to the next token, right from x to what the heads have gathered."""
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
    for axes in (left, right):
        axes.axis("off")
    _draw_whole(left)
    _draw_heads(right)
    return left, right


def _draw_whole(axes) -> None:
    axes.set(xlim=(-2.6, 2.6), ylim=(-0.6, 12.6))
    axes.set_title(say("a transformer"))
    rows = {
        0: ("tokens + places", FAINT), 2.3: ("norm", GHOST), 3.4: ("multi-head attention", INK),
        6.3: ("norm", GHOST), 7.4: ("MLP", INK), 10.2: ("norm", GHOST), 11.3: ("next token", FAINT),
    }  # fmt: skip
    axes.add_patch(
        Rectangle((-2.45, 1.1), 4.85, 8.2, facecolor="none", edgecolor=GHOST, linestyle="--")
    )
    axes.text(-2.3, 8.85, say("block,\nN times"), fontsize=SMALL, va="top")
    for y, (name, colour) in rows.items():
        draw_box(axes, 0, y, say(name), colour=colour, width=3.5)
    for y in (4.6, 8.6):
        draw_sum(axes, 0, y)
    ups = ((0, 2.3), (2.3, 3.4), (3.4, 4.6), (4.6, 6.3), (6.3, 7.4), (7.4, 8.6), (8.6, 10.2),
           (10.2, 11.3))  # fmt: skip
    for low, high in ups:
        draw_arrow(axes, (0, low + HALF), (0, high - HALF))
    for low, high in ((1.5, 4.6), (5.5, 8.6)):
        draw_arrow(axes, (0, low), (0.27, high), (2.1, low), (2.1, high))
    draw_arrow(axes, (0, 11.3 + HALF), (0, 12.4))


def _draw_heads(axes) -> None:
    axes.set(xlim=(-3.1, 3.1), ylim=(-0.6, 12.6))
    axes.set_title(say("its multi-head attention"))
    places = ((-1.95, "Q", QUERY), (0, "K", KEY), (1.95, "V", VALUE))
    axes.text(0, -0.15, "x", ha="center", va="center", fontsize=13)
    for x, name, colour in places:
        draw_arrow(axes, (0, 0.2), (x, 1.5 - HALF), (0, 0.6), (x, 0.6))
        draw_box(axes, x, 1.5, f"$W_{name}$", width=1.5, colour=colour)
        draw_arrow(axes, (x, 1.5 + HALF), (x, 3.3 - HALF))
        draw_box(axes, x, 3.3, say("split"), width=1.5, colour=GHOST)
    for shift in (0.36, 0.18, 0):
        axes.add_patch(
            FancyBboxPatch(
                (-2.75 + shift, 5.0 + shift), 5.1, 1.6, facecolor="white", edgecolor=OUTPUT,
                boxstyle="round,pad=0,rounding_size=0.12", linewidth=1.6, zorder=2,
            )
        )  # fmt: skip
    axes.text(-0.2, 5.8, say("attention, once in each\nof h heads"), ha="center", va="center",
              fontsize=SMALL, zorder=3)  # fmt: skip
    for x, _, _ in places:
        draw_arrow(axes, (x, 3.3 + HALF), (x, 5.0))
    draw_arrow(axes, (0, 6.96), (0, 8.4 - HALF))
    draw_box(axes, 0, 8.4, say("merge"), width=2.6, colour=GHOST)
    draw_arrow(axes, (0, 8.4 + HALF), (0, 10.2 - HALF))
    draw_box(axes, 0, 10.2, "$W_O$", width=2.6, colour=OUTPUT)
    draw_arrow(axes, (0, 10.2 + HALF), (0, 12.0))
