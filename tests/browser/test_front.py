"""The front end in a real browser without Jupyter: the page asks this process for its frames."""

import json

import pytest

from course_lib.chapters.dot_product.explorers.two_vectors import explore_two_vectors
from course_lib.showing import with_look
from course_lib.sliding.answers import Answers
from course_lib.sliding.front_end import FRONT, front_end
from tests.browser.lab_driver import find_chromium
from tests.sliding import test_handles as examples
from tests.sliding.examples import Adapter, explorer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None, reason="no browser: install chromium, or name one in CHROMIUM"
    ),
]
PAGE = """<!doctype html><meta charset="utf-8"><style>{css}</style><div id="x"></div>
<script type="module">{js}
mount(document.getElementById("x"), {start}, {{ask: question => window.ask(question)}});
</script>"""


class Shown:
    """A page with one explorer, and every question that it asked."""

    def __init__(self, browser, session):
        self.answers, self.asked = Answers(session), []
        self.page = browser.context.new_page()
        self.page.set_viewport_size({"width": 900, "height": 900})
        self.page.expose_function("ask", self.answer)
        start = json.dumps(self.answers.start()).replace("</", "<\\/")
        css, js = with_look(FRONT / "explorer.css"), front_end()
        self.page.set_content(PAGE.format(css=css, js=js, start=start))
        self.page.wait_for_selector(".explorer-pane img")

    def answer(self, question):
        self.asked.append(question)
        return self.answers.to(question)

    def all(self, selector):
        return self.page.locator(selector)

    def grip(self, label):
        return self.page.get_by_label(label, exact=True).and_(self.page.locator(".explorer-grip"))

    def rest(self):
        self.page.wait_for_timeout(500)

    def drag(self, grip, right, down):
        box = grip.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + right / 2, y + down / 2)
        self.page.mouse.move(x + right, y + down)
        self.page.mouse.up()
        self.rest()

    def params(self):
        return self.answers._frame.params


@pytest.fixture
def show(browser):
    pages = []

    def open_page(made, **functions):
        pages.append(Shown(browser, made.session(**functions)))
        return pages[-1]

    yield open_page
    for shown in pages:
        shown.page.close()


@pytest.fixture
def held():
    return examples.Explorer(
        examples.compute, examples.draw,
        lambda params, data: f"the tip is at {data['tip']}, the mask {params['mask']}.",
        sliders=examples.SLIDERS, handles=examples.HANDLES,
    )  # fmt: skip


def test_the_first_words_and_the_goal_are_there_at_once(show):
    shown = show(explorer())
    assert shown.all(".explorer-words").inner_text().strip() == "2 times the sum is 12.00."
    assert shown.all(".explorer-goal").inner_text() == "Goal: Make the total 54. Not reached yet."
    assert shown.all(".explorer-pane img").get_attribute("alt") == "2 times the sum is 12.00."


def test_labels_end_in_one_column_and_fields_stand_in_another(show):
    shown = show(explorer())
    boxes = [label.bounding_box() for label in shown.all(".explorer label").all()]
    assert len({round(box["x"] + box["width"]) for box in boxes}) == 1
    fields = [field.bounding_box() for field in shown.all(".explorer input[inputmode]").all()]
    assert len({(round(box["x"]), round(box["width"])) for box in fields}) == 1


def test_a_slider_moves_by_key_and_words_goal_and_question_follow_at_rest(show):
    shown = show(explorer())
    answer = shown.all(".explorer-answer")
    assert answer.is_hidden()
    shown.page.get_by_role("slider", name="count n").focus()
    for _ in range(7):
        shown.page.keyboard.press("ArrowRight")
    shown.rest()
    assert "9 times the sum is 54.00." in shown.all(".explorer-words").inner_text()
    assert "And with ten?" in shown.all(".explorer-words").inner_text()
    assert answer.is_visible()
    assert "60 would come out." not in answer.inner_text()  # folded
    answer.locator("summary").click()
    assert "60 would come out." in answer.inner_text()
    assert "Reached ✓" in shown.all(".explorer-goal").inner_text()
    assert "total 54.00" in shown.all(".explorer-pane svg").inner_html()
    assert shown.all(".explorer-pane img").get_attribute("alt") == "9 times the sum is 54.00."
    shown.page.get_by_role("slider", name="count n").press("Home")
    shown.rest()
    assert "Reached before" in shown.all(".explorer-goal").inner_text()


def test_a_typed_number_is_checked_and_clamped_with_a_sentence(show):
    shown = show(explorer())
    field = shown.all(".explorer input[inputmode]").first
    for text, value, said in [
        ("99", "9", "count n goes from 1 to 9: 99 became 9."),
        ("many", "9", "many is no number; it stays 9."),
        ("4,6", "5", ""),
    ]:
        field.fill(text)
        field.press("Enter")
        shown.rest()
        assert field.input_value() == value
        assert (shown.all(".explorer-controls .explorer-said").first.text_content() or "") == said
    assert shown.params()["count"] == 5


def test_lists_and_boxes_ask_too(show):
    shown = show(explorer())
    shown.page.get_by_label("sign").select_option(label="minus")
    shown.page.get_by_label("doubled").check()
    shown.rest()
    assert shown.all(".explorer-words").inner_text().strip() == "2 times the sum is -24.00."


