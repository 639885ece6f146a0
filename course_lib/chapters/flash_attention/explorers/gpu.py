"""A GPU to scale: what the tables take of its memory, and how little its chip holds."""

import math

from matplotlib.patches import Rectangle

from course_lib.chapters.flash_attention.gpu_counted import (
    CARD,
    CHIP,
    GB,
    HEADS,
    HIGH,
    MOST,
    NOVEL,
    NUMBER,
    ROWS,
    SHELF,
    SHELF_MB,
    SMS,
    WIDTH,
    gpu,
)  # fmt: skip
from course_lib.figures.theme import GHOST, INK, KEY, OUTPUT, QUERY, SMALL, VALUE, WEIGHT
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Toggle
from course_lib.words import say

LEFT, ACROSS, STEP = 2 * HIGH + 4.9, 12, 0.33  # where the chip is enlarged, its SMs in a row
LOW, MARKED = 1.4, 5  # below the SMs; which of them is drawn once more, larger
BOX = LEFT - 2.75, -0.5, 2.75 + STEP * ACROSS, 1.15  # its store: left, bottom, width, height
FEWEST = 750  # words for which the cellar takes less time than computing, in tiles
PALE, RED, LONG = "#c9ced6", "#b3261e", 6  # LONG: the longest bar, at every length of the text
LOOK = {"va": "center", "fontsize": SMALL}
DASHED = {"fill": False, "edgecolor": GHOST, "linestyle": (0, (3, 2)), "linewidth": 1.2}
TABLES = ("scores", "weights"), ("no scores", "no weights")  # there; in tiles
BARS = {"moving": "cellar ↔ shelf", "passing": "shelf ↔ desks", "computing": "computing"}
BEGIN, LINES = 3.95, (-1.6, -2.4, -3.2)  # where the bars begin; their heights
ALONE = {
    "moving": "{ms:.3g} ms, {times:.2g} times as long as computing",
    "passing": "at least {ms:.3g} ms",
    "computing": "{ms:.3g} ms{idle}",
}
BOTH = {
    "moving": "in tiles {ms:.3g} ms, without {before:.3g} ms",
    "passing": "in tiles at most {ms:.3g} ms, without at least {before:.3g} ms",
}
SPECK = 0.5  # no outline is drawn of tables that would be smaller
PLATE = {"facecolor": PALE, "linewidth": 0, "pad": 1.5}  # below a name, where all is hatched


def draw_gpu(figure, data) -> Drawing:
    """Left the memory with the tables, right the chip to the same scale, and its SMs enlarged."""
    axes = figure.subplots()
    axes.set(xlim=(-0.2, LEFT + 4.45), ylim=(-4.3, 1.05 * HIGH), aspect="equal", label="memory")
    axes.axis("off")
    title = figure.headline(_finding(data))
    look = {"fill": False, "edgecolor": INK, "linewidth": 1.4, "zorder": 3}
    axes.add_patch(Rectangle((0, 0), 2 * HIGH, HIGH, **look))
    axes.text(0, -0.55, say("cellar: 80 GB, to one scale with shelf and desks"), **LOOK)
    parts = _draw_tables, _draw_rows, _draw_chip, _draw_marked, _draw_times
    shown = [draw(axes) for draw in parts]

    def update(data) -> None:
        title.set_text(_finding(data))
        for _, follow in shown:
            follow(data)

    return Drawing(update, moving=[title, *(one for artists, _ in shown for one in artists)])


