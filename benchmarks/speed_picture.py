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
    ratios = sorted((_ratio(kinds), name.split(".")[1]) for name, kinds in sliders.items())
    with style():
        figure = new_figure(7.0, 1.2 + 0.24 * len(ratios))
        left, right = figure.subplots(1, 2, width_ratios=(1.25, 1))
        _ratios(left, ratios)
        _memory(right, chapters)
    return figure


def _ratio(kinds: dict) -> float:
    """How many times faster our step is than the habit's, at the medians."""
    habit, asked = (statistics.median(kinds[kind]["steps_ms"]) for kind in ("habit", "asked"))
    return habit / asked


def _ratios(axes, ratios) -> None:
    middle = statistics.median(ratio for ratio, _ in ratios)
    places = range(len(ratios))
    axes.hlines(places, 0, [ratio for ratio, _ in ratios], color=FAINT, linewidth=1)
    axes.plot([ratio for ratio, _ in ratios], places, "o", color=QUERY, markersize=6)
    axes.axvline(LEAST, color=INK, linewidth=1, linestyle=(0, (2, 2)))
    axes.set_yticks(places, [name.removeprefix("explore_") for _, name in ratios])
    axes.tick_params(axis="y", length=0)
    axes.set(xlim=(0, None), ylim=(-0.7, len(ratios) - 0.3), xlabel="times faster than interact")
    axes.set_title(f"a slider's step: {middle:.1f} times\nfaster at the median")


def _memory(axes, chapters) -> None:
    names = sorted(chapters, reverse=True)
    held = [chapters[name]["memory_mib"] for name in names]
    colours = [QUERY if name[:2] <= LIGHT else KEY for name in names]
    axes.barh(range(len(names)), held, color=colours, height=0.6)
    axes.axvline(MIB, color=INK, linewidth=1, linestyle=(0, (2, 2)))
    for place, mib in enumerate(held):
        axes.text(mib - 6, place, f"{mib}", ha="right", va="center", fontsize=SMALL, color="white")
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
