"""How long from a slider's step to the new picture, against the same picture made by `interact`.

    python -m benchmarks.slider_latency [--explorer explore_two_vectors ...] [--rounds 3]

Each explorer is shown three times in one JupyterLab in a real browser: as the course shows it
("ours"), and as the habit does it, which is `interact` around a function that computes, draws with
pyplot and calls `plt.show()`: once at the same sharpness ("habit": two pixels for one, the
"retina" format), once at pyplot's default of a quarter of the pixels ("coarse"). All use the
explorer's own compute and draw. They are measured in turn, so that other work on the machine slows
all. The goal is about the same picture, so the ratio to "habit" counts; the other is printed too.

step    from the key press to the painted picture (of ours: pixels or SVG), one arrow key at a time
settle  from the last value of a drag (or of a flurry of keys on two sliders) to the last picture:
        a queue would show here
Prints median, 95th percentile and n, and the ratio of the medians (the goal is at least 3), and
saves all of it in benchmarks/results/.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

from course_lib.explorers.engine.registry import explorers
from tests.browser.lab_driver import LabBrowser, find_chromium
from tests.browser.lab_server import LabServer

ROOT = Path(__file__).resolve().parent.parent

GOAL = 3.0
VERSIONS = ("jupyterlab", "ipywidgets", "ipykernel", "matplotlib", "numpy", "pillow")
OURS = "from course_lib.explorers.{module} import {name}\n{name}()"
HABIT = """\
%config InlineBackend.figure_formats = ["{format}"]
import matplotlib.pyplot as plt
from ipywidgets import SelectionSlider, interact
from course_lib.explorers.{module} import {name} as explorer
from course_lib.explorers.engine.controls import Control
from course_lib.figures.theme import style

def picture(**params):
    with style():
        figure = plt.figure(figsize=explorer.size, layout="constrained")
        data = explorer.compute(**params, **explorer.functions)
        explorer.draw(figure, data).update(data)
        plt.show()

def slider(spec):
    if getattr(spec, "log", False):  # ours counts its stops
        return SelectionSlider(options=spec.notches(), value=spec.start)
    return Control(spec, lambda: None).inputs[0]

