"""Heads at fixed width: what stays and what grows."""

import numpy as np
from matplotlib.patches import Rectangle

from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, TEXT
from course_lib.measures.head_cost import HEADS, head_cost
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options, Toggle
from course_lib.words import say

WIDTH, HEAD_WIDTH = 512, 64
FULL = HEADS[-1] * HEAD_WIDTH // WIDTH  # squares, when 64 heads keep their width
ACROSS = 4  # squares in a row
WALL = 8  # tables in a row
SLOT = 0.9  # the room of a table, of the way to the next
MOST_WORDS = 1024
PALE, PALER = "#a9c7e3", "#dbe8f3"  # columns of every second head


def fixed_width(*, heads, words, keep_width) -> dict:
    """Learned numbers, operations and scores of a layer 512 wide; also as times the start's."""
    counts = head_cost(words, WIDTH, heads)
    parameters, flops = counts.parameters, counts.flops
    if keep_width:  # heads of 64 columns each, however many: all matrices grow with them
        factor = heads * HEAD_WIDTH / WIDTH
        parameters, flops = round(factor * parameters), round(factor * flops)
    first = head_cost(1024, WIDTH, 1)
    return {
        "heads": heads,
        "words": words,
        "width": HEAD_WIDTH if keep_width else WIDTH // heads,
        "kept": keep_width,
        "parameters": parameters,
        "gflop": flops / 1e9,
        "mib": counts.scores * 4 / 2**20,
        "times": np.array(
            [parameters / first.parameters, flops / first.flops, counts.scores / first.scores]
        ),
    }


def _counts_in_words(data) -> list[str]:
    return [
        say("{count:,} learned numbers", count=data["parameters"]),
        say("{gflop:.3g} billion operations", gflop=data["gflop"]),
        say("{mib:.4g} MiB of scores", mib=data["mib"]),
    ]


def draw_fixed_width(figure, data) -> Drawing:
    """Left the columns of W_Q, cut into heads; right a wall with a table of scores for each."""
    title = figure.headline(_finding(data))
    left, right = figure.subplots(1, 2, width_ratios=(1.5, 1))
    slices, columns = _draw_columns(left), left.set_title("", fontweight="normal", fontsize=TEXT)
    tables, walled = (
        _draw_wall(right, data),
        right.set_title("", fontweight="normal", fontsize=TEXT),
    )

    def update(data) -> None:
        numbers, operations, _ = _counts_in_words(data)
        title.set_text(_finding(data))
        columns.set_text(f"{numbers}\n{operations}")
        walled.set_text(say("{count} of scores,\n{mib:.4g} MiB", count=_tables(data["heads"]),
                            mib=data["mib"]))  # fmt: skip
        for i, one in enumerate(slices):
            x, y = _slot(i * data["width"])
            one.set_bounds(x, y, data["width"] / WIDTH, 1)
            one.set_visible(i < data["heads"])
            one.set_facecolor(QUERY if i == data["heads"] - 1 else (PALER, PALE)[i % 2])
        for i, one in enumerate(tables):
            one.set_visible(i < data["heads"])
            one.set_width(_side(data["words"])), one.set_height(_side(data["words"]))

    return Drawing(update, moving=[title, columns, walled, *slices, *tables])


