"""The time limit stops what does not end, in every thread, and leaves nothing behind."""

import signal
import threading
import time
from contextlib import suppress

import pytest

from course_lib.learner.time_limit import TimeUp, _limited_by_timer, limited


def swallow_everything():
    stop = time.monotonic() + 5
    while time.monotonic() < stop:
        try:
            while time.monotonic() < stop:
                pass
        except BaseException as error:
            seen.append(error)
            if len(seen) > 2:
                raise


seen = []


def spin():
    while True:
        pass


@pytest.mark.parametrize("limit", [limited, _limited_by_timer])
def test_a_loop_without_an_end_is_stopped(limit):
    start = time.monotonic()
    with pytest.raises(TimeUp):
        limit(spin, 0.1)
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("limit", [limited, _limited_by_timer])
def test_an_answer_that_swallows_the_first_alarms_is_stopped(limit):
    seen.clear()
    with pytest.raises(TimeUp):
        limit(swallow_everything, 0.1)


@pytest.mark.parametrize("limit", [limited, _limited_by_timer])
def test_no_alarm_comes_late(limit):
    for pause in (0.049, 0.05, 0.051) * 5:
        with suppress(TimeUp):
            assert limit(lambda pause=pause: time.sleep(pause) or 7, 0.05) == 7
    time.sleep(0.6)


def test_it_works_outside_of_the_main_thread():
    caught = []

    def work():
        try:
            limited(spin, 0.1)
        except TimeUp:
            caught.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(5)
    assert caught == [True]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such alarm")
def test_somebody_elses_alarm_is_given_back():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        limited(lambda: time.sleep(0.05), 0.1)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
        time.sleep(0.4)
        assert rung == [True]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_what_a_function_raises_comes_out_unchanged():
    with pytest.raises(ZeroDivisionError):
        limited(lambda: 1 / 0, 1)
