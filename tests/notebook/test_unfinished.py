"""A check that takes its kernel with it costs one sentence, and the next Run all gets through."""

import dataclasses
import os

import pytest
from filelock import FileLock

from course_lib.learner.state import SavedFacts, folder
from course_lib.notebook.handout import Handout
from tests.notebook.test_handout import DOUBLE, WHO

jupyter = pytest.importorskip("jupyter_client.manager")

STOPPED = "The last check of double did not come back"
NOT_RUN = "so this code was not run again"


def chapter():
    """What a kernel that has just been started hands out."""
    return Handout("01_test", exercises=(DOUBLE,), bets=(WHO,))


runs = []


def double(x):
    runs.append(x)
    return x * 2


@pytest.fixture
def left(fresh_state):
    """The check of `double` was under way when its kernel ended."""
    from course_lib.learner.adapter import code_of

    runs.clear()
    SavedFacts("01_test").write("exercise", "double", running=code_of(double))


def test_the_next_kernel_says_so_once(left, capsys):
    new = chapter()
    new.bet("who")
    new.bet("who")
    assert capsys.readouterr().out.count(STOPPED) == 1


def test_the_same_code_is_not_run_the_first_time_and_the_courses_stands_in(left, capsys):
    bound = chapter().exercise(double)
    assert NOT_RUN in capsys.readouterr().out
    assert runs == []
    assert (bound.source, bound.yours) == ("course", None), "no slider runs it either"
    assert bound(21) == 42


def test_run_a_second_time_it_is_judged(left, capsys):
    new = chapter()
    new.exercise(double)
    assert new.exercise(double).source == "yours"


def test_changed_code_is_judged_at_once(left, capsys):
    def changed(x):
        return x + x

    changed.__name__ = "double"
    assert chapter().exercise(changed).source == "yours"
    assert NOT_RUN not in capsys.readouterr().out


def test_a_check_in_another_kernel_that_still_runs_is_no_matter_of_this_one(left, capsys):
    with FileLock(folder() / "01_test" / ".double.running"):
        assert chapter().exercise(double).source == "yours"
    said = capsys.readouterr().out
    assert STOPPED not in said
    assert NOT_RUN not in said


def test_a_check_that_ends_leaves_nothing_to_say(fresh_state, capsys):
    chapter().exercise(double)
    chapter().exercise(lambda x: 1 / 0)
    capsys.readouterr()
    new = chapter()
    new.bet("who")
    new.exercise(double)
    said = capsys.readouterr().out
    assert STOPPED not in said
    assert NOT_RUN not in said


def test_what_was_written_before_stays(left):
    SavedFacts("01_test").write("exercise", "double", state="wrong", code="old", hints=2)
    chapter().exercise(double)
    facts = SavedFacts("01_test").read("exercise", "double")
    assert (facts["state"], facts["code"], facts["hints"]) == ("wrong", "old", 2)


SETUP = """
from course_lib.notebook import unfinished
from tests.notebook.test_unfinished import chapter, quick
unfinished.PATIENCE = 1.0
chapter = quick()
exercise, bet = chapter.exercise, chapter.bet
"""
ENDS = {
    "an operation that never ends": "sum(range(10**15))",
    "a process that is killed": "__import__('os').kill(__import__('os').getpid(), 9)",
}


def quick():
    """The same with a second for each check."""
    return Handout("01_test", exercises=(dataclasses.replace(DOUBLE, seconds=1.0),), bets=(WHO,))


@pytest.mark.parametrize("ends", ENDS.values(), ids=list(ENDS))
def test_a_kernel_that_is_gone_is_explained_by_the_next(tmp_path, ends):
    environment = {**os.environ, "COURSE_STATE": str(tmp_path), "PYTHONPATH": os.getcwd()}
    cell = f"@exercise\ndef double(x):\n    return {ends}"
    first, client = jupyter.start_new_kernel(kernel_name="python3", env=environment)
    try:
        client.execute_interactive(SETUP, timeout=120, output_hook=lambda message: None)
        client.execute(cell)
        first.provisioner.process.wait(timeout=60)
    finally:
        client.stop_channels()
        first.shutdown_kernel(now=True)
    second, client = jupyter.start_new_kernel(kernel_name="python3", env=environment)
    told = []

    def keep(message):
        content = message["content"]
        told.append(content.get("text", "") + content.get("data", {}).get("text/plain", ""))

    try:
        for one in (SETUP, "bet('who')", cell, "print('and on:', double(21))"):
            client.execute_interactive(one, timeout=120, output_hook=keep)
    finally:
        client.stop_channels()
        second.shutdown_kernel(now=True)
    said = "".join(told)  # a print may come in parts
    assert STOPPED in said
    assert NOT_RUN in said
    assert "and on: 42" in said