def _draw_times(axes):
    """Bars of the times at best, the longest LONG; dashed, in tiles, the same without them."""
    bars, dashed, numbers = {}, {}, {}
    axes.text(BEGIN, -3.95, say("the longest bar always fills this width: compare ratios"), **LOOK)
    for (name, shown), y in zip(BARS.items(), LINES, strict=True):
        axes.text(BEGIN - 0.2, y, say(shown), ha="right", **LOOK)
        dashed[name] = axes.add_patch(Rectangle((BEGIN, y - 0.28), 0, 0.56, **DASHED))
        bars[name] = axes.add_patch(Rectangle((BEGIN, y - 0.28), 0, 0.56, color=INK))
        numbers[name] = axes.text(0, y, "", **LOOK)

    def follow(data) -> None:
        plain = data["plain"] or data
        idle = say(" if all SMs worked") if data["tiles"] and data["programs"] < SMS else ""
        for name in BARS:
            now, before = (LONG * one[name] / plain["moving"] for one in (data, plain))
            bars[name].set_width(now)
            dashed[name].set(width=before, visible=before > now)
            told = {"ms": data[name], "before": plain[name], "times": data["times"]}
            text = say((BOTH if before > now else ALONE)[name], idle=idle, **told)
            numbers[name].set(text=text, x=BEGIN + 0.15 + before)

    return [one for shown in (bars, dashed, numbers) for one in shown.values()], follow


def _draw_tables(axes):
    squares = [axes.add_patch(Rectangle((0, 0), 0, 0, zorder=1)) for _ in range(2)]
    names = [axes.text(0, 0, "", bbox=PLATE, **LOOK) for _ in range(2)]

    def follow(data) -> None:
        side = data["side"]
        for i, (one, name) in enumerate(zip(squares, names, strict=True)):
            left = i * max(HIGH, side)
            one.set_bounds(left, 0, side, side)
            one.set(hatch=None if data["fits"] else "//", linewidth=1.4, linestyle="-")
            one.set(fill=True, facecolor=PALE, edgecolor=WEIGHT if data["fits"] else RED)
            if data["tiles"]:  # they would lie here
                one.set(**DASHED)
            one.set_visible(not data["tiles"] or side > SPECK)
            name.set_text(say(TABLES[data["tiles"]][i]))
            inside = side > (3.3 if data["tiles"] else 2.5)  # else the name stands to the right
            name.set_position((left + (0.2 if inside else side + 0.15), 0.45))
            _show_plate(name, not data["fits"])

    return [*squares, *names], follow


def _draw_rows(axes):
    middle, colours = HIGH - 0.6, (QUERY, KEY, VALUE, OUTPUT)
    bottom, left = middle - 1.15, 2 * HIGH - 5.25
    look = {"facecolor": "white", "edgecolor": INK, "linewidth": 1.2, "zorder": 3}
    card = axes.add_patch(Rectangle((left, bottom), 5.1, HIGH - bottom, **look))
    squares = [axes.add_patch(Rectangle((0, 0), 0, 0, color=c, zorder=4)) for c in colours]
    names = [
        axes.text(2 * HIGH - 4.6 + 1.25 * i, middle - 0.75, name, color=colour, ha="center",
                  fontweight="bold", zorder=4, **LOOK)
        for i, (name, colour) in enumerate(zip(("q", "k", "v", "out"), colours, strict=True))
    ]  # fmt: skip

    def follow(data) -> None:
        side = data["row_side"]
        card.set_visible(not data["tiles"] and data["side"] > bottom)  # else the table is below
        for i, one in enumerate(squares):
            one.set_bounds(2 * HIGH - 4.6 + 1.25 * i - side / 2, middle - side / 2, side, side)

    return [card, *squares, *names], follow


def _show_plate(name, shown: bool) -> None:
    """The plate below a name: without it the hatching would cross the name."""
    name.get_bbox_patch().set_visible(shown)
    name.stale = True  # a text does not hear of its plate


