"""The loop over tiles, step by step, from the kernel's own log."""

import math
from functools import lru_cache

import numpy as np
import torch
from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.moved_meter import draw_meter
from course_lib.chapters.flash_attention.pixels import arrow
from course_lib.figures.numerals import signed
from course_lib.figures.theme import INK, KEY, OUTPUT, QUERY, SMALL, WEIGHT
from course_lib.figures.tiles import DONE, NOT_YET, NOW, TileTable
from course_lib.kernels.flash import blocks, flash_attention
from course_lib.models.threads import one_thread
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

WORDS, WIDTH = 12, 4

BLOCKS = (3, 4, 6)

LOOK = {"va": "center", "fontsize": SMALL}

LARGEST, TOTAL, MIXED = WORDS + 5.0, WORDS + 7.8, WORDS + 10.1  # where the registers stand
APART = 2.3  # from one number of `mixed` to the next
LEFT, RIGHT = LARGEST - 3.0, MIXED + 3 * APART + 1.4  # of the registers
BEGIN, BELOW = -0.5, WORDS + 1.0  # where the meter stands

MOST_TILES = (WORDS // min(BLOCKS)) ** 2


@lru_cache(maxsize=len(BLOCKS) ** 2)
def _log(block_q: int, block_k: int) -> tuple:
    """What flash_attention moves for 12 words of width 4, in order; without the lse."""
    log = []
    q = torch.zeros(WORDS, WIDTH)
    with one_thread():
        flash_attention(q, q, q, block_q=block_q, block_k=block_k, log=log)
    return tuple(move for move in log if move.name != "lse")


def tile_steps(*, step, block_q, block_k) -> dict:
    """The table after `step` tiles, and how many numbers have moved until then."""
    log = _log(block_q, block_k)
    visits = [(m.q_block, m.k_block) for m in log if m.name == "v"]
    now = min(step, len(visits))
    state = np.full((WORDS, WORDS), NOT_YET)
    parts_q, parts_k = blocks(WORDS, block_q), blocks(WORDS, block_k)
    for place, (i, j) in enumerate(visits[:now]):
        state[parts_q[i], parts_k[j]] = NOW if place == now - 1 else DONE
    tile = tuple(visits[now - 1]) if now else None
    return {
        "state": state,
        "rows": (parts_q[tile[0]].start, parts_q[tile[0]].stop) if tile else (0, 0),
        "cols": (parts_k[tile[1]].start, parts_k[tile[1]].stop) if tile else (0, 0),
        "now": now,
        "tiles": len(visits),
        "visits": [(parts_q[i], parts_k[j]) for i, j in visits],
        "block_q": block_q,
        "block_k": block_k,
        "step": step,
        "registers": _registers(parts_q, parts_k, visits[:now]),
        "out": _rows_done(visits, now, parts_q),
        **_moved(log, now),
    }


@lru_cache(maxsize=1)
def _vectors() -> tuple:
    return tuple(torch.randn(3, WORDS, WIDTH, generator=torch.Generator().manual_seed(0)))


def _registers(parts_q, parts_k, visited) -> dict:
    """largest, total and mixed of each row whose block is on the chip, after its last tile."""
    if not visited:
        return {}
    block = visited[-1][0]
    rows, seen = parts_q[block], [parts_k[j] for i, j in visited if i == block]
    q, k, v = _vectors()
    keys = torch.cat([torch.arange(part.start, part.stop) for part in seen])
    scores = q[rows] @ k[keys].T / WIDTH**0.5
    largest = scores.amax(dim=1, keepdim=True)
    powers = torch.exp(scores - largest)
    kept = torch.cat([largest, powers.sum(dim=1, keepdim=True), powers @ v[keys]], dim=1)
    return dict(zip(range(rows.start, rows.stop), kept.tolist(), strict=True))


def _rows_done(visits, now: int, parts_q) -> int:
    """Rows of queries whose last tile is done; their output has left."""
    open_still = [parts_q[i].start for i, _ in visits[now:]]
    return min(open_still, default=WORDS)


def _moved(log, now: int) -> dict:
    """Numbers moved until tile `now` is done, by what they are; out leaves with its last tile."""
    parts, seen = dict.fromkeys(("q", "k", "v", "out"), 0), 0
    for move in log:
        if move.action == "read" and seen >= now:
            break
        parts[move.name] += move.elements
        seen += move.name == "v"
    read, written = parts["q"] + parts["k"] + parts["v"], parts["out"]
    return {"parts": parts, "read": read, "written": written, "moved": read + written}


def draw_tile_steps(figure, data) -> Drawing:
    """The table of scores with its strips; beside it the registers, and a meter of what moved."""
    axes = figure.subplots()
    table = TileTable(axes, WORDS)
    axes.set(xlim=(-4.4, RIGHT + 0.4), ylim=(WORDS + 3.2, -4.5), label="tiles")
    _draw_loops(axes)
    kept, keep = _draw_registers(axes)
    meter, measure = draw_meter(axes, BEGIN, RIGHT, BELOW)
    title = figure.headline()

    def update(data) -> None:
        table.update(data["state"], (slice(*data["rows"]), slice(*data["cols"])), data["out"])
        title.set_text(_finding(data))
        keep(data), measure(data["parts"])

    return Drawing(update, moving=[*table.artists, title, *kept, *meter])


def _draw_loops(axes) -> None:
    """An arrow for each loop, along the strip whose blocks it takes."""
    arrow(axes, (-0.5, -3.9), (WORDS - 0.5, -3.9))
    plate = {"facecolor": "white", "linewidth": 0, "pad": 3}
    axes.text((WORDS - 1) / 2, -3.9, say("inner loop"), ha="center", bbox=plate, **LOOK)
    arrow(axes, (-3.3, -0.5), (-3.3, WORDS - 0.5))
    axes.text(-3.9, (WORDS - 1) / 2, say("outer loop"), ha="center", rotation=90, **LOOK)


def _draw_registers(axes):
    """A frame around the rows on the chip, with the numbers that are kept for each."""
    places = (LARGEST, TOTAL, *(MIXED + APART * i for i in range(WIDTH)))
    middle = MIXED + APART * (WIDTH - 1) / 2
    heads = [
        axes.text(x, 0, name, ha="center", color=colour, **LOOK)
        for x, name, colour in (
            (LEFT + 0.7, "q", QUERY), (LARGEST, say("largest"), INK), (TOTAL, say("total"), INK),
            (middle, say("mixed"), OUTPUT),
        )
    ]  # fmt: skip
    caption = axes.text(LEFT, 0, say("kept on the desk for each query:"), **LOOK)
    frame = axes.add_patch(Rectangle((0, 0), 0, 0, fill=False, edgecolor=INK, linewidth=1.2))
    cells = [
        [axes.text(x, row, "", ha="center", color=INK if x < MIXED else OUTPUT, **LOOK)
         for x in places]
        for row in range(WORDS)
    ]  # fmt: skip

    queries = [axes.text(LEFT + 0.7, row, "", ha="center", color=QUERY, **LOOK)
               for row in range(WORDS)]  # fmt: skip

    def follow(data) -> None:
        for row, line in enumerate(cells):
            queries[row].set_text(str(row) if row in data["registers"] else "")
            numbers = data["registers"].get(row, ("",) * len(line))
            for cell, number in zip(line, numbers, strict=True):
                cell.set_text(number if number == "" else signed(number))
        top, end = data["rows"] if data["now"] else (0, data["block_q"])  # empty before the first
        frame.set_bounds(LEFT, top - 0.8, RIGHT - LEFT, end - top + 0.3)
        caption.set_y(top - 2.9)
        for head in heads:
            head.set_y(top - 1.5)

    return [frame, caption, *heads, *queries, *(one for line in cells for one in line)], follow


def _finding(data) -> str:
    counted = {name: data[name] for name in ("now", "tiles", "moved")}
    if data["now"] and data["cols"][1] == WORDS:
        return say("Tile {now} of {tiles}: outputs leave, {moved} numbers moved", **counted)
    return say("Tile {now} of {tiles}: {moved} numbers moved", **counted)


def describe_tile_steps(params, data) -> str:
    """The picture in one sentence."""
    where = (
        say(
            "On the desk: queries {a} to {b}, keys and values {c} to {d}.",
            a=data["rows"][0], b=data["rows"][1] - 1, c=data["cols"][0], d=data["cols"][1] - 1,
        )
        if data["now"]
        else say("Nothing is on the desk.")
    )  # fmt: skip
    return say(
        "Blocks of {block_q} queries and {block_k} keys; {now} of {tiles} tiles are done. {where} "
        "{rows} rows of the output have left. Read {q} numbers of q, {k} of k, {v} of v; written "
        "{out}.",
        where=where, rows=data["out"], block_q=params["block_q"], block_k=params["block_k"],
        now=data["now"], tiles=data["tiles"], **data["parts"],
    )  # fmt: skip


def _middle(data, now: int) -> tuple[float, float]:
    """The middle of tile `now`, counted from 1; before the first, the corner of the table."""
    if not now:
        return -0.5, -0.5
    rows, cols = data["visits"][now - 1]
    return (cols.start + cols.stop - 1) / 2, (rows.start + rows.stop - 1) / 2


def _step_at(xy, params) -> dict:
    """The step whose tile is nearest; the one that stands, if it is that."""
    data = tile_steps(**params)
    far = [math.dist(_middle(data, now), xy) for now in range(data["tiles"] + 1)]
    nearest = far.index(min(far))
    return {"step": data["step"] if nearest == data["now"] else nearest}


def _size_at(place: float) -> int:
    """The size of a block whose end is drawn to a place."""
    return min(BLOCKS, key=lambda size: abs(size - 0.5 - place))


explore_tiles = Explorer(
    tile_steps,
    draw_tile_steps,
    describe_tile_steps,
    sliders={
        "step": IntRange(0, MOST_TILES, start=7, label="tiles done (one step, one tile)"),
        "block_q": Options(list(BLOCKS), start=3, label="queries in a block"),
        "block_k": Options(list(BLOCKS), start=3, label="keys in a block"),
    },
    handles={
        "tile": Handle(
            at=lambda data: ("tiles", *_middle(data, data["now"])),
            to=_step_at,
            moves=("step",),
            label="the tile on the desk",
            colour=WEIGHT,
        ),
        "block_q": Handle(
            at=lambda data: ("tiles", -1.55, data["block_q"] - 0.5),
            to=lambda xy, params: {"block_q": _size_at(xy[1])},
            moves=("block_q",),
            label="the end of the first block of queries",
            colour=QUERY,
        ),
        "block_k": Handle(
            at=lambda data: ("tiles", data["block_k"] - 0.5, -2.75),
            to=lambda xy, params: {"block_k": _size_at(xy[0])},
            moves=("block_k",),
            label="the end of the first block of keys",
            colour=KEY,
        ),
    },
    numbers=lambda params, data: [
        (say("numbers read"), str(data["read"])),
        (say("numbers written"), str(data["written"])),
        (say("tiles done"), say("{now} of {tiles}", now=data["now"], tiles=data["tiles"])),
    ],
    size=(7.0, 4.2),
    colours=3,
    goal=Goal(
        "Bring all tiles to an end with no more than 300 numbers moved between shelf and desk.",
        lambda params, data: data["now"] == data["tiles"] and data["moved"] <= 300,
        solution={"step": MOST_TILES, "block_q": 6},
    ),
)  # fmt: skip
