"""The explorers of chapter 8, FlashAttention."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import IntRange, Options, Toggle
from course_lib.figures.theme import FAINT, GHOST, INK, KEY, OUTPUT, QUERY, SMALL
from course_lib.figures.tiles import DONE, NOT_YET, NOW, SKIPPED, TileTable
from course_lib.kernels.attention_cost import (
    BYTES,
    block_flops,
    core_flops,
    largest_block,
    row_bytes,
    table_bytes,
)
from course_lib.kernels.flash import blocks, flash_attention
from course_lib.kernels.loop_order import elements_moved
from course_lib.kernels.published import DEVICES
from course_lib.models.threads import one_thread
from course_lib.words import say

COLOURS = 32  # of a stored picture; these are lines, marks and words

# The loop over tiles, step by step, from the kernel's own log

WORDS, WIDTH = 12, 4
BLOCKS = (3, 4, 6)
MOST_TILES = (WORDS // min(BLOCKS)) ** 2


@lru_cache(maxsize=2 * len(BLOCKS) ** 2)
def _log(block_q: int, block_k: int, causal: bool) -> tuple:
    """What flash_attention moves for 12 words of width 4, in order; without the lse."""
    log = []
    q = torch.zeros(WORDS, WIDTH)
    with one_thread():
        flash_attention(q, q, q, causal=causal, block_q=block_q, block_k=block_k, log=log)
    return tuple(move for move in log if move.name != "lse")


def tile_steps(*, step, block_q, block_k, causal) -> dict:
    """The table after `step` tiles, and how many numbers have moved until then."""
    log = _log(block_q, block_k, causal)
    visits = [(m.q_block, m.k_block) for m in log if m.name == "v"]
    now = min(step, len(visits))
    state = np.full((WORDS, WORDS), NOT_YET)
    parts_q, parts_k = blocks(WORDS, block_q), blocks(WORDS, block_k)
    for i, rows in enumerate(parts_q):
        for j, cols in enumerate(parts_k):
            if (i, j) not in visits:
                state[rows, cols] = SKIPPED
    for place, (i, j) in enumerate(visits[:now]):
        state[parts_q[i], parts_k[j]] = NOW if place == now - 1 else DONE
    tile = tuple(visits[now - 1]) if now else None
    return {
        "state": state,
        "rows": (parts_q[tile[0]].start, parts_q[tile[0]].stop) if tile else (0, 0),
        "cols": (parts_k[tile[1]].start, parts_k[tile[1]].stop) if tile else (0, 0),
        "now": now,
        "tiles": len(visits),
        "out": _rows_done(visits, now, parts_q),
        **_moved(log, now),
    }


def _rows_done(visits, now: int, parts_q) -> int:
    """Rows of queries whose last tile is done; their output has left."""
    open_still = [parts_q[i].start for i, _ in visits[now:]]
    return min(open_still, default=WORDS)


def _moved(log, now: int) -> dict:
    """Numbers read and written until tile `now` is done; a block's output leaves with its last."""
    read, written, seen = 0, 0, 0
    for move in log:
        if move.action == "read" and seen >= now:
            break
        read += move.elements * (move.action == "read")
        written += move.elements * (move.action == "write")
        seen += move.name == "v"
    return {"read": read, "written": written, "moved": read + written}


def draw_tile_steps(figure, data) -> Drawing:
    """The table of scores with its strips, and the counters beside it."""
    axes = figure.subplots()
    table = TileTable(axes, WORDS)
    axes.set(xlim=(-3.2, WORDS + 9.6))
    look = {"va": "center", "fontsize": SMALL + 0.5}
    at = WORDS + 1.6
    for y, text, colour in (
        (0.0, say("on the chip now"), OUTPUT),
        (1.3, say("done, and forgotten"), "#7a5f74"),
    ):
        axes.text(at, y, text, color=colour, fontweight="bold", **look)
    axes.text(at, 2.6, say("×: never touched"), color="#5a5a5a", fontweight="bold", **look)
    counters = [axes.text(at, 5.0 + 1.3 * i, "", **look) for i in range(3)]
    title = axes.set_title("")

    def update(data) -> None:
        table.update(data["state"], (slice(*data["rows"]), slice(*data["cols"])), data["out"])
        counters[0].set_text(say("read: {read} numbers", read=data["read"]))
        counters[1].set_text(say("written: {written}", written=data["written"]))
        counters[2].set_text(say("together: {moved}", moved=data["moved"]))
        title.set_text(say("tile {now} of {tiles}: {moved} numbers moved", **_of_steps(data)))

    return Drawing(update, moving=[*table.artists, *counters, title])


