"""A slider in an open notebook, moved as a learner does, and a stopwatch in its page."""

import time

WATCH = """() => {
  window.__watch?.abort();
  const watch = window.__watch = new AbortController();
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
  const observer = new MutationObserver(changes => { for (const change of changes) {
    if (change.type === 'attributes') {
      if (change.attributeName === 'src') image(change.target);
      else if (change.target.classList.contains('noUi-handle')) {
        const value = change.target.getAttribute('aria-valuenow');
        if (value !== seen.value) { seen.value = value; seen.values.push(performance.now()) }
      }
    } else if (change.target.closest?.('.explorer-pane svg')) painted();
    else for (const node of change.addedNodes) if (node.nodeType === 1) {
      if (node.tagName === 'IMG') image(node);
      else node.querySelectorAll('img').forEach(image);
    }
  } });
  watch.signal.addEventListener('abort', () => observer.disconnect());
  observer.observe(document.querySelector('.jp-Notebook'), {
    subtree: true, childList: true, attributes: true, attributeFilter: ['src', 'aria-valuenow']});
  addEventListener('input', event => {
    if (event.target.type === 'range') seen.values.push(performance.now());
  }, {capture: true, signal: watch.signal});
  addEventListener('keydown', () => seen.keys.push(performance.now()),
    {capture: true, signal: watch.signal});
}"""
BREATH = 250  # ms between two steps of a hand that looks at each picture
HANDLES = ".noUi-handle, .explorer input[type=range]"  # of interact; of ours
CLEAR = "() => { const s = window.__seen; s.frames.length = s.values.length = s.keys.length = 0 }"
SHARE = """track => {
  if (track.type === 'range') return (track.value - track.min) / (track.max - track.min);
  const knob = track.querySelector('.noUi-handle').getBoundingClientRect();
  const box = track.getBoundingClientRect();
  return (knob.x + knob.width / 2 - box.x - 8) / (box.width - 16);
}"""


class Slider:
    """One open notebook with an explorer or its rival, and what is measured of it."""

    def __init__(self, lab):
        self.lab, self.page = lab, lab.page
        lab.run_all()
        self.page.wait_for_selector(HANDLES)
        self.page.wait_for_selector(".jp-OutputArea img:visible")  # not the still one
        self.page.wait_for_timeout(800)
        self.page.evaluate(WATCH)
        self._key = "ArrowRight"
        self.steps, self.drags, self.flurries, self.frames, self.missed = [], [], [], [], 0

    def handle(self, number: int = 0):
        return self.page.locator(HANDLES).nth(number)

    def _value(self) -> str | None:
        return self.handle().evaluate("one => one.value ?? one.getAttribute('aria-valuetext')")

    def step(self, count: int) -> None:
        """Press an arrow key `count` times, each after the picture of the one before.

        They go on in one direction, so that most pictures are new, and turn back at the end.
        """
        self.page.bring_to_front()
        self.handle().focus()
        for _ in range(count):
            self.page.evaluate(CLEAR)
            before = self._value()
            self.page.keyboard.press(self._key)
            if self._value() == before:
                self._key = {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[self._key]
                self.page.evaluate(CLEAR)
                self.page.keyboard.press(self._key)
            try:
                self.page.wait_for_function(
                    "() => __seen.frames.length && __seen.keys.length", timeout=5000, polling=20
                )
            except Exception:
                self.missed += 1
                continue
            self.steps.append(self.page.evaluate("() => __seen.frames[0] - __seen.keys[0]"))
            self.page.wait_for_timeout(BREATH)

    def drag(self) -> None:
        """Drag the first slider from end to end within a second."""
        self.page.bring_to_front()
        track = self.page.locator(".noUi-target, .explorer input[type=range]").first
        box, share = track.bounding_box(), track.evaluate(SHARE)
        left, right, y = box["x"] + 8, box["x"] + box["width"] - 8, box["y"] + box["height"] / 2
        x = left + share * (right - left)
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
        if self.page.locator(HANDLES).count() < 2:
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
