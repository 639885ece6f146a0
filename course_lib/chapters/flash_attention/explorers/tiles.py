"""The loop over tiles, step by step, from the kernel's own log."""

from functools import lru_cache

import numpy as np
import torch

from course_lib.figures.theme import OUTPUT, SMALL
from course_lib.figures.tiles import DONE, NOT_YET, NOW, SKIPPED, TileTable
from course_lib.kernels.flash import blocks, flash_attention
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.sliders import IntRange, Options, Toggle
from course_lib.words import say

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
    colours=32,  # lines, marks and words
    goal=Goal(
        "Not causal: bring all tiles to an end with no more than 300 numbers moved.",
        lambda params, data: (
            not params["causal"] and data["now"] == data["tiles"] and data["moved"] <= 300
        ),
        solution={"step": MOST_TILES, "block_q": 6},
    ),
)  # fmt: skip
