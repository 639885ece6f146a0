"""The course as a web page, in a real browser: of one chapter, or in the walk of all."""

import json
import random
import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlparse

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from course_lib.betting.bet import Choice
from course_lib.models.copying_numpy import load_copying, without
from course_lib.models.copying_text import fitted
from course_lib.sliding.answers import Answers
from course_lib.sliding.registry import explorers
from tests.browser.conftest import ON_A_PAGE, WALK
from tests.browser.lab_driver import find_chromium
from tests.browser.shown_page import ShownPage
from tests.browser.site_server import SiteServer
from tools.editions import Course
from tools.page import site as building
from tools.page.tables import LARGEST, slim
from tools.pages import ROOT
from tools.syllabus import Syllabus

FIRST_VIEW = 400_000  # bytes that come before anything is scrolled
ALIKE = 5  # so many stops at a slider's end may look the same: no tiles are left to be done
STILL = 0.01  # of the window: what the eye takes for no movement at all
SOURCES = Course(ROOT).sources()
TAKEN = [path.stem for path in (SOURCES if WALK else SOURCES[:1])]
FIRST = TAKEN[0]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None, reason="no browser: install chromium, or name one in CHROMIUM"
    ),
]
each_chapter = pytest.mark.parametrize("name", TAKEN, ids=lambda name: f"{ON_A_PAGE} {name}")
chapter_0 = pytest.mark.parametrize("name", [FIRST], ids=lambda name: f"{ON_A_PAGE} {name}")


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    chosen = [path for path in SOURCES if path.stem in TAKEN]
    jobs = building.processes() if WALK else 1
    building.build(chosen, folder / "site", folder / "work", jobs)
    return folder / "site"


@pytest.fixture(scope="session")
def host(site):
    with SiteServer(site) as server:
        yield server.address


@pytest.fixture(scope="module")
def opened(browser, host):
    """A page that several tests read, opened once; those that leave something take `show`."""
    pages = {}

    def find(name):
        if name not in pages:
            pages[name] = ShownPage(browser, host, name)
        return pages[name]

    yield find
    for page in pages.values():
        page.close()


