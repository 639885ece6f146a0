"""Doing something once the learner's hand stands still."""

import asyncio
from collections.abc import Callable

WAIT = 0.5  # seconds; a screen reader that is told of every step of a drag never finishes a word


class Debounced:
    """Calls `action` half a second after the last call, or at once where no loop runs.

    The loop is the kernel's own: ipykernel 6 and 7 handle a slider's message inside of it.
    """

    def __init__(self, action: Callable[[], None], seconds: float = WAIT):
        self._action, self._seconds = action, seconds
        self._waiting: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        """Start the wait again."""
        if self._waiting is not None:
            self._waiting.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._action()
            return
        self._waiting = loop.call_later(self._seconds, self._action)
