"""Each chapter as a learner meets it: in JupyterLab, in a browser, by keyboard."""

import inspect
import itertools
import json
import re

import numpy as np

from course_lib.betting.bet import LATER, Choice
from course_lib.judging import registry, sentences
from tests.browser.conftest import every_chapter
from tests.browser.solutions import solutions
from tests.sweeps import WALK

pytestmark = every_chapter


def looked_at(lab):
    """The first explorer of a chapter; all of them in `make walk`."""
    return itertools.islice(lab.explorers(), None if WALK else 1)


def typed(function, name):
    """The source of a function as a learner would type it under `name`."""
    source = inspect.cleandoc("\n" + inspect.getsource(function))
    return "@exercise\n" + re.sub(r"^def \w+", f"def {name}", source, count=1, flags=re.M)


def test_the_learners_copy_runs_without_an_error(lab):
    assert lab.errors() == []


def test_every_explorer_of_the_chapter_is_alive(lab):
    for explorer in looked_at(lab):
        assert explorer.sliders.count() == explorer.fields.count()
        assert explorer.sliders.count() + explorer.grips.count() > 0
        assert explorer.sentence()
        assert explorer.image.get_attribute("alt")
        box = explorer.image.bounding_box()
        assert box["width"] > 300
        assert box["height"] > 100


def test_every_slider_moves_by_keyboard_and_picture_and_sentence_follow(lab):
    for explorer in looked_at(lab):
        for slider in range(explorer.sliders.count()):
            field, track = explorer.fields.nth(slider), explorer.sliders.nth(slider)
            start, picture = field.input_value(), explorer.picture()
            explorer.press(slider, "End")
            lab.rest()
            high = explorer.shown()
            assert track.input_value() == track.get_attribute("max")
            assert field.input_value() == track.get_attribute("aria-valuetext")
            explorer.press(slider, "Home")
            low = explorer.changed(high)
            assert low[0] != high[0], (explorer.index, slider)
            assert low[1] != high[1], (explorer.index, slider)
            assert track.input_value() == track.get_attribute("min")
            explorer.type(slider, start)
            explorer.wait_for(picture)


def test_the_page_paints_what_the_stored_picture_shows(lab):
    """Pixels and SVG lie where matplotlib alone draws them, but for a little of the fonts."""
    for explorer in looked_at(lab):
        lab.rest()
        painted, stored = explorer.photograph(), explorer.stored_picture()
        assert abs(painted.shape[0] - stored.shape[0]) <= 2
        # A picture begins between two pixels, and its photograph then at either of them.
        off = min(unlike(painted[pixel:], stored) for pixel in (0, 1))
        assert off < 0.002, (explorer.index, off)


def unlike(one, other):
    """The share of values that are far from each other where both pictures lie."""
    height, width, _ = np.minimum(one.shape, other.shape)
    far = np.abs(softened(one[:height, :width]) - softened(other[:height, :width])) > 60
    return far.mean()


def softened(picture, side=5):
    """Each value the mean of a square, so that thin lines may lie half a pixel aside."""
    total = np.cumsum(
        np.cumsum(np.pad(picture.astype(float), ((side, 0), (side, 0), (0, 0))), 0), 1
    )
    one = total[side:, side:] - total[:-side, side:] - total[side:, :-side]
    return (one + total[:-side, :-side]) / side**2


def test_an_arrow_key_is_a_step_that_the_picture_shows(lab):
    for explorer in looked_at(lab):
        if not explorer.sliders.count():  # all is taken in hand: see the next test
            continue
        explorer.press(0, "Home")
        lab.rest()
        before, field = explorer.shown(), explorer.fields.first
        explorer.press(0, "ArrowRight")
        assert explorer.changed(before)[0] != before[0]
        assert explorer.sliders.first.input_value() == "1"
        assert field.input_value() == explorer.sliders.first.get_attribute("aria-valuetext")


def test_what_has_no_slider_is_moved_in_the_picture_by_keyboard(lab):
    for explorer in looked_at(lab):
        if explorer.sliders.count():
            continue
        lab.rest()
        before = explorer.shown()
        explorer.grips.first.focus()
        for key in ("ArrowDown", "Space"):  # dragged, or pressed
            lab.page.keyboard.press(key)
        assert explorer.changed(before)[0] != before[0]


def test_a_bet_is_placed_by_keyboard_and_kept(lab):
    bet = next(iter(registry.chapters(lab.chapter)[0].bets.values()))
    index = lab.find_cell(f'bet("{bet.name}"')
    lab.run_cell(index)
    form = lab.cell(index).locator(".bet")
    if isinstance(bet.answer, Choice):
        answer = 1
        form.locator(".bet-options input").nth(answer).focus()
        lab.page.keyboard.press("Space")
    else:
        answer = bet.answer.high
        form.locator(".bet-field input").focus()
        lab.page.keyboard.type(f"{answer:.10g}")
    sure = form.locator(".bet-sure input").last
    sure.focus()
    lab.page.keyboard.press("Space")
    lab.wait_for(sure.is_checked)
    form.locator("button").focus()
    lab.page.keyboard.press("Enter")
    said = form.locator("[role=status]")
    lab.wait_for(lambda: kept_bet(lab, bet) == (answer, "sure"))  # the choice alone is kept first
    lab.wait_for(lambda: bet.answer.bet_shown(answer).split()[0] in said.inner_text())


def kept_bet(lab, bet):
    """Answer and confidence as they are on disk; None for each that is not there yet."""
    file = lab.state / lab.chapter / f"bet-{bet.name}.json"
    kept = json.loads(file.read_text("utf-8")) if file.exists() else {}
    # Where the run has come by and settled the bet, the file is there before any answer is.
    kept = kept.get(LATER, kept)
    return kept.get("answer"), kept.get("confidence")


def test_an_exercise_typed_wrong_and_then_right_shows_both_verdicts(lab):
    name, right = next(iter(solutions(lab.chapter).values()))
    exercise = registry.find(f"{lab.chapter}/{name}")
    known = [m for m in exercise.mistakes if inspect.getsource(m.wrong).startswith("def ")]
    wrong = typed(known[0].wrong, name) if known else right.replace("return ", "return 1 + ")
    cell = lab.find_cell(f"def {name}(")
    assert sentences.WRONG in lab.type_and_run(cell, wrong)
    assert sentences.RIGHT in lab.type_and_run(cell, right)
    assert lab.errors() == []
