"""The tries of an exercise: what is kept of each, and when the named mistake stands open.

A first wrong try is shown what came out, and what it may be is folded: to see for oneself why is
worth more than to be told. Who has tried twice, or has had it right and tries something else on
purpose, is told at once. An answer that is right as far as it goes, and has a gap left, is no try.
"""

from collections.abc import Mapping
from dataclasses import dataclass

OPENED_FROM = 2  # the try from which the named mistake stands open


@dataclass(frozen=True)
class Tries:
    """What is known of the tries of one exercise.

    count: the different answers that were judged, up to the first right one.
    solved: whether one of them was right.
    """

    count: int = 0
    solved: bool = False

    @property
    def opened(self) -> bool:
        """Whether what it may be is told without a click."""
        return self.solved or self.count >= OPENED_FROM

    def after(self, state: str, is_new: bool) -> "Tries":
        """With one more answer. state: its verdict's. is_new: it is not the last one again."""
        counts = is_new and not self.solved
        return Tries(self.count + counts, self.solved or state == "right")

    @property
    def facts(self) -> dict[str, object]:
        """As they are kept."""
        return {"tries": self.count, "solved": self.solved}


def half_done(facts: Mapping) -> bool:
    """Whether the last answer was right as far as it went, and had a gap left.

    The kept state is "wrong" then, a word that every version knows; beside it stands the code that
    is half done. So what a version that does not know of halves judges later is no half.
    """
    half = facts.get("half_done")
    return facts.get("state") == "wrong" and bool(half) and half == facts.get("code")


def tries_of(facts: Mapping) -> Tries:
    """The tries in the kept facts of an exercise; those of an older version know the state only."""
    solved = facts.get("solved", facts.get("state") == "right")
    return Tries(max(facts.get("tries", 0), 0), solved)
