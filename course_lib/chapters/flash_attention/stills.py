"""The pictures of chapter 8 without sliders, each with the words for who cannot see it."""

import numpy as np

from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, SMALL, new_figure
from course_lib.measures.published import DEVICES, FORWARD_RATES, LENGTHS
from course_lib.words import say

SMALL_TILES = (
    "Millions of numbers that come to the SMs or leave them, a bar for each size of block. The "
    "dark part is q, k, v and out, which move in both ways. The hatched part is the tables, which "
    "only the plain way moves. With {pairs}."
)
PAIR = "{block} queries in a block {tiles:.0f} in tiles and {plain:.0f} the plain way"
SPEEDS = (
    "Trillions of operations a second on an H100, forward, {words} words, heads of width 128. "
    "{pairs}. A line stands at {peak}, what the chip does at best. (Shah et al., 2024, figure 5.)"
)
SPEED = "{name} {rate}"
NAMES = {"standard": "plain attention", "FA2": "FlashAttention-2", "FA3": "FlashAttention-3"}
WORDS, CARD = 8192, DEVICES["H100"]
GREY = "#767676"  # the plain way
RATIOS = 705  # where the column of ratios stands, in millions


def show_small_tiles(moved: dict[int, tuple[int, int]]) -> None:
    """moved: queries in a block -> numbers moved in tiles, and the plain way."""
    figure = new_figure(7.0, 2.5)
    axes, places = figure.subplots(), range(len(moved))
    tiles, plain = (np.array(way) / 1e6 for way in zip(*moved.values(), strict=True))
    axes.barh(places, tiles, height=0.62, color=INK)
    look = {"facecolor": "white", "edgecolor": INK, "hatch": "////", "linewidth": 1}
    axes.barh(places, plain - tiles, left=tiles, height=0.62, **look)
    for place, ratio in zip(places, tiles / plain, strict=True):
        axes.text(RATIOS, place, f"{ratio:.2f}", ha="center", va="center", fontsize=SMALL)
    axes.text(RATIOS, -0.75, say("tiles / plain"), ha="center", va="center", fontsize=SMALL)
    both = say("in both ways: k and v, and a little q and out")
    axes.text(12, 0, both, color="white", va="center", fontsize=SMALL)
    pointer = {"arrowstyle": "-", "color": INK, "shrinkA": 3, "shrinkB": 0}
    end = plain[-1] + 4, len(moved) - 1
    note = say("only in plain attention: the tables")
    axes.annotate(note, end, (210, end[1]), va="center", fontsize=SMALL, arrowprops=pointer)
    axes.set(xlim=(0, 770), ylim=(len(moved) - 0.5, -1.1))
    axes.set_yticks(places, map(str, moved))
    axes.set_xticks([0, 200, 400, 600])
    axes.set_ylabel(say("queries in a block"))
    axes.set_xlabel(say("million numbers moved"))
    axes.tick_params(length=0)
    figure.headline(say("k and v outweigh the tables, until the blocks are large"))
    pairs = ", ".join(
        say(PAIR, block=block, tiles=one, plain=other)
        for block, one, other in zip(moved, tiles, plain, strict=True)
    )
    show_figure(figure, say(SMALL_TILES, pairs=pairs), colours=4)


def speeds() -> dict[str, int]:
    """10^12 operations a second at WORDS words, forward, as published; by the name shown."""
    at = LENGTHS.index(WORDS)
    return {name: FORWARD_RATES[key][at] for key, name in NAMES.items()}


def show_speeds() -> None:
    """Three bars, plain attention and in tiles, and what the chip does at best."""
    rates = speeds()
    plain, second, third = rates.values()
    figure = new_figure(7.0, 2.6)
    axes = figure.subplots()
    axes.barh(range(len(rates)), rates.values(), height=0.62, color=[GREY, INK, INK])
    for place, rate in enumerate(rates.values()):
        axes.text(rate + 12, place, str(rate), va="center", fontsize=SMALL)
    axes.axvline(CARD.tflops, color=INK, linewidth=1.4, linestyle=(0, (3, 2)))
    peak = say("the chip at best: {peak}", peak=CARD.tflops)
    axes.text(CARD.tflops - 12, 0, peak, ha="right", va="center", fontsize=SMALL)
    axes.set(xlim=(0, 1.02 * CARD.tflops), ylim=(len(rates) - 0.4, -0.6))
    axes.set_yticks(range(len(rates)), [say(name) for name in rates])
    axes.set_xlabel(say("trillions of operations a second (twice as many: half the time)"))
    axes.tick_params(length=0)
    title = "{words} words on an H100: {second:.2f} and {third:.2f} times as fast"
    figure.headline(say(title, words=WORDS, second=second / plain, third=third / plain))
    pairs = ", ".join(say(SPEED, name=name, rate=rate) for name, rate in rates.items())
    show_figure(figure, say(SPEEDS, words=WORDS, pairs=pairs, peak=CARD.tflops), colours=4)
