"""The long walk of `make walk`: what a learner may do to each chapter, counted off.

Every bet is lost and won, every exercise left as it is, half done, wrong and right, a notebook is
opened again, interrupted, restarted in its middle, and updated over what was typed. A new chapter,
bet or exercise is walked without a new test.
"""

import inspect
import json
import re

import nbformat
import pytest

from course_lib.betting import sentences as of_bets
from course_lib.betting.bet import Choice
from course_lib.judging import registry, sentences
from tests.browser.conftest import CHAPTERS, every_chapter
from tests.browser.solutions import NOTEBOOKS, STARTS, solutions
from tests.sweeps import WALK
from tools.lab import lay

pytestmark = [
    *every_chapter,
    pytest.mark.skipif(not WALK, reason="the long walk: `make walk` takes it"),
]
KINDS = ("untouched", "half done", "wrong", "wrong in another way", "right")
SETTLED = re.compile(r"(?:You bet|No bet placed).*")
NEW_LINE = "a line of my own"


def half_done(right):
    """The answer's first lines, and a name that leads nowhere yet."""
    if re.search(r"^class ", right, re.M):
        return None
    head = re.match(r"@exercise\ndef .*?\) *(?:->.*?)?:\n", right, re.S)[0]
    return head + "    half = 1\n"


def wrong(exercise, right, which):
    """One of the known mistakes, typed; where none is a plain function, a text."""
    known = [inspect.getsource(m.wrong) for m in exercise.mistakes]
    known = [inspect.cleandoc("\n" + text) for text in known]
    known = [text for text in known if re.match(STARTS, text)]
    if not known:
        return re.sub(r"\breturn .*", "return 'a text'", right)
    name = re.search(STARTS, right, re.M)[1]
    text = known[which % len(known)]
    old = re.match(STARTS, text)[1]
    return "@exercise\n" + re.sub(rf"\b{old}\b", name, text)


@pytest.mark.parametrize("kind", KINDS)
def test_all_exercises_are_of_one_kind_and_no_cell_after_them_breaks(lab, kind):
    answers = solutions(lab.chapter)
    lab.restart()
    for cell, (name, right) in answers.items():
        exercise = registry.find(f"{lab.chapter}/{name}")
        text = {
            "untouched": None,
            "half done": half_done(right),
            "wrong": wrong(exercise, right, 0),
            "wrong in another way": wrong(exercise, right, -1),
            "right": right,
        }[kind]
        if text is not None:
            lab.write(cell, text)
    lab.run_all(seconds=300)
    assert lab.errors() == []
    header = {"right": sentences.RIGHT, "untouched": sentences.TODO, "half done": sentences.TODO}
    for cell, (name, right) in answers.items():
        if kind == "half done" and half_done(right) is None:
            continue
        expected = header.get(kind, sentences.WRONG)
        if kind == "half done" and "return" not in right:
            expected = sentences.WRONG  # a kernel never returns anything, also when it is done
        assert expected in lab.text_of(cell), name


def test_an_answer_that_python_cannot_read_harms_only_its_cell(lab):
    cell, (_, right) = next(iter(solutions(lab.chapter).items()))
    index = lab.index_of(cell)
    assert "SyntaxError" in lab.type_and_run(index, right.partition("\n")[0] + "\ndef half(")
    lab.command("notebook:run-all-below")  # from the next cell on
    lab.settle()
    assert [error for error in lab.errors() if "SyntaxError" not in error] == []
    lab.type_and_run(index, right)


def test_every_bet_is_lost_and_won(lab):
    for bet in registry.chapters(lab.chapter)[0].bets.values():
        answers = range(len(bet.answer.options)) if isinstance(bet.answer, Choice) else [None]
        won, lost = 0, 0
        for answer in answers:
            said = settle(lab, bet, answer)
            if isinstance(bet.answer, Choice):
                right = said.rstrip().endswith(of_bets.BET_RIGHT.rpartition(" ")[2])
                won, lost = won + right, lost + (not right)
                continue
            run = re.search(r"the run says (-?[\d.,e+-]*\d)", said)[1]
            won += ": right" in settle(lab, bet, float(run))
            far = max((bet.answer.low, bet.answer.high), key=lambda end: abs(end - float(run)))
            lost += ": off by" in settle(lab, bet, far)
        assert won == 1, bet.name
        assert lost >= 1, bet.name


