"""What a learner's function gives to a picture may do anything when it is touched."""

import gc
import threading
from pathlib import Path

import numpy as np
import pytest

from course_lib.learner.bound import Bound
from course_lib.sliding import session as session_module
from tests.sliding.examples import BASE, explorer, total


def trap(name, error):
    """An object that raises when it is asked for one thing; it is a float for all others."""

    def raising(self, *args, **kwargs):
        raise error

    return type("Trap", (float,), {name: raising})(3.0)


TOUCHES = (
    "__array__", "__float__", "__add__", "__mul__", "__eq__", "__bool__", "__len__", "__iter__",
    "__getitem__", "__format__", "__repr__", "__hash__", "__array_ufunc__", "__getattr__",
)  # fmt: skip


def untouched(*, count, scale, sign, doubled, total):
    """What the learner's function gave, as it is, among the data."""
    values = BASE * scale * sign
    return {"values": values, "count": count, "total": total(values)}


def bound(function, source="yours"):
    """As an exercise binds it."""

    def adapter(values):
        return function(values)

    vars(adapter).update(Bound(function, source).attributes())
    return adapter


@pytest.mark.parametrize("source", ["yours", "course"])
@pytest.mark.parametrize("touch", TOUCHES)
def test_no_result_gets_out_of_a_session(touch, source):
    def evil(values):
        return trap(touch, SystemExit(3))

    shown = explorer(compute=untouched, size=(3.0, 2.0)).session(total=bound(evil, source))
    frame = shown.frame({**shown.start.params, "count": 5})
    assert frame.right is not None
    assert shown.layers(frame)
    assert shown.sentence(frame)
    shown.numbers(frame)
    shown.reached(frame)


def catches_all(values):
    while True:
        try:
            total(values)
        except:  # noqa: E722
            continue


def test_a_loop_that_catches_everything_is_left_and_said(monkeypatch):
    monkeypatch.setattr(session_module, "PATIENCE", 0.05)
    shown = explorer().session(total=catches_all)
    assert "it takes too long for a slider" in shown.sentence(shown.start)


def held():
    """Threads, open files, and objects that Python holds."""
    gc.collect()
    files = Path("/proc/self/fd")
    opened = len(list(files.iterdir())) if files.exists() else 0
    return np.array([threading.active_count(), opened, len(gc.get_objects())])


def in_a_thread(action):
    """Some front ends answer outside of the main thread."""
    thread = threading.Thread(target=action)
    thread.start()
    thread.join()


@pytest.mark.parametrize("where", [lambda action: action(), in_a_thread], ids=["main", "other"])
def test_many_moves_leave_no_more_than_ten(where):
    shown = explorer(size=(3.0, 2.0)).session(total=lambda values: total(values) + 1)

    def move(times):
        for number in range(times):
            scale = 0.5 + 0.1 * (number % 10)  # matplotlib remembers texts
            shown.layers(shown.frame({**shown.start.params, "scale": scale}))

    where(lambda: move(10))
    after_ten = held()
    where(lambda: move(100))
    threads, opened, objects = held() - after_ten
    assert threads <= 0
    assert opened <= 0
    assert objects < 100, "less than one for each move"