@pytest.fixture
def show(browser, host):
    pages = []

    def open_page(name, **options):
        pages.append(ShownPage(browser, host, name, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@each_chapter
def test_the_first_view_is_small_and_the_page_stands_still(show, name):
    page = show(name)
    assert sum(page.loaded.values()) < FIRST_VIEW, page.loaded
    assert not [one for one in page.loaded if not one.startswith(page.base)]
    page.walk()
    assert sum(value for value, _ in page.shifts()) < STILL, page.shifts()
    assert page.problems == []


@each_chapter
def test_an_explorer_takes_the_room_that_was_kept_for_it(show, name):
    silent = show(name, lively=False)
    kept = [round(one.bounding_box()["height"]) for one in silent.all(".explorer-place").all()]
    page = show(name)
    assert [round(one.bounding_box()["height"]) for one in page.explorers()] == pytest.approx(
        kept, abs=2
    )
    assert kept


@each_chapter
def test_every_slider_list_and_box_moves_its_picture(opened, name):
    page = opened(name)
    for place in page.explorers():
        svg, moved = place.locator(".explorer-pane > svg"), set()
        controls = place.locator(".explorer-controls :is(input[type=range], select)").all()
        for one in controls:
            seen, values = {svg.inner_html()}, {one.input_value()}
            one.focus()
            slides = one.get_attribute("type")
            for key in ["Home", "End"] if slides else ["ArrowDown", "ArrowDown", "Home"]:
                page.page.keyboard.press(key)
                page.page.wait_for_timeout(50)
                seen.add(svg.inner_html())
                values.add(one.input_value())
            assert len(values) > 1, place.get_attribute("data-table")
            moved.add(len(seen) > 1)  # at the start, one of several may change nothing
        assert moved - {False} or not controls, place.get_attribute("data-table")
        page.page.wait_for_timeout(400)
        words = place.locator(".explorer-words p").first.inner_text().strip()
        assert words == place.locator("img").get_attribute("alt")
    assert page.problems == []


def _changes(picture, before: str) -> bool:
    """Whether a picture becomes another within half a second: a busy machine paints late."""
    for _ in range(25):
        if picture.inner_html() != before:
            return True
        picture.page.wait_for_timeout(20)
    return False


def _one_changes(picture, grip, keys) -> bool:
    """Whether one of the keys, pressed one after the other, makes a picture another."""
    before = picture.inner_html()
    for key in keys:
        grip.focus()
        grip.page.keyboard.press(key)
        if _changes(picture, before):
            return True
    return False


@each_chapter
def test_every_handle_moves_by_key_or_by_press(opened, name):
    page = opened(name)
    for place in page.explorers():
        grips = place.locator(".explorer-grip")
        for label in {one.get_attribute("aria-label") for one in grips.all()}:
            grip = place.get_by_label(label, exact=True).and_(grips).first
            svg = place.locator(".explorer-pane > svg")
            assert (
                _one_changes(svg, grip, [" ", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"])
                or grip.get_attribute("aria-checked") == "true"
                or _one_changes(svg, grip, ["ArrowLeft"] * ALIKE + ["ArrowRight"] * ALIKE)
            ), f"{label} of {place.get_attribute('data-table')} does nothing"
    assert page.problems == []


@each_chapter
def test_a_table_answers_what_the_kernel_would(opened, site, name):
    page, rng = opened(name), random.Random(0)
    named = [one for part in Syllabus(ROOT / "chapters" / f"{name}.py").sections
             for one in part.explorers]  # fmt: skip
    places = page.all(".explorer-place").all()
    for full, place in zip(named, places, strict=True):
        path = place.get_attribute("data-table")
        data = json.loads((site / path).read_text(encoding="utf-8"))
        answers = Answers(explorers()[full].session())
        for frame in rng.sample(range(len(data["words"])), 3):
            params = {}
            for axis, column in zip(data["axes"], data["at"], strict=True):
                value = axis["stops"][column[frame]]
                if "index" in axis:
                    params.setdefault(axis["name"], []).append(value)
                else:
                    params[axis["name"]] = value
            want = answers.to({"params": params})
            got = page.page.evaluate(
                "async ([script, table, params]) => { const {fromTable} = await import(script);"
                " const data = await (await fetch(table)).json();"
                " return fromTable(data, '').ask({params}) }",
                [page.script("table.js"), path, params],
            )
            mark = "-" + full.partition(".explore_")[2].replace("_", "")
            assert got["params"] == want["params"]
            assert (got["words"], got["numbers"]) == (want["words"], want["numbers"])
            assert got["reached"] == bool(want["reached"])
            pane, meant = got["panes"][0], want["panes"][0]
            assert pane["places"] == json.loads(json.dumps(meant["places"]))
            clean = [re.sub(r"(?<=[pmh])[0-9a-f]{10}", "", one) for one in pane["parts"]]
            wanted = [slim(one, mark) for one in meant["parts"]]
            assert clean == [re.sub(r"(?<=[pmh])[0-9a-f]{10}", "", one) for one in wanted]


@each_chapter
def test_every_table_is_small_and_holds_the_goal(opened, site, name):
    page = opened(name)
    for place in page.all(".explorer-place").all():
        path = place.get_attribute("data-table")
        data = json.loads((site / path).read_text(encoding="utf-8"))
        assert building.compressed_size(site / path) <= LARGEST, path
        assert bool(data["start"]["goal"]) == any(data["reached"]), path
        assert not data["reached"][data["first"]]


@each_chapter
def test_a_screen_reader_finds_its_way(show, name):
    for scheme, width in (("light", 1200), ("dark", 390)):
        page = show(name, color_scheme=scheme)
        page.page.set_viewport_size({"width": width, "height": 900})
        for one in page.explorers():
            assert one.get_attribute("data-alive") is not None
        found = Axe().run(page.page).response["violations"]
        told = [(one["id"], node["html"][:160]) for one in found for node in one["nodes"]]
        unseen = [one for one in told if "<math" in one[1]]  # axe does not read formulas
        assert [one for one in told if one not in unseen] == [], (scheme, width)


@each_chapter
def test_without_scripts_pictures_and_their_words_are_there(show, name):
    page = show(name, java_script_enabled=False)
    for place in page.all(".explorer-place").all():
        place.scroll_into_view_if_needed()
        image = place.locator("img")
        page.page.wait_for_timeout(200)
        assert image.evaluate("image => image.naturalWidth") > 0
        words = place.locator(".explorer-words").inner_text().strip()
        assert words
        assert image.get_attribute("alt") == words
        assert not place.locator("input").first.is_visible()
    run = page.all("details.run").first
    run.locator("summary").first.click()
    assert "No bet placed; the run says" in run.inner_text()


@chapter_0
def test_a_slider_between_stops_takes_the_nearest(opened, name):
    page = opened(name)
    place = next(page.explorers())
    field = place.locator("input[inputmode]").nth(1)
    field.fill("0.27")
    field.press("Enter")
    page.page.wait_for_timeout(400)
    assert field.input_value() == "0.25"
    assert "loudness 0.25" in place.locator(".explorer-words").inner_text()


@chapter_0
def test_a_handle_is_dragged_to_the_nearest_frame(opened, name):
    page = opened(name)
    place = next(page.explorers())
    grip = place.get_by_label("knob of the chosen head")
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x, y + 300)
    page.page.mouse.up()
    page.page.wait_for_timeout(400)
    assert place.locator("input[inputmode]").nth(1).input_value() == "0"


@chapter_0
def test_a_bet_is_placed_settled_kept_and_forgotten(show, name):
    page = show(name)
    bet, run = page.all(".bet-place").first, page.all("details.run").first
    bet.locator(".bet-field input").fill("many")
    bet.get_by_role("button").click()
    assert "many is no number" in bet.get_by_role("status").inner_text()
    bet.locator(".bet-field input").fill("20")
    bet.get_by_label("sure", exact=True).check()
    bet.get_by_role("button").click()
    assert "Placed: 20 letters (sure)." in bet.get_by_role("status").inner_text()
    run.locator("summary").first.click()
    said = "You bet 20 letters (sure); the run says 10 letters: right, off by 10."
    run.locator(".bet-said", has_text="You bet").wait_for()  # a browser tells of the fold later
    assert run.locator(".bet-said").inner_text() == said
    assert "1 of 1 when you said sure" in page.all(".all-bets .here").inner_text()
    bet.locator(".bet-field input").fill("90")
    bet.get_by_role("button").click()
    assert "and said 90 letters after it; the first counts" in bet.inner_text()
    page.page.reload()
    page.page.wait_for_load_state("networkidle")
    assert page.all("details.run .bet-said").first.text_content() == said
    page.page.once("dialog", lambda dialog: dialog.accept())
    page.all(".all-bets .forget").click()
    assert page.all(".all-bets .here").inner_text() == "No bet has been settled yet."
    assert page.page.evaluate("Object.keys(localStorage).filter(k => k.includes('bets'))") == []


@chapter_0
def test_a_quiz_says_what_is_right(opened, name):
    page = opened(name)
    page.all("details.quiz > summary").first.click()
    item = page.all(".quiz-item").first
    right = int(item.get_attribute("data-right"))
    options = item.locator("input[type=radio]")
    options.nth((right + 1) % options.count()).check()
    assert "Not this" in item.locator(".said").inner_text()
    assert not item.locator("pre.printed").is_visible()
    options.nth(right).check()
    assert "That is it" in item.locator(".said").inner_text()
    assert "A known mistake does exactly this." in item.locator("pre.printed").inner_text()


@chapter_0
def test_hints_come_one_by_one(opened, name):
    page = opened(name)
    task = page.all(".task").first
    hints = task.locator("details.hint")
    assert [one.is_visible() for one in hints.all()] == [True, False, False]
    hints.first.locator("summary").click()
    assert [one.is_visible() for one in hints.all()] == [True, True, False]


@chapter_0
def test_the_page_computes_what_the_model_computes(opened, name):
    page, model = opened(name), load_copying()
    run = """async ([script, text, loudness]) => {
      const {Copying} = await import(script);
      const told = JSON.parse(document.querySelector('.model script').textContent);
      const model = new Copying(told, await (await fetch(told.weights)).arrayBuffer());
      const ids = model.fitted(text, 8);
      return [model.scores(ids, loudness).map(row => [...row]), model.states(ids, loudness).looks,
        model.continued(text, 8, loudness)] }"""
    for text, loudness in [
        ("giraffe pogir", without()),
        ("Qx, zv" * 9, without(2)),
        ("", without(5, 6, 7)),
        ("la da li d", without(1, 3, loudness=0.35)),
    ]:
        flat = [float(one) for one in loudness.flat]
        scores, looks, said = page.page.evaluate(run, [page.script("copying.js"), text, flat])
        ids = fitted(text, 8)
        assert np.abs(np.array(scores) - model.scores(ids, loudness)).max() < 1e-5
        square = np.zeros((2, 4, len(ids), len(ids)))
        for block in range(2):
            for head in range(4):
                for t, row in enumerate(looks[block][head]):
                    square[block, head, t, : t + 1] = row
        assert np.abs(square - model.states(ids, loudness)[1]).max() < 1e-5
        assert said == model.continued(text, 8, loudness)


@chapter_0
def test_a_string_is_typed_a_head_switched_off_and_the_arcs_move(opened, name):
    page = opened(name)
    panel = page.all("section.model")
    panel.scroll_into_view_if_needed()
    panel.locator("xpath=self::*[@data-alive]").wait_for()
    panel.get_by_role("textbox").fill("qxzvkj qxz")
    assert panel.locator(".says").inner_text().endswith("vkj␣qxzv")
    arcs = panel.locator("svg").inner_html()
    panel.locator("input[type=radio][value='5']").check()
    assert panel.locator("svg").inner_html() != arcs
    panel.locator("input[type=checkbox][value='2']").uncheck()
    said = load_copying().continued("qxzvkj qxz", 8, without(2)).replace(" ", "␣")
    assert panel.locator(".says").inner_text().endswith(said)


@chapter_0
def test_the_search_finds_a_chapter(show, name):
    page = show("search")
    page.page.goto(f"{page.base}search.html?q=nonsense")
    page.all("#search-results li a").first.wait_for()
    assert "Start here" in page.all("#search-results").inner_text()


@chapter_0
def test_the_tab_key_goes_through_all_of_the_page(show, name):
    page = show(name)
    for _ in page.explorers():
        pass
    wanted = page.page.evaluate(
        "() => { window.seen = new Set(); document.addEventListener('focusin', e =>"
        " seen.add(e.target)); document.activeElement.blur(); scrollTo(0, 0);"
        " return document.querySelectorAll('article :is(a[href], input:not([type=radio]), select,"
        ' button, summary, [tabindex="0"])\').length }'
    )
    for _ in range(wanted + 80):
        page.page.keyboard.press("Tab")
    missed = page.page.evaluate(
        "() => [...document.querySelectorAll('article :is(a[href], input:not([type=radio]), select,"
        " button, summary, .explorer-grip)')].filter(one => !seen.has(one) &&"
        " one.checkVisibility({visibilityProperty: true}) && !one.disabled)"
        ".map(one => one.outerHTML.slice(0, 90))"
    )
    assert missed == []


@chapter_0
def test_numbers_are_read_and_written_as_in_the_notebook(opened, name):
    page = opened(name)
    numbers = [
        (bet.answer, bet.name)
        for path in SOURCES[:5]
        for bet in Syllabus(path).data.bets.values()
        if not isinstance(bet.answer, Choice)
    ]
    rng, asked, meant = random.Random(1), [], []
    for answer, _ in numbers:
        told = {name: getattr(answer, name) for name in ("low", "high", "near", "factor")}
        for _ in range(20):
            one, two = (rng.uniform(answer.low, answer.high) for _ in "ab")
            asked.append([told, one, two, answer.format[2:-1]])
            meant.append([answer.is_right(one, two), answer.format.format(two), f"{one:.10g}"])
    got = page.page.evaluate(
        "async ([script, asked]) => { const {isRight, formatted} = await import(script);"
        " return asked.map(([told, one, two, digits]) =>"
        " [isRight(told, one, two), formatted(two, digits), formatted(one, '.10g')]) }",
        [page.script("numbers.js"), asked],
    )
    assert got == meant


class Addresses(HTMLParser):
    """The addresses of a page, what it loads, and the names that it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.names |= {found[one] for one in ("id", "name") if found.get(one)}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        loads = {"img": "src", "script": "src", "link": "href", "div": "data-table"}
        if loads.get(tag) in found and found.get("rel") not in ("next", "prev", "index", "search"):
            self.loads.append(found[loads[tag]])


@chapter_0
def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site, name):
    pages = {path.name: Addresses(path.read_text(encoding="utf-8")) for path in site.glob("*.html")}
    assert f"{name}.html" in pages
    for page, found in pages.items():
        for address in found.loads:
            assert not urlparse(address).scheme, f"{page} loads {address}"
            assert (site / unquote(urlparse(address).path)).is_file(), f"{page}: {address}"
        for address in found.links:
            parts = urlparse(address)
            if parts.scheme:
                assert parts.scheme == "https", f"{page}: {address}"
                continue
            target = unquote(parts.path) or page
            assert target in pages, f"{page}: {address}"
            if parts.fragment:
                assert unquote(parts.fragment) in pages[target].names, f"{page}: {address}"