def _slot(column: int) -> tuple[float, float]:
    """Where a column stands: squares of 512 columns, four in a row."""
    square, inside = divmod(column, WIDTH)
    return 1.15 * (square % ACROSS) + inside / WIDTH, 1.35 * (square // ACROSS)


def _draw_columns(axes) -> list:
    axes.set(xlim=(-0.1, 4.55), ylim=(3.1, -0.15), aspect="equal", label="columns")
    axes.axis("off")
    for square in range(FULL):
        axes.add_patch(Rectangle(_slot(square * WIDTH), 1, 1, fill=False, edgecolor=FAINT))
    axes.text(
        0, 2.42, say("a square: 512 columns of $W_Q$\nblue: those of the last head"), va="top"
    )
    return [axes.add_patch(Rectangle((0, 0), 1, 1, linewidth=0)) for _ in range(HEADS[-1])]


def _draw_wall(axes, data) -> list:
    axes.set(xlim=(-0.15, WALL + 0.1), ylim=(WALL + 0.9, -0.15), aspect="equal", label="wall")
    axes.axis("off")
    corners = [(i % WALL, i // WALL) for i in range(HEADS[-1])]
    for corner in corners:
        axes.add_patch(Rectangle(corner, SLOT, SLOT, fill=False, edgecolor=FAINT, linewidth=0.8))
    tables = [axes.add_patch(Rectangle(corner, 0, 0, color="#5a5a5a", linewidth=0))
              for corner in corners]  # fmt: skip
    side = _side(data["words"])
    axes.add_patch(
        Rectangle((-0.08, -0.08), side + 0.1, side + 0.1, fill=False, edgecolor=KEY,
                  linestyle=(0, (3, 2)), linewidth=1.6, zorder=3, clip_on=False)
    )  # fmt: skip
    axes.text(0, WALL + 0.55, say("dashed: 1 head on 1024 words"), va="center", fontsize=SMALL)
    return tables


def _side(words: int) -> float:
    """How wide a table is drawn, so that its slot has a margin."""
    return SLOT * words / MOST_WORDS


def _tables(heads: int) -> str:
    return say("1 table") if heads == 1 else say("{heads} tables", heads=heads)


def _finding(data) -> str:
    numbers, _, scores = data["times"]
    heads = say("1 head") if data["heads"] == 1 else say("{h} heads", h=data["heads"])
    if numbers == scores == 1 and data["heads"] == 1:
        return say("1 head on 1024 words, to compare with")
    if numbers == 1 and data["heads"] > 1:
        return say("{heads} against 1: as many numbers, {scores:.3g} times the scores",
                   heads=heads, scores=scores)  # fmt: skip
    if numbers == 1:
        return say("{heads}: as many learned numbers, {scores:.3g} times the scores",
                   heads=heads, scores=scores)  # fmt: skip
    return say("{heads}: {numbers:.3g} times the numbers, {scores:.3g} times the scores",
               heads=heads, numbers=numbers, scores=scores)  # fmt: skip


def _heads_in_words(data) -> str:
    if data["heads"] == 1:
        return say("1 head, {width} wide", width=data["width"])
    return say("{heads} heads, each {width} wide", heads=data["heads"], width=data["width"])


def describe_fixed_width(params, data) -> str:
    """The picture in words."""
    return say(
        "{heads}, {words} words: {counts}.", heads=_heads_in_words(data), words=params["words"],
        counts=", ".join(_counts_in_words(data)),
    )  # fmt: skip


def _cut(data) -> tuple:
    """The left edge of the last head; where each keeps its width, its right edge."""
    if not data["kept"]:
        return "columns", 1 - data["width"] / WIDTH, 0.5
    x, y = _slot((data["heads"] - 1) * data["width"])
    return "columns", x + data["width"] / WIDTH, y + 0.5


def _heads_at(xy, params) -> dict:
    """How many heads there are, if the edge is drawn to xy."""
    if not params["keep_width"]:
        wide = min(max(1 - xy[0], 1 / HEADS[-1]), 1.0)
        return {"heads": min(HEADS, key=lambda h: abs(np.log(h * wide)))}
    edges = {h: _cut({"heads": h, "kept": True, "width": HEAD_WIDTH})[1:] for h in HEADS}
    return {"heads": min(HEADS, key=lambda h: np.hypot(*np.subtract(edges[h], xy)))}


explore_fixed_width = Explorer(
    fixed_width,
    draw_fixed_width,
    describe_fixed_width,
    sliders={
        "heads": Options(list(HEADS), start=16, label="heads h"),
        "words": IntRange(128, MOST_WORDS, start=1024, step=128, label="words n"),
        "keep_width": Toggle(start=False, label="each head stays 64 wide"),
    },
    handles={
        "cut": Handle(
            at=_cut, to=_heads_at, moves=("heads",), label="the edge of the last head", colour=QUERY
        ),
        "corner": Handle(
            at=lambda data: ("wall", *[_side(data["words"])] * 2),
            to=lambda xy, params: {"words": MOST_WORDS * sum(xy) / (2 * SLOT)},
            moves=("words",),
            label="the corner of a table of scores",
            colour=INK,
        ),
    },
    numbers=lambda params, data: [
        (text, say("{times:.3g} times", times=times))
        for text, times in zip(_counts_in_words(data), data["times"], strict=True)
    ],
    size=(7.0, 3.8),
    colours=8,
    goal=Goal(
        "Find more than one head whose scores take no more memory than those of 1 head on 1024 "
        "words (the dashed square).",
        lambda params, data: data["heads"] > 1 and data["times"][2] <= 1,
        solution={"heads": 4, "words": 512},
    ),
)