def test_the_numbers_are_folded_and_follow(show):
    shown = show(explorer())
    cell = shown.page.get_by_role("cell", name="12.0")
    assert not cell.is_visible()
    shown.page.get_by_text("Show the numbers").click()
    assert cell.is_visible()


def test_a_wrong_function_stands_beside_the_right_one_or_above_where_it_is_narrow(show):
    shown = show(explorer(), total=Adapter(lambda v: v.sum() + 1, "course"))
    tops = {}
    for width in (1000, 600):
        shown.page.set_viewport_size({"width": width, "height": 900})
        boxes = [pane.bounding_box() for pane in shown.all(".explorer-pane").all()]
        tops[width] = len({box["y"] for box in boxes})
    assert tops == {1000: 1, 600: 2}


def test_what_a_learner_wrote_cannot_become_markup(show):
    def angry(values):
        raise ValueError("<script>alert(1)</script>")

    shown = show(explorer(), total=angry)
    assert "<script>alert(1)</script>" in shown.all(".explorer-words").inner_text()
    assert shown.all(".explorer script").count() == 0


def test_a_handle_is_dragged_and_sliders_and_words_follow(show):
    shown = show(explore_two_vectors)
    before = shown.all(".explorer-words").inner_text()
    shown.drag(shown.grip("tip of b"), -100, -60)
    assert shown.params()["angle"] > explore_two_vectors.start["angle"]
    fields = [field.input_value() for field in shown.all(".explorer input[inputmode]").all()]
    assert fields == [f"{shown.params()[name]:g}" for name in ("angle", "length_a", "length_b")]
    assert shown.all(".explorer-words").inner_text() != before


def test_taking_hold_of_a_handle_aside_its_middle_moves_nothing(show):
    shown = show(explore_two_vectors)
    box = shown.grip("tip of b").bounding_box()
    shown.page.mouse.move(box["x"] + 4, box["y"] + 10)
    shown.page.mouse.down()
    shown.page.mouse.move(box["x"] + 4, box["y"] + 10.01)
    shown.page.mouse.up()
    shown.rest()
    assert shown.params() == explore_two_vectors.start


def test_a_handle_can_be_reached_and_moved_by_keys_and_says_its_value(show):
    shown = show(explore_two_vectors)
    grip = shown.grip("tip of b")
    assert grip.get_attribute("role") == "slider"
    said = "angle in degrees {angle}, length of b {length_b}"
    assert grip.get_attribute("aria-valuetext") == said.format(**explore_two_vectors.start)
    grip.focus()
    shown.page.keyboard.press("ArrowUp")
    shown.rest()
    assert shown.params() != explore_two_vectors.start
    assert grip.get_attribute("aria-valuetext") == said.format(**shown.params())


def test_a_handle_is_large_enough_for_a_finger_also_where_the_picture_is_small(show):
    shown = show(explore_two_vectors)
    shown.page.set_viewport_size({"width": 390, "height": 800})
    box = shown.grip("tip of a").bounding_box()
    assert box["width"] >= 24
    assert box["height"] >= 24


def test_one_of_many_handles_moves_its_own_number(show, held):
    shown = show(held)
    shown.drag(shown.grip("scores: two"), 0, -40)
    first, second, third = shown.params()["scores"]
    assert (first, third) == (2.0, -1.0)
    assert second > 1


def test_a_press_chooses_and_arrow_keys_go_on(show, held):
    shown = show(held)
    shown.grip("word: two").click()
    shown.rest()
    assert shown.params()["word"] == "b"
    shown.page.keyboard.press("ArrowRight")
    shown.rest()
    assert shown.params()["word"] == "c"
    assert shown.grip("word: three").get_attribute("aria-checked") == "true"


def test_a_press_turns_a_cell_over_and_a_drag_paints_the_cells_on_its_way(show, held):
    shown = show(held)
    first, last = (shown.grip(f"mask: {name}").bounding_box() for name in ("q0, k0", "q1, k0"))
    shown.drag(shown.grip("mask: q0, k0"), 0, last["y"] - first["y"])
    assert shown.params()["mask"] == ((False, False), (False, True))
    shown.grip("mask: q0, k1").focus()
    shown.page.keyboard.press("Space")
    shown.rest()
    assert shown.params()["mask"] == ((False, True), (False, True))
    assert "the mask ((False, True), (False, True))" in shown.all(".explorer-words").inner_text()


def test_the_picture_keeps_its_white_ground_on_a_dark_page(show):
    shown = show(explorer())
    shown.page.evaluate("document.body.style.cssText = 'background: #111; color: #eee'")
    colour = "node => getComputedStyle(node).{}"
    pane, words = (shown.all(one).first for one in (".explorer-pane", ".explorer-words"))
    assert pane.evaluate(colour.format("backgroundColor")) == "rgb(255, 255, 255)"
    assert words.evaluate(colour.format("color")) == "rgb(238, 238, 238)"


def test_nothing_moves_by_itself_for_who_wants_less_motion(show):
    shown = show(explore_two_vectors)
    shown.page.emulate_media(reduced_motion="reduce")
    style = "node => getComputedStyle(node).transitionDuration"
    assert shown.grip("tip of a").evaluate(style) == "0s"