def _of_steps(data) -> dict:
    return {name: data[name] for name in ("now", "tiles", "moved", "read", "written")}


def describe_tile_steps(params, data) -> str:
    """The picture in one sentence."""
    where = (
        say(
            "On the chip: queries {a} to {b}, keys and values {c} to {d}.",
            a=data["rows"][0], b=data["rows"][1] - 1, c=data["cols"][0], d=data["cols"][1] - 1,
        )
        if data["now"]
        else say("Nothing is on the chip.")
    )  # fmt: skip
    skipped = int((data["state"] == SKIPPED).sum())
    return say(
        "Blocks of {block_q} queries and {block_k} keys; {now} of {tiles} tiles are done. {where} "
        "Read {read} numbers, written {written}. Of 144 pairs {skipped} are never touched.",
        where=where, skipped=skipped, block_q=params["block_q"], block_k=params["block_k"],
        **{k: v for k, v in _of_steps(data).items() if k != "moved"},
    )  # fmt: skip


explore_tiles = Explorer(
    tile_steps,
    draw_tile_steps,
    describe_tile_steps,
    sliders={
        "step": IntRange(0, MOST_TILES, start=1, label="tiles done (one step, one tile)"),
        "block_q": Options(list(BLOCKS), start=3, label="queries in a block"),
        "block_k": Options(list(BLOCKS), start=4, label="keys in a block"),
        "causal": Toggle(start=False, label="causal"),
    },
    numbers=lambda params, data: [
        (say("numbers read"), str(data["read"])),
        (say("numbers written"), str(data["written"])),
        (say("tiles done"), say("{now} of {tiles}", now=data["now"], tiles=data["tiles"])),
    ],
    size=(6.0, 3.7),
    colours=COLOURS,
    goal=Goal(
        "Not causal: bring all tiles to an end with no more than 300 numbers moved.",
        lambda params, data: (
            not params["causal"] and data["now"] == data["tiles"] and data["moved"] <= 300
        ),
        solution={"step": MOST_TILES, "block_q": 6},
    ),
)  # fmt: skip

# Numbers moved: plain, keys outside, queries outside

BLOCK_SIZES = np.unique(np.geomspace(4, 512, 57).round().astype(int))
WIDTHS = (64, 128)


def course_flash_traffic(n, d, block):
    """The course's `flash_traffic`: numbers moved with blocks of queries outside."""
    return elements_moved("queries", n, d, block_q=block)


@lru_cache(maxsize=256)
def _other_orders(n: int, d: int) -> tuple[np.ndarray, float]:
    first = [elements_moved("keys", n, d, block_k=int(size)) for size in BLOCK_SIZES]
    return np.array(first, dtype=float), float(elements_moved("naive", n, d))


def traffic(*, n, d, block, flash_traffic) -> dict:
    """Numbers moved against the block size, as a multiple of plain attention's."""
    first, naive = _other_orders(n, d)
    second = np.array([float(flash_traffic(n, d, int(size))) for size in BLOCK_SIZES])
    here = float(flash_traffic(n, d, block))
    return {
        "n": n,
        "d": d,
        "block": block,
        "first": first / naive,
        "second": second / naive,
        "here": here / naive,
        "first_here": elements_moved("keys", n, d, block_k=block) / naive,
        "moved": here,
        "naive": naive,
    }


