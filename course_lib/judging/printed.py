"""What a learner's code printed on one case: the first lines, and how many more."""

import io
from dataclasses import dataclass

LINES = 20
WIDTH = 160  # characters of a line


@dataclass(frozen=True)
class Printed:
    """The first lines that the learner's code printed, and how many more there were."""

    lines: tuple[str, ...] = ()
    more: int = 0


NOTHING_PRINTED = Printed()


class PrintedLines(io.StringIO):
    """Keeps the first lines of what is printed and counts the others."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.more, self.rest = 0, ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if len(self.lines) == LINES:
            self.more += text.count("\n")
            # of a line that is cut anyway, no more than whether it has begun
            self.rest = (self.rest + text).rpartition("\n")[2][:1]
            return len(text)
        whole = self.rest + text
        *lines, self.rest = whole.split("\n")
        self.rest = self.rest[:WIDTH]
        room = LINES - len(self.lines)
        self.lines += [line[:WIDTH] for line in lines[:room]]
        self.more += len(lines[room:]) if room < len(lines) else 0
        return len(text)

    def seen(self) -> Printed:
        """What was printed."""
        if not self.rest:
            return Printed(tuple(self.lines), self.more)
        if len(self.lines) < LINES:
            return Printed((*self.lines, self.rest), self.more)
        return Printed(tuple(self.lines), self.more + 1)