sliders = {{name: slider(spec) for name, spec in explorer.sliders.items()}}
interact(picture, **sliders);
"""
KINDS = (("ours", OURS, ""), ("habit", HABIT, "retina"), ("coarse", HABIT, "png"))
WATCH = """() => {
  const seen = window.__seen = {frames: [], values: [], keys: []};
  let waiting = false;
  const painted = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => { waiting = false; seen.frames.push(performance.now()) };
      after.port2.postMessage(0);
    });
  };
  const image = one => {
    if (one.src === seen.last) return;
    seen.last = one.src;
    one.decode().then(painted, () => {});
  };
  new MutationObserver(changes => {
   // a new name makes ipywidgets set the same picture again: that is no new picture
   const named = new Set(changes.filter(c => c.attributeName === 'title').map(c => c.target));
   for (const change of changes) {
    if (named.has(change.target)) { if (change.target.src) seen.last = change.target.src; continue }
    if (change.type === 'attributes') {
      if (change.attributeName === 'src') image(change.target);
      else if (change.target.classList.contains('noUi-handle')) {
        const value = change.target.getAttribute('aria-valuenow');
        if (value !== seen.value) { seen.value = value; seen.values.push(performance.now()) }
      }
    } else for (const node of change.addedNodes) if (node.nodeType === 1) {
      if (node.tagName === 'svg') painted();
      else if (node.tagName === 'IMG') image(node);
      else node.querySelectorAll('img').forEach(image);
    }
  } }).observe(document.querySelector('.jp-Notebook'), {
    subtree: true, childList: true, attributes: true, 
    attributeFilter: ['src', 'aria-valuenow', 'title']});
  addEventListener('keydown', () => seen.keys.push(performance.now()), true);
}"""
CLEAR = "() => { const s = window.__seen; s.frames.length = s.values.length = s.keys.length = 0 }"


class Slider:
    """One open notebook with an explorer or its rival, and what is measured of it."""

    def __init__(self, lab):
        self.lab, self.page = lab, lab.page
        lab.run_all()
        self.page.wait_for_selector(".noUi-handle")
        self.page.wait_for_selector(".jp-OutputArea img")
        self.page.wait_for_timeout(800)
        self.page.evaluate(WATCH)
        self.steps, self.drags, self.flurries, self.frames, self.missed = [], [], [], [], 0

    def handle(self, number: int = 0):
        return self.page.locator(".noUi-handle").nth(number)

    def step(self, count: int) -> None:
        """Press an arrow key `count` times, each after the picture of the one before."""
        self.page.bring_to_front()
        self.handle().focus()
        for number in range(count):
            self.page.evaluate(CLEAR)
            self.page.keyboard.press("ArrowRight" if number % 4 < 2 else "ArrowLeft")
            try:
                self.page.wait_for_function(
                    "() => __seen.frames.length && __seen.keys.length", timeout=5000, polling=20
                )
            except Exception:
                self.missed += 1
                continue
            self.steps.append(self.page.evaluate("() => __seen.frames[0] - __seen.keys[0]"))
            self.page.wait_for_timeout(150)

    def drag(self) -> None:
        """Drag the first slider from end to end within a second."""
        self.page.bring_to_front()
        track = self.page.locator(".noUi-target").first.bounding_box()
        knob = self.handle().bounding_box()
        x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
        left, right = track["x"] + 4, track["x"] + track["width"] - 4
        target = right if x < (left + right) / 2 else left
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.evaluate(CLEAR)
        begun, moves = time.perf_counter(), 60
        for number in range(1, moves + 1):
            self.page.mouse.move(x + (target - x) * number / moves, y)
            time.sleep(max(0.0, begun + number / moves - time.perf_counter()))
        self.page.mouse.up()
        self._settle(self.drags, "values")
        seen = self.page.evaluate("() => [__seen.frames.length, __seen.values.length]")
        self.frames.append(seen)

    def flurry(self) -> None:
        """Strike keys on the first two sliders in turn, faster than a picture is drawn."""
        if self.page.locator(".noUi-handle").count() < 2:
            return
        self.page.bring_to_front()
        self.page.evaluate(CLEAR)
        for number in range(30):
            self.handle(number % 2).focus()
            self.page.keyboard.press("ArrowRight" if number % 8 < 4 else "ArrowLeft")
        self._settle(self.flurries, "keys")

    def _settle(self, into: list, event: str) -> None:
        count = -1
        while (now := self.page.evaluate("() => __seen.frames.length")) != count:
            count = now
            self.page.wait_for_timeout(1000)
        delay = self.page.evaluate(
            f"() => __seen.frames.length ? __seen.frames.at(-1) - __seen.{event}.at(-1) : null"
        )
        if delay is not None:
            into.append(max(0.0, delay))


def notebook(source: str) -> dict:
    """A notebook with one code cell."""
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": None}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [{**cell, "outputs": [], "source": source}]
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def measure(names: list[str], rounds: int, steps: int) -> dict:
    """The times of each explorer and of its rival, measured in turn."""
    found = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "notebooks"
        folder.mkdir()
        for full in names:
            module, name = full.split(".")
            for kind, source, format in KINDS:
                text = source.format(module=module, name=name, format=format)
                text = json.dumps(notebook(text))
                (folder / f"{name}-{kind}.ipynb").write_text(text)
        with LabServer(folder, Path(place) / "home") as server, LabBrowser(width=1400) as browser:
            for full in names:
                found[full] = _in_turn(browser, server, full.split(".")[1], rounds, steps)
                server.end_sessions()
    return found


def _in_turn(browser, server, name: str, rounds: int, steps: int) -> dict:
    kinds = [kind for kind, _, _ in KINDS]
    shown = {k: Slider(browser.open(server, f"{name}-{k}.ipynb")) for k in kinds}
    for slider in shown.values():
        slider.step(2)  # warm
        slider.steps.clear()
    for number in range(rounds):
        for kind in kinds[:: -1 if number % 2 else 1]:
            shown[kind].step(steps)
            shown[kind].drag()
            shown[kind].flurry()
    for slider in shown.values():
        slider.page.close()
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


def report(found: dict) -> None:
    """Print the table, and add the ratio of the medians to what is saved."""
    for name, kinds in found.items():
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
        ratio, coarse = (median[kind] / median["ours"] for kind in ("habit", "coarse"))
        kinds["ratio"], kinds["ratio_to_coarse"] = ratio, coarse
        verdict = "reached" if ratio >= GOAL else "MISSED"
        print(
            f"  {ratio:.1f} times faster than the habit at the median (goal {GOAL:g}: {verdict}); "
            f"{coarse:.1f} times faster than the coarse one"
        )


def save(found: dict, rounds: int) -> Path:
    """Write the result with date and versions; returns its path."""
    now = datetime.datetime.now(datetime.UTC)
    rounded = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 1))
    result = {
        "date": now.isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "versions": {name: importlib.metadata.version(name) for name in VERSIONS},
        "rounds": rounds,
        "explorers": rounded,
    }
    path = ROOT / "benchmarks" / "results" / f"slider_latency-{now:%Y-%m-%d}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(result, indent=1) + "\n")
    return path


def main() -> int:
    """Measure, print, save; returns 0, or 1 where nothing could be measured."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--explorer", nargs="+", help="only these (default: every one of every chapter)"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=12, help="single steps in each round")
    options = parser.parse_args()
    known = explorers()
    asked = options.explorer or list(known)
    names = [name for name in known if {name, name.split(".")[1]} & set(asked)]
    if len(names) < len(asked):
        print(f"not all of {', '.join(asked)} are explorers; there is: {', '.join(known)}")
        return 1
    if find_chromium() is None:
        print("no browser: install chromium, or name one in CHROMIUM; nothing was measured")
        return 1
    found = measure(names, options.rounds, options.steps)
    report(found)
    print(f"\nsaved as {save(found, options.rounds).relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
