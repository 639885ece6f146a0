"""How long from a key to the painted picture on the web page, and how much each chapter loads.

    make page && python -m benchmarks.page [--site site] [--steps 40]

Each explorer's first slider is moved by arrow key, one step after the picture of the one before,
in a real browser, from a static host. A screen paints every 16.7 ms, so a step that needs no time
of its own takes half of that at the median.

first   bytes that come before anything is scrolled, compressed     tables   the same, of each table
step    ms, from the key to the painted picture: median and 95th percentile
bare    the same of a slider on that page that writes its number into an SVG and does nothing else:
        what the browser and the machine take, measured in turn
"""

import argparse
import statistics
import sys
from contextlib import suppress
from pathlib import Path

from benchmarks.in_lab.slider import CLEAR, WATCH
from benchmarks.parts.record import circumstances, save
from tests.browser.lab_driver import LabBrowser, find_chromium
from tests.browser.shown_page import ShownPage
from tests.browser.site_server import SiteServer
from tools.page.site import compressed_size

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("sphinx", "furo", "matplotlib")
FIRST, TABLE = 400_000, 300_000  # bytes, at most
BARE = """() => {
  const place = document.createElement('div');
  place.id = 'bare';
  place.innerHTML = '<div class="explorer-controls"><input type="range" min="0" max="500"></div>'
    + '<div class="explorer-pane"><svg width="100" height="40"><text y="20"></text></svg></div>';
  const [track, text] = [place.querySelector('input'), place.querySelector('text')];
  track.addEventListener('input', () => (text.textContent = track.value));
  document.querySelector('article').append(place);
}"""
BACK = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}


def steps(page, place, count: int) -> list[float]:
    """Milliseconds of `count` steps of the explorer's first slider; none where it has none."""
    tracks = place.locator(".explorer-controls input[type=range]")
    if not tracks.count():
        return []
    track, key, found = tracks.first, "ArrowRight", []
    track.focus()
    for _ in range(count):
        before = track.input_value()
        page.evaluate(CLEAR)
        page.keyboard.press(key)
        if track.input_value() == before:
            key = BACK[key]
            page.evaluate(CLEAR)
            page.keyboard.press(key)
        with suppress(Exception):  # a stop that changes no picture paints none
            page.wait_for_function("() => __seen.frames.length", timeout=1000)
        if not page.evaluate("() => __seen.frames.length"):
            continue
        found.append(page.evaluate("() => __seen.frames[0] - __seen.keys[0]"))
        page.wait_for_timeout(40)
    return found


def measured(browser, address: str, site: Path, name: str, count: int) -> dict:
    """What one chapter loads, and its steps."""
    shown = ShownPage(browser, address, name)
    first, tables, times, bare = sum(shown.loaded.values()), [], [], []
    shown.page.evaluate(BARE)
    shown.page.evaluate(WATCH.replace(".jp-Notebook", "article"))
    for place in shown.explorers():
        tables.append(compressed_size(site / place.get_attribute("data-table")))
        times += steps(shown.page, place, count)
        bare += steps(shown.page, shown.all("#bare"), count)
    shown.close()
    return {"first": first, "tables": tables, "steps": times, "bare": bare}


def told(name: str, found: dict) -> str:
    """A line on one chapter."""
    line = f"{name:24} first {found['first'] / 1000:4.0f} kB, tables "
    line += " ".join(f"{size / 1000:.0f}" for size in found["tables"]) + " kB"
    if len(found["steps"]) > 1:
        line += f", step {_quantiles(found['steps'])}, bare {_quantiles(found['bare'])}"
    return line


def _quantiles(times: list[float]) -> str:
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"{statistics.median(times):.0f} / {p95:.0f} ms ({len(times)})"


def main(arguments: list[str] | None = None) -> int:
    """Measure all pages of the site; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--steps", type=int, default=40)
    asked = parser.parse_args(arguments)
    pages = sorted(path.stem for path in asked.site.glob("[0-9][0-9]_*.html"))
    if not pages or find_chromium() is None:
        print("page: nothing measured; it needs a browser, and the site that `make page` makes")
        return 0
    found = {}
    with SiteServer(asked.site) as host, LabBrowser() as browser:
        for name in pages:
            found[name] = measured(browser, host.address, asked.site, name, asked.steps)
            print(told(name, found[name]), flush=True)
    every = [one for chapter in found.values() for one in chapter["steps"]]
    bare = [one for chapter in found.values() for one in chapter["bare"]]
    print(f"all steps: {_quantiles(every)}, bare: {_quantiles(bare)}")
    save("page", {"pages": found, **circumstances(*VERSIONS)})
    heavy = [name for name, one in found.items() if one["first"] > FIRST]
    return (
        1 if heavy or any(size > TABLE for one in found.values() for size in one["tables"]) else 0
    )


if __name__ == "__main__":
    sys.exit(main())
