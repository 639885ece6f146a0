"""Where progress is kept, and that the solutions keep theirs apart."""

import pytest

from course_lib.learner import state
from course_lib.learner.state import SavedFacts, folder
from tests.learner.states import NEW, OLD


def test_the_folder_is_the_users_own_where_none_is_set(monkeypatch):
    monkeypatch.delenv("COURSE_STATE")
    assert state.FOLDER in str(state.folder())


def test_a_tilde_stands_for_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("COURSE_STATE", "~/progress")
    assert folder() == tmp_path / "progress"


# The solutions' edition


def test_what_the_solutions_do_is_no_progress(monkeypatch, fresh_state):
    SavedFacts("x", pytest.fail).write("exercise", "dot", **OLD)
    monkeypatch.setenv("COURSE_EDITION", "solutions")
    assert SavedFacts("x", pytest.fail).read("exercise", "dot") == {}
    SavedFacts("x", pytest.fail).write("exercise", "dot", **NEW)
    assert SavedFacts("x", pytest.fail).read("exercise", "dot") == NEW
    monkeypatch.delenv("COURSE_EDITION")
    assert SavedFacts("x", pytest.fail).read("exercise", "dot") == OLD


def test_the_solutions_keep_theirs_apart_in_the_users_own_folder_too(monkeypatch):
    monkeypatch.delenv("COURSE_STATE")
    learners = folder()
    monkeypatch.setenv("COURSE_EDITION", "solutions")
    assert folder() == learners / "solutions"
    monkeypatch.setenv("COURSE_EDITION", "../another")
    assert folder() == learners
