"""A limit on how long the learner's code may run; nothing of it stays behind afterwards."""

import signal
import sys
import threading
import time
from contextlib import contextmanager, suppress

REPEAT = 0.25  # seconds; a bare `except:` may swallow the first alarm, not all of them


class TimeUp(BaseException):
    """The time is up. Not an Exception, so that the learner's `except Exception` lets it pass."""


class Budget:
    """Seconds that several pieces of the learner's code may use together."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.left = seconds

    @contextmanager
    def spending(self):
        """Run a piece of code for as long as is left.

        Raises: TimeUp, inside the piece and from here.
        """
        start = time.monotonic()
        try:
            with time_limit(max(self.left, 0.01)):
                yield
        finally:
            self.left -= time.monotonic() - start


def time_limit(seconds: float):
    """A context whose code is stopped by TimeUp after `seconds`; works in every thread.

    In the main thread of Linux and macOS an alarm is used, which also wakes a `sleep`. Elsewhere
    a timer thread raises in this thread as soon as it runs Python code again.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _by_alarm(seconds)
    return _by_timer(seconds)


@contextmanager
def _by_alarm(seconds):
    armed = True

    def ring(signum, frame):
        if armed:
            raise TimeUp

    start = time.monotonic()
    before = signal.signal(signal.SIGALRM, ring)
    others_left, others_interval = signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT)
    try:
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if others_left:  # somebody else's alarm goes on where it was
            remaining = max(others_left - (time.monotonic() - start), 0.001)
            signal.setitimer(signal.ITIMER_REAL, remaining, others_interval)


@contextmanager
def _by_timer(seconds):
    thread = threading.get_ident()
    done, lock = threading.Event(), threading.Lock()

    def ring():
        wait = seconds
        while not done.wait(wait):
            with lock:
                if not done.is_set():
                    _raise_in(thread, TimeUp)
            wait = REPEAT

    timer = threading.Thread(target=ring, daemon=True)
    with suppress(RuntimeError):  # a Python without threads, as in a browser: no limit
        timer.start()
    try:
        yield
    finally:
        _end_timer(done, lock, thread)


def _end_timer(done, lock, thread) -> None:
    while not done.is_set():
        try:
            with lock:
                done.set()
        except TimeUp:  # it rang while we were stopping it
            continue
    _raise_in(thread, None)  # takes back an alarm that has not yet been delivered


def _raise_in(thread: int, error) -> None:
    if sys.implementation.name != "cpython":
        return
    import ctypes

    raised = ctypes.py_object(error) if error is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
