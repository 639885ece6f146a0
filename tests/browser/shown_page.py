"""One page of the site in a real browser: what it loads, what it says, what moves by itself."""

SHIFTS = """() => new Promise(done => {
  const found = [];
  new PerformanceObserver(list => found.push(...list.getEntries()))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => done(found.map(one => [one.value, one.hadRecentInput,
    one.sources.map(source => source.node?.outerHTML?.slice(0, 80) ?? '').join(' | ')])), 200);
})"""


class ShownPage:
    """A page that was opened in a context of its own, with nothing kept in it."""

    def __init__(self, browser, address: str, name: str, *, lively: bool = True, **options):
        self.context = browser._browser.new_context(
            viewport={"width": 1200, "height": 900}, **options
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.problems: list[str] = []
        self.loaded: dict[str, int] = {}
        if not lively:
            self.page.route("**/course.js*", lambda route: route.abort())
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("requestfinished", self._finished)
        self.page.on("requestfailed", lambda one: self.problems.append(f"failed: {one.url}"))
        self.base = address
        self.page.goto(f"{address}{name}.html")
        self.page.wait_for_load_state("networkidle")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def _finished(self, request):
        sizes = request.sizes()
        self.loaded[request.url] = sizes["responseBodySize"] + sizes["responseHeadersSize"]

    def close(self):
        self.context.close()

    def all(self, selector: str):
        """Everything that fits a selector."""
        return self.page.locator(selector)

    def script(self, name: str) -> str:
        """The address of one of the site's own modules."""
        return f"{self.base}_static/{name}"

    def explorers(self):
        """The places of explorers, each brought to life."""
        for place in self.all(".explorer-place").all():
            place.scroll_into_view_if_needed()
            place.locator("xpath=self::*[@data-alive]").wait_for()
            yield place

    def swipe(self, place, down: float):
        """Put a finger on the middle of a place, pull it downwards and take it away."""
        box = place.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        finger = self.context.new_cdp_session(self.page)
        steps = [{"x": x, "y": y + down * part / 10} for part in range(11)]
        for kind, point in zip(["touchStart", *["touchMove"] * 10], steps, strict=True):
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
            self.page.wait_for_timeout(30)
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.page.wait_for_timeout(400)

    def walk(self):
        """Scroll to the end, as a reader does."""
        height = self.page.evaluate("document.documentElement.scrollHeight")
        for y in range(0, height, 600):
            self.page.evaluate("y => scrollTo(0, y)", y)
            self.page.wait_for_timeout(60)
        self.page.wait_for_load_state("networkidle")

    def shifts(self) -> list[tuple[float, str]]:
        """How far things moved by themselves, and which."""
        return [(value, what) for value, asked, what in self.page.evaluate(SHIFTS) if not asked]
