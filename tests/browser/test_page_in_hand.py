"""A web page in hand, in a real browser: handles, bets, quizzes, the model, search, links."""

import random
from html.parser import HTMLParser
from urllib.parse import unquote, urlparse

import numpy as np

from course_lib.betting.bet import CLOSE, Choice
from course_lib.models.copying_numpy import load_copying, without
from course_lib.models.copying_text import fitted
from tests.browser.pages import SOURCES, chapter_0, in_a_browser
from tools.syllabus import Syllabus

pytestmark = in_a_browser


@chapter_0
def test_a_slider_between_stops_takes_the_nearest(opened, name):
    page = opened(name)
    place = next(page.explorers())
    field = place.locator("input[inputmode]").nth(1)
    field.fill("0.255")
    field.press("Enter")
    page.page.wait_for_timeout(400)
    assert field.input_value() == "0.26"
    assert "loudness 0.26" in place.locator(".explorer-words").inner_text()


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
def test_a_finger_moves_a_handle_and_beside_it_the_page(show, name):
    page = show(name, has_touch=True, is_mobile=True)
    page.page.set_viewport_size({"width": 390, "height": 844})
    place = next(page.explorers())
    knob = place.get_by_label("knob of the chosen head")
    knob.scroll_into_view_if_needed()
    page.page.wait_for_timeout(200)
    before = page.page.evaluate("scrollY")
    page.swipe(knob, down=200)
    assert place.locator("input[inputmode]").nth(1).input_value() == "0"
    assert page.page.evaluate("scrollY") == before
    page.swipe(place.locator(".explorer-words"), down=-200)
    assert page.page.evaluate("scrollY") > before


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
    printed = item.locator("pre.printed")
    assert printed.is_visible()
    assert printed.inner_text().strip().endswith(".")


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
        ("Iş\u0131k ağaç größe İst", without()),
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
        told["close"] = CLOSE
        for _ in range(20):
            one, two = (rng.uniform(answer.low, answer.high) for _ in "ab")
            asked.append([told, one, two, answer.format[2:-1]])
            verdicts = [answer.is_right(one, two), answer.is_close(one, two)]
            meant.append([*verdicts, answer.format.format(two), f"{one:.10g}"])
    got = page.page.evaluate(
        "async ([script, asked]) => { const {isClose, isRight, formatted} = await import(script);"
        " return asked.map(([told, one, two, digits]) =>"
        " [isRight(told, one, two), isClose(told, one, two),"
        " formatted(two, digits), formatted(one, '.10g')]) }",
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
