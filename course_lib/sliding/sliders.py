"""What a learner can set: a value, its range, and its start.

    IntRange(0, 180, start=60, label="angle in degrees", step=5)
    FloatRange(0.1, 10, start=1, label="temperature T", log=True)
    Options(["cat", "dog"], start="cat", label="word")       # values, or {name: value}
    Toggle(start=False, label="scale by 1/sqrt(d)")

Each range has a slider and, beside it, a field for typing the number, so that the keyboard alone
is enough. The start stands before the surprise and the range reaches it. What is moved by handles
in the picture alone is in held.py.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class _Range:
    low: float
    high: float
    start: float
    label: str
    step: float | None = None
    log: bool = False

    def __post_init__(self):
        if not self.label.strip():
            raise ValueError("label is empty, but a slider needs a name that a learner can read")
        if not self.low < self.high:
            raise ValueError(f"low is {self.low} and high {self.high}: low must be the smaller")
        if not self.low <= self.start <= self.high:
            raise ValueError(
                f"start is {self.start}, but it must lie between {self.low} and {self.high}"
            )
        if self.log and self.low <= 0:
            raise ValueError(f"low is {self.low}, but a log scale needs a number above 0")

    def refuse(self, value: Any) -> None:
        """Raise ValueError, if `value` is outside of the range."""
        if not self.low <= value <= self.high:
            raise ValueError(f"{self.label}: {value} is not between {self.low} and {self.high}")

    def notches(self) -> list:
        """Where the slider stops: every step, both ends, and the start; in order.

        On a log scale these are rounded numbers, each another value: on an even grid of logarithms
        the first arrow keys would all mean 1.
        """
        return list(_notches(self))

    def nearest(self, value: float) -> Any:
        """The stop that is nearest to `value`; by ratio on a log scale."""
        if self.log:
            value = max(value, self.low)
            return min(self.notches(), key=lambda stop: abs(math.log(stop / value)))
        return min(self.notches(), key=lambda stop: abs(stop - value))

    def told(self) -> dict:
        """What the front end needs to know of it."""
        whole, log = isinstance(self, IntRange), self.log
        return {"kind": "range", "label": self.label, "stops": self.notches()} | {
            "whole": whole, "log": log
        }  # fmt: skip

    def sent(self, value: Any) -> Any:
        """A value as the front end has it."""
        return value

    def taken(self, raw: Any) -> Any:
        """The value that the front end means, brought into the range."""
        return self.value(min(max(float(raw), self.low), self.high))

    def value(self, raw: Any) -> Any:
        """The parameter's value for a number."""
        raise NotImplementedError

    def _even(self) -> set:
        step = self.step or self._usual_step()
        count = math.floor((self.high - self.low) / step + 1e-9)
        return {self.value(self.low + i * step) for i in range(count + 1)}

    def _usual_step(self) -> float:
        return _nice_step(self.low, self.high)

    def _rounded(self) -> set:
        raise NotImplementedError

    def _octaves(self) -> range:
        return range(math.floor(math.log2(self.low)), math.ceil(math.log2(self.high)) + 1)

    def _decades(self) -> range:
        return range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)

    def _middle(self) -> float:
        return math.sqrt(self.low * self.high) if self.log else (self.low + self.high) / 2


@functools.cache  # asked for several times at each step of a slider
def _notches(spec: _Range) -> tuple:
    grid = spec._rounded() if spec.log else spec._even()
    inside = {v for v in grid if spec.low <= v <= spec.high}
    return tuple(sorted(inside | {spec.low, spec.start, spec.high}))


class IntRange(_Range):
    """Whole numbers from low to high, both included."""

    def value(self, raw: Any) -> int:
        """The parameter's value for a number from the slider or from the field."""
        return round(raw)

    def _usual_step(self) -> float:
        return 1

    def _rounded(self) -> set[int]:
        """Four to a doubling, so that every power of two is there; and the powers of ten."""
        return {round(2 ** (o + k / 4)) for o in self._octaves() for k in range(4)} | {
            10**d for d in self._decades() if d >= 0
        }

    def stops(self) -> list[int]:
        """Both ends and the middle: where tests look."""
        return [round(self.low), round(self._middle()), round(self.high)]


