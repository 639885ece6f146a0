"""Every test has a learner's state of its own."""

import gc

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


@pytest.fixture(autouse=True)
def no_collection_at_the_limit(request):
    """Collect no garbage while an answer recurses to the limit.

    What another test left behind would be finalised one call below the limit, fail there, and be
    blamed on this test.
    """
    if "recurs" not in request.node.name:
        yield
        return
    gc.disable()
    yield
    gc.enable()
