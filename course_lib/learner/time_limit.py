"""A limit on how long the learner's code may run; nothing of it stays behind afterwards."""

import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Value = TypeVar("Value")

REPEAT = 0.25  # seconds; a bare `except:` may swallow the first alarm, not all of them


class TimeUp(BaseException):
    """The time is up. Not an Exception, so that the learner's `except Exception` lets it pass."""


class Budget:
    """Seconds that several pieces of the learner's code may use together."""

    def __init__(self, seconds: float):
        self.left = seconds

    def run(self, function: Callable[[], Value]) -> Value:
        """The function's result, if it comes within what is left.

        Raises: TimeUp, and what the function raises.
        """
        start = time.monotonic()
        try:
            return limited(function, max(self.left, 0.01))
        finally:
            self.left -= time.monotonic() - start


def limited(function: Callable[[], Value], seconds: float) -> Value:
    """The function's result, if it comes within `seconds`; works in every thread.

    In the main thread of Linux and macOS an alarm is used, which also wakes a `sleep`. Elsewhere
    a timer thread raises in this thread as soon as it runs Python code again.

    Raises: TimeUp, and what the function raises.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _limited_by_alarm(function, seconds)
    return _limited_by_timer(function, seconds)


def _limited_by_alarm(function: Callable[[], Value], seconds: float) -> Value:
    armed = True

    def ring(signum, frame):
        if armed:
            raise TimeUp

    start = time.monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    others_left, others_interval = signal.getitimer(signal.ITIMER_REAL)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT)
            return function()
        finally:
            armed = False  # no call stands before this line, so no alarm can get in between
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if others_left:  # somebody else's alarm goes on where it was
            remaining = max(others_left - (time.monotonic() - start), 0.001)
            signal.setitimer(signal.ITIMER_REAL, remaining, others_interval)


def _limited_by_timer(function: Callable[[], Value], seconds: float) -> Value:
    thread, armed = threading.get_ident(), True
    done, lock = threading.Event(), threading.Lock()

    def ring():
        wait = seconds
        while not done.wait(wait):
            with lock:
                if armed:
                    _raise_in(thread, TimeUp)
            wait = REPEAT

    try:
        try:
            with suppress(RuntimeError):  # a Python without threads, as in a browser: no limit
                threading.Thread(target=ring, daemon=True).start()
            return function()
        finally:
            armed = False  # no call stands before this line: at most one alarm is on its way
    finally:
        while True:
            try:
                with lock:
                    _raise_in(thread, None)  # takes back an alarm that was not delivered yet
                done.set()
                break
            except TimeUp:  # it came while we were taking it back
                continue


def _raise_in(thread: int, error) -> None:
    if sys.implementation.name != "cpython":
        return
    import ctypes

    raised = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
