"""What stays in memory."""

import numpy as np

from course_lib.figures.theme import GHOST, KEY, OUTPUT, SMALL
from course_lib.measures.attention_cost import (
    BYTES,
    row_bytes,
    table_bytes,
)
from course_lib.measures.published import DEVICES
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

LENGTHS = np.unique(np.geomspace(256, 1_000_000, 60).round().astype(int))

GB = 1e9

HEAD = 128


def kept(*, n, heads, dtype) -> dict:
    """GB of scores and weights, and of q, k, v and output, for one layer and one text."""
    size = BYTES[dtype]
    return {
        "n": n,
        "tables": table_bytes(n, heads, size) / GB,
        "rows": row_bytes(n, heads, HEAD, size) / GB,
        "all_tables": np.array([table_bytes(int(x), heads, size) for x in LENGTHS]) / GB,
        "all_rows": np.array([row_bytes(int(x), heads, HEAD, size) for x in LENGTHS]) / GB,
    }


def draw_kept(figure, data) -> Drawing:
    """Both against the length, with the memories of two GPUs."""
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlim=(230, 1_200_000), ylim=(1e-4, 1e6))
    axes.set_xticks([1000, 10_000, 100_000, 1_000_000], ["1000", "10,000", "100,000", "1,000,000"])
    axes.set_yticks([1e-3, 1, 1e3, 1e6], ["1 MB", "1 GB", "1 TB", "1000 TB"])
    axes.minorticks_off()
    axes.set_xlabel(say("words n"))
    for name in ("T4", "H100"):
        memory = DEVICES[name].memory
        axes.axhline(memory, color=GHOST, linewidth=1)
        text = say("{name}: {memory} GB", name=name, memory=memory)
        side = "top" if name == "T4" else "bottom"
        axes.text(270, memory * (0.8 if name == "T4" else 1.2), text, fontsize=SMALL, va=side)
    (tables,) = axes.plot([], [], color=KEY)
    (rows,) = axes.plot([], [], color=OUTPUT, linestyle=(0, (5, 2)))
    (square,) = axes.plot([], [], "s", color=KEY, markersize=9)
    (disc,) = axes.plot([], [], "o", color=OUTPUT, markersize=9)
    look = {"transform": axes.transAxes, "fontsize": SMALL, "fontweight": "bold"}
    axes.text(0.03, 0.93, say("line: scores and weights"), color=KEY, **look)
    axes.text(0.03, 0.85, say("dashed: q, k, v and output"), color=OUTPUT, **look)
    title = axes.set_title("")

    def update(data) -> None:
        tables.set_data(LENGTHS, data["all_tables"])
        rows.set_data(LENGTHS, data["all_rows"])
        square.set_data([data["n"]], [data["tables"]])
        disc.set_data([data["n"]], [data["rows"]])
        title.set_text(say("{n:,} words: tables {tables}, rows {rows}", **_of_kept(data)))

    return Drawing(update, moving=[tables, rows, square, disc, title])


def _of_kept(data) -> dict:
    return {"n": data["n"], "tables": _size(data["tables"]), "rows": _size(data["rows"])}


def _size(gb: float) -> str:
    """So many GB in the unit that suits."""
    for factor, unit in ((1e6, "kB"), (1e3, "MB"), (1, "GB"), (1e-3, "TB")):
        if gb * factor < 999.5 or unit == "TB":
            return f"{gb * factor:.3g} {unit}"


def describe_kept(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{n:,} words, heads of width 128: {heads}, {dtype}: the tables of scores and weights take "
        "{tables}, queries, keys, values and outputs {rows}. A T4 has 16 GB, an H100 has 80.",
        heads=params["heads"], dtype=params["dtype"], **_of_kept(data),
    )  # fmt: skip


explore_kept = Explorer(
    kept,
    draw_kept,
    describe_kept,
    sliders={
        "n": IntRange(256, 1_000_000, start=1024, label="words n", log=True),
        "heads": Options([1, 8, 32, 96], start=8, label="heads, 128 wide"),
        "dtype": Options(list(BYTES), start="float16", label="kind of number"),
    },
    numbers=lambda params, data: [
        (say("scores and weights"), _size(data["tables"])),
        (say("q, k, v and output"), _size(data["rows"])),
        (say("times as much"), f"{data['tables'] / data['rows']:.4g}"),
    ],
    size=(5.9, 3.0),
    colours=32,  # lines, marks and words
    goal=Goal(
        "32 heads, float16: find a length at which the tables overfill an H100, while the rows "
        "still take less than 1 GB.",
        lambda params, data: (
            params["heads"] == 32
            and params["dtype"] == "float16"
            and data["tables"] > DEVICES["H100"].memory
            and data["rows"] < 1
        ),
        solution={"heads": 32, "n": 27554},
    ),
)
