"""The explorers of chapter 8, FlashAttention."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.explorers.engine.explorer import Drawing, Explorer, Goal
from course_lib.explorers.engine.sliders import IntRange, Options, Toggle
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, SMALL
from course_lib.figures.tiles import DONE, NOT_YET, NOW, SKIPPED, TileTable
from course_lib.kernels.flash import blocks, flash_attention
from course_lib.kernels.loop_order import elements_moved
from course_lib.models.threads import one_thread
from course_lib.words import say

# The loop over tiles, step by step, from the kernel's own log

WORDS, WIDTH = 12, 4
BLOCKS = (2, 3, 4, 6)
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
        **_moved(log, now),
    }


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
    axes.set(xlim=(-3.2, WORDS + 8.2))
    look = {"va": "center", "fontsize": SMALL + 0.5}
    at = WORDS + 0.2
    for y, text, colour in (
        (0.0, say("on the chip now"), OUTPUT),
        (1.3, say("done, and forgotten"), "#7a5f74"),
    ):
        axes.text(at, y, text, color=colour, fontweight="bold", **look)
    axes.text(at, 2.6, say("×: never touched"), color="#5a5a5a", fontweight="bold", **look)
    counters = [axes.text(at, 5.0 + 1.3 * i, "", **look) for i in range(3)]
    title = axes.set_title("")

    def update(data) -> None:
        table.update(data["state"], (slice(*data["rows"]), slice(*data["cols"])))
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
    size=(7.0, 4.4),
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
    axes.set(xscale="log", yscale="log", xlim=(4, 512), ylim=(0.06, 40))
    axes.set_xticks([4, 8, 16, 32, 64, 128, 256, 512], map(str, (4, 8, 16, 32, 64, 128, 256, 512)))
    axes.set_yticks([0.1, 0.5, 1, 2, 4, 10, 30], [".1", ".5", "1", "2", "4", "10", "30"])
    axes.minorticks_off()
    axes.set(xlabel=say("rows in the outer block"), ylabel=say("moved, plain attention = 1"))
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
                "blocks of {block}: FA2 moves {here:.2f} of what plain attention does",
                block=data["block"], here=data["here"],
            )
        )  # fmt: skip

    return Drawing(update, moving=[first, second, dot, square, title])


def describe_traffic(params, data) -> str:
    """The picture in one sentence."""
    return say(
        "{n} words, width {d}, {block} rows in a block. FlashAttention with queries outside moves "
        "{moved:.0f} numbers, plain attention {naive:.0f}: {here:.2f} times as many. With keys "
        "outside it is {first_here:.2f} times.",
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
        (say("plain attention"), f"{data['naive']:.0f}"),
        (say("FA2, queries outside"), f"{data['moved']:.0f}"),
        (say("FA1, keys outside, times plain"), f"{data['first_here']:.3f}"),
        (say("FA2, queries outside, times plain"), f"{data['here']:.3f}"),
    ],
    size=(7.0, 4.0),
    goal=Goal(
        "4096 words, width 64: find the smallest block with which FA2 moves less than plain "
        "attention.",
        lambda params, data: params["n"] == 4096 and params["d"] == 64 and params["block"] == 32,
        solution={"block": 32},
    ),
)
