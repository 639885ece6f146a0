"""The pictures of chapter 8 without sliders, each with the words for who cannot see it."""

from course_lib.figures.static import show_figure
from course_lib.figures.theme import INK, SMALL, new_figure
from course_lib.measures.published import DEVICES, FORWARD_RATES, LENGTHS
from course_lib.words import say

SMALL_TILES = (
    "Numbers moved in tiles, as a part of what plain attention moves with as many queries in a "
    "block; no cache is counted. With {pairs}. A line stands at 1, plain attention."
)
PAIR = "{block} queries in a block {times:.2f}"
SPEEDS = (
    "Trillions of operations a second on an H100, forward, {words} words, heads of width 128. "
    "{pairs}. A line stands at {peak}, what the chip does at best. (Shah et al., 2024, figure 5.)"
)
SPEED = "{name} {rate}"
NAMES = {"standard": "step by step", "FA2": "FlashAttention-2", "FA3": "FlashAttention-3"}
WORDS, CARD = 8192, DEVICES["H100"]
GREY = "#767676"  # the plain way


def show_small_tiles(times: dict[int, float]) -> None:
    """times: queries in a block -> numbers moved, where plain attention with as many is 1."""
    figure = new_figure(7.0, 3.0)
    axes, places = figure.subplots(), range(len(times))
    axes.barh(places, times.values(), height=0.62, color=INK)
    for place, ratio in zip(places, times.values(), strict=True):
        axes.text(ratio + 0.01, place, f"{ratio:.2f}", va="center", fontsize=SMALL)
    axes.axvline(1, color=INK, linewidth=1.4, linestyle=(0, (3, 2)))
    label = say("plain attention,\nwith the same block")
    axes.text(1.01, len(times) - 1.5, label, va="center", fontsize=SMALL)
    axes.set(xlim=(0, 1.42), ylim=(len(times) - 0.4, -0.6))
    axes.set_yticks(places, map(str, times))
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_ylabel(say("queries in a block"))
    axes.set_xlabel(say("numbers moved, as a part of plain attention's"))
    axes.tick_params(length=0)
    axes.set_title(say("The more queries in a block, the less is moved"), loc="left")
    pairs = ", ".join(say(PAIR, block=block, times=ratio) for block, ratio in times.items())
    show_figure(figure, say(SMALL_TILES, pairs=pairs), colours=4)


def speeds() -> dict[str, int]:
    """10^12 operations a second at WORDS words, forward, as published; by the name shown."""
    at = LENGTHS.index(WORDS)
    return {name: FORWARD_RATES[key][at] for key, name in NAMES.items()}


def show_speeds() -> None:
    """Three bars, attention step by step and in tiles, and what the chip does at best."""
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
    axes.set_xlabel(say("trillions of operations a second"))
    axes.tick_params(length=0)
    title = "{words} words on an H100: {second:.1f} and {third:.1f} times as fast"
    axes.set_title(say(title, words=WORDS, second=second / plain, third=third / plain), loc="right")
    pairs = ", ".join(say(SPEED, name=name, rate=rate) for name, rate in rates.items())
    show_figure(figure, say(SPEEDS, words=WORDS, pairs=pairs, peak=CARD.tflops), colours=4)