def draw_traffic(figure, data) -> Drawing:
    """Both orders of loops against the block size; 1 is plain attention."""
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlim=(3.7, 560), ylim=(0.05, 40))
    axes.set_xticks([4, 16, 64, 256], ["4", "16", "64", "256"])
    axes.set_yticks([0.1, 1, 10], [".1", "1", "10"])
    axes.minorticks_off()
    axes.set(xlabel=say("rows in the outer block"), ylabel=say("moved, plain = 1"))
    axes.axhline(1, color=INK, linewidth=1.2)
    axes.text(4.2, 1.1, say("plain attention"), fontsize=SMALL, va="bottom")
    axes.plot(BLOCK_SIZES, data["second"], color=GHOST, linewidth=1)
    (first,) = axes.plot([], [], color=KEY, linestyle=(0, (5, 2)))
    (second,) = axes.plot([], [], color=OUTPUT)
    (dot,) = axes.plot([], [], "o", color=OUTPUT, markersize=10)
    (square,) = axes.plot([], [], "s", color=KEY, markersize=7)
    look = {"transform": axes.transAxes, "fontsize": SMALL, "fontweight": "bold", "ha": "right"}
    axes.text(0.98, 0.93, say("dashed: FA1, keys outside"), color=KEY, **look)
    axes.text(0.98, 0.85, say("line: FA2, queries outside"), color=OUTPUT, **look)
    title = axes.set_title("")

    def update(data) -> None:
        first.set_data(BLOCK_SIZES, data["first"])
        second.set_data(BLOCK_SIZES, data["second"])
        dot.set_data([data["block"]], [data["here"]])
        square.set_data([data["block"]], [data["first_here"]])
        title.set_text(
            say(
                "blocks of {block}: FA2 moves {here:.2f} times plain",
                block=data["block"], here=data["here"],
            )
        )  # fmt: skip

    return Drawing(update, moving=[first, second, dot, square, title])


def describe_traffic(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{n:,} words, width {d}, {block} rows in a block. FlashAttention with queries outside "
        "moves {moved:,.0f} numbers, plain attention {naive:,.0f}: {here:.2f} times as many. With "
        "keys outside it is {first_here:.2f} times.",
        **{k: data[k] for k in ("n", "d", "block", "moved", "naive", "here", "first_here")},
    )


explore_traffic = Explorer(
    traffic,
    draw_traffic,
    describe_traffic,
    sliders={
        "block": IntRange(4, 512, start=256, label="rows in the outer block", log=True),
        "n": IntRange(256, 65536, start=4096, label="words n", log=True),
        "d": Options(list(WIDTHS), start=64, label="width of a head d"),
    },
    functions={"flash_traffic": course_flash_traffic},
    numbers=lambda params, data: [
        (say("plain attention"), f"{data['naive']:,.0f}"),
        (say("FA2, queries outside"), f"{data['moved']:,.0f}"),
        (say("FA1, keys outside, times plain"), f"{data['first_here']:.3f}"),
        (say("FA2, queries outside, times plain"), f"{data['here']:.3f}"),
    ],
    size=(5.9, 3.0),
    colours=COLOURS,
    goal=Goal(
        "4096 words, width 64: find the smallest block with which FA2 moves less than plain "
        "attention.",
        lambda params, data: params["n"] == 4096 and params["d"] == 64 and params["block"] == 32,
        solution={"block": 32},
    ),
)


# The roof: what a device can do at best

INTENSITIES = np.geomspace(4, 4000, 80)
NUMBER = 2  # bytes of a 16-bit number


def roof(*, device, n, d, block) -> dict:
    """Where plain attention and FlashAttention stand below the roof of a device."""
    one = DEVICES[device]
    flops = core_flops(n, d)
    ways = {
        "plain": flops / (NUMBER * elements_moved("naive", n, d)),
        "tiles": flops / (NUMBER * elements_moved("queries", n, d, block_q=block)),
    }
    return {
        "device": device,
        "roof": np.array([one.attainable(x) for x in INTENSITIES]),
        "intensity": ways,
        "rate": {name: one.attainable(x) for name, x in ways.items()},
        "peak": one.tflops,
        "ridge": one.ridge,
        "block": block,
        "room": largest_block(one.shared * 1024, d, NUMBER),
    }


