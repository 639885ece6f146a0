"""A bet is data: a question, how it is answered, why it comes out as it does; and its result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from course_lib.betting import sentences as s
from course_lib.words import say

LATER = "after_the_run"  # where an answer is kept that came when the run had settled the bet
CLOSE = 1.5  # times as far off as what is still right; of a factor, its power
CONFIDENCES = {"guess": s.GUESS, "think": s.THINK, "sure": s.SURE}  # as it is kept: as it is said


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

    def __post_init__(self) -> None:
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

    def fits(self, answer: object) -> bool:
        """Whether a stored answer is one that can be given."""
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            return False
        return self.low <= answer <= self.high

    def is_right(self, bet: float, measured: float) -> bool:
        """Whether a bet is near enough."""
        if self.factor is not None:
            low, high = sorted((abs(bet), abs(measured)))
            return bet * measured > 0 and high <= self.factor * low
        return abs(bet - measured) <= self.near * (1 + 1e-9)

    def is_close(self, bet: float, measured: float) -> bool:
        """Whether a bet is right, or a near miss."""
        factor = self.factor and self.factor**CLOSE
        return replace(self, near=CLOSE * self.near, factor=factor).is_right(bet, measured)

    def most_shown(self) -> str:
        """How far off a bet may be and still be close, in words."""
        if self.factor is not None:
            return say(s.A_FACTOR, factor=f"{self.factor**CLOSE:.3g}")
        return self.bet_shown(CLOSE * self.near)


@dataclass(frozen=True)
class Choice:
    """An answer that is one of several options.

    which(measured): the index of the option that the run says.

    Raises: ValueError, if there are fewer than two options.
    """

    options: tuple[str, ...]
    which: Callable[..., int]

    def __post_init__(self) -> None:
        if len(self.options) < 2:
            raise ValueError(f"a choice needs two options or more; got {self.options!r}")

    def bet_shown(self, index: int) -> str:
        """An option in the learner's language."""
        return say(self.options[index])

    def fits(self, answer: object) -> bool:
        """Whether a stored answer is the index of an option."""
        if isinstance(answer, bool) or not isinstance(answer, int):
            return False
        return 0 <= answer < len(self.options)


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


@dataclass(frozen=True)
class Comparison:
    """A bet beside what the run measured.

    said: one sentence on both.   right: None where there was no bet.   run: the run's answer.
    close: whether it is not right, and a near miss.
    """

    said: str
    right: bool | None
    run: str
    close: bool = False


def compared(bet: Bet, placed: Mapping, measured: Any) -> Comparison:
    """The bet that was placed (`answer`, `confidence`) beside the measured value.

    placed: may hold LATER instead, what was said when the run had settled it.

    Raises: TypeError or ValueError, if the measured value does not fit to the bet.
    """
    if isinstance(bet.answer, Choice):
        return _choice_compared(bet.answer, placed, measured)
    return _number_compared(bet.answer, placed, float(measured))


def confidence_shown(confidence: object) -> str:
    """The words of a confidence as it is kept."""
    return say(CONFIDENCES.get(confidence, s.GUESS) if isinstance(confidence, str) else s.GUESS)


def _without_bet(answer: Choice | Number, placed: Mapping, run: str) -> Comparison:
    later = placed.get(LATER)
    if not later:
        return Comparison(say(s.NO_BET, run=run), None, run)
    said = say(s.BET_LATER, later=answer.bet_shown(later["answer"]), run=run)
    return Comparison(said, None, run)


def _choice_compared(choice: Choice, placed: Mapping, measured: Any) -> Comparison:
    index = int(choice.which(measured))
    if not 0 <= index < len(choice.options):
        raise ValueError(f"which(measured) gave {index}, of {len(choice.options)} options")
    run = choice.bet_shown(index)
    if "answer" not in placed:
        return _without_bet(choice, placed, run)
    right = placed["answer"] == index
    said = say(
        s.BET_RIGHT if right else s.BET_WRONG,
        bet=choice.bet_shown(placed["answer"]),
        confidence=confidence_shown(placed.get("confidence")),
        run=run,
    )
    return Comparison(said, right, run)


def _number_compared(number: Number, placed: Mapping, measured: float) -> Comparison:
    if not number.low <= measured <= number.high:
        raise ValueError(f"measured is {measured}; the bet allows {number.low} to {number.high}")
    run = number.shown(measured)
    if "answer" not in placed:
        return _without_bet(number, placed, run)
    right = number.is_right(placed["answer"], measured)
    nothing_off = number.bet_shown(placed["answer"]) == run
    close = not right and number.is_close(placed["answer"], measured)
    missed = s.BET_CLOSE if close else s.BET_OFF
    template = (s.BET_RIGHT if nothing_off else s.BET_NEAR) if right else missed
    said = say(
        template,
        bet=number.bet_shown(placed["answer"]),
        confidence=confidence_shown(placed.get("confidence")),
        run=run,
        difference=number.format.format(abs(placed["answer"] - measured)),
        most=number.most_shown(),
    )
    return Comparison(said, right, run, close)
