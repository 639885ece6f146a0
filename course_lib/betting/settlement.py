"""Compares a bet with what the run has just measured."""

from dataclasses import dataclass

from course_lib.betting.bet import Choice
from course_lib.judging import sentences as s
from course_lib.judging.verdict import Sentence, sentence

CONFIDENCE_WORDS = {"guess": s.GUESS, "think": s.THINK, "sure": s.SURE}


@dataclass(frozen=True)
class Settlement:
    """What came out: right is None where there was no bet."""

    said: Sentence
    right: bool | None
    run: str


def settled(bet, placed: dict, measured) -> Settlement:
    """The bet that was placed (`answer`, `confidence`) against the measured value.

    Raises: TypeError or ValueError, if the measured value does not fit to the bet.
    """
    if isinstance(bet.answer, Choice):
        return _choice(bet.answer, placed, measured)
    return _number(bet.answer, placed, float(measured))


def bet_shown(bet, answer) -> str:
    """A placed answer as text: the option, or the number with its unit."""
    if isinstance(bet.answer, Choice):
        return _said(bet.answer.options[answer])
    return bet.answer.bet_shown(answer)


def confidence_shown(confidence) -> Sentence:
    """The words of a confidence."""
    return Sentence(CONFIDENCE_WORDS.get(confidence, s.GUESS))


def _said(template: str) -> str:
    return Sentence(template).text


def _choice(choice, placed, measured) -> Settlement:
    index = int(choice.which(measured))
    if not 0 <= index < len(choice.options):
        raise ValueError(f"which(measured) gave {index}, of {len(choice.options)} options")
    run = _said(choice.options[index])
    if "answer" not in placed:
        return Settlement(sentence(s.NO_BET, run=run), None, run)
    right = placed["answer"] == index
    said = sentence(
        s.BET_RIGHT if right else s.BET_WRONG,
        bet=_said(choice.options[placed["answer"]]),
        confidence=confidence_shown(placed.get("confidence")),
        run=run,
    )
    return Settlement(said, right, run)


def _number(number, placed, measured) -> Settlement:
    if not number.low <= measured <= number.high:
        raise ValueError(f"measured is {measured}; the bet allows {number.low} to {number.high}")
    run = number.shown(measured)
    if "answer" not in placed:
        return Settlement(sentence(s.NO_BET, run=run), None, run)
    right = number.is_right(placed["answer"], measured)
    difference = number.format.format(abs(placed["answer"] - measured))
    nothing_off = number.bet_shown(placed["answer"]) == run
    template = (s.BET_RIGHT if nothing_off else s.BET_NEAR) if right else s.BET_OFF
    said = sentence(
        template,
        bet=number.bet_shown(placed["answer"]),
        confidence=confidence_shown(placed.get("confidence")),
        run=run,
        difference=difference,
    )
    return Settlement(said, right, run)