def draw_roof(figure, data) -> Drawing:
    """The roof, its ridge, and the two ways of attention below it."""
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlim=(4, 4000), ylim=(1.2, 12_000))
    axes.set_xticks([10, 100, 1000], ["10", "100", "1000"])
    axes.set_yticks([10, 100, 1000], ["10", "100", "1000"])
    axes.minorticks_off()
    axes.set(xlabel=say("operations for each byte that is moved"), ylabel=say("TFLOP/s at best"))
    axes.plot(INTENSITIES, data["roof"], color=GHOST, linewidth=1)
    (line,) = axes.plot([], [], color=INK)
    (ridge,) = axes.plot([], [], color=FAINT, linestyle=(0, (4, 3)), linewidth=1.5)
    points = {
        name: axes.plot([], [], mark, color=colour, markersize=size)[0]
        for name, mark, colour, size in (("plain", "s", QUERY, 14), ("tiles", "o", OUTPUT, 10))
    }
    look = {"transform": axes.transAxes, "fontsize": SMALL, "fontweight": "bold"}
    names = {
        "plain": axes.text(0.03, 0.93, "", color=QUERY, **look),
        "tiles": axes.text(0.03, 0.84, "", color=OUTPUT, **look),
    }
    fits = axes.text(0.97, 0.06, "", ha="right", **{**look, "fontweight": "normal"})
    title = axes.set_title("")

    def update(data) -> None:
        line.set_data(INTENSITIES, data["roof"])
        ridge.set_data([data["ridge"]] * 2, [4, data["peak"]])
        for name, point in points.items():
            point.set_data([data["intensity"][name]], [data["rate"][name]])
        names["plain"].set_text(say("square: plain, {x:.0f} for each byte", x=_x(data, "plain")))
        names["tiles"].set_text(say("disc: in tiles, {x:.0f} for each byte", x=_x(data, "tiles")))
        fits.set_text(_fits(data))
        title.set_text(
            say(
                "{device}: plain at most {plain:.0f}, tiles at most {tiles:.0f} of {peak:.0f}",
                device=data["device"], peak=data["peak"], **data["rate"],
            )
        )  # fmt: skip

    return Drawing(update, moving=[line, ridge, *points.values(), *names.values(), fits, title])


def _x(data, name: str) -> float:
    return data["intensity"][name]


def _fits(data) -> str:
    held = {"block": data["block"], "room": data["room"]}
    if data["block"] <= data["room"]:
        return say("a block of {block} fits (room for {room})", **held)
    return say("a block of {block} does not fit (room for {room})", **held)


def describe_roof(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{device}: {peak:.0f} TFLOP/s at best, from {ridge:.0f} operations a byte on. Plain "
        "attention has {plain_x:.0f} and reaches {plain:.0f} at most; in tiles of {block} queries "
        "it is {tiles_x:.0f} and {tiles:.0f}. On its chip {fits}.",
        fits=_fits(data), plain_x=_x(data, "plain"), tiles_x=_x(data, "tiles"),
        device=data["device"], peak=data["peak"], ridge=data["ridge"], block=data["block"],
        **data["rate"],
    )  # fmt: skip


explore_roof = Explorer(
    roof,
    draw_roof,
    describe_roof,
    sliders={
        "device": Options(list(DEVICES), start="A100", label="device"),
        "block": IntRange(8, 512, start=32, label="queries in a block", log=True),
        "n": IntRange(256, 65536, start=4096, label="words n", log=True),
        "d": Options(list(WIDTHS), start=64, label="width of a head d"),
    },
    numbers=lambda params, data: [
        (say("operations a byte, plain"), f"{_x(data, 'plain'):.1f}"),
        (say("operations a byte, in tiles"), f"{_x(data, 'tiles'):.1f}"),
        (say("ridge of the device"), f"{data['ridge']:.0f}"),
        (say("rows that fit on the chip"), str(data["room"])),
    ],
    size=(5.9, 3.0),
    colours=COLOURS,
    goal=Goal(
        "H100: bring the tiles under the flat part of the roof, with a block that fits.",
        lambda params, data: (
            params["device"] == "H100"
            and data["rate"]["tiles"] == data["peak"]
            and data["block"] <= data["room"]
        ),
        solution={"device": "H100", "block": 362},
    ),
)

# What stays in memory

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
    colours=COLOURS,
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

# The share of attention in a block

SPAN = np.unique(np.geomspace(64, 1_000_000, 70).round().astype(int))


def course_break_even(m):
    """The course's `break_even`: where the core costs what the four projections do."""
    return 2 * m