# Where a log scale stops between 1 and 10, in tenths: each step is a twentieth to a fifth.
TENTHS = (*range(10, 20), *range(20, 30, 2), *range(30, 50, 5), *range(50, 100, 10))


class FloatRange(_Range):
    """Numbers from low to high."""

    def value(self, raw: Any) -> float:
        """The parameter's value for a number from the slider or from the field."""
        return min(max(float(f"{raw:.6g}"), self.low), self.high)

    def _rounded(self) -> set[float]:
        """Steps that grow: 1, 1.1, ..., 2, 2.2, ..., 3, 3.5, ..., 5, 6, ..., 10, 11 and so on."""
        return {float(f"{tenths}e{d - 1}") for d in self._decades() for tenths in TENTHS}

    def stops(self) -> list[float]:
        """Both ends and the middle: where tests look."""
        return [self.low, self.value(self._middle()), self.high]


@dataclass(frozen=True)
class Options:
    """One of a few values, each with a name: a list of values, or a dict from name to value."""

    choices: list | tuple | dict
    start: object
    label: str

    def __post_init__(self):
        if self.start not in self.named().values():
            raise ValueError(f"start is {self.start!r}, but the choices are {self.stops()}")

    def named(self) -> dict:
        """From the name that the learner reads to the value."""
        if isinstance(self.choices, dict):
            return dict(self.choices)
        return {str(choice): choice for choice in self.choices}

    def value(self, raw: Any) -> Any:
        """The parameter's value: the chosen one itself."""
        return raw

    def notches(self) -> list:
        """All values."""
        return self.stops()

    def nearest(self, value: Any) -> Any:
        """The chosen one; the start, where it is none of the choices."""
        return value if value in self.stops() else self.start

    def told(self) -> dict:
        """What the front end needs to know of it."""
        names = list(self.named())
        return {"kind": "options", "label": self.label, "names": names} | {
            "stops": list(range(len(names)))
        }

    def sent(self, value: Any) -> int:
        """Its place among the choices."""
        return self.stops().index(value)

    def taken(self, raw: Any) -> Any:
        """The choice at that place."""
        return self.stops()[int(raw)]

    def refuse(self, value: Any) -> None:
        """Raise ValueError, if `value` is none of the choices."""
        if value not in self.stops():
            raise ValueError(f"{self.label}: {value!r} is none of {self.stops()}")

    def stops(self) -> list:
        """All values."""
        return list(self.named().values())


@dataclass(frozen=True)
class Toggle:
    """Off or on."""

    start: bool
    label: str

    def value(self, raw: Any) -> bool:
        """The parameter's value."""
        return bool(raw)

    def notches(self) -> list[bool]:
        """Off and on."""
        return self.stops()

    def nearest(self, value: Any) -> bool:
        """Off or on."""
        return bool(value)

    def told(self) -> dict:
        """What the front end needs to know of it."""
        return {"kind": "toggle", "label": self.label, "stops": self.stops()}

    def sent(self, value: Any) -> bool:
        """A value as the front end has it."""
        return bool(value)

    def taken(self, raw: Any) -> bool:
        """The value that the front end means."""
        return bool(raw)

    def refuse(self, value: Any) -> None:
        """Raise ValueError, if `value` is neither True nor False."""
        if value not in (True, False):
            raise ValueError(f"{self.label}: {value!r} is neither True nor False")

    def stops(self) -> list[bool]:
        """Off and on."""
        return [False, True]


def _nice_step(low: float, high: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that makes 50 to 200 steps of the range."""
    rough = (high - low) / 100
    power = 10 ** math.floor(math.log10(rough))
    return min((1, 2, 5, 10), key=lambda m: abs(math.log(m * power / rough))) * power
