"""The time limit stops what does not end, in every thread, and leaves nothing behind."""

import signal
import sys
import threading
import time
from contextlib import suppress

import pytest

from course_lib.learner.time_limit import TimeUp, _limited_by_watch, limited


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


def never_ends_by_itself():
    while True:
        try:
            sum(range(50))
        except:  # noqa: E722
            continue


def never_ends_and_works_long_in_the_try():
    while True:
        try:
            spin()
        except BaseException:
            continue


def never_ends_inside_of_a_with():
    with suppress(ValueError):
        while True:
            try:
                time.sleep(0.01)
            except BaseException as error:
                str(error)


def spin():
    while True:
        pass


@pytest.mark.parametrize("limit", [limited, _limited_by_watch])
def test_a_loop_without_an_end_is_stopped(limit):
    start = time.monotonic()
    with pytest.raises(TimeUp):
        limit(spin, 0.1)
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("limit", [limited, _limited_by_watch])
def test_an_answer_that_swallows_the_first_alarms_is_stopped(limit):
    seen.clear()
    with pytest.raises(TimeUp):
        limit(swallow_everything, 0.1)


HAS_ALARMS = hasattr(signal, "setitimer")


@pytest.mark.skipif(not HAS_ALARMS, reason="this system has no such alarm")
@pytest.mark.parametrize(
    "endless",
    [
        never_ends_by_itself,
        never_ends_and_works_long_in_the_try,
        never_ends_inside_of_a_with,
    ],
)
def test_a_bare_except_in_an_endless_loop_does_not_keep_it_alive(endless):
    start = time.monotonic()
    with pytest.raises(TimeUp):
        limited(endless, 0.1)
    assert time.monotonic() - start < 5


def test_what_traces_the_program_goes_on_after_a_bare_except():
    def tracer(frame, event, arg):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        with pytest.raises(TimeUp):
            limited(never_ends_and_works_long_in_the_try, 0.1)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def looks_for_alarms_outside_of_the_try_alone():
    while True:
        try:
            pass
        except BaseException:
            continue


def test_a_bare_except_is_left_where_a_thread_raises_too():
    with pytest.raises(TimeUp):
        _limited_by_watch(looks_for_alarms_outside_of_the_try_alone, 0.1)


def test_a_thousand_limits_leave_one_thread():
    before = threading.active_count()
    for _ in range(1000):
        assert _limited_by_watch(lambda: 3, 30) == 3
    assert threading.active_count() <= before + 1


def test_what_traces_a_program_works_after_a_thread_has_stopped_something():
    """Python 3.11 stood still where a raised exception had been taken back by none."""
    with pytest.raises(TimeUp):
        _limited_by_watch(spin, 0.05)
    called, before = [], sys.gettrace()
    sys.settrace(lambda frame, event, arg: called.append(event))
    threading.active_count()
    sys.settrace(before)
    assert called


def test_limits_in_several_threads_each_stop_their_own():
    stopped = []

    def work(seconds):
        try:
            limited(lambda: time.sleep(0.01) or spin(), seconds)
        except TimeUp:
            stopped.append(seconds)

    threads = [threading.Thread(target=work, args=(one,)) for one in (0.4, 0.1, 0.2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(20)
    assert sorted(stopped) == [0.1, 0.2, 0.4]


@pytest.mark.parametrize("limit", [limited, _limited_by_watch])
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


@pytest.mark.skipif(not HAS_ALARMS, reason="this system has no such alarm")
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
