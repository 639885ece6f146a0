"""How long from a slider's step to the new picture, against the same picture made by `interact`.

    python -m benchmarks.slider_latency [--explorer explore_two_vectors ...] [--rounds 3]

Each explorer is shown several times in one JupyterLab in a real browser: as the course shows it
("ours"), the same without any memory, so that the kernel is asked for each picture ("asked"), and
as the habit does it, which is `interact` around a function that computes, draws with pyplot and
calls `plt.show()`: once at the same sharpness ("habit": two pixels for one, the "retina" format),
once at pyplot's default of a quarter of the pixels ("coarse"). All use the explorer's own compute
and draw. They are measured in turn, so that other work on the machine slows all. The goal is about
the same picture and a step as a learner has it, a key every quarter of a second: the ratio of
"ours" to "habit". What the kernel itself takes, with nothing remembered or prepared while the hand
rests, is "asked": there the way of a "bare" step alone leaves no more than four or five times.

"Bare" is a slider whose question the kernel answers with nothing and whose page writes its number:
what a step costs that draws no picture at all.

step    from the key press to the painted picture (of ours: pixels or SVG), one arrow key at a time
settle  from the last value of a drag (or of a flurry of keys on two sliders) to the last picture:
        a queue would show here
Prints median, 95th percentile and n, and the ratio of the medians (the goal: at least 7 at the
median of all explorers, and none under 4), and saves all of it in benchmarks/results/.
"""

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.in_lab.slider import Slider
from benchmarks.parts.record import circumstances, save
from course_lib.sliding.registry import explorers
from tests.browser.lab_driver import LabBrowser, find_chromium
from tests.browser.lab_server import LabServer

ROOT = Path(__file__).resolve().parent.parent

GOAL, LEAST = 7.0, 4.0  # at the median of the explorers; of each of them: a learner's step
VERSIONS = ("jupyterlab", "ipywidgets", "ipykernel", "matplotlib", "numpy", "pillow")
OURS = "from {module} import {name}\n{name}()"
ASKED = """\
from course_lib.sliding.front_end import front_end
from course_lib.sliding.panel import Widget
front = front_end().replace("KEPT = 300;", "KEPT = 1;").replace("PAUSE = 100;", "PAUSE = 1e9;")
assert "KEPT = 1;" in front and "PAUSE = 1e9;" in front
Widget._esm = front
"""
BARE = """\
import anywidget
class Bare(anywidget.AnyWidget):
    _esm = '''
    const INSIDE = `<input type="range" max="99" data-lm-suppress-shortcuts>
      <img width="9" height="9"><div class="explorer-pane"><svg width="90" height="30">
      <text y="20"></text></svg></div>`;
    export default { render({ model, el }) {
      el.classList.add("explorer");
      el.innerHTML = INSIDE;
      const [track, text] = [el.querySelector("input"), el.querySelector("text")];
      track.addEventListener("input", () => model.send({ value: track.value }));
      model.on("msg:custom", ({ value }) => (text.textContent = value));
    } };
    '''
bare = Bare()
bare.on_msg(lambda widget, question, buffers: widget.send(question))
bare
"""
HABIT = """\
%config InlineBackend.figure_formats = ["{format}"]
import matplotlib.pyplot as plt
from ipywidgets import Dropdown, FloatSlider, IntSlider, SelectionSlider, fixed, interact
from {module} import {name} as explorer
from course_lib.figures.theme import style

def picture(**params):
    with style():
        figure = plt.figure(figsize=explorer.size, layout="constrained")
        data = explorer.compute(**params, **explorer.functions)
        explorer.draw(figure, data).update(data)
        plt.show()

def slider(spec):
    told = spec.told()
    if told["kind"] == "toggle":
        return spec.start
    if told["kind"] == "held":  # taken in hand: interact has no such thing
        return fixed(spec.start)
    if told["kind"] == "options":
        return Dropdown(options=list(spec.named().items()), value=spec.start)
    if told["log"]:  # ours counts its stops
        return SelectionSlider(options=spec.notches(), value=spec.start)
    kind = IntSlider if told["whole"] else FloatSlider
    stops = spec.notches()
    step = max(high - low for low, high in zip(stops, stops[1:]))
    return kind(value=spec.start, min=spec.low, max=spec.high, step=step)

sliders = {{name: slider(spec) for name, spec in explorer.sliders.items()}}
interact(picture, **sliders);
"""
KINDS = {
    "ours": (OURS, ""),
    "asked": (ASKED + OURS, ""),
    "habit": (HABIT, "retina"),
    "coarse": (HABIT, "png"),
}


def notebook(source: str) -> dict:
    """A notebook with one code cell."""
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": None}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [{**cell, "outputs": [], "source": source}]
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def module_of(full: str) -> str:
    """The module that holds the explorer of a full name."""
    chapter, name = full.split(".")
    explorer, rooms = explorers()[full], f"course_lib.chapters.{chapter}.explorers."
    loaded = [module for module in sys.modules if module.startswith(rooms)]
    return next(one for one in loaded if vars(sys.modules[one]).get(name) is explorer)


def measure(names: list[str], kinds: list[str], rounds: int, steps: int) -> tuple[dict, float]:
    """The times of each explorer and of its rivals, measured in turn; and a bare step's."""
    from playwright.sync_api import TimeoutError as TooSlow

    found = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "notebooks"
        folder.mkdir()
        for kind in kinds:
            (folder / f"{kind}.ipynb").write_text(json.dumps(notebook("")))
        (folder / "bare.ipynb").write_text(json.dumps(notebook(BARE)))
        with LabServer(folder, Path(place) / "home") as server, LabBrowser(width=1400) as browser:
            bare = _bare(Slider(browser.open(server, "bare.ipynb")), rounds * steps)
            pages = {kind: browser.open(server, f"{kind}.ipynb") for kind in kinds}
            for full in names:
                try:
                    shown = {kind: _shown(pages[kind], kind, full) for kind in kinds}
                    found[full] = _in_turn(shown, rounds, steps)
                    report_one(full, found[full])
                except TooSlow:  # on a busy machine; the others still count
                    print(f"{full}: LEFT OUT, it did not come in time", flush=True)
    return found, bare


