"""How often an exercise was tried: what the verdict opens then, and what progress says."""

import pytest

from course_lib.notebook import handout as handout_module
from course_lib.notebook.handout import Handout
from course_lib.notebook.tries import Tries, tries_of
from tests.notebook.test_handout import DOUBLE


def squared(x):
    return x * x


def more(x):
    return x + 1


def doubled(x):
    return 2 * x


def stub(x): ...


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
