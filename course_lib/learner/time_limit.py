"""A limit on how long the learner's code may run; nothing of it stays behind afterwards."""

import heapq
import itertools
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TypeVar

Value = TypeVar("Value")

REPEAT = 0.25  # seconds from one alarm to the next; a bare `except:` swallows the first
PATIENT = 2  # alarms before more than raising is done
HURRY = 0.003  # seconds from the eighth on, where only a thread can raise it
OURS = str(Path(__file__).parents[1])  # nothing that the course itself clears up is cut short


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
    one watching thread raises in this thread as soon as it runs Python code again.

    Raises: TimeUp, and what the function raises.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _limited_by_alarm(function, seconds)
    return _limited_by_watch(function, seconds)


def _limited_by_alarm(function: Callable[[], Value], seconds: float) -> Value:
    armed, times, tracer = True, 0, sys.gettrace()

    def ring(signum, frame):
        nonlocal times
        if not armed:
            return
        times += 1
        if times > PATIENT:
            _trap_handlers(frame)
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
        sys.settrace(tracer)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)
        if others_left:  # somebody else's alarm goes on where it was
            remaining = max(others_left - (time.monotonic() - start), 0.001)
            signal.setitimer(signal.ITIMER_REAL, remaining, others_interval)


def _trap_handlers(frame: FrameType | None) -> None:
    """Let the next line raise TimeUp once more in the learner's functions that are under way.

    `while True: try: ... except: pass` catches what is raised inside of its `try`. The next line
    is that of its `except`, and what is raised there is caught by nothing.
    """

    def again(frame: FrameType, event: str, arg: object):
        if event == "line":
            raise TimeUp  # Python ends the tracing with that
        return again

    while frame is not None and frame.f_code is not _limited_by_alarm.__code__:
        if not frame.f_code.co_filename.startswith(OURS):
            frame.f_trace = again
        frame = frame.f_back
    sys.settrace(lambda *called: None)


@dataclass
class _Watched:
    """A call with a limit: the thread that makes it, and whether it is still under way."""

    thread: int
    armed: bool = True
    rung: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ring(self) -> float:
        """Raise TimeUp in its thread; the seconds until the next time, 0 for never."""
        with self.lock:
            if not self.armed:
                return 0.0
            self.rung += 1
            _raise_in(self.thread, TimeUp)
        return REPEAT if self.rung < 8 else HURRY


class _Watch:
    """One thread that waits for all limits: a thread for each call would be left by each."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, _Watched]] = []
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None

    def add(self, watched: _Watched, seconds: float) -> None:
        """Ring for a call in so many seconds.

        Raises: RuntimeError, where threads cannot be started.
        """
        with self._changed:
            if self._thread is None or not self._thread.is_alive():  # the latter after a fork
                self._thread = threading.Thread(target=self._run, name="limits", daemon=True)
                self._thread.start()
            self._put(watched, seconds)
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._due = [one for one in self._due if one[2].armed]
                heapq.heapify(self._due)
                left = self._due[0][0] - time.monotonic() if self._due else None
                if left is None or left > 0:
                    self._changed.wait(left)
                    continue
                watched = heapq.heappop(self._due)[2]
            wait = watched.ring()
            if wait:
                with self._changed:
                    self._put(watched, wait)

    def _put(self, watched: _Watched, seconds: float) -> None:
        entry = time.monotonic() + seconds, next(self._numbers), watched
        heapq.heappush(self._due, entry)


_watch = _Watch()


def _limited_by_watch(function: Callable[[], Value], seconds: float) -> Value:
    watched = _Watched(threading.get_ident())
    try:
        try:
            with suppress(RuntimeError):  # a Python without threads, as in a browser: no limit
                _watch.add(watched, seconds)
            return function()
        finally:
            watched.armed = False  # no call stands before this line: at most one is on its way
    finally:
        _take_back(watched)


def _take_back(watched: _Watched) -> None:
    """Catch a TimeUp that was raised in this thread and has not arrived yet.

    To put none in its place would leave Python looking for it at each step, and a debugger in
    Python 3.11 stand still; so another is put there, and awaited.
    """
    taken = False
    while not taken:
        try:
            with watched.lock:  # whoever was about to raise it has done so
                taken = True
            if watched.rung:
                _raise_in(watched.thread, TimeUp)
                while sys.implementation.name == "cpython":
                    pass
        except TimeUp:
            continue


def _raise_in(thread: int, error: type[BaseException]) -> None:
    if sys.implementation.name != "cpython":
        return
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
