"""Draw the newest results of slider_latency and run_all as images/speed.png.

python -m benchmarks.speed_picture
"""

import statistics
import sys
from pathlib import Path

from benchmarks.parts.record import latest
from benchmarks.run_all import GOAL as MIB
from benchmarks.run_all import LIGHT
from benchmarks.slider_latency import LEAST
from course_lib.figures.static import figure_png
from course_lib.figures.theme import FAINT, INK, KEY, QUERY, SMALL, new_figure, style

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "images" / "speed.png"


def draw(sliders: dict, chapters: dict):
    """A point for each explorer on the left, a bar for each chapter on the right."""
    ratios = sorted((*_ratios(kinds), name.split(".")[1]) for name, kinds in sliders.items())
    with style():
        figure = new_figure(7.0, 1.2 + 0.24 * len(ratios))
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
        _draw_ratios(left, ratios)
        _memory(right, chapters)
    return figure


def _ratios(kinds: dict) -> tuple[float, float]:
    """How many times faster a step of ours is than the habit's: as it is shown, and asked."""
    steps = {
        kind: statistics.median(kinds[kind]["steps_ms"]) for kind in ("habit", "ours", "asked")
    }
    return steps["habit"] / steps["ours"], steps["habit"] / steps["asked"]


def _draw_ratios(axes, ratios) -> None:
    middle = statistics.median(ours for ours, _, _ in ratios)
    places = range(len(ratios))
    axes.hlines(places, 0, [ours for ours, _, _ in ratios], color=FAINT, linewidth=1)
    looks = {"kept or fetched while the hand rests": QUERY, "asked from the kernel": "white"}
    for number, (label, face) in enumerate(looks.items()):
        values = [one[number] for one in ratios]
        axes.plot(values, places, "o", color=QUERY, markerfacecolor=face, markersize=6, label=label)
    axes.axvline(LEAST, color=INK, linewidth=1, linestyle=(0, (2, 2)))
    axes.set_yticks(places, [name.removeprefix("explore_") for _, _, name in ratios])
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, None), ylim=(-0.7, len(ratios) - 0.3), xlabel="times faster than interact")
    axes.figure.legend(loc="outside lower left", frameon=False, fontsize=SMALL, ncols=2)
    axes.set_title(f"a learner's step: {middle:.0f} times\nfaster at the median")


def _memory(axes, chapters) -> None:
    names = sorted(chapters, reverse=True)
    held = [chapters[name]["memory_mib"] for name in names]
    colours = [QUERY if name[:2] <= LIGHT else KEY for name in names]
    axes.barh(range(len(names)), held, color=colours, height=0.6)
    axes.axvline(MIB, color=INK, linewidth=1, linestyle=(0, (2, 2)))
    for place, mib in enumerate(held):
        axes.text(max(mib, MIB) + 8, place, f"{mib}", va="center", fontsize=SMALL)
    axes.set_yticks(range(len(names)), [f"chapter {int(name[:2])}" for name in names])
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, 1.2 * max(held)), xlabel="MiB after Run all")
    axes.set_title("a kernel's memory\n(5 to 8: with torch)")


def main() -> int:
    """Draw what was measured; returns 0, or 1 where a result is missing."""
    sliders, chapters = latest("slider_latency"), latest("run_all")
    if not sliders or not chapters:
        print("measure first: python -m benchmarks.slider_latency, python -m benchmarks.run_all")
        return 1
    PICTURE.write_bytes(figure_png(draw(sliders["explorers"], chapters["chapters"])))
    print(f"drawn as {PICTURE.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