def _shown(page, kind: str, full: str) -> Slider:
    """An explorer as `kind` shows it, in place of the one before."""
    source, format = KINDS[kind]
    name = full.split(".")[1]
    page.page.bring_to_front()
    page.write("a", source.format(module=module_of(full), name=name, format=format))
    return Slider(page)


def _bare(slider: Slider, steps: int) -> float:
    slider.step(2)
    slider.steps.clear()
    slider.step(steps)
    slider.page.close()
    median = statistics.median(slider.steps)
    print(f"a bare step, without a picture: median {median:.0f} ms, n {len(slider.steps)}")
    return median


def _in_turn(shown: dict, rounds: int, steps: int) -> dict:
    kinds = list(shown)
    for slider in shown.values():
        slider.step(2)  # warm
        slider.steps.clear()
    for number in range(rounds):
        for kind in kinds[:: -1 if number % 2 else 1]:
            shown[kind].step(steps)
            shown[kind].drag()
            shown[kind].flurry()
    return {
        kind: {
            "steps_ms": slider.steps, "missed": slider.missed, "drag_settle_ms": slider.drags,
            "flurry_settle_ms": slider.flurries, "drag_frames_of_values": slider.frames,
        }
        for kind, slider in shown.items()
    }  # fmt: skip


def percentile(values: list[float], share: float) -> float:
    """The value below which `share` of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def report_one(name: str, kinds: dict) -> None:
    """Print the times of one explorer, and add the ratios of the medians to what is saved."""
    print(f"\n{name}")
    for kind, seen in kinds.items():
        steps, drags, flurries = (
            seen[k] for k in ("steps_ms", "drag_settle_ms", "flurry_settle_ms")
        )
        frames = [frames for frames, _ in seen["drag_frames_of_values"]]
        values = [values for _, values in seen["drag_frames_of_values"]]
        print(
            f"  {kind:6}  step median {statistics.median(steps):5.0f} ms, p95 "
            f"{percentile(steps, 0.95):5.0f}, n {len(steps)} (missed {seen['missed']}); "
            f"settle after a drag {statistics.median(drags):5.0f} ms (most {max(drags):.0f}), "
            f"{statistics.median(frames):.0f} pictures of {statistics.median(values):.0f} "
            "values"
            + (f"; after two sliders {statistics.median(flurries):.0f} ms" if flurries else "")
        )
    median = {kind: statistics.median(seen["steps_ms"]) for kind, seen in kinds.items()}
    asked = kinds["ratio"] = median["habit"] / median["asked"]
    ratio = kinds["ratio_with_memory"] = median["habit"] / median["ours"]
    coarse = ""
    if "coarse" in median:
        kinds["ratio_to_coarse"] = median["coarse"] / median["asked"]
        coarse = f"; {kinds['ratio_to_coarse']:.1f} times faster than the coarse one"
    print(
        f"  {ratio:.1f} times faster than the habit (at least {LEAST:g}: "
        f"{'reached' if ratio >= LEAST else 'MISSED'}), "
        f"{asked:.1f} times asked from the kernel{coarse}",
        flush=True,
    )


def report(found: dict) -> None:
    """Print what holds for all explorers together."""
    for kind, name in (("ratio_with_memory", "as shown"), ("ratio", "asked from the kernel")):
        ratios = [kinds[kind] for kinds in found.values()]
        middle, least = statistics.median(ratios), min(ratios)
        verdict = "reached" if middle >= GOAL and least >= LEAST else "MISSED"
        goal = f" (goal {GOAL:g} and {LEAST:g}: {verdict})" if kind == "ratio_with_memory" else ""
        print(
            f"\nAll {len(ratios)}, {name}: {middle:.1f} times at the median, least {least:.1f}, "
            f"most {max(ratios):.1f}{goal}"
        )


def save_latencies(found: dict, bare: float, rounds: int) -> Path:
    """Write the result with date and versions; returns its path."""
    told = {"rounds": rounds, "bare_ms": bare, "explorers": found}
    return save("slider_latency", circumstances(*VERSIONS) | told)


def _slides(explorer) -> bool:
    """Whether there is a slider to move: `interact` has nothing beside what is taken in hand."""
    return any(spec.told()["kind"] == "range" for spec in explorer.sliders.values())


def main() -> int:
    """Measure, print, save; returns 0, or 1 where nothing could be measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--explorer", nargs="+", help="only these (default: every one of every chapter)"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=12, help="single steps in each round")
    parser.add_argument("--without-coarse", action="store_true", help="a third quicker")
    options = parser.parse_args()
    kinds = [kind for kind in KINDS if kind != "coarse" or not options.without_coarse]
    known = {name: one for name, one in explorers().items() if _slides(one)}
    asked = options.explorer or list(known)
    names = [name for name in known if {name, name.split(".")[1]} & set(asked)]
    if len(names) < len(asked):
        print(f"not all of {', '.join(asked)} are explorers; there is: {', '.join(known)}")
        return 1
    if find_chromium() is None:
        print("no browser: install chromium, or name one in CHROMIUM; nothing was measured")
        return 1
    found, bare = measure(names, kinds, options.rounds, options.steps)
    report(found)
    print(f"\nsaved as {save_latencies(found, bare, options.rounds).relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