def _draw_chip(axes):
    corners, size = [_corner(i) for i in range(SMS)], 0.8 * STEP
    for corner in corners:
        axes.add_patch(Rectangle(corner, size, size, fill=False, edgecolor=GHOST, linewidth=0.8))
    cells = [axes.add_patch(Rectangle(corner, size, size, color=WEIGHT)) for corner in corners]
    cells[MARKED].set_color(QUERY)
    top, y, chip = LOW - STEP * (-SMS // ACROSS), HIGH / 2, LEFT - 0.75
    axes.text(LEFT, top + 0.3, say("enlarged: {sms} SMs", sms=SMS), **LOOK)
    axes.add_patch(Rectangle((chip, y - CHIP / 2), CHIP, CHIP, color=INK))
    shelf = chip - SHELF - 0.08, y - SHELF / 2
    axes.add_patch(Rectangle(shelf, SHELF, SHELF, facecolor="white", edgecolor=INK, linewidth=1))
    for end in (LOW, top):  # from the chip to scale to the enlarged one
        axes.plot((chip + CHIP, LEFT - 0.1), (y, end), color=INK, linewidth=0.8)
    held = say("shelf {mb} MB", mb=SHELF_MB), say("all desks\n{mb:.0f} MB", mb=1000 * CHIP**2)
    for up, line, x in zip((1, -1), held, (shelf[0] + SHELF / 2, chip + CHIP / 2), strict=True):
        middle = y + up * (1 + 0.35 * line.count("\n"))
        axes.text(chip + CHIP, middle, line, ha="right", **LOOK)
        axes.plot((x, x), (y + 0.6 * up, y + 0.11 * up), color=INK, linewidth=0.8)
    look = {"arrowstyle": "<->", "color": INK, "linewidth": 1.6}
    axes.annotate("", xy=(shelf[0] - 0.06, y), xytext=(2 * HIGH + 0.85, y), arrowprops=look)
    crossing = axes.text(chip + CHIP, y + 2.5, "", ha="right", **LOOK)

    def follow(data) -> None:
        why = say("no tables:") if data["tiles"] else say("tables twice:")
        crossing.set_text("\n".join((say("cellar ↔ shelf"), why, _amount(data["moved"]))))
        for i, cell in enumerate(cells):
            cell.set_visible(data["tiles"] and i < data["programs"])

    return [*cells, crossing], follow


def _corner(i: int) -> tuple[float, float]:
    return LEFT + STEP * (i % ACROSS), LOW + STEP * (i // ACROSS)


def _draw_marked(axes):
    """In tiles, one SM once more: its store, with q, k, a tile of scores and v, to scale."""
    left, bottom, wide, high = BOX
    x, y = _corner(MARKED)
    look = {"color": INK, "linewidth": 0.8}
    ends = ((x, left), (x + 0.8 * STEP, left + wide))
    lines = [axes.plot((one, two), (y, bottom + high), **look)[0] for one, two in ends]
    box = axes.add_patch(Rectangle((left, bottom), wide, high, fill=False, **look))
    side = math.sqrt(ROWS * WIDTH * NUMBER / (CARD.shared * 1024) * wide * high)
    squares, names = [], []
    held = ("q", QUERY), ("k", KEY), (say("tile"), WEIGHT), ("v", VALUE)
    for i, (name, colour) in enumerate(held):
        middle = left + (i + 0.5) * wide / 4, bottom + high / 2
        corner = middle[0] - side / 2, middle[1] - side / 2
        squares.append(axes.add_patch(Rectangle(corner, side, side, color=colour)))
        names.append(axes.text(*middle, name, ha="center", color="white", **LOOK))
        names[-1].set_fontweight("bold")
    names[2].set_fontweight("normal")  # the longest
    names.append(axes.text(left, bottom - 0.4, say("q stays, k and v pass by"), **LOOK))
    shown = [*lines, box, *squares, *names]

    def follow(data) -> None:
        for one in shown:
            one.set_visible(data["tiles"])

    return shown, follow


def _amount(gb: float) -> str:
    """So many GB in the unit that suits, in three figures at most."""
    return say("{x:.3g} GB", x=gb) if gb >= 1 else say("{x:.3g} MB", x=1000 * gb)


def _finding(data) -> str:
    told = {"n": data["n"], "tables": _amount(data["tables"]), "novel": NOVEL}
    if data["tiles"] and data["moving"] < data["computing"]:
        return say("{n:,} words in tiles: no wait for the cellar, perhaps for the shelf", **told)
    if data["tiles"]:
        return say("{n:,} words in tiles: no table, but so short a text still waits", **told)
    if data["stays"]:
        return say("{n:,} words: if {tables} of tables leave the shelf, the GPU waits", **told)
    if data["fits"]:
        return say("{n:,} words: {tables} of tables move twice, the GPU waits", **told)
    if data["tables"] <= CARD.memory:  # the tables alone would fit
        return say("{n:,} words: {tables} of tables, no room for q, k, v, out", **told)
    return say("{n:,} words: {tables} do not fit, and the novel has {novel:,}", **told)


def describe_gpu(params, data) -> str:
    """The picture in words."""
    seats = {"count": data["programs"], "sms": SMS}
    if not data["tiles"]:
        tables = say("Scores and weights take {tables}", tables=_amount(data["tables"]))
    elif data["programs"] > SMS:
        tables = say("No table is stored; {count:,} blocks of queries share {sms} SMs", **seats)
    else:
        tables = say("No table is stored; {count} of {sms} SMs have a block of queries", **seats)
    if data["tiles"]:
        share = 4 * ROWS * WIDTH * NUMBER / (CARD.shared * 1024)
        tables += say(
            ". One SM, the blue one, is drawn larger: a block of queries stays on its desk, "
            "blocks of k and v pass by, and each tile of scores is used and forgotten. These four "
            "take {share:.0%} of it. Dashed outlines show the same without tiles: {plain:.3g} ms "
            "between cellar and shelf, and at least {before:.3g} ms between shelf and desks",
            share=share, plain=data["plain"]["moving"], before=data["plain"]["passing"],
        )  # fmt: skip
    return say(
        "An H100 with {memory} GB, a shelf of {shelf} MB and SMs that hold {held:.0f} MB; one "
        "layer of {heads} heads of width {width}, {n:,} words. {tables}. Queries, keys, values and "
        "outputs take {rows}; in all {room}. By our count {moved} cross between cellar and shelf, "
        "{twice}. This takes {moving:.3g} ms at best, {times:.2g} times the {computing:.3g} ms "
        "of the operations, with all SMs at work. {fetched} cross between shelf and desks, in "
        "{bound} {passing:.3g} ms.",
        fetched=_amount(data["fetched"]), passing=data["passing"],
        bound=say("at most") if data["tiles"] else say("at least"),
        n=data["n"], tables=tables, rows=_amount(data["rows"]), times=data["times"],
        twice=say("no table") if data["tiles"] else say("each table twice, out and back"),
        room=say("it fits") if data["fits"] else say("it does not fit"),
        moved=_amount(data["moved"]), moving=data["moving"], computing=data["computing"],
        memory=CARD.memory, held=1000 * CHIP**2, shelf=SHELF_MB, heads=HEADS, width=WIDTH,
    )  # fmt: skip


explore_gpu = Explorer(
    gpu, draw_gpu, describe_gpu,
    sliders={
        "n": IntRange(250, MOST, start=16_000, step=250, label="words n, up to a full memory"),
        "tiles": Toggle(start=False, label="in tiles"),
    },
    handles={
        "corner": Handle(
            at=lambda data: ("memory", data["side"], data["side"]),
            to=lambda xy, params: {"n": max(sum(xy) / 2, 0) * math.sqrt(GB / HEADS / NUMBER)},
            moves=("n",),
            label="the corner of the scores", colour=WEIGHT,
        ),
    },
    numbers=lambda params, data: [
        (say("scores and weights"), _amount(data["tables"])),
        (say("q, k, v and output"), _amount(data["rows"])),
        (say("keys and values of one head"), _amount(data["rows"] / 2 / HEADS)),
        (say("blocks of queries in a head"), f"{data['programs'] // HEADS}"),
        (say("moved between cellar and shelf"), _amount(data["moved"])),
        (say("moved between shelf and desks"), _amount(data["fetched"])),
        (say("cellar ↔ shelf, at best"), say("{ms:.3g} ms", ms=data["moving"])),
        (say("shelf ↔ desks, at best"), say("{ms:.3g} ms", ms=data["passing"])),
        (say("computing, at best"), say("{ms:.3g} ms", ms=data["computing"])),
    ],
    size=(7.0, 3.85), colours=3,
    goal=Goal(
        "End the wait for the cellar: bring “cellar ↔ shelf” below “computing”, with as few words "
        "as you can. First pull the corner of the scores: does any length do it? If not, read "
        "below what tiles are.",
        lambda params, data: data["moving"] < data["computing"] and params["n"] <= FEWEST,
        solution={"tiles": True, "n": FEWEST},
    ),
)  # fmt: skip
