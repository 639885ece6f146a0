"""Every test has a learner's state of its own."""

import pytest

from course_lib.learner import state


@pytest.fixture(autouse=True)
def fresh_state(tmp_path, monkeypatch):
    """The folder in which progress is kept during one test."""
    folder = tmp_path / "state"
    monkeypatch.setenv("COURSE_STATE", str(folder))
    monkeypatch.delenv("COURSE_LANG", raising=False)
    monkeypatch.setattr(state, "_told_unwritable", False)
    return folder
