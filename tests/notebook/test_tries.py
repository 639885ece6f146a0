"""How often an exercise was tried: what the verdict opens then, and what progress says."""

import pytest

from course_lib.learner.state import SavedFacts
from course_lib.notebook import handout as handout_module
from course_lib.notebook.handout import Handout
from course_lib.notebook.tries import Tries, half_done, tries_of
from tests.notebook.test_handout import DOUBLE


def squared(x):
    return x * x


def more(x):
    return x + 1


def doubled(x):
    return 2 * x


def stub(x): ...


def first_gap(x):
    return 2 * x if len(x) == 2 else ...


def other_gap(x):
    return 2 * x if len(x) == 3 else ...


def wrong_beside_a_gap(x):
    return x + 1 if len(x) == 2 else ...


@pytest.fixture
def pages(monkeypatch):
    """The HTML of the verdicts that were shown."""
    shown = []
    monkeypatch.setattr(
        handout_module, "show", lambda plain, *, html: shown.append(html), raising=True
    )
    return shown


def tried(*answers):
    """A chapter in which these answers to `double` were judged one after another."""
    course = Handout("01_test", exercises=(DOUBLE,))
    for answer in answers:
        answer.__name__ = "double"
        course.exercise(answer)
    return course


def opened(page):
    return "<details open>" in page


def test_a_first_wrong_try_has_its_cause_folded_and_a_second_has_it_open(pages):
    tried(more, squared)
    assert [opened(page) for page in pages] == [False, True]
    assert "You squared it." in pages[1]


def test_the_same_cell_run_again_is_no_second_try(pages):
    tried(squared, squared)
    assert [opened(page) for page in pages] == [False, False]


def test_a_stub_is_no_try(pages):
    tried(stub, squared)
    assert not opened(pages[-1])


def test_what_is_half_done_is_no_try(pages):
    tried(first_gap, other_gap, squared)
    assert [opened(page) for page in pages] == [False] * 3


def test_the_tries_are_remembered_by_the_next_kernel(pages):
    tried(more)
    tried(squared)
    assert opened(pages[-1])


def test_who_had_it_right_is_told_at_once(pages):
    tried(doubled, squared)
    assert opened(pages[-1])


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ((), "○ open"),
        ((stub,), "○ open"),
        ((more,), "✗ wrong"),
        ((more, squared), "✗ wrong, try 2"),
        ((doubled,), "✓ right"),
        ((more, squared, squared, doubled), "✓ right, try 3"),
        ((doubled, squared), "✓ right before; ✗ the last try"),
        ((doubled, squared, doubled), "✓ right"),
        ((more, doubled, squared, stub), "✓ right before; ✗ the last try"),
        ((first_gap,), "○ half done"),
        ((first_gap, stub), "○ half done"),
        ((first_gap, doubled), "✓ right"),
        ((first_gap, squared), "✗ wrong"),
        ((wrong_beside_a_gap,), "✗ wrong"),
        ((more, squared, other_gap), "○ half done, try 2"),
        ((doubled, first_gap), "✓ right before; ○ the last try, half done"),
        ((doubled, first_gap, squared), "✓ right before; ✗ the last try"),
    ],
)
def test_progress_says_which_try_it_was_and_what_was_once_right_stays_so(answers, state, capsys):
    course = tried(*answers)
    capsys.readouterr()
    course.progress()
    row = capsys.readouterr().out.split("double", 1)[1].splitlines()[0]
    assert row.removesuffix("★").rstrip().removesuffix("3").strip() == state


@pytest.mark.parametrize(
    ("facts", "known"),
    [
        ({}, Tries(0, False)),
        ({"state": "right"}, Tries(0, True)),
        ({"state": "wrong"}, Tries(0, False)),
        ({"state": "wrong", "tries": 2, "solved": True}, Tries(2, True)),
        ({"tries": -4}, Tries(0, False)),
    ],
)
def test_facts_of_an_older_version_are_read(facts, known):
    assert tries_of(facts) == known


def test_half_done_is_kept_as_wrong_which_every_version_reads():
    tried(first_gap)
    facts = SavedFacts("01_test", pytest.fail).read("exercise", "double")
    assert facts["state"] == "wrong"
    assert facts["half_done"] == facts["code"]


HALF = {"state": "wrong", "code": "return ...", "half_done": "return ..."}


@pytest.mark.parametrize(
    ("facts", "half"),
    [
        (HALF, True),
        ({**HALF, "code": "return x + 1"}, False),  # as a version without halves judged it later
        ({**HALF, "state": "right"}, False),
        ({"state": "wrong", "code": "return ..."}, False),
        ({"state": "wrong"}, False),
        ({"state": "wrong", "code": "", "half_done": ""}, False),
        ({}, False),
    ],
)
def test_half_done_is_the_code_that_is_kept_as_such(facts, half):
    assert half_done(facts) == half
