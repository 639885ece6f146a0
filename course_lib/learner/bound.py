"""What an exercise bound to its name, the record that it carries, and the name while it runs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Bound:
    """Whose code runs under the name of an exercise.

    yours: the learner's attempt; None where nothing was attempted.   source: whose code it is.
    """

    yours: Callable | None
    source: Literal["yours", "course"]

    @property
    def judged_right(self) -> bool:
        """Whether the learner's own code was judged right, and is the one that runs."""
        return self.source == "yours"

    def attributes(self) -> dict[str, object]:
        """What the bound function or class carries: the record, and its fields for a notebook."""
        return {"__bound__": self, "yours": self.yours, "source": self.source}


def bound_of(thing: object) -> Bound | None:
    """The record of a function or class that an exercise bound; None of anything else."""
    found = getattr(thing, "__dict__", {}).get("__bound__")
    return found if isinstance(found, Bound) else None


@contextmanager
def bound_to_its_name(name: str, candidate: object) -> Iterator[None]:
    """While an answer runs, its name means the answer itself.

    A function that calls itself would otherwise meet what the cell bound the last time: the
    course's.
    """
    module = sys.modules.get(getattr(candidate, "__module__", None) or "")
    space = getattr(candidate, "__globals__", None) or getattr(module, "__dict__", {})
    missing = object()
    before = space.get(name, missing)
    if before is not missing and bound_of(before) is None:
        yield  # the name means something else there, such as the reference beside its alternatives
        return
    space[name] = candidate
    try:
        yield
    finally:
        if before is missing:
            space.pop(name, None)
        else:
            space[name] = before
