"""Two processes that ask each other over a pair of pipes; either may ask while it is asked.

    answer = peer.ask({"do": "call", ...}, seconds)

While one waits for an answer it serves what the other asks. So a check calls a learner's function
in the other process, which calls a function of the check, and each waits for the other in turn.
"""

import json
import os
import select
import signal
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from course_lib.grade.errors import told
from course_lib.grade.wire import Garbled, packed, unpacked

HEAD = struct.Struct(">II")
LONGEST_WORDS, LONGEST_ARRAYS = 1 << 24, 1 << 28  # bytes of one message
DEEPEST = 12  # questions inside of questions


class Ended(Exception):
    """The other process has ended, or says what cannot be understood."""


class Late(Exception):
    """The other process has not answered in time."""


class Peer:
    """One end of the pipes.

    read, write: file descriptors.   serve(question, peer): answers what the other side asks.
    """

    def __init__(self, read: int, write: int, serve: Callable[[dict, "Peer"], dict]):
        self._read, self._write, self._serve = read, write, serve
        self._depth, self._owner = 0, threading.get_ident()
        self.until = float("inf")  # no wait is longer, by the clock of time.monotonic
        self.functions: dict[int, Any] = {}
        self.resolve: Callable[[dict], Any] = self._elsewhere
        for one in (read, write):
            os.set_blocking(one, False)

    def ask(self, question: dict, seconds: float = float("inf")) -> Any:
        """What the other side answers.

        seconds: how long it may take; what it asks in between does not count.

        Raises: Late; Ended; RuntimeError, from another thread than the one that opened the pipes.
        """
        if threading.get_ident() != self._owner:
            raise RuntimeError("a function of the course cannot be called from another thread here")
        self._depth += 1
        try:
            with _alarms(held=True):
                return self._asked(question, time.monotonic() + seconds)
        finally:
            self._depth -= 1

    def _asked(self, question, deadline) -> Any:
        self._push_all(self._parts({"asked": question}), deadline)
        while True:
            came = self._receive(deadline)
            if "answer" in came:
                return came["answer"]
            begun = time.monotonic()
            self._answer(came, deadline)
            deadline += time.monotonic() - begun

    def serve(self) -> None:
        """Answer until the other side has gone. Raises: Ended."""
        with _alarms(held=True):
            while True:
                self._answer(self._receive(float("inf")), float("inf"))

    def _answer(self, came: dict, deadline: float) -> None:
        question = came.get("asked")
        if not isinstance(question, dict) or self._depth > DEEPEST:
            raise Ended("it said what cannot be understood")
        with _alarms(held=False):
            answer = self._serve(question, self)
        try:
            parts = self._parts({"answer": answer})
        except Exception as error:  # a result too large, or one that fails when it is looked at
            parts = self._parts({"answer": {"error": told(error)}})
        self._push_all(parts, deadline)

    def _refer(self, function) -> dict:
        key = id(function)
        self.functions[key] = function
        name = getattr(function, "__name__", None)
        shown = name if isinstance(name, str) else type(function).__name__
        return {"~": "function", "key": key, "name": shown[:80]}

    def _elsewhere(self, reference: dict) -> Any:
        raise Garbled("a function, where none is expected")

    def _parts(self, message: dict) -> list[bytes]:
        plain, buffers = packed(message, self._refer)
        sizes = [len(one) for one in buffers]
        words = json.dumps([plain, sizes]).encode("ascii")
        if len(words) > LONGEST_WORDS or sum(sizes) > LONGEST_ARRAYS:
            raise MemoryError("this is too large to be judged")
        return [HEAD.pack(len(words), sum(sizes)) + words, *buffers]

    def _push_all(self, parts: list[bytes], deadline: float) -> None:
        for part in parts:
            self._push(part, deadline)

    def _receive(self, deadline: float) -> dict:
        length, rest = HEAD.unpack(self._pull(HEAD.size, deadline))
        if length > LONGEST_WORDS or rest > LONGEST_ARRAYS:
            raise Ended("it said too much at once")
        words, arrays = self._pull(length, deadline), self._pull(rest, deadline)
        try:
            plain, sizes = json.loads(words)
            buffers, begin = [], 0
            for size in sizes:
                buffers.append(arrays[begin : begin + size])
                begin += size
            message = unpacked(plain, buffers, self.resolve)
        except (Garbled, ValueError, TypeError, RecursionError, MemoryError) as error:
            raise Ended(f"it said what cannot be understood: {error}") from None
        if not isinstance(message, dict):
            raise Ended("it said what cannot be understood")
        return message

    def _push(self, part: bytes, deadline: float) -> None:
        view = memoryview(part)
        while view:
            self._wait([], [self._write], deadline)
            try:
                view = view[os.write(self._write, view[: 1 << 16]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise Ended(error.strerror) from None

    def _pull(self, count: int, deadline: float) -> bytes:
        parts = bytearray()
        while len(parts) < count:
            self._wait([self._read], [], deadline)
            try:
                some = os.read(self._read, min(count - len(parts), 1 << 20))
            except BlockingIOError:
                continue
            except OSError as error:
                raise Ended(error.strerror) from None
            if not some:
                raise Ended("it has ended")
            parts += some
        return bytes(parts)

    def _wait(self, read, write, deadline) -> None:
        left = min(deadline, self.until) - time.monotonic()
        if left <= 0:
            raise Late
        ready = select.select(read, write, [], None if left == float("inf") else left)
        if not any(ready):
            raise Late


@contextmanager
def _alarms(held: bool) -> Iterator[None]:
    """While it lasts, the alarm of a limit of time waits, or may ring: never within a message."""
    how = signal.SIG_BLOCK if held else signal.SIG_UNBLOCK
    before = signal.pthread_sigmask(how, {signal.SIGALRM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
