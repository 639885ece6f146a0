"""A bet is data: a question, how it is answered, why it comes out as it does."""

from collections.abc import Callable
from dataclasses import dataclass

CONFIDENCES = ("guess", "think", "sure")


@dataclass(frozen=True)
class Number:
    """An answer that is a number from low to high.

    near: what still counts as right, as a distance; factor: the same as a ratio, as in 2 for
    "within a factor of 2".   format: how the run's number is printed.

    Raises: ValueError, if low is not below high.
    """

    low: float
    high: float
    unit: str = ""
    near: float = 0.0
    factor: float | None = None
    format: str = "{:.3g}"

    def __post_init__(self):
        if not self.low < self.high:
            raise ValueError(f"low must be below high; got low={self.low}, high={self.high}")
        if self.factor is not None and not self.factor > 1:
            raise ValueError(f"factor must be greater than 1; got {self.factor}")

    def shown(self, value: float) -> str:
        """The run's number as text, with its unit."""
        return self.with_unit(self.format.format(value))

    def bet_shown(self, value: float) -> str:
        """A bet as it was typed, with its unit."""
        return self.with_unit(f"{value:.10g}")

    def with_unit(self, text: str) -> str:
        """A number's text and the unit."""
        return f"{text} {self.unit}" if self.unit else text

    def is_right(self, bet: float, measured: float) -> bool:
        """Whether a bet is near enough."""
        if self.factor is not None:
            low, high = sorted((abs(bet), abs(measured)))
            return bet * measured > 0 and high <= self.factor * low
        return abs(bet - measured) <= self.near * (1 + 1e-9)


@dataclass(frozen=True)
class Choice:
    """An answer that is one of several options.

    which(measured): the index of the option that the run says.

    Raises: ValueError, if there are fewer than two options.
    """

    options: tuple[str, ...]
    which: Callable[[object], int]

    def __post_init__(self):
        if len(self.options) < 2:
            raise ValueError(f"a choice needs two options or more; got {self.options!r}")


@dataclass(frozen=True)
class Bet:
    """A question whose answer is not obvious; the run settles it.

    why: one sentence of why it comes out so.   model_answer: the longer answer, folded.
    depth: it stands behind the core and may be left out.
    """

    name: str
    question: str
    answer: Choice | Number
    why: str
    model_answer: str = ""
    depth: bool = False
