"""The course as a web page, in a real browser: of one chapter, or in the walk of all."""

import json
import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe

from course_lib.sliding.answers import Answers
from course_lib.sliding.registry import explorers
from tests.browser.pages import each_chapter, in_a_browser
from tools.page import site as building
from tools.page.tables import LARGEST, slim
from tools.pages import ROOT
from tools.syllabus import Syllabus

FIRST_VIEW = 400_000  # bytes that come before anything is scrolled
ALIKE = 5  # so many stops at a slider's end may look the same: no tiles are left to be done
STILL = 0.01  # of the window: what the eye takes for no movement at all

pytestmark = in_a_browser


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