def _parts(n: int, m: int, feed_forward: bool) -> tuple[int, int]:
    cost = block_flops(n, m)
    return cost.core, cost.projections + feed_forward * cost.feed_forward


def _share(n: int, m: int, feed_forward: bool) -> float:
    core, others = _parts(n, m, feed_forward)
    return core / (core + others)


@lru_cache(maxsize=16)
def _shares(m: int, feed_forward: bool) -> np.ndarray:
    shares = np.array([_share(int(n), m, feed_forward) for n in SPAN])
    shares.flags.writeable = False  # cached: nobody may change it
    return shares


def share(*, n, m, feed_forward, break_even) -> dict:
    """The core's share in the operations, and what ten times the length costs."""
    before, after = (sum(_parts(x, m, feed_forward)) for x in (n, 10 * n))
    return {
        "n": n,
        "m": m,
        "share": _share(n, m, feed_forward),
        "shares": _shares(m, feed_forward),
        "growth": after / before,
        "even": float(break_even(m)),
    }


def draw_share(figure, data) -> Drawing:
    """The share of the core against the length."""
    axes = figure.subplots()
    axes.set(xscale="log", xlim=(57, 1_200_000), ylim=(-0.03, 1.04), yticks=(0, 0.5, 1))
    axes.set_xticks([100, 1000, 10_000, 100_000, 1_000_000])
    axes.set_xticklabels(["100", "1000", "10,000", "100,000", "1,000,000"])
    axes.minorticks_off()
    axes.set(xlabel=say("words n"), ylabel=say("share of the core"))
    axes.axhline(0.5, color=FAINT, linewidth=1, zorder=0)
    axes.plot(SPAN, data["shares"], color=GHOST, linewidth=1)
    (line,) = axes.plot([], [], color=OUTPUT)
    (dot,) = axes.plot([], [], "o", color=OUTPUT, markersize=10)
    (even,) = axes.plot([], [], color=KEY, linestyle=(0, (4, 3)), linewidth=1.5)
    look = {"transform": axes.transAxes, "fontsize": SMALL}
    label = axes.text(0.98, 0.06, "", color=KEY, fontweight="bold", ha="right", **look)
    title = axes.set_title("")

    def update(data) -> None:
        line.set_data(SPAN, data["shares"])
        dot.set_data([data["n"]], [data["share"]])
        even.set_data([data["even"]] * 2, [0, 1])
        label.set_text(say("break_even: {even:,g}", even=data["even"]))
        title.set_text(
            say("{n:,} words: {share:.1%}; tenfold costs {growth:.1f} times", **_of(data))
        )

    return Drawing(update, moving=[line, dot, even, label, title])


def _of(data) -> dict:
    return {name: data[name] for name in ("n", "share", "growth")}


def describe_share(params, data) -> str:
    """The picture in one sentence."""
    what = (
        say("with the feed-forward part")
        if params["feed_forward"]
        else say("without the feed-forward part")
    )
    return say(
        "{n:,} words in a model of width {m}, {what}: scores and weighted values are {share:.1%} "
        "of the operations, and ten times as many words cost {growth:.1f} times as many. The "
        "dashed line stands at {even:,g} words.",
        what=what, m=params["m"], even=data["even"], **_of(data),
    )  # fmt: skip


explore_share = Explorer(
    share,
    draw_share,
    describe_share,
    sliders={
        "n": IntRange(64, 1_000_000, start=1000, label="words n", log=True),
        "m": Options([512, 1024, 4096, 8192], start=4096, label="width of the model m"),
        "feed_forward": Toggle(start=True, label="count the feed-forward part"),
    },
    functions={"break_even": course_break_even},
    numbers=lambda params, data: [
        (say("share of the core"), f"{data['share']:.4f}"),
        (say("ten times as many words cost"), f"{data['growth']:.2f}"),
    ],
    size=(5.9, 2.8),
    colours=COLOURS,
    goal=Goal(
        "Width 4096, without the feed-forward part: find the length at which the core is half.",
        lambda params, data: (
            params["m"] == 4096 and not params["feed_forward"] and abs(data["share"] - 0.5) < 0.005
        ),
        solution={"n": 8192, "feed_forward": False},
    ),
)