def settle(lab, bet, answer):
    """Bet afresh by keyboard (on nothing, if None), run the cell that settles it; what it says."""
    (lab.state / lab.chapter / f"bet-{bet.name}.json").unlink(missing_ok=True)
    asked = lab.find_cell(f'bet("{bet.name}"')
    lab.run_cell(asked)
    cell = lab.cell(asked)
    if isinstance(bet.answer, Choice):
        cell.locator(".bet-options input").nth(answer).focus()
        lab.page.keyboard.press("Space")
    elif answer is not None:
        cell.locator(".bet-field input").focus()
        lab.page.keyboard.type(f"{answer:.10g}")
        lab.page.keyboard.press("Enter")
    if answer is not None:
        cell.get_by_text(of_bets.PLACE, exact=True).focus()
        lab.page.keyboard.press("Enter")
        lab.page.wait_for_timeout(200)
        lab.settle()
    settling = lab.find_cell(f'settle("{bet.name}"')
    lab.run_cell(settling)
    lab.wait_for(lambda: SETTLED.search(lab.text(settling)))
    return SETTLED.search(lab.text(settling))[0]


def test_a_long_cell_is_interrupted_and_the_next_ones_run(lab):
    cell, (name, right) = next(iter(solutions(lab.chapter).items()))
    index = lab.index_of(cell)
    head = half_done(right) or f"@exercise\ndef {name}(*given):\n"
    lab.write(cell, head + "    import time\n    time.sleep(60)\n")
    lab.start_cell(index)
    lab.page.wait_for_timeout(1500)
    lab.interrupt()
    lab.wait_for(lambda: sentences.INTERRUPTED in lab.text_of(cell))
    lab.settle()
    lab.write(cell, right)
    lab.run_all(seconds=300)
    assert lab.errors() == []


def test_a_restart_in_the_middle_forgets_no_progress(lab):
    lab.restart()
    count = lab.count()
    lab.run_to(count // 2)
    lab.restart()
    lab.run_all(seconds=300)
    assert lab.errors() == []
    kept = [json.loads(file.read_text()) for file in (lab.state / lab.chapter).glob("*.json")]
    assert any(facts.get("state") == "right" for facts in kept)


def test_a_second_chapter_at_the_same_time_disturbs_neither(lab, server, browser):
    other = CHAPTERS[(CHAPTERS.index(f"{lab.chapter}.ipynb") + 1) % len(CHAPTERS)]
    page = browser.open(server, other)
    page.start_all()
    lab.run_all(seconds=300)
    page.wait_for_all(seconds=300)
    assert lab.errors() == page.errors() == []
    for one in (lab, page):
        for index in one.explorer_cells()[:1]:
            one.cell(index).locator(".explorer-pane img").first.wait_for()
    page.page.close()


def test_an_update_keeps_what_was_typed_and_lays_the_new_one_beside_it(lab, server, tmp_path):
    name = f"{lab.chapter}.ipynb"
    cell, (_, right) = next(iter(solutions(lab.chapter).items()))
    lab.write(cell, f"{right}\n# {NEW_LINE}")
    lab.command("docmanager:save")
    newer = nbformat.read(NOTEBOOKS / name, 4)
    newer.cells[-1].source += "\n\nA newer edition."
    nbformat.write(newer, tmp_path / name)
    said = lay(tmp_path, server.folder)
    assert any(".new" in line for line in said)
    assert NEW_LINE in (server.folder / name).read_text()
    beside = server.folder / name.replace(".ipynb", ".new.ipynb")
    assert "A newer edition." in beside.read_text()
    assert NEW_LINE not in beside.read_text()


def test_at_last_a_saved_notebook_that_is_opened_again_still_shows_its_pictures(
    lab, server, browser
):
    lab.command("docmanager:save")
    again = browser.open(server, f"{lab.chapter}.ipynb", fresh_kernel=True)
    for index in again.explorer_cells():
        cell = again.cell(index)
        image = cell.locator(".jp-OutputArea img:visible").first
        image.wait_for()
        assert image.evaluate("image => image.naturalWidth") > 300
        assert "rror" not in cell.locator(".jp-OutputArea").inner_text()
    again.page.close()
