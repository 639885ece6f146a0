"""The roof: what a device can do at best."""

import numpy as np

from course_lib.figures.theme import FAINT, GHOST, INK, SMALL
from course_lib.measures.attention_cost import (
    core_flops,
    largest_block,
)
from course_lib.measures.loop_order import elements_moved
from course_lib.measures.published import DEVICES
from course_lib.sliding.explorer import Drawing, Explorer, Goal
from course_lib.sliding.handles import Handle
from course_lib.sliding.sliders import IntRange, Options
from course_lib.words import say

BLOCKS = IntRange(8, 512, start=16, label="queries in a block", log=True)

INTENSITIES = np.geomspace(4, 4000, 80)

LOWEST, SECOND = 0.3, "#5a5a5a"

PLATE = {"facecolor": "white", "linewidth": 0, "pad": 1.0}  # a line may pass below a name

NUMBER = 2  # bytes of a 16-bit number


def roof(*, device, n, d, block) -> dict:
    """Where plain attention and FlashAttention stand below the roof of a device."""
    one = DEVICES[device]
    flops = core_flops(n, d)
    ways = {
        "plain": flops / (NUMBER * elements_moved("plain", n, d, block_q=block)),
        "tiles": flops / (NUMBER * elements_moved("queries outside", n, d, block_q=block)),
    }
    return {
        "device": device,
        "roof": np.array([one.attainable(x) for x in INTENSITIES]),
        "intensity": ways,
        "rate": {name: one.attainable(x) for name, x in ways.items()},
        "peak": one.tflops,
        "ridge": one.ridge,
        "block": block,
        "d": d,
        "n": n,
        "room": largest_block(one.shared * 1024, d, NUMBER),
    }


def draw_roof(figure, data) -> Drawing:
    """The roof, its ridge, and the two ways of attention below it."""
    axes = _axes(figure)
    axes.plot(INTENSITIES, data["roof"], color=GHOST, linewidth=1)
    (line,) = axes.plot([], [], color=INK)
    (ridge,) = axes.plot([], [], color=FAINT, linestyle=(0, (4, 3)), linewidth=1.5)
    (foot,) = axes.plot([], [], color=INK, linestyle=(0, (3, 2)), linewidth=1.2)
    points, names = {}, {}
    for way, mark, colour, size in (("plain", "s", SECOND, 11), ("tiles", "o", INK, 10)):
        (points[way],) = axes.plot([], [], mark, color=colour, markersize=size)
        points[way].set_zorder(4)  # above the plates of the names
        names[way] = axes.text(1, 1, "", va="top", color=colour, fontsize=SMALL, bbox=PLATE)
    fits = axes.text(0.03, 0.93, "", transform=axes.transAxes, fontsize=SMALL, va="center")
    names["ridge"] = axes.text(1, 1, "", color=SECOND, fontsize=SMALL, va="bottom")
    names["peak"] = axes.text(3800, 1, "", ha="right", va="bottom", fontsize=SMALL)
    title = figure.headline()

    def update(data) -> None:
        line.set_data(INTENSITIES, data["roof"])
        ridge.set_data([data["ridge"]] * 2, [LOWEST, data["peak"]])
        names["ridge"].set_text(say("ridge: {x:.0f}", x=data["ridge"]))
        names["ridge"].set_position((data["ridge"], 1.25 * data["peak"]))
        names["peak"].set_text(say("roof: {x:.0f}", x=data["peak"]))
        names["peak"].set_y(1.25 * data["peak"])
        for way, below in (("plain", 0.3), ("tiles", 0.8)):
            points[way].set_data([_x(data, way)], [data["rate"][way]])
            height = max(below * data["rate"][way], 1.6 * LOWEST)
            names[way].set_position((1.13 * _x(data, way), height))
        foot.set_data([_x(data, "tiles")] * 2, [LOWEST, data["rate"]["tiles"]])
        names["plain"].set_text(say("plain: {x:.0f} a byte", x=_x(data, "plain")))
        names["tiles"].set_text(say("in tiles: {x:.0f} a byte", x=_x(data, "tiles")))
        fits.set_text(say("d = {d}, n = {n}: {fits}", d=data["d"], n=data["n"], fits=_fits(data)))
        title.set_text(_finding(data))

    lines = [line, ridge, foot, *points.values()]
    return Drawing(update, moving=[*lines, *names.values(), fits, title])


def _axes(figure):
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlim=(4, 4000), ylim=(LOWEST, 15_000), label="roof")
    ticks = [1, 10, 100, 1000]
    axes.set_xticks(ticks[1:], map(str, ticks[1:]))
    axes.set_yticks(ticks, map(str, ticks))
    axes.minorticks_off()
    axes.set(xlabel=say("operations for each byte that is moved"), ylabel=say("TFLOP/s at best"))
    return axes


def _finding(data) -> str:
    return say(
        "{device}: plain at most {plain:.0f}, tiles at most {tiles:.0f} of {peak:.0f}",
        device=data["device"], peak=data["peak"], **data["rate"],
    )  # fmt: skip


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
        "{device}: {peak:.0f} TFLOP/s at best, from {ridge:.0f} operations a byte on. With "
        "{block} queries in a block, plain attention has {plain_x:.0f} and reaches {plain:.0f} at "
        "most; in tiles it is {tiles_x:.0f} and {tiles:.0f}. On its chip {fits}.",
        fits=_fits(data), plain_x=_x(data, "plain"), tiles_x=_x(data, "tiles"),
        device=data["device"], peak=data["peak"], ridge=data["ridge"], block=data["block"],
        **data["rate"],
    )  # fmt: skip


def _block_at(xy, params) -> dict:
    """The block whose operations a byte are nearest to x."""
    n, d, flops = params["n"], params["d"], core_flops(params["n"], params["d"])
    wanted = np.log(max(xy[0], 1e-9))

    def off(block: int) -> float:
        moved = NUMBER * elements_moved("queries outside", n, d, block_q=block)
        return abs(np.log(flops / moved) - wanted)

    stands = off(params["block"])
    best = min(BLOCKS.notches(), key=off)
    return {"block": params["block"] if stands <= off(best) + 1e-9 else best}


explore_roof = Explorer(
    roof,
    draw_roof,
    describe_roof,
    sliders={
        "device": Options(list(DEVICES), start="A100", label="device"),
        "block": BLOCKS,
        "n": IntRange(256, 65536, start=4096, label="words n", log=True),
        "d": Options([64, 128], start=64, label="width of a head d"),
    },
    handles={
        "block": Handle(
            at=lambda data: ("roof", _x(data, "tiles"), LOWEST),
            to=_block_at,
            moves=("block",),
            label="queries in a block",
            colour=INK,
        ),
    },
    numbers=lambda params, data: [
        (say("operations a byte, plain"), f"{_x(data, 'plain'):.1f}"),
        (say("operations a byte, in tiles"), f"{_x(data, 'tiles'):.1f}"),
        (say("ridge of the device"), f"{data['ridge']:.0f}"),
        (say("rows that fit on the chip"), str(data["room"])),
    ],
    size=(6.2, 3.2),
    colours=5,  # lines, marks and words
    goal=Goal(
        "H100: bring the tiles under the flat part of the roof, with a block that fits. "
        "Which width d allows it?",
        lambda params, data: (
            params["device"] == "H100"
            and data["rate"]["tiles"] == data["peak"]
            and data["block"] <= data["room"]
        ),
        solution={"device": "H100", "block": 362},
    ),
)
